"""Run the regression: from posteriors and held-out predictions to all its tables."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import scipy
from scipy.special import digamma, expit, gammaln

from saturation import seeds
from saturation.arrays import Floats, Places
from saturation.errors import InputError
from saturation.files.tables import NamedTables, round_as_csv
from saturation.index import SATURATED_FROM, saturation_index
from saturation.statistics import intervals
from studies.plateau.schemas import CURATION, ISSUES
from studies.quantity import Pick, Quantity, frame, picked, slug
from studies.regression import design, validation
from studies.regression.design import Design, squeezed
from studies.regression.predictive import Draws
from studies.regression.priors import Priors, Specification, specifications
from studies.regression.validation import FOLDS, IN_SAMPLE, HeldOut

if TYPE_CHECKING:
    import xarray as xr


# The predictors whose coefficients the permutation controls follow.
FOLLOWED = ("log_n", "age")
# The columns that carry each predictor that section 4.2 of the plateau paper names.
NAMED = {
    "age": ["age"],
    "test_set_size": ["log_n"],
    "adoption": ["log_citations"],
    "accessibility": ["private"],
    "output_format": ["closed_ended"],
    "templating": ["templated"],
    "language": ["multilingual"],
    "curation": list(CURATION),
    "quality_issues": [name for name in ISSUES if name != "issue_none_known"],
}

# What the name of a quantity says of the data on which a measure was taken.
DATA = {"folds": "held_out", "singly": "leave_one_out"}


@dataclass(frozen=True)
class Settings:
    """Settings of the regression: keys of the config's sections regression and plateau.

    The permutation controls take the design of the reference model, which needs no posterior. For
    `missing` see :func:`studies.regression.design.predictors`.
    """

    specifications: Mapping[str, Specification]
    reference_model: str
    missing: Mapping[str, str]
    saturated_from: float = SATURATED_FROM
    minimum_rows: int = 30
    bootstrap: int = 1000
    permutations: int = 200
    alpha: float = 0.5
    seed: int = 1

    @classmethod
    def parse(cls, values: Mapping[str, Any]) -> "Settings":
        """Return the settings with the config's sections of the models."""
        return cls(**{**values, "specifications": specifications(values["specifications"])})


# By the names of files, and under `models` those of each model by kind.
Tables = dict[str, Any]


def designs(benchmarks: pd.DataFrame, index: pd.DataFrame, settings: Settings) -> dict[str, Design]:
    """Return the design of every model."""
    predictors = design.predictors(
        round_as_csv(benchmarks), round_as_csv(index), settings.missing, settings.saturated_from
    )
    return design.designs(predictors, settings.specifications, settings.minimum_rows)


def study(
    benchmarks: pd.DataFrame,
    index: pd.DataFrame,
    posteriors: "Mapping[str, xr.DataTree]",
    held_out: Mapping[str, Mapping[str, HeldOut]],
    settings: Settings,
) -> Tables:
    """Tables of the joint regression, with the digits that the workflow writes.

    Parameters
    ----------
    posteriors
        Of every model, see :func:`studies.regression.posterior.sampler`.
    held_out
        Of the same models, by a name of :data:`studies.regression.validation.HELD_OUT`.
    settings
        The models and the effort.
    """
    built = designs(benchmarks, index, settings)
    run = {name: settings.specifications[name] for name in posteriors}
    models = {
        name: _tabulate_model(name, built[name], posteriors[name], held_out[name], settings)
        for name in run
    }
    permutations, located = controls(built[settings.reference_model], round_as_csv(index), settings)
    fit, coefficients = (
        stacked({name: tables[kind] for name, tables in models.items()})
        for kind in ("validation", "coefficients")
    )
    of_saturation = [name for name, model in run.items() if model.outcome != "log_gap"]
    judged = effects(coefficients[coefficients["model"].isin(judged_models(run))])
    folds = {name: schemes[FOLDS] for name, schemes in held_out.items()}
    return {
        "models": models,
        "permutations": permutations,
        "located": located,
        "fit": fit,
        "effects": effects(coefficients[coefficients["model"].isin(of_saturation)]),
        "comparison": round_as_csv(comparison(run, folds)),
        "quantities": quantities(fit, coefficients, judged, located),
    }


def _tabulate_model(
    name: str,
    built: Design,
    posterior: "xr.DataTree",
    held_out: Mapping[str, HeldOut],
    settings: Settings,
) -> NamedTables:
    tables = validation.tables(
        built,
        Draws.extract(posterior),
        held_out,
        settings.specifications[name],
        saturated_from=settings.saturated_from,
        bootstrap=settings.bootstrap,
        seed=seeds.derive(settings.seed, "regression", "fit", name),
    )
    return {kind: round_as_csv(table) for kind, table in tables.items()}


