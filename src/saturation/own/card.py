"""The saturation card of one benchmark: a coarse verdict, its date, its reason and its basis."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import scipy

from saturation.errors import InputError
from saturation.files.tables import records
from saturation.leaderboard import entries, verdict
from saturation.leaderboard.names import bounded
from saturation.leaderboard.top import LeadersSettings as LeaderSettings
from saturation.leaderboard.top import deciding, frontier
from saturation.pages import templates
from saturation.statistics import intervals, standard_errors
from saturation.statistics.intervals import agreement
from saturation.statistics.standard_errors import right_or_wrong

if TYPE_CHECKING:
    from saturation.adaptive.fit import Fit


# What item responses say beyond the mean: information at the frontier, suspects, consistency.

# A two-parameter model has two unknowns an item: fewer models than this leave them to the prior.
FEWEST_MODELS = 8
MOST_SUSPECTS = 20


def measurement(matrix: pd.DataFrame, level: float) -> dict[str, Any]:
    """What the items still measure at the top, and which look wrongly labelled, by a 2PL model.

    Where a floor of guessing predicts answers held out better, by the model with this floor.

    Parameters
    ----------
    matrix
        Items by models, responses 0 or 1, missing where a model did not answer.
    level
        Confidence level of the family of tests of suspects.

    Returns
    -------
    dict
        ``information`` and ``suspects``; each has ``abstains`` with the reason if nothing can be
        said. See :func:`information` and :func:`suspects`. ``guessing`` says that a floor is used,
        ``doubt`` why the model should not be believed; each is empty where it is not so.
    """
    if reason := _why_not(matrix):
        return _nothing(reason)
    from saturation.adaptive import model as item_model
    from saturation.adaptive.fit import fit
    from saturation.adaptive.misfit import believed, doubt, or_without

    responses = matrix.T.fillna(item_model.MISSING).to_numpy().astype(np.int8)
    try:
        guessing, fitted = or_without(
            believed(responses, "own"), lambda floor: fit(responses, "positive", floor)
        )
    except InputError as error:
        return _nothing(str(error))
    models = [str(model) for model in matrix.columns]
    return {
        "guessing": guessing.said(),
        "doubt": doubt(responses, models, "own", floor=guessing.value),
        "information": information(fitted),
        "suspects": suspects(responses, fitted, matrix.index, level),
    }


def _nothing(reason: str) -> dict[str, Any]:
    return {
        "guessing": "",
        "doubt": "",
        "information": {"abstains": reason},
        "suspects": {"abstains": reason},
    }


def information(fitted: "Fit") -> dict[str, Any]:
    """Fisher information of the test where the best model stands.

    Returns
    -------
    dict
        Ability of the best model, the information there, the standard error of an ability there
        (its inverse root), the highest information on the models' range, the share of it that is
        left at the frontier, and how many items carry half of the information there.
    """
    from saturation.adaptive import model as item_model

    frontier = float(fitted.ability.max())
    # Up to the best model, which stands last.
    grid = np.linspace(fitted.ability.min(), frontier, 61)
    by_ability = item_model.information(
        grid, fitted.discrimination, fitted.difficulty, fitted.floor
    )
    over_range, by_item = by_ability.sum(axis=1), by_ability[-1]
    at_frontier = float(by_item.sum())
    shares = np.sort(by_item)[::-1].cumsum() / at_frontier
    return {
        "abstains": None,
        "ability": frontier,
        "information": at_frontier,
        "ability_se": float(1 / np.sqrt(at_frontier)),
        "highest_information": float(over_range.max()),
        "share_of_highest": float(at_frontier / over_range.max()),
        "items_with_half": int(np.searchsorted(shares, 0.5) + 1),
        "n_items": len(by_item),
    }


def suspects(responses: np.ndarray, fitted: "Fit", names: pd.Index, level: float) -> dict[str, Any]:
    """Items that abler models get wrong and weaker ones right: candidates for a wrong label.

    The slope of each item, free in sign, as :func:`saturation.adaptive.frontier.items` has it;
    a suspect's slope is below 0 at the given one-sided level after Holm's adjustment. The lowest
    slopes are listed in any case, for reading.

    Parameters
    ----------
    responses
        0, 1 or missing, shape (models, items).
    fitted
        Fit of the same responses.
    names
        The items' names, shape (items,).
    level
        Confidence level of the family of tests.

    Returns
    -------
    dict
        ``n_suspects``, ``n_negative`` and ``lowest``.
    """
    from saturation.adaptive.frontier import items

    table = items(responses, fitted.ability).assign(item=names.astype(str)).dropna(
        subset=["slope_z"]
    )  # fmt: skip
    adjusted = intervals.holm(scipy.special.ndtr(table["slope_z"].astype(float)))
    ordered = table.assign(p_adjusted=adjusted).sort_values(["slope_z", "item"])
    lowest = ordered[ordered["signed_slope"] < 0].head(MOST_SUSPECTS)
    columns = ["item", "signed_slope", "slope_z", "p_adjusted", "share_right"]
    return {
        "abstains": None,
        "n_suspects": int((adjusted <= 1 - level).sum()),
        "n_negative": int((table["signed_slope"] < 0).sum()),
        "lowest": records(lowest[columns]),
    }


def consistency(responses: pd.DataFrame) -> dict[str, Any]:
    """How often a model scores alike on an item in all configurations, beside chance.

    Output consistency of the robustness study, on scores: the share of items on which all
    configurations agree; the baseline is the exact chance agreement of independent configurations
    with each item at the model's mean.

    Returns
    -------
    dict
        ``abstains``, or ``models``: consistency, baseline and spread of the configurations' means
        for each model with at least two configurations.
    """
    if responses.empty or responses["configuration"].nunique() < 2:
        return {"abstains": "no item responses in more than one configuration"}
    tables = {
        str(model): answers.pivot_table(
            index="item", columns="configuration", values="response"
        ).dropna()
        for model, answers in responses.groupby("model", sort=True)
    }
    models = [
        _consistency(model, table)
        for model, table in tables.items()
        if table.shape[1] > 1 and not table.empty
    ]
    if not models:
        return {"abstains": "no model has the same items in two configurations"}
    return {"abstains": None, "models": models}


def _consistency(model: str, table: pd.DataFrame) -> dict[str, Any]:
    """One model's consistency, from its responses by item and configuration, none missing."""
    from saturation.robustness.consistency import example_measures

    score = table.to_numpy().ravel()
    examples = example_measures(
        pd.DataFrame(
            {
                "model": pd.Categorical([model] * len(score)),
                "dataset": pd.Categorical(["own"] * len(score)),
                "example_id": pd.Categorical(np.repeat(table.index, table.shape[1])),
                "answer": pd.Categorical(score),
                "score": score,
                "reference": True,
            }
        )
    )
    means = table.mean(axis=0)
    return {
        "model": model,
        "n_configurations": table.shape[1],
        "n_items": len(table),
        "consistency": float(examples["consistent"].mean()),
        "chance": float(agreement(examples["performance"].mean(), table.shape[1])),
        "lowest_mean": float(means.min()),
        "highest_mean": float(means.max()),
    }


