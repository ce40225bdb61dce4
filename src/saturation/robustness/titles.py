"""How titles and footnotes say that predictions are made up: everywhere in the same words."""

import pandas as pd


def of_table(title: str, table: pd.DataFrame) -> str:
    """The title of a table, with its origin where its predictions are made up.

    Parameters
    ----------
    title
        Title of the table.
    table
        Anything from predictions, with the column `synthetic`.
    """
    return f"{title} (synthetic predictions)" if table["synthetic"].any() else title


def of_figure(finding: str, table: pd.DataFrame) -> str:
    """The title of a figure: its finding; that its predictions are made up comes before it.

    Parameters
    ----------
    finding
        What the figure shows, in words.
    table
        Anything from predictions, with the column `synthetic`.
    """
    if table["synthetic"].any():
        return f"SYNTHETIC DATA: {finding}"
    return finding[:1].upper() + finding[1:]


def source(remark: str, table: pd.DataFrame) -> str:
    """Remark below a figure, with the origin of made-up predictions.

    Parameters
    ----------
    remark
        Sample size and the like.
    table
        Anything from predictions, with the column `synthetic`.
    """
    if table["synthetic"].any():
        return f"{remark}; synthetic predictions, drawn with a known truth"
    return remark
