"""Across the models: which effects hold up, and the study's headline numbers."""

import re
from collections.abc import Mapping, Sequence

import pandas as pd

from saturation import quantity
from saturation.quantity import Quantity
from saturation.regression.specification import Specification
from saturation.regression.validation import IN_SAMPLE, compare

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


def tables(
    specifications: Mapping[str, Specification],
    fits: Mapping[str, pd.DataFrame],
    coefficients: Mapping[str, pd.DataFrame],
    held_out: Mapping[str, pd.DataFrame],
    located: pd.DataFrame,
    folds: int,
) -> dict[str, pd.DataFrame]:
    """All models side by side: ``fit, effects, comparison, quantities``.

    The effects are those of the models of saturation, the ledger's shares those of the Beta models,
    so that more likelihoods do not change a verdict.
    """
    fit, estimates = stacked(fits), stacked(coefficients)
    outcomes = {name: model.outcome for name, model in specifications.items()}
    of_saturation = [name for name, outcome in outcomes.items() if outcome != "log_gap"]
    compared = {
        outcome: compare(
            {name: held_out[name] for name in outcomes if outcomes[name] == outcome}, folds
        )
        for outcome in dict.fromkeys(outcomes.values())
    }
    judged = effects(estimates[estimates["model"].isin(judged_models(specifications))])
    return {
        "fit": fit,
        "effects": effects(estimates[estimates["model"].isin(of_saturation)]),
        "comparison": stacked(compared, "outcome"),
        "quantities": quantities(fit, estimates, judged, located),
    }


def judged_models(specifications: Mapping[str, Specification]) -> list[str]:
    """The models over which the ledger counts effects.

    Those with the paper's likelihood and link and a prior on each coefficient alone, without the
    ones of all products, whose main effects mean something else.
    """
    return [
        name
        for name, model in specifications.items()
        if model.likelihood == "beta" and model.priors.nonzero is None and "**" not in model.formula
    ]


def drawn_as_forest(models: Sequence[str]) -> str:
    """The model whose coefficients are drawn: the one with the paper's interactions, if it ran."""
    return "interaction" if "interaction" in models else models[0]


def effects(coefficients: pd.DataFrame) -> pd.DataFrame:
    """Which named effects keep their sign and exclude zero over the models that contain them.

    Returns
    -------
    pandas.DataFrame
        One row a column: ``predictor, column, models, excludes_zero, share, sign_kept, lowest,
        highest`` (the range of posterior means).
    """
    rows = []
    for predictor, columns in NAMED.items():
        for column in columns:
            estimates = coefficients[coefficients["column"] == column]
            if estimates.empty:
                continue
            signs = estimates["mean"] > 0
            rows.append(
                {
                    "predictor": predictor,
                    "column": column,
                    "models": len(estimates),
                    "excludes_zero": int(estimates["excludes_zero"].sum()),
                    "share": float(estimates["excludes_zero"].mean()),
                    "sign_kept": bool(signs.all() or not signs.any()),
                    "lowest": float(estimates["mean"].min()),
                    "highest": float(estimates["mean"].max()),
                }
            )
    return pd.DataFrame(rows, columns=EFFECTS)


def quantities(
    fit: pd.DataFrame,
    coefficients: pd.DataFrame,
    effects_table: pd.DataFrame,
    located: pd.DataFrame,
) -> pd.DataFrame:
    """Headline numbers for the ledger, see :class:`saturation.quantity.Quantity`."""
    rows = [*_fit_rows(fit), *_coefficient_rows(coefficients)]
    rows += [
        Quantity(
            f"share_excluding_zero_{row['column']}",
            row["share"],
            note=f"share of the {row['models']} Beta models with this term whose 95 % interval "
            "excludes zero",
        )
        for row in effects_table.to_dict("records")
    ]
    others = effects_table[~effects_table["predictor"].isin(["age", "test_set_size"])]
    rows.append(
        Quantity(
            "share_excluding_zero_most_other",
            float(others["share"].max()),
            note="largest share among the predictors other than age and test-set size",
        )
    )
    for row in located.to_dict("records"):
        name = f"permuted_{row['control']}_{row['predictor']}"
        note = f"posterior mode over {row['permutations']} permutations of {row['control']}"
        rows.append(Quantity(name, row["null_mean"], row["null_lower"], row["null_upper"], note))
        rows.append(
            Quantity(f"{name}_p", row["p_two_sided"], note="two-sided place of the real one")
        )
    return quantity.frame(rows)


def identifier(text: str) -> str:
    """Name of a quantity: lower case, other signs than letters and digits as one underscore."""
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")


# What the name of a quantity says of the data on which a measure was taken.
DATA = {IN_SAMPLE: "in_sample", "folds": "held_out", "singly": "leave_one_out"}


def _fit_rows(fit: pd.DataFrame) -> list[Quantity]:
    rows: list[Quantity] = []
    for row in fit.to_dict("records"):
        model, measure, data = row["model"], row["measure"], DATA[row["data"]]
        bounds, note = (row["lower"], row["upper"]), f"{row['rows']} rows, {row['columns']} columns"
        inside = row["data"] == IN_SAMPLE
        if measure in ("r2_modelled", "r2_residual"):
            kind = measure.removeprefix("r2_")
            name = "r2_bayes" if inside else f"r2_bayes_{data}"
            rows.append(Quantity(f"{name}__{model}_{kind}", row["value"], *bounds, note))
            if inside:
                rows.append(Quantity(f"r2_bayes_sd__{model}_{kind}", row["sd"], note=note))
        elif measure == "auroc":
            name = "auroc" if inside else f"auroc_draws_{data}"
            rows.append(Quantity(f"{name}__{model}", row["median"], *bounds, note))
        else:
            kind = measure.removesuffix("_prediction")
            rows.append(Quantity(f"{kind}_{data}_{model}", row["value"], *bounds, note))
    return rows


def _coefficient_rows(coefficients: pd.DataFrame) -> list[Quantity]:
    named = {column for columns in NAMED.values() for column in columns}
    kept = coefficients["column"].map(lambda column: set(column.split(":")) <= named)
    return [
        Quantity(
            f"coefficient_{identifier(str(row['model']))}_{identifier(str(row['column']))}",
            row["mean"],
            row["lower_95"],
            row["upper_95"],
            "posterior mean and 95 % highest-density interval",
        )
        for row in coefficients[kept].to_dict("records")
    ]


def stacked(tables: Mapping[str, pd.DataFrame], key: str = "model") -> pd.DataFrame:
    """Tables one under the other, the name of each in a first column."""
    named = [table.copy() for table in tables.values()]
    for name, table in zip(tables, named):
        table.insert(0, key, name)
    return pd.concat(named, ignore_index=True)