def _why_not(matrix: pd.DataFrame) -> str | None:
    if matrix.shape[1] < FEWEST_MODELS:
        return _too_few(matrix.shape[1])
    if not right_or_wrong(matrix).all():
        return "responses are not 0 or 1"
    if len(set(matrix.mean(axis=0))) == 1:
        return "all models answer alike"
    return None


def _too_few(models: int) -> str:
    return f"{models} models with item responses; {FEWEST_MODELS} are needed"


# The numbers that maintainers of a leaderboard ask for, under fixed names.

Card = Mapping[str, Any]


def numbers(card: Card) -> dict[str, Any]:
    """Verdict, ties, ranks, top pair, dead items and what the items can show.

    Returns
    -------
    dict
        Plain values; None where nothing can be said, also where no number of items would do.
    """
    frontier = card["frontier"]
    found = {name: card[name] for name in ("verdict", "reason", "error_rate")}
    found["dead_items"] = card["data"]["dead_items"]
    parts = ("groups", "tie_group", "rank_intervals", "top_pair", "alike_within", "headroom",
             "minimum_detectable_difference", "items_needed")  # fmt: skip
    if frontier is None:
        return found | dict.fromkeys(parts)
    answers, power = frontier["answers"], frontier["power"]
    apart, same = answers["resolution"], answers["equivalence"]
    _, best = deciding(frontier["ties"])
    return found | {
        "groups": apart["groups"],
        "tie_group": best["group"],
        "rank_intervals": [
            {name: model[name] for name in ("model", "best_rank", "worst_rank")}
            for model in frontier["models"]
        ],
        "top_pair": _top_pair(frontier["models"][0]["model"], best["with_leader"][0]),
        "alike_within": same["within"],
        "headroom": {name: answers["headroom"][name] for name in ("ceiling", "lower", "upper")},
        "minimum_detectable_difference": {
            "named_pair": _known(power["minimum_detectable_difference"]),
            "all_pairs": _known(apart["minimum_detectable_difference"]),
        },
        "items_needed": {
            "present": _known(power["n_items"]),
            "top_two": _known(power["items_for_top_two"]),
            "top_k": _known(power["items_for_top_k"]),
            "any_pair": _known(apart["items_for_any"]),
            "every_pair": _known(apart["items_for_all"]),
            "alike": _known(same["items_for_alike"]),
        },
    }