def comparison(
    specifications: Mapping[str, Specification], folds: Mapping[str, HeldOut]
) -> pd.DataFrame:
    """Held-out elpd of the models of each outcome."""
    tables = {}
    for outcome in dict.fromkeys(model.outcome for model in specifications.values()):
        same_outcome = {
            name: folds[name] for name in folds if specifications[name].outcome == outcome
        }
        parts = max(len(fit.refits) for fit in same_outcome.values())
        tables[outcome] = validation.compare(
            {name: fit.predictions for name, fit in same_outcome.items()}, parts
        )
    return stacked(tables, "outcome")


def controls(
    reference: Design, index: pd.DataFrame, settings: Settings
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Permutation controls: every refit, and where the real coefficients lie.

    S contains n: a larger test set has a smaller standard error, so the same gap gives a smaller
    S. With n permuted before S is computed, the coefficient is the one that the formula alone
    produces.
    """
    priors = settings.specifications[settings.reference_model].priors
    scores = index.set_index("benchmark_id").loc[reference.benchmark.tolist()]
    s_1, s_k, n_test = (scores[name].to_numpy(float) for name in ("s_1", "s_k", "n_test"))

    def outcome_of_sizes(order: Places) -> Floats:
        return squeezed(saturation_index(s_1, s_k, n_test[order], settings.alpha))

    def permute(control: str, predictor: str, outcome: Callable[[Places], Floats]) -> pd.DataFrame:
        rng = seeds.generator(settings.seed, "regression", control)
        orders = [rng.permutation(len(scores)) for _ in range(settings.permutations)]
        table = refit(predictor, reference, priors, orders, map(outcome, orders))
        table.insert(0, "control", control)
        return table

    sizes = permute("n_test", "log_n", outcome_of_sizes)
    # S does not contain age and stays.
    ages = permute("age", "age", lambda _: reference.outcome)
    null = pd.concat([sizes, ages], ignore_index=True)
    return round_as_csv(null), round_as_csv(located(null, reference, priors))


def posterior_mode(matrix: Floats, outcome: Floats, priors: Priors) -> Floats:
    """Coefficients at the posterior mode of the Beta regression, shape (p,).

    The mode over the coefficients and the logarithm of the precision, with the priors of
    :func:`studies.regression.model.model`: found in milliseconds.
    """
    scales = priors.scales(matrix.shape[1])
    start = np.append(np.zeros(matrix.shape[1]), np.log(2.0))
    optimum = scipy.optimize.minimize(
        _negative_log_posterior,
        start,
        args=(matrix, outcome, scales, priors.spread),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 1000, "ftol": 1e-12, "gtol": 1e-8},
    )
    mode: Floats = optimum.x[:-1]
    return mode


def refit(
    predictor: str,
    design: Design,
    priors: Priors,
    orders: Sequence[Places],
    outcomes: Iterable[Floats],
) -> pd.DataFrame:
    """Refit outcomes on the design with a predictor in other orders; keep what is followed."""
    if predictor not in design.columns:
        raise InputError(
            f"regression.reference_model: its formula has no term '{predictor}', which the "
            "permutation controls follow; add it or name another model"
        )
    place = design.columns.index(predictor)
    refits = []
    for order, outcome in zip(orders, outcomes, strict=True):
        matrix = design.matrix.copy()
        matrix[:, place] = design.matrix[order, place]
        refits.append(posterior_mode(matrix, outcome, priors))
    table = pd.DataFrame(refits, columns=design.columns)[list(FOLLOWED)]
    table.insert(0, "permutation", range(len(table)))
    return table


def located(null: pd.DataFrame, design: Design, priors: Priors) -> pd.DataFrame:
    """Locate the real coefficients in each control's null.

    ``p_two_sided`` is the share of refits, the real one included, that are at least as far from the
    null's mean.
    """
    mode = dict(zip(design.columns, posterior_mode(design.matrix, design.outcome, priors)))
    rows = []
    for control, refits in null.groupby("control"):
        for predictor in FOLLOWED:
            values, observed = refits[predictor].to_numpy(), mode[predictor]
            centre = values.mean()
            far = np.abs(values - centre) >= abs(observed - centre)
            lower, upper = intervals.percentile(values)
            rows.append(
                {
                    "control": control,
                    "predictor": predictor,
                    "observed": observed,
                    "null_mean": centre,
                    "null_lower": lower,
                    "null_upper": upper,
                    "p_two_sided": (1 + far.sum()) / (1 + len(values)),
                    "permutations": len(values),
                }
            )
    return pd.DataFrame(rows)


def _negative_log_posterior(
    theta: Floats, matrix: Floats, outcome: Floats, scales: Floats, width: float
) -> tuple[float, Floats]:
    coefficient, precision = theta[:-1], np.exp(theta[-1])
    mean = expit(matrix @ coefficient)
    a, b = mean * precision, (1 - mean) * precision
    log, log_rest = np.log(outcome), np.log1p(-outcome)
    log_beta = gammaln(precision) - gammaln(a) - gammaln(b)
    log_density = (log_beta + (a - 1) * log + (b - 1) * log_rest).sum()
    log_prior = -0.5 * ((coefficient / scales) ** 2).sum() - 0.5 * (precision / width) ** 2
    pull = log - log_rest - (digamma(a) - digamma(b))
    by_coefficient = matrix.T @ (precision * pull * mean * (1 - mean)) - coefficient / scales**2
    change = digamma(precision) - mean * digamma(a) - (1 - mean) * digamma(b)
    by_precision = (change + mean * log + (1 - mean) * log_rest).sum()
    by_log_precision = precision * by_precision - (precision / width) ** 2
    return -(log_density + log_prior), -np.append(by_coefficient, by_log_precision)


def judged_models(specifications: Mapping[str, Specification]) -> list[str]:
    """Select the models over which the ledger counts effects: more likelihoods change no verdict.

    Those with the paper's likelihood, without all products, whose main effects mean something else.
    """
    return [
        name
        for name, model in specifications.items()
        if model.likelihood == "beta" and "**" not in model.formula
    ]


def effects(coefficients: pd.DataFrame) -> pd.DataFrame:
    """List effects that keep their sign and exclude zero over the models that contain them.

    ``lowest`` and ``highest`` are the range of posterior means.
    """
    pairs = [(name, column) for name, columns in NAMED.items() for column in columns]
    predictors = {column: name for name, column in pairs}
    named = coefficients.assign(
        predictor=coefficients["column"].map(predictors), positive=coefficients["mean"] > 0
    )
    table = named.groupby(["predictor", "column"]).agg(
        models=("mean", "size"),
        excludes_zero=("excludes_zero", "sum"),
        share=("excludes_zero", "mean"),
        sign_kept=("positive", "mean"),
        lowest=("mean", "min"),
        highest=("mean", "max"),
    )
    table["sign_kept"] = table["sign_kept"].isin([0, 1])
    return table.loc[[pair for pair in pairs if pair in table.index]].reset_index()


_IN_SAMPLE = f"data == '{IN_SAMPLE}' and "
_ROWS = "{rows} rows, {columns} columns"
PICKS = [
    Pick(
        "fit",
        _IN_SAMPLE + "measure in ('r2_modelled', 'r2_residual')",
        "r2_bayes{word}__{model}_{kind}",
        {"value": "", "sd": "_sd"},
        _ROWS,
    ),
    Pick("fit", _IN_SAMPLE + "measure == 'auroc'", "auroc__{model}", ["median"], _ROWS),
    Pick(
        "fit",
        f"data != '{IN_SAMPLE}' and measure in ('r2_prediction', 'auroc_prediction')",
        "{kind}_{where}_{model}",
        ["value"],
        _ROWS,
    ),
    Pick(
        "coefficients",
        "",
        "coefficient_{name}",
        ["mean"],
        "posterior mean and 95 % highest-density interval",
    ),
    Pick(
        "effects",
        "predictor in ('age', 'test_set_size')",
        "share_excluding_zero_{column}",
        ["share"],
        "share of the {models} Beta models with this term whose 95 % interval excludes zero",
    ),
    Pick(
        "located",
        "",
        "permuted_{control}_{predictor}",
        ["null"],
        "posterior mode over {permutations} permutations of {control}",
    ),
    Pick(
        "located",
        "",
        "permuted_{control}_{predictor}_p",
        ["p_two_sided"],
        "two-sided place of the real one",
    ),
]


def quantities(
    fit: pd.DataFrame,
    coefficients: pd.DataFrame,
    effects_table: pd.DataFrame,
    located: pd.DataFrame,
) -> pd.DataFrame:
    """Headline numbers for the ledger, see :class:`studies.quantity.Quantity`.

    Names say on which data a measure was taken, so that like can be compared with like.
    """
    kind = fit["measure"].replace(
        {"r2_modelled": "modelled", "r2_residual": "residual", "r2_prediction": "r2"}
    )
    columns_named = {column for columns in NAMED.values() for column in columns}
    listed = coefficients["column"].map(lambda column: set(column.split(":")) <= columns_named)
    names = coefficients["model"] + "_" + coefficients["column"]
    tables = {
        "fit": fit.assign(kind=kind.str.removesuffix("_prediction"), where=fit["data"].map(DATA)),
        "coefficients": coefficients.assign(name=names.map(slug))[listed].rename(
            columns={"lower_95": "mean_lower", "upper_95": "mean_upper"}
        ),
        "effects": effects_table,
        "located": located.rename(columns={"null_mean": "null"}),
    }
    others = effects_table[~effects_table["predictor"].isin(["age", "test_set_size"])]
    note = "largest share among the predictors other than age and test-set size"
    most_other = Quantity("share_excluding_zero_most_other", others["share"].max(), note=note)
    return frame([*picked(tables, PICKS), most_other])


def stacked(tables: NamedTables, key: str = "model") -> pd.DataFrame:
    """Stack tables, the name of each in a first column."""
    return pd.concat(tables, names=[key]).reset_index(key).reset_index(drop=True)
