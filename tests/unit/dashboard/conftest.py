"""Small tables, as the stages write them, and two cards."""

import pandas as pd
import pytest

from saturation.dashboard import rows


@pytest.fixture
def tables():
    """Three published benchmarks; the last one has neither age nor metadata."""
    names = ["a", "b", "c"]
    return {
        "benchmarks": pd.DataFrame(
            {
                "benchmark_id": names,
                "name": ["Alpha-1", "Beta", "Gamma"],
                "months_at_observation": [10.0, 20.5, None],
                "released": ["2024-01-01", "2023-02-03", "2025-10-01"],
                "citations": [12345.0, None, 7.0],
                "availability": ["public", "private", None],
                "languages": ["english;german", "english", None],
                "output_format": ["free_form", "both", None],
                "input_format": "coding",
                "metrics": "accuracy",
                "flags": [None, "doubtful", None],
                "score_sources": ["x.org;y.org", None, None],
            }
        ),
        "index": pd.DataFrame(
            {
                "benchmark_id": names,
                "n_test": [100, 200, 300],
                "s_1": [0.9, 0.8, 0.7],
                "s_k": [0.88, 0.6, 0.7],
                "s_index": [0.7, 0.1, 1.0],
                "bin": ["high", "low", "very_high"],
            }
        ),
        "intervals": pd.DataFrame(
            {
                "benchmark_id": names[::-1],
                "s_lower": [0.3, 0.2, 0.1],
                "s_upper": [0.99, 0.98, 0.97],
                "first_and_kth": ["equivalent", "separated", "undecided"],
            }
        ),
        "top_scores": pd.DataFrame(
            {
                "benchmark_id": ["a", "a", "b"],
                "model": ["low", None, "only"],
                "score": [0.88, 0.9, 0.8],
            }
        ),
        "monthly": pd.DataFrame(
            {
                "leaderboard": ["v2", "v1", "v1"],
                "benchmark": ["BETA", "alpha 1", "Other"],
                "month": "2024-01",
                "n_models": 20,
                "n_submitters": 9,
                "bdi_submitters": [0.7123456789, 0.5, 0.6],
                "bdi_submitters_lower": 0.4,
                "bdi_submitters_upper": 0.8,
                "reason": None,
            }
        ),
        **boards(),
        "ledger": pd.DataFrame(
            {
                "claim_id": ["x", "y", "z"],
                "paper": ["plateau", "fluid", "plateau"],
                "places": "abstract",
                "statement": "words",
                "quotation": ["its words", None, None],
                "published": ["11836", "yes", None],
                "computed": ["59.9876", "no", None],
                "verdict": ["reproduced", "differs", "reproduced"],
                "grade": "consistent within the paper",
            }
        ),
        "evidence": pd.DataFrame(
            {
                "evidence_id": ["xa", "ya", "yb", "za"],
                "claim_id": ["x", "y", "y", "z"],
                "study": "plateau",
                "role": "natural",
                "data": "printed tables",
                "method": "usual practice",
                "outcome": ["agrees", "contradicts", "agrees", "agrees"],
                "computed": ["holds", None, None, None],
                "remark": ["p = 0.2", None, None, None],
                "note": None,
                "quantity": ["first", None, None, None],
                "rule": None,
                "file": "results/plateau/quantities.csv",
                "cell": ["column value, row 2, 5", None, None, None],
                "source": ["known; a sheet", None, None, None],
                "code": ["src/saturation/index.py:3", None, None, None],
            }
        ),
    }


def boards():
    """Two boards; the first has the name of a published benchmark, dates and a course."""
    top = {
        "n_models": 3, "n_items": 198, "n_left_out": 0, "first": "m", "kth": "o", "s_1": 0.9,
        "s_k": 0.8, "gap": 0.1, "gap_lower": 0.05, "gap_upper": 0.15, "n_tied": 2,
        "kth_tied": False, "detectable": 0.07, "items_needed": 300.0, "s_index": 0.4,
        "s_index_measured": 0.1, "first_and_kth": "separated",
    }  # fmt: skip
    names = ["gpqa_diamond", "mmlu_pro"]
    return {
        "overview": pd.DataFrame(
            {
                "board": names,
                "title": ["Beta", "MMLU-Pro"],
                "kind": "right or wrong",
                **top,
                "verdict": ["underpowered", "separates"],
                "reason": ["too_few_items", "told_apart"],
                "measured_alpha": 1.1,
                "all_right": 0,
                "all_wrong": 0,
                "negative": None,
                "backwards": None,
                "deciding": 9,
                "smallest_chosen": None,
                "smallest_random": 30.0,
            }
        ),
        "models": pd.DataFrame(
            {
                "board": [names[0]] * 3 + [names[1]] * 2,
                "place": [1, 2, 3, 1, 2],
                "model": ["m", "n (new)", "o", "N [new]", "m"],
                "score": [0.9, 0.85, 0.5, 0.9, 0.8],
                "lower": [0.8, 0.7, 0.4, 0.8, 0.7],
                "upper": [0.95, 0.9, 0.6, 0.95, 0.9],
                "n_items": 198,
                "best_rank": [1, 1, 3, 1, 2],
                "worst_rank": [2, 2, 3, 1, 2],
                "tied_with_leader": [True, True, False, True, False],
                "released": ["2025-01-01", None, "2025-03-04", None, None],
            }
        ),
        "course": pd.DataFrame(
            {"board": names[0], "until": ["2025-03-31", "2025-06-30"], **top,
             "alpha": 1.1, "alpha_lower": 1.0, "alpha_upper": 1.2}
        ).assign(n_models=[5, 6]),
        "remarks": pd.DataFrame({"board": [names[0]], "remark": ["left out: 1 evaluation"]}),
    }  # fmt: skip


def a_card(name, family, months=None):
    """A card whose measured noise differs from that of the index in every number."""
    index = {
        "s_index": 0.65,
        "lower": 0.6,
        "upper": 0.7,
        "first_and_kth": "separated",
        "bin": "moderate",
        "s_1": 0.9,
        "s_k": 0.85,
    }
    history = {"abstains": "no dates"} if months is None else {"abstains": None, "months": months}
    models = [
        {"model": f"m{i}", "score": 0.9 - i / 100, "best_rank": min(i + 1, 11),
         "worst_rank": 11, "tied_with_leader": i < 3}
        for i in range(12)
    ]  # fmt: skip
    ties = {"independent": {"group": ["m0"]}, "paired": {"group": ["m0", "m1", "m2"]}}
    return {
        "benchmark": name,
        "verdict": "stagnated",
        "reason": "resolvable",
        "explanation": "more items would help",
        "observed_on": "2026-01-31",
        "released": "2025-01-31",
        "synthetic": True,
        "data": {"family": family, "n_items": 150, "n_ranked": 12},
        "frontier": {"index": index, "models": models, "ties": ties, "power": {"level": 0.95}},
        "history": history,
    }


@pytest.fixture
def cards():
    """One of accuracies with a course over time, one of ratings."""
    months = [
        {"month": f"2025-0{i}", "n_models": 12, "n_submitters": 9, "bdi_submitters": 0.5,
         "bdi_submitters_lower": None, "bdi_submitters_upper": None, "reason": "9 submitters"}
        for i in (1, 2)
    ]  # fmt: skip
    return [a_card("mine", "accuracy", months), a_card("arena", "rating")]


@pytest.fixture
def listed(tables, cards):
    """The published benchmarks and the user's as rows."""
    published = rows.published(tables["benchmarks"], tables["index"], tables["intervals"])
    return pd.concat([published, rows.from_cards(cards)], ignore_index=True)
