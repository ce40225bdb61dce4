"""Test every difference that release notes print between the new model and another."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from saturation.compare.paired import LIKE, QUESTIONS, THESE
from saturation.compare.published import Catalogue, compare_published, pair_scores
from saturation.compare.suite import ANSWERS, BETTER, UNTESTED, WORSE, Judged, Settings, judge_suite
from saturation.files.tables import Row, round_as_csv
from studies.quantity import Quantity, frame
from studies.releases.names import DOCUMENTS

Table = pd.DataFrame
# Columns of an answer, by the question that it is on.
COLUMNS = {LIKE: "like_these", THESE: "on_these"}


def study(
    claims: Table, status: Table, spellings: Table, agreement: Table, settings: Mapping[str, Any]
) -> dict[str, Table]:
    """Compare the new model of every table with each further model, at a rate for each document.

    Tables by the names of their files: ``claims``, a row a difference; ``counts``, how many have
    each answer, by document; ``quantities``.
    """
    catalogue = Catalogue(status, spellings)
    judged = Settings(**settings)
    differences = pd.concat(
        [_differences(claims, document, catalogue, agreement, judged) for document in DOCUMENTS],
        ignore_index=True,
    )
    counts = pd.concat(
        [
            pd.crosstab(differences["document"], differences[f"answer_{name}"])
            .reindex(index=list(DOCUMENTS), columns=list(ANSWERS), fill_value=0)
            .assign(question=question)
            for question, name in COLUMNS.items()
        ]
    ).reset_index()
    return {
        "claims": round_as_csv(differences),
        "counts": counts,
        "quantities": frame(_quantities(counts)),
    }


def _differences(
    claims: Table, document: str, catalogue: Catalogue, agreement: Table, settings: Settings
) -> Table:
    """Rows of a document, with the answer on items like these and on these items."""
    pairs = list(_pairs(claims[claims["document"] == document], document))
    rows = [
        {
            "document": document,
            **{key: row[key] for key in ("table", "benchmark", "metric")},
            "model": row["new"],
            "rival": row["rival"],
            "score": row["candidate"],
            "rival_score": row["baseline"],
        }
        for row in pairs
    ]
    for question in QUESTIONS:
        items = [
            replace(compare_published(row, catalogue, agreement, question), task=str(number))
            for number, row in enumerate(pairs)
        ]
        for row in judge_suite(items, settings).rows:
            rows[int(row.item.task)] |= _answer(row, question)
    return pd.DataFrame(rows)


def _pairs(printed: Table, document: str) -> Iterator[Row]:
    """Pair each table's new model with every further model's scores."""
    printed = printed.fillna({"metric": "", "mark": ""})
    for table, new in DOCUMENTS[document].models.items():
        part = printed[printed["table"] == table]
        for rival in part["model"].unique():
            if rival != new:
                for row in pair_scores(part, rival, new):
                    yield {**row, "new": new, "rival": rival}


def _answer(row: Judged, question: str) -> Row:
    name, tested = COLUMNS[question], row.item.difference
    return {
        "n_items": tested.n_items if tested else None,
        f"error_{name}": tested.error if tested else None,
        f"p_{name}": tested.p_value if tested else None,
        f"p_adjusted_{name}": row.p_adjusted,
        f"answer_{name}": row.answer,
        "remark": "; ".join(filter(None, (row.item.reason, *row.item.notes))),
    }


def _quantities(counts: Table) -> Iterator[Quantity]:
    """Count tested differences, and those of them that are not significant."""
    for question, name in COLUMNS.items():
        total = counts[counts["question"] == question][list(ANSWERS)].sum()
        tested = total.drop(UNTESTED).sum()
        significant = total[[BETTER, WORSE]].sum()
        yield Quantity(f"releases_{name}_tested", tested)
        yield Quantity(f"releases_{name}_not_significant", tested - significant)
