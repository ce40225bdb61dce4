"""The dashboard's tables: rows of benchmarks, months of leaderboards, top models, facts."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from saturation.board import names
from saturation.board.leaders import deciding
from saturation.drawing import pages
from saturation.plateau.inputs import DAYS_A_MONTH

Card = Mapping[str, Any]

# P(saturated), and its range: over priors, of published tops over numbers of models.
PROBABILITY = ("p_saturated", "p_saturated_lowest", "p_saturated_highest")
COLUMNS = [
    "id",
    "name",
    "s_index",
    "s_lower",
    "s_upper",
    "bin",
    *PROBABILITY,
    "age",
    "n",
    "s_1",
    "s_k",
    "gap",
    "own",
    "verdict",
    "synthetic",
]
# Verdicts of a card by which a benchmark of the user's counts as no longer telling its top apart.
ALIKE = ("saturated", "stagnated")
MOST_MODELS = 10
# What the annotation's marks mean.
FLAGS = {
    "n_not_test_set": "n is not the size of the test set",
    "metric_not_accuracy": "the metric is no accuracy",
    "duplicate_model": "a model stands twice in the top",
    "fifth_score_repeated": "the fourth score stands for the fifth",
    "scores_not_in_order": "the scores were not in order",
}


def published(
    benchmarks: pd.DataFrame, index: pd.DataFrame, intervals: pd.DataFrame
) -> pd.DataFrame:
    """The plateau study's benchmarks as rows of the dashboard's table.

    Parameters
    ----------
    benchmarks
        ``benchmark_id, name, months_at_observation``.
    index
        ``benchmark_id, n_test, s_1, s_k, s_index, bin``.
    intervals
        ``benchmark_id, s_lower, s_upper, p_saturated, p_saturated_lowest, p_saturated_highest``.

    Returns
    -------
    pandas.DataFrame
        Columns `COLUMNS`; scores are proportions, ages months.
    """
    table = benchmarks[["benchmark_id", "name", "months_at_observation"]].merge(
        index[["benchmark_id", "n_test", "s_1", "s_k", "s_index", "bin"]], on="benchmark_id"
    )
    table = table.merge(
        intervals[["benchmark_id", "s_lower", "s_upper", *PROBABILITY]], on="benchmark_id"
    )
    return table.rename(
        columns={"benchmark_id": "id", "months_at_observation": "age", "n_test": "n"}
    ).assign(gap=lambda rows: rows["s_1"] - rows["s_k"], own=False, verdict=None, synthetic=False)[
        COLUMNS
    ]


def from_cards(cards: Sequence[Card]) -> pd.DataFrame:
    """The user's benchmarks as rows of the table, with the verdicts of their cards.

    P(saturated) and the interval mean the same in all rows: by the error that the data tell, which
    is that of n items where only scores are known. A benchmark whose metric has no range has no
    score columns.
    """
    return pd.DataFrame([_row(card) for card in cards], columns=COLUMNS)


def _row(card: Card) -> dict[str, Any]:
    index = (card["frontier"] or {}).get("index") or {}
    scored = bool(index) and _bounded(card)
    return {
        "id": card_id(card),
        "name": card["benchmark"],
        "s_index": index.get("s_index"),
        "s_lower": index.get("lower"),
        "s_upper": index.get("upper"),
        "bin": index.get("bin"),
        **{name: index.get(name) for name in PROBABILITY},
        "age": months_between(card["released"], card["observed_on"]),
        "n": card["data"]["n_items"],
        "s_1": index["s_1"] if scored else None,
        "s_k": index["s_k"] if scored else None,
        "gap": index["s_1"] - index["s_k"] if scored else None,
        "own": True,
        "verdict": card["verdict"],
        "synthetic": card["synthetic"],
    }


def own(cards: Sequence[Card]) -> list[dict[str, Any]]:
    """The user's benchmarks with what their cards answer, in the cards' order.

    Returns
    -------
    list of dict
        ``id, name, verdict, explanation, tied`` (models that cannot be told from the leader, the
        leader among them; None without a ranking), ``ranked, observed_on, synthetic, stale``.
    """
    return [
        {
            "id": card_id(card),
            "name": card["benchmark"],
            "tied": _tied(card),
            "ranked": card["data"]["n_ranked"],
            "stale": bool(card.get("stale")),
            **{key: card[key] for key in ("verdict", "explanation", "observed_on", "synthetic")},
        }
        for card in cards
    ]


def _tied(card: Card) -> int | None:
    if not card["frontier"]:
        return None
    return len(deciding(card["frontier"]["ties"])[1]["group"])


def card_id(card: Card) -> str:
    """The identifier of a card's row, which no published benchmark has."""
    return f"own-{card['benchmark']}"


def months_between(start: str | None, end: str) -> float | None:
    """Age in the plateau paper's months; None without a start.

    Parameters
    ----------
    start, end
        ISO dates; a benchmark's release may be unknown.
    """
    if start is None:
        return None
    return (pd.Timestamp(end) - pd.Timestamp(start)).days / DAYS_A_MONTH


