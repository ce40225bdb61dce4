"""Across the models: which effects hold up, and the study's headline numbers."""

import re
from collections.abc import Mapping

import pandas as pd

# The columns that carry each predictor that section 4.2 of the plateau paper names.
NAMED = {
    "age": ["age"],
    "test_set_size": ["log_n"],
    "adoption": ["log_citations"],
    "accessibility": ["private"],
    "output_format": ["closed_ended"],
    "templating": ["templated"],
    "language": ["multilingual"],
    "curation": [
        "curated_by_experts",
        "curated_by_crowd",
        "generated_by_llm",
        "generated_by_program",
    ],
    "quality_issues": [
        "issue_contamination",
        "issue_noise",
        "issue_mislabelling",
        "issue_bias",
        "issue_other",
    ],
}

EFFECTS = [
    "predictor", "column", "models", "excludes_zero", "share", "sign_kept", "lowest", "highest",
]  # fmt: skip


def effects(coefficients: pd.DataFrame) -> pd.DataFrame:
    """Which named effects keep their sign and exclude zero over the models that contain them.

    Parameters
    ----------
    coefficients
        Coefficient tables of all models with a column ``model``.

    Returns
    -------
    pandas.DataFrame
        One row a column: ``predictor, column, models, excludes_zero, share, sign_kept, lowest,
        highest`` (the range of posterior means).
    """
    rows = []
    for predictor, columns in NAMED.items():
        for column in columns:
            found = coefficients[coefficients["column"] == column]
            if found.empty:
                continue
            signs = found["mean"] > 0
            rows.append(
                {
                    "predictor": predictor,
                    "column": column,
                    "models": len(found),
                    "excludes_zero": int(found["excludes_zero"].sum()),
                    "share": float(found["excludes_zero"].mean()),
                    "sign_kept": bool(signs.all() or not signs.any()),
                    "lowest": float(found["mean"].min()),
                    "highest": float(found["mean"].max()),
                }
            )
    return pd.DataFrame(rows, columns=EFFECTS)


def quantities(
    fit: pd.DataFrame,
    coefficients: pd.DataFrame,
    effects_table: pd.DataFrame,
    located: pd.DataFrame,
) -> pd.DataFrame:
    """Headline numbers for the ledger: ``quantity, value, lower, upper, note``.

    Parameters
    ----------
    fit
        Fit tables of all models with a column ``model``. A held-out measure that rests on an
        unreliable prediction gets no value, and a note that says why.
    coefficients
        Coefficient tables of all models with a column ``model``.
    effects_table
        Table of :func:`effects` over the Beta models.
    located
        Table of :func:`saturation.regression.artefact.located`.
    """
    rows = [*_fit_rows(fit), *_coefficient_rows(coefficients)]
    rows += [
        _row(
            f"share_excluding_zero_{row['column']}",
            row["share"],
            note=f"share of the {row['models']} Beta models with this term whose 95 % interval "
            "excludes zero",
        )
        for row in effects_table.to_dict("records")
    ]
    others = effects_table[~effects_table["predictor"].isin(["age", "test_set_size"])]
    rows.append(
        _row(
            "share_excluding_zero_most_other",
            float(others["share"].max()),
            note="largest share among the predictors other than age and test-set size",
        )
    )
    for row in located.to_dict("records"):
        name = f"permuted_{row['control']}_{row['predictor']}"
        note = f"posterior mode over {row['permutations']} permutations of {row['control']}"
        rows.append(_row(name, row["null_mean"], row["null_lower"], row["null_upper"], note))
        rows.append(_row(f"{name}_p", row["p_two_sided"], note="two-sided place of the real one"))
    return pd.DataFrame(rows)


def identifier(text: str) -> str:
    """Name of a quantity: lower case, other signs than letters and digits as one underscore."""
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")


def _fit_rows(fit: pd.DataFrame) -> list[dict[str, object]]:
    rows = []
    for row in fit.to_dict("records"):
        model, measure, bounds = row["model"], row["measure"], (row["lower"], row["upper"])
        note = f"{row['rows']} rows, {row['columns']} columns"
        if not row["held_out"]:
            if measure.startswith("r2_"):
                kind = measure.removeprefix("r2_")
                reading = f"{model}_{kind}"
                rows.append(_row(f"r2_bayes__{reading}", row["value"], *bounds, note))
                rows.append(_row(f"r2_bayes_sd__{reading}", row["sd"], note=note))
            else:
                rows.append(_row(f"auroc__{model}", row["median"], *bounds, note))
        elif row["unreliable"]:
            missing = (
                "importance sampling fails for some benchmarks of this model "
                f"({row['unreliable']}); their exact refits are part of make full"
            )
            rows.append(_row(f"{measure}_{model}", None, note=missing))
        else:
            refitted = f"{note}, {row['exact_refits']} exact refits"
            rows.append(_row(f"{measure}_{model}", row["value"], *bounds, refitted))
    return rows


def _coefficient_rows(coefficients: pd.DataFrame) -> list[dict[str, object]]:
    named = {column for columns in NAMED.values() for column in columns}
    kept = coefficients["column"].map(lambda c: c in named or set(c.split(":")) <= named)
    return [
        _row(
            f"coefficient_{identifier(str(row['model']))}_{identifier(str(row['column']))}",
            row["mean"],
            row["lower_95"],
            row["upper_95"],
            "posterior mean and 95 % highest-density interval",
        )
        for row in coefficients[kept].to_dict("records")
    ]


def _row(
    quantity: str,
    value: float | None,
    lower: float | None = None,
    upper: float | None = None,
    note: str = "",
) -> dict[str, object]:
    return {"quantity": quantity, "value": value, "lower": lower, "upper": upper, "note": note}


def stacked(tables: Mapping[str, pd.DataFrame], key: str = "model") -> pd.DataFrame:
    """Tables one under the other, the name of each in a first column ``key``."""
    named = [table.copy() for table in tables.values()]
    for name, table in zip(tables, named):
        table.insert(0, key, name)
    return pd.concat(named, ignore_index=True)
