"""Draw the figures of the robustness study, each as PNG, PDF and SVG."""

from saturation.drawing import style
from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_figures
from saturation.robustness import figures, schemas

TABLES = {
    "consistency": schemas.CONSISTENCY,
    "slopes": schemas.SLOPES,
    "outliers": schemas.OUTLIERS,
    "std_distribution": schemas.STD_DISTRIBUTION,
    "variance_shares": schemas.VARIANCE_SHARES,
    "saturation": schemas.SATURATION,
    "correlations": schemas.CORRELATIONS,
    "anova": schemas.ANOVA,
}


def main(inputs: Paths, output: Paths) -> None:
    tables = {name: stages.read(inputs[name], schema) for name, schema in TABLES.items()}
    with style.style():
        write_figures(figures.drawn(tables), output.each("files"))


stages.run(main, globals())
