"""Where two tables that should be the same differ."""

import pandas as pd


def sentences(embedded: pd.DataFrame, computed: pd.DataFrame, file: str) -> list[str]:
    """One line a difference between an embedded table and the one computed from its source.

    Parameters
    ----------
    embedded, computed
        Tables of text.
    file
        Name of the embedded table.

    Returns
    -------
    list of str
        Empty when all cells agree; otherwise file, row (as an editor counts), column and both
        values. Tables of another shape are one difference: their rows cannot be paired.
    """
    if list(embedded.columns) != list(computed.columns) or len(embedded) != len(computed):
        return [
            f"{file}: the embedded table has {len(embedded)} rows and the columns "
            f"{', '.join(embedded.columns)}; the source gives {len(computed)} rows and "
            f"{', '.join(computed.columns)}"
        ]
    left, right = embedded.fillna(""), computed.fillna("")
    places = (left != right).to_numpy().nonzero()
    return [
        f"{file}, row {row + 2}, column '{left.columns[column]}': the embedded table has "
        f"'{left.iloc[row, column]}', the source gives '{right.iloc[row, column]}'"
        for row, column in zip(*places, strict=True)
    ]
