"""Draw the figures of the public answers, each as PNG, PDF and SVG."""

from saturation.drawing import style
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_figures
from saturation.robustness import public_figures, schemas

TABLES = {
    "variants": schemas.VARIANTS,
    "trend_pairs": schemas.TREND_PAIRS,
    "trends": schemas.TRENDS,
    "trend_components": schemas.TREND_COMPONENTS,
    "prompts": schemas.PROMPTS,
    "prompt_spreads": schemas.PROMPT_SPREADS,
    "repeats": schemas.REPEATS,
    "floor": schemas.FLOOR,
    "audit_datasets": schemas.AUDIT_DATASETS,
}


def main(inputs: Paths, output: Paths) -> None:
    tables = {name: stages.read(inputs[name], schema) for name, schema in TABLES.items()}
    with style.style():
        write_figures(public_figures.drawn(tables), output.each("files"))


stages.run(main, globals())
