"""Check the table of predictions, normalise its answers and list incomplete examples."""

from collections.abc import Sequence
from pathlib import Path

from saturation import answers, files
from saturation.tables import robustness
from saturation.tables.checks import validate


def main(
    predictions: Path,
    output: Path,
    missing: Path,
    factors: Sequence[str],
    score_range: tuple[float, float],
    normaliser: str,
    strict: bool,
) -> None:
    normalise = answers.normaliser(normaliser)
    text = [*robustness.KEYS, *factors, "prediction"]
    # Codes instead of text from the start: ten million rows then fit in a laptop's memory.
    coded = (
        {"read_dictionary": text}
        if predictions.suffix == ".parquet"
        else {"dtype": dict.fromkeys(text, "category")}
    )
    rows = robustness.compact(files.read_table(predictions, **coded), text)
    rows = validate(rows, robustness.predictions(factors, *score_range), str(predictions))
    rows = robustness.arranged(rows, factors, str(predictions), score_range)
    incomplete = robustness.missing_configurations(rows)
    if strict:
        robustness.check_complete(incomplete, str(predictions))
    rows["answer"] = answers.normalise(rows["prediction"], normalise)
    files.write_csv(incomplete, missing)
    files.write_parquet(rows.drop(columns="prediction"), output)


if "snakemake" in globals():
    with files.logged(snakemake.log[0]):
        main(
            Path(snakemake.input.predictions),
            Path(snakemake.output.predictions),
            Path(snakemake.output.missing),
            factors=snakemake.params.factors,
            score_range=tuple(snakemake.params.score_range),
            normaliser=snakemake.params.normaliser,
            strict=snakemake.params.strict,
        )
