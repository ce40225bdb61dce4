"""Check the paper's printed statistics against each other and against its design."""

from pathlib import Path

from saturation.files.checks import validate
from saturation.files.tables import logged, read_table, write_csv, write_html
from saturation.robustness import audit, schemas


def main(
    anova: Path,
    design: Path,
    performance: Path,
    external: Path,
    outputs: dict[str, str],
    examples: int,
) -> None:
    cells = validate(read_table(performance), schemas.PERFORMANCE, str(performance))
    printed = validate(read_table(anova, dtype=str), schemas.PRINTED_ANOVA, str(anova))
    checked = validate(read_table(external), schemas.EXTERNAL, str(external))
    levels = schemas.levels(read_table(design, dtype=str))
    counts = {factor: len(names) for factor, names in levels.items()}
    n_design = cells["model"].nunique() * examples * schemas.n_configurations(levels)
    rows = audit.audit_rows(printed, counts, n_design)
    datasets = audit.audit_datasets(rows, counts, n_design, cells)
    write_csv(rows, outputs["rows"])
    write_html(rows, outputs["html"], "Tables C.1 and C.2, each row checked")
    write_csv(datasets, outputs["datasets"])
    write_html(datasets, outputs["datasets_html"], "What Tables C.1 and C.2 say about each dataset")
    write_csv(audit.audit_external(checked, cells), outputs["external"])


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.anova),
            Path(snakemake.input.design),
            Path(snakemake.input.performance),
            Path(snakemake.input.external),
            dict(snakemake.output.items()),
            examples=snakemake.params.examples,
        )
