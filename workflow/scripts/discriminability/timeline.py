"""The saturation index over time beside the discriminability index; knowledge and reasoning."""

from pathlib import Path

from saturation.discriminability import index_over_time
from saturation.files.tables import logged, read_table, write_csv, write_html


def main(tables: dict[str, Path], k: int, alpha: float, outputs: dict[str, Path]) -> None:
    benchmarks = read_table(tables["benchmarks"])
    monthly = read_table(tables["monthly"])
    index = index_over_time.index_over_time(read_table(tables["top"]), benchmarks, k, alpha)
    paces = index_over_time.pace(monthly, benchmarks)
    agreement = index_over_time.agreement(monthly, index)
    write_csv(index, outputs["index"])
    write_csv(agreement, outputs["agreement"])
    write_html(agreement, outputs["agreement_html"], "Rank agreement of S_index with 1 - BDI")
    write_csv(paces, outputs["pace"])
    write_csv(index_over_time.kinds(paces), outputs["kinds"])


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            tables={name: Path(snakemake.input[name]) for name in ("benchmarks", "monthly", "top")},
            k=snakemake.params.k,
            alpha=snakemake.params.alpha,
            outputs={name: Path(path) for name, path in snakemake.output.items()},
        )
