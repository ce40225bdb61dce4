"""Small tables, as the stages write them, and two cards."""

from io import StringIO

import pandas as pd
import pytest

from studies.dashboard import rows
from tests.shared_cards import typed_card


def table(text, **same):
    return pd.read_csv(StringIO(text)).replace({float("nan"): None}).assign(**same)


BENCHMARKS = """\
benchmark_id,name,released,availability,languages,output_format,flags,score_sources
a,Alpha-1,2024-01-01,public,english;german,free_form,,x.org;y.org
b,Beta,2023-02-03,private,english,both,doubtful,
mmlu,Gamma,2025-10-01,,,,n_not_test_set;metric_not_accuracy,
"""
INDEX = """\
benchmark_id,n_test,s_1,s_k,s_index,bin
a,100,0.9,0.88,0.7,high
b,200,0.8,0.6,0.1,low
mmlu,1,0.7,0.7,1.0,very_high
"""
INTERVALS = """\
benchmark_id,s_lower,s_upper,first_and_kth
mmlu,0.3,0.99,equivalent
b,0.2,0.98,separated
a,0.1,0.97,undecided
"""
TOP_SCORES = "benchmark_id,model,score\na,low,0.88\na,,0.9\nb,only,0.8\n"
MONTHLY = """\
leaderboard,benchmark,bdi_submitters
v2,BETA,0.7123456789
v1,alpha 1,0.5
v1,Other,0.6
"""
EVIDENCE = """\
evidence_id,claim_id,outcome,computed,remark,quantity,cell,source,code
xa,x,agrees,holds,p = 0.2,first,"column value, row 2, 5",known; a sheet,src/saturation/index.py:3
ya,y,contradicts,,,,,,
yb,y,agrees,,,,,,
za,z,agrees,,,,,,
"""
MODELS = """\
board,place,model,score,lower,upper,best_rank,worst_rank,tied_with_leader,released
gpqa_diamond,1,m,0.9,0.8,0.95,1,2,True,2025-01-01
gpqa_diamond,2,n (new),0.85,0.7,0.9,1,2,True,
gpqa_diamond,3,o,0.5,0.4,0.6,3,3,False,2025-03-04
mmlu_pro,1,N [new],0.9,0.8,0.95,1,1,True,
mmlu_pro,2,m,0.8,0.7,0.9,2,2,False,
"""
STATUS = """\
benchmark,status,current,why,date,best_share,lower,reported_share,next_year,history,benchmark_id
MMLU,room left,True,no score is at 90 %,2026-07-01,0.5,0.4,0.6,0.3,"MMLU, measured",mmlu
Later,near the ceiling,True,a reported score is at 90 %,2026-06-01,0.8,,0.95,,"Later, measured",
Pro,room left,False,no score is at 90 %,2026-06-01,0.7,,,,,
Old,no data since,False,no dated score,2019-01-01,0.7,,,,,
"""
NAMES = ["gpqa_diamond", "mmlu_pro"]
TOP = {
    "n_models": 3, "n_items": 198, "first": "m", "kth": "o", "s_1": 0.9,
    "s_k": 0.8, "gap": 0.1, "gap_lower": 0.05, "gap_upper": 0.15, "n_tied": 2,
    "kth_tied": False, "detectable": 0.07, "items_needed": 300.0, "s_index": 0.4,
    "first_and_kth": "separated",
}  # fmt: skip


