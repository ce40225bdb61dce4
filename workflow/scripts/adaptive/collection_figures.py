"""Draw a collection's figures: the three measures, and fluid against random model by model."""

from saturation.adaptive import figures, schemas
from saturation.adaptive.figures import called
from saturation.adaptive.study import together
from saturation.files import stages
from saturation.files.tables import write_figures
from saturation.pages import style


def main(
    inputs: stages.Paths,
    output: stages.Paths,
    *,
    collection: str,
    banks: list[str],
    synthetic: bool,
) -> None:
    models = stages.read_each(inputs.each("models"), schemas.MODELS)
    title = f"{called(collection)}, {len(banks)} benchmarks"
    title += " (synthetic responses)" if synthetic else " (real responses)"
    with style.style():
        drawn = {
            "quality": figures.quality(stages.read(inputs["summary"], schemas.QUALITY), title),
            "pairs": figures.pairs(together(dict(zip(banks, models))), title),
        }
        write_figures(drawn, output.each("files"))


stages.run(main, globals())
