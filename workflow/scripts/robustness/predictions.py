"""Check the table of predictions, normalise its answers and list incomplete examples."""

from collections.abc import Sequence
from pathlib import Path

from saturation.files.checks import validate
from saturation.files.tables import logged, read_table, write_csv, write_parquet
from saturation.robustness import answers, schemas


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
    text = [*schemas.KEYS, *factors, "prediction"]
    # Codes instead of text from the start: ten million rows then fit in a laptop's memory.
    coded = (
        {"read_dictionary": text}
        if predictions.suffix == ".parquet"
        else {"dtype": dict.fromkeys(text, "category")}
    )
    rows = schemas.compact(read_table(predictions, **coded), text)
    rows = validate(rows, schemas.predictions(factors, *score_range), str(predictions))
    rows = schemas.arranged(rows, factors, str(predictions), score_range)
    incomplete = schemas.missing_configurations(rows)
    if strict:
        schemas.check_complete(incomplete, str(predictions))
    rows["answer"] = answers.normalise(rows["prediction"], normalise)
    write_csv(incomplete, missing)
    write_parquet(rows.drop(columns="prediction"), output)


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            Path(snakemake.input.predictions),
            Path(snakemake.output.predictions),
            Path(snakemake.output.missing),
            factors=snakemake.params.factors,
            score_range=tuple(snakemake.params.score_range),
            normaliser=snakemake.params.normaliser,
            strict=snakemake.params.strict,
        )