@pytest.fixture
def tables():
    """Three published benchmarks, the last with a forecast and no age; two boards, the first
    with the name of a published benchmark, dates."""
    ledger = {
        "claim_id": ["x", "y", "z"], "paper": ["plateau", "fluid", "plateau"],
        "places": "abstract", "statement": "words", "quotation": ["its words", None, None],
        "published": ["11836", "yes", None], "computed": ["59.9876", "no", None],
        "verdict": ["reproduced", "differs", "reproduced"],
        "grade": "consistent within the paper",
    }  # fmt: skip
    overview = {
        "board": NAMES, "title": ["Beta", "MMLU-Pro"], "kind": "right or wrong", **TOP,
        "verdict": ["underpowered", "separates"], "reason": ["too_few_items", "all_separated"],
    }  # fmt: skip
    return {
        "benchmarks": table(
            BENCHMARKS, input_format="coding", metrics="accuracy",
            months_at_observation=[10.0, 20.5, None], citations=[12345.0, None, 0.0],
        ),
        "index": table(INDEX),
        "intervals": table(INTERVALS),
        "top_scores": table(TOP_SCORES),
        "monthly": table(
            MONTHLY, month="2024-01", n_models=[20, 1, 20], n_submitters=[9, 1, 9],
            bdi_submitters_lower=[0.4, 0.0, 0.4], bdi_submitters_upper=[0.8, 1.0, 0.8],
            reason=None,
        ),
        "overview": pd.DataFrame(overview),
        "models": table(MODELS, n_items=198),
        "remarks": pd.DataFrame({"board": NAMES[:1], "remark": ["left out: 1 evaluation"]}),
        "status": table(STATUS).reindex(columns=list(rows.STATUS.columns)).assign(
            as_of="2026-08-01", anchor=["mmlu", "later", "pro", "old"],
            items_board=[None, None, "mmlu_pro", None], n_models=3,
            reported_by="llm-stats.com", top="not shown",
        ),
        "frontier": pd.DataFrame({
            "series": ["MMLU, measured"] * 2, "share": [0.3, 0.5], "best": [0.3, 0.5],
            "date": pd.to_datetime(["2025-08-01", "2026-02-01"]),
        }),
        "ledger": pd.DataFrame(ledger),
        "evidence": table(
            EVIDENCE, study="plateau", role="natural", data="printed tables", note=None, rule=None,
            method="usual practice", file=["results/plateau/quantities.csv"] * 3 + [None],
        ),
    }  # fmt: skip


def a_card(name, family, months=None, **other):
    """A card whose measured noise differs from that of the index in every number."""
    index = {
        "s_index": 0.65, "lower": 0.6, "upper": 0.7, "first_and_kth": "separated",
        "bin": "moderate", "s_1": 0.9, "s_k": 0.85,
    }  # fmt: skip
    models = [
        {"model": f"m{i}", "score": 0.9 - i / 100, "best_rank": min(i + 1, 11),
         "worst_rank": 11, "tied_with_leader": i < 3}
        for i in range(12)
    ]  # fmt: skip
    ties = {"independent": ["m0"], "paired": ["m0", "m1", "m2"]}
    facts = {
        "benchmark": name, "verdict": "stagnated", "reason": "resolvable",
        "explanation": "more items would help", "observed_on": "2026-01-31",
        "released": "2025-01-31", "synthetic": True,
        "data": {"family": family, "n_items": 150, "n_ranked": 12},
    }  # fmt: skip
    return typed_card(models, ties, index, months, **facts | other)


@pytest.fixture
def cards():
    """One of accuracies with a course over time, one of ratings, one whose files failed."""
    months = [
        {"month": f"2025-0{i}", "n_models": 12, "n_submitters": 9, "bdi_submitters": 0.5,
         "bdi_submitters_lower": None, "bdi_submitters_upper": None, "reason": "9 submitters"}
        for i in (1, 2)
    ]  # fmt: skip
    failed = {
        "stale": ["x.csv: bad"],
        "frontier": None,
        "released": None,
        "verdict": "undetermined",
    }
    return [
        a_card("mine", "accuracy", months),
        a_card("arena", "rating"),
        a_card("old", "accuracy", **failed),
    ]


@pytest.fixture
def listed(tables, cards):
    """The published benchmarks and the user's as rows."""
    published = rows.published(tables["benchmarks"], tables["index"], tables["intervals"])
    return pd.concat([published, rows.list_cards(cards)], ignore_index=True)
