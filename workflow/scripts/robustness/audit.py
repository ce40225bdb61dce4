"""Check the paper's printed statistics against each other and against its design."""

from pathlib import Path

from saturation import files, robustness_audit
from saturation.tables import robustness
from saturation.tables.checks import validate


def main(
    anova: Path,
    design: Path,
    performance: Path,
    external: Path,
    outputs: dict[str, str],
    examples: int,
) -> None:
    cells = validate(files.read_table(performance), robustness.PERFORMANCE, str(performance))
    printed = validate(files.read_table(anova, dtype=str), robustness.PRINTED_ANOVA, str(anova))
    checked = validate(files.read_table(external), robustness.EXTERNAL, str(external))
    levels = robustness.levels(files.read_table(design, dtype=str))
    counts = {factor: len(names) for factor, names in levels.items()}
    n_design = cells["model"].nunique() * examples * robustness.n_configurations(levels)
    rows = robustness_audit.audit_rows(printed, counts, n_design)
    datasets = robustness_audit.audit_datasets(rows, counts, n_design, cells)
    files.write_csv(rows, outputs["rows"])
    files.write_html(rows, outputs["html"], "Tables C.1 and C.2, each row checked")
    files.write_csv(datasets, outputs["datasets"])
    files.write_html(
        datasets, outputs["datasets_html"], "What Tables C.1 and C.2 say about each dataset"
    )
    files.write_csv(robustness_audit.audit_external(checked, cells), outputs["external"])


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            Path(snakemake.input.anova),
            Path(snakemake.input.design),
            Path(snakemake.input.performance),
            Path(snakemake.input.external),
            dict(snakemake.output.items()),
            examples=snakemake.params.examples,
        )
