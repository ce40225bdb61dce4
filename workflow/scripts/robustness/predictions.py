"""Check the table of predictions, normalise its answers and list incomplete examples."""

from collections.abc import Sequence
from typing import Any

from saturation.files.tables import load_table, write_csv, write_parquet
from studies.files import stages
from studies.files.stages import Paths
from studies.robustness import schemas, sources


def main(
    inputs: Paths,
    output: Paths,
    *,
    factors: Sequence[str],
    score_range: Sequence[float],
    normaliser: str,
    strict: bool,
) -> None:
    path = inputs["predictions"]
    text = [*schemas.KEYS, *factors, "prediction"]
    # Codes instead of text from the start: ten million rows then fit in a laptop's memory.
    coded: dict[str, Any] = (
        {"read_dictionary": text}
        if path.suffix == ".parquet"
        else {"dtype": dict.fromkeys(text, "category")}
    )
    low, high = score_range
    # A user's file: its schema is checked where its text has become codes.
    rows, missing = sources.prepared(
        load_table(path, **coded), factors, (low, high), normaliser, strict, str(path)
    )
    write_csv(missing, output["missing"])
    write_parquet(rows, output["predictions"])


stages.run(main, globals())