def all_months(
    monthly: pd.DataFrame | None, cards: Sequence[Card], rows: pd.DataFrame
) -> dict[str, pd.DataFrame]:
    """Monthly discriminability of each leaderboard, the user's own last, with the rows' ids.

    A published line belongs to the row whose name has the same letters and digits.

    Parameters
    ----------
    monthly
        The discriminability study's months: ``leaderboard, benchmark, month`` and measures.
    cards
        The user's cards, with their courses over time.
    rows
        The table's rows: ``id, name``.
    """
    ids = {letters(name): str(key) for name, key in zip(rows["name"], rows["id"]) if name}
    boards = {} if monthly is None else dict(list(monthly.groupby("leaderboard", sort=True)))
    courses = [
        pd.DataFrame(card["history"]["months"]).assign(benchmark=card["benchmark"])
        for card in cards
        if not card["history"]["abstains"]
    ]
    if courses:
        boards["your own"] = pd.concat(courses, ignore_index=True)
    return {
        str(board): table.assign(
            id=pd.Series(
                [ids.get(letters(name)) for name in table["benchmark"]], table.index, dtype=object
            )
        )
        for board, table in boards.items()
    }


def counts(rows: pd.DataFrame, saturated_from: float) -> dict[str, int]:
    """How many benchmarks there are of each kind, for headings and captions.

    ``above`` and ``below`` count published benchmarks whose whole interval lies on one side of the
    threshold, ``open`` the others; ``published_saturated`` counts by the index alone.

    Parameters
    ----------
    rows
        Columns `COLUMNS`.
    saturated_from
        Index from which a published benchmark counts as saturated; the user's by its verdict.
    """
    from_user = rows["own"].astype(bool)
    value, lower, upper = (
        rows.loc[~from_user, name].astype(float) for name in ("s_index", "s_lower", "s_upper")
    )
    above, below = int((lower >= saturated_from).sum()), int((upper < saturated_from).sum())
    return {
        "published": len(value),
        "published_saturated": int((value >= saturated_from).sum()),
        "above": above,
        "below": below,
        "open": len(value) - above - below,
        "own": int(from_user.sum()),
        "own_alike": int(rows["verdict"].isin(ALIKE).sum()),
        "aged": int(rows[["age", "s_index"]].notna().all(axis=1).sum()),
        "scored": int(rows[["s_1", "gap"]].notna().all(axis=1).sum()),
    }


def tops(top_scores: pd.DataFrame, cards: Sequence[Card]) -> dict[str, list[dict[str, Any]]]:
    """The top models of each benchmark with a label, and a bar's length for bounded scores.

    Those of cards have the ``ranks`` that they may hold and whether they are ``tied`` with the
    leader; the plateau study's have neither.

    Parameters
    ----------
    top_scores
        ``benchmark_id, model, score`` (proportions); a model may be missing.
    cards
        The user's cards.
    """
    listed: dict[str, list[dict[str, Any]]] = {}
    ordered = top_scores.sort_values(["benchmark_id", "score"], ascending=[True, False])
    for name, model, score in zip(ordered["benchmark_id"], ordered["model"], ordered["score"]):
        label = None if pd.isna(model) else str(model)
        listed.setdefault(str(name), []).append(_top(label, float(score), True))
    for card in cards:
        models = (card["frontier"] or {}).get("models") or []
        listed[card_id(card)] = [
            _top(model["model"], model["score"], _bounded(card)) | _place(model)
            for model in models[:MOST_MODELS]
        ]
    return listed


def facts(benchmarks: pd.DataFrame, observed_on: str) -> dict[str, dict[str, str]]:
    """What the annotation says of each benchmark, in words; what is missing is left out.

    Parameters
    ----------
    benchmarks
        The annotation, one row a benchmark.
    observed_on
        ISO date at which the annotation's scores were taken.
    """
    titles = {
        "released": "released",
        "citations": "citations",
        "availability": "test set",
        "languages": "languages",
        "output_format": "answers",
        "input_format": "task",
        "metrics": "metrics",
        "flags": "to note",
        "score_sources": "scores read at",
    }
    table = benchmarks.set_index("benchmark_id")[list(titles)].rename(columns=titles)
    return {
        str(name): {
            **{str(title): _in_words(value) for title, value in row.items() if not pd.isna(value)},
            "scores as of": observed_on,
        }
        for name, row in table.iterrows()
    }


def records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows as plain values, missing ones as None, floats short: the page is sent about."""
    plain = table.astype(object).where(table.notna(), None).to_dict("records")
    return [
        {
            str(key): round(value, 6) if isinstance(value, float) else value
            for key, value in row.items()
        }
        for row in plain
    ]


def _bounded(card: Card) -> bool:
    return names.bounded(card["data"]["family"])


def _top(model: str | None, score: float, bounded: bool) -> dict[str, Any]:
    label = pages.percent(score) if bounded else pages.number(score, 1)
    return {"model": model, "label": label, "share": round(score, 4) if bounded else None}


def _place(model: Mapping[str, Any]) -> dict[str, Any]:
    """The ranks that a model of a card may hold, and whether it is tied with the leader."""
    return {
        "ranks": ranks(model["best_rank"], model["worst_rank"]),
        "tied": model["tied_with_leader"],
    }


def ranks(best: int, worst: int) -> str:
    """The ranks that a model may hold, in words."""
    return f"{best}" if best == worst else f"{best} to {worst}"


def letters(name: Any) -> str:
    """A name by which the same benchmark is known again: its small letters and digits."""
    return "".join(character for character in str(name).lower() if character.isalnum())


def _in_words(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        return f"{int(value):,}"
    parts = str(value).split(";")
    return ", ".join(FLAGS.get(part, part.replace("_", " ")) for part in parts)
