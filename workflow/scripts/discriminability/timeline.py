"""The saturation index over time beside the discriminability index; knowledge and reasoning."""

from pathlib import Path

from saturation import files, timeline


def main(tables: dict[str, Path], k: int, alpha: float, outputs: dict[str, Path]) -> None:
    benchmarks = files.read_table(tables["benchmarks"])
    monthly = files.read_table(tables["monthly"])
    index = timeline.index_over_time(files.read_table(tables["top"]), benchmarks, k, alpha)
    paces = timeline.pace(monthly, benchmarks)
    agreement = timeline.agreement(monthly, index)
    files.write_csv(index, outputs["index"])
    files.write_csv(agreement, outputs["agreement"])
    files.write_html(agreement, outputs["agreement_html"], "Rank agreement of S_index with 1 - BDI")
    files.write_csv(paces, outputs["pace"])
    files.write_csv(timeline.kinds(paces), outputs["kinds"])


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            tables={name: Path(snakemake.input[name]) for name in ("benchmarks", "monthly", "top")},
            k=snakemake.params.k,
            alpha=snakemake.params.alpha,
            outputs={name: Path(path) for name, path in snakemake.output.items()},
        )