def dead_items(matrix: pd.DataFrame) -> dict[str, int] | None:
    """How many items tell no two models apart, because all solved them or none did.

    Parameters
    ----------
    matrix
        Responses in [0, 1], items by ranked models; items that fewer than two models answered do
        not count. None without responses.
    """
    answered = matrix[matrix.notna().sum(axis=1) > 1]
    if answered.empty:
        return None
    return {
        "items": len(answered),
        "solved_by_all": int((answered.min(axis=1) == 1).sum()),
        "solved_by_none": int((answered.max(axis=1) == 0).sum()),
    }


def _top_pair(first: str, second: Mapping[str, Any]) -> dict[str, Any]:
    wins, losses = second["only_leader"], second["only_model"]
    names = ("difference", "lower", "upper", "p_value", "p_adjusted")
    return {
        "first": first,
        "second": second["model"],
        **{name: _known(second[name]) for name in names},
        "items": second["items"],
        "only_first": wins,
        "only_second": losses,
        "discordant_items": None if wins is None else wins + losses,
    }


def _known(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value


@dataclass(frozen=True)
class Settings:
    """How a verdict is reached.

    Parameters
    ----------
    frontier
        Settings of the index and of the tests; their margin and ceiling are those of a bounded
        metric.
    """

    frontier: LeaderSettings = field(default_factory=LeaderSettings)

    def of(self, declared: Mapping[str, Any]) -> LeaderSettings:
        """Settings for a benchmark, in the unit of its scores.

        Parameters
        ----------
        declared
            The benchmark's entry in the config: ``family`` and, optionally,
            ``meaningful_difference`` in place of the margin, and ``label_noise``, the share of
            items whose label is known to be wrong, by which the ceiling is lower.
        """
        margin, ceiling = self.frontier.margin, self.frontier.ceiling
        if not bounded(declared["family"]):
            margin, ceiling = None, None
        elif ceiling is not None:
            ceiling -= declared.get("label_noise") or 0.0
        return replace(
            self.frontier, margin=declared.get("meaningful_difference") or margin, ceiling=ceiling
        )


def assemble(
    benchmark: str,
    scores: pd.DataFrame,
    responses: pd.DataFrame,
    declared: Mapping[str, Any],
    settings: Settings,
) -> dict[str, Any]:
    """The card without its history and item sections: data, frontier, verdict.

    Parameters
    ----------
    scores, responses
        As :mod:`saturation.leaderboard.read.tidy` gives them; either may be empty.
    declared
        The benchmark's entry in the config, see :meth:`Settings.of`.
    """
    family, chosen = declared["family"], settings.of(declared)
    least = chosen.least_coverage
    counted = entries.select(scores, responses, least)
    matrix, clusters = standard_errors.item_matrix(counted.responses)
    estimates = standard_errors.estimates(counted.scores, matrix, clusters, family, chosen.level)
    covered, n_items = entries.coverage(estimates, matrix)
    estimates = estimates.assign(coverage=covered)
    # A model whose number of items nobody knows is ranked.
    ranked = estimates[~(covered < least)]
    apart = estimates[covered < least]
    card: dict[str, Any] = {
        "benchmark": benchmark,
        "data": {
            "family": family,
            "n_models": len(estimates),
            "n_ranked": len(ranked),
            "n_items": None if np.isnan(n_items) else int(n_items),
            "item_responses": len(responses),
            "error_sources": sorted(ranked["error_source"].unique()),
            "least_coverage": least,
            "apart": apart[["model", "score", "n_items", "coverage"]].to_dict("records"),
            "dead_items": dead_items(matrix.loc[:, matrix.columns.isin(ranked["model"])]),
            "remarks": counted.remarks
            + entries.unshared(estimates, matrix)
            + _floor(ranked, family),
        },
        "frontier": None,
    }
    if (reason := unusable(ranked, chosen.k)) is None:
        card["frontier"] = frontier(ranked, matrix, clusters, chosen)
        card |= judge(card["frontier"])
    else:
        card |= _verdict(verdict.Verdict("undetermined", reason), None, None)
    return card | {"numbers": numbers(card)}


def _floor(ranked: pd.DataFrame, family: str) -> list[str]:
    """A board on which nobody scores is too hard, or broken; its models are alike for that."""
    if not bounded(family) or ranked.empty or ranked["score"].max() > 0:
        return []
    return ["no model scores above 0: the items are too hard for all of them, or scored wrongly"]


def unusable(estimates: pd.DataFrame, k: int) -> str | None:
    """Why the top cannot be judged: too few models, or errors that nobody knows; else None.

    Parameters
    ----------
    estimates
        Scores with errors, best first.
    k
        Number of top models that are judged.
    """
    if len(estimates) < k:
        return "too_few_models"
    if estimates["standard_error"].head(k).isna().any():
        return "metric_not_accuracy_like"
    return None


def judge(frontier: Mapping[str, Any]) -> dict[str, Any]:
    """Verdict, reason and error rate of a benchmark whose frontier is known."""
    _, best = deciding(frontier["ties"])
    reached = verdict.judge(frontier["answers"], best["abstains"])
    wrong = round(1 - frontier["power"]["level"], 12)
    return _verdict(reached, wrong, frontier["index"]["p_saturated"])


def summary_line(card: dict[str, Any]) -> dict[str, Any]:
    """The few values that continuous integration needs, one flat record."""
    frontier = card["frontier"]
    return {
        "benchmark": card["benchmark"],
        "verdict": card["verdict"],
        "reason": card["reason"],
        "p_saturated": card["p_saturated"],
        "s_index": frontier["index"]["s_index"] if frontier else None,
        "observed_on": card["observed_on"],
        "n_models": card["data"]["n_models"],
        "n_items": card["data"]["n_items"],
        "tied_at_top": len(deciding(frontier["ties"])[1]["group"]) if frontier else None,
        "synthetic": card["synthetic"],
        "stale": "; ".join(card.get("stale") or []) or None,
    }


def _verdict(
    reached: verdict.Verdict, error_rate: float | None, p_saturated: float | None
) -> dict[str, Any]:
    return {
        **asdict(reached),
        "explanation": reached.explanation,
        "error_rate": error_rate,
        "p_saturated": p_saturated,
    }


# What the card would have said at earlier dates of the data: verdict, gap and ties.

# Dates that are judged, the last among them: enough for a course, few enough for large boards.
MOST_DATES = 8
FEWEST_DATES = 2


def earlier(
    benchmark: str,
    scores: pd.DataFrame,
    responses: pd.DataFrame,
    declared: Mapping[str, Any],
    settings: Settings,
) -> dict[str, Any]:
    """The card's verdict on the evaluations up to each of some dates, as the card itself has it.

    A date is the last of its month on which something was evaluated. Of item responses only a
    model's latest are known, so that a model counts from their date on.

    Returns
    -------
    dict
        ``abstains`` with the reason, or ``undated`` (number of models left out because nothing
        dates them) and ``dates``: one record a date with ``date, n_models, verdict, reason, first,
        score, gap`` (of the first and the k-th) and ``tied`` (number of models).
    """
    tables = [_dated(scores), _dated(responses)]
    known = sorted({str(date) for table in tables for date in table["date"].unique()})
    if len(known) < FEWEST_DATES:
        return {"abstains": f"{templates.counted(len(known), 'date')} of evaluations"}
    rows = []
    for date in _chosen(known):
        scored, answered = (table[table["date"].astype(str) <= date] for table in tables)
        made = assemble(benchmark, scored, answered, declared, settings)
        if made["frontier"] is not None:
            rows.append({"date": date, **_row(made)})
    if len(rows) < FEWEST_DATES:
        return {
            "abstains": f"{templates.counted(len(rows), 'date')} by which enough models for a verdict "
            "had been evaluated"
        }
    models = [set(table["model"].unique()) for table in (scores, responses)]
    dated = [set(table["model"].unique()) for table in tables]
    return {
        "abstains": None,
        "undated": len(set.union(*models) - set.union(*dated)),
        "dates": rows,
    }


def _dated(table: pd.DataFrame) -> pd.DataFrame:
    if "date" not in table:
        return table.assign(date="").iloc[:0]
    return table[(table["date"].notna() & (table["date"] != "")).to_numpy()]


def _chosen(dates: list[str]) -> list[str]:
    """The last date of each month; of many months some, evenly, with the first and the last."""
    ends = list({date[:7]: date for date in dates}.values())
    if len(ends) == 1:
        ends = [dates[0], dates[-1]]
    places = np.linspace(0, len(ends) - 1, min(len(ends), MOST_DATES)).round().astype(int)
    return [ends[place] for place in places]


def _row(made: Mapping[str, Any]) -> dict[str, Any]:
    frontier = made["frontier"]
    return {
        "n_models": made["data"]["n_ranked"],
        "verdict": made["verdict"],
        "reason": made["reason"],
        "first": frontier["models"][0]["model"],
        "score": frontier["models"][0]["score"],
        "gap": frontier["index"]["gap"],
        "tied": len(deciding(frontier["ties"])[1]["group"]),
    }
