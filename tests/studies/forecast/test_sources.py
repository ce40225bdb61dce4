"""The pinned files of dated scores as facts, the archive of forecasts, SWE-bench's boards."""

import json

import numpy as np
import pandas as pd
import pytest

from saturation.discriminability.bdi import bdi
from saturation.errors import InputError
from saturation.index import saturation_index
from studies.forecast import sources
from studies.forecast.names import ECI, HUB, UNSTATED

CITATIONS = pd.DataFrame(
    [("history_made", "made.org", "measured"), ("Leaderboard", "board.org", "measured")],
    columns=["citation", "site", "tier"],
)
VERSIONS = pd.DataFrame({"id": ["m1", "m2"], "Version release date": ["2024-01-02", None]})


def test_scores_of_several_reports_are_several_series_and_spellings_one():
    table = pd.DataFrame(
        [
            ("ARC-AGI", "ARC Prize Leaderboard"),
            ("ARC-AGI", "https://arcprize.org/leaderboard"),
            ("ARC-AGI", None),
            ("MMLU", "one report"),
            ("MMLU", "another"),
            ("MMLU", None),
            ("HLE", None),
        ],
        columns=["benchmark", "source"],
    ).assign(model_version="a", performance=0.5)
    dates = {"benchmark_release_date": "2019-11-05", "date": "2024-05-13"}
    facts = sources.capabilities_index(table.assign(**dates))
    assert list(facts["protocol"]) == [
        *["ARC Prize Leaderboard"] * 3, "one report", "another", UNSTATED, HUB,
    ]  # fmt: skip
    assert set(facts["reason"]) == {""}


def test_a_hub_table_gives_shares_protocols_dates_and_reasons():
    table = pd.DataFrame(
        {
            "Model version": ["m1", "m1", "m2", "m1"],
            "EM": ["63.3%", "0.9", "50", None],
            "Shots": ["5", None, "5", "5"],
        }
    )
    facts = sources.epoch_table("gsm8k", table, VERSIONS)
    assert list(facts["score"][:3]) == pytest.approx([0.633, 0.009, 0.5])
    assert list(facts["protocol"]) == ["shots: 5", f"shots: {UNSTATED}", "shots: 5", "shots: 5"]
    assert list(facts["reason"]) == ["", "", sources.NO_DATE, sources.NO_SCORE]


def test_percent_signs_and_errors_are_read_on_the_layout_s_scale():
    cells = {"Model version": ["m1"], "Accuracy mean": ["64.5%"], "Accuracy SE": ["0.6%"]}
    facts = sources.epoch_table("terminal_bench", pd.DataFrame(cells), VERSIONS)
    assert facts["error"].iloc[0] == pytest.approx(0.006)
    writing = pd.DataFrame({"Model version": ["m1"], "Mean score": ["8.39"]})
    facts = sources.epoch_table("lech_mazur_writing", writing, VERSIONS)
    assert facts["score"].iloc[0] == pytest.approx(0.839)
    rating = pd.DataFrame({"Model version": ["m1"], "ELO": ["1300"]})
    (reason,) = sources.epoch_table("mcbench", rating, VERSIONS)["reason"]
    assert reason == "a rating has no floor and no ceiling"


def test_a_table_without_a_column_of_its_layout_is_refused():
    table = pd.DataFrame({"Model version": ["m1"]})
    with pytest.raises(InputError, match="history_epoch_gsm8k: no column 'EM'"):
        sources.epoch_table("gsm8k", table, VERSIONS)


def test_runs_have_errors_and_another_task_version_is_another_series():
    table = pd.DataFrame(
        {
            "task": ["GPQA diamond", "GPQA diamond"],
            "task version": ["1.0.0", "1.0.1"],
            "model": ["m1", "m1"],
            "Best score (across scorers)": ["0.850", "0.8"],
            "Scores": ["choice:0.85±0.02", "choice:0.8"],
            "started_at": ["17 November 2025 4:28pm", "2 March 2025 12:05am"],
        }
    )
    facts = sources.epoch_runs(table, VERSIONS)
    assert facts["protocol"].nunique() == 2
    assert facts["error"].iloc[0] == 0.02
    assert facts["error"].isna().iloc[1]
    assert set(facts["floor"]) == {0.25}
    assert facts["known"].tolist() == ["2025-11-17", "2025-03-02"]


def results(*rows):
    return pd.DataFrame(
        rows, columns=["task", "dataset", "metric", "date", "model", "result", "polarity"]
    )


def test_percent_series_become_shares_and_months_end():
    facts = sources.best_results(
        results(
            ("qa", "D", "Accuracy", "2020-02", r"BERT model in \'A paper\'", 80.0, "pos"),
            ("qa", "D", "Accuracy", "2020-03", "x", 0.9, "pos"),
            ("qa", "E", "F1", "2020-03", "x", 0.5, "pos"),
        )
    )
    # 0.9 beside 80 is percent too: a share of 0.009, not one of 0.9.
    assert list(facts["score"]) == pytest.approx([0.8, 0.009, 0.5])
    assert list(facts["date"]) == ["2020-02-29", "2020-03-31", "2020-03-31"]
    assert facts["model"].iloc[0] == "BERT"


def test_only_shares_of_right_answers_are_kept():
    kept = ["Accuracy", "Micro F1", "Macro-F1", "R10-at-1", "Hits-at-10", "Percentage correct"]
    other = [("BLEU", "pos"), ("ROUGE-L", "pos"), ("Percentage error", "neg"),
             ("Accuracy", "neg"), ("Number of params", "pos")]  # fmt: skip
    metrics = [*((name, "pos") for name in kept), *other]
    rows = [
        ("t", f"D{place}", metric, "2020-02", "x", 0.5, polarity)
        for place, (metric, polarity) in enumerate(metrics)
    ]
    reasons = sources.best_results(results(*rows))["reason"]
    assert (reasons == "").tolist() == [True] * len(kept) + [False] * len(other)


def facts_of(*rows):
    base = {
        "source": "history_made", "benchmark": "B", "protocol": "p", "metric": "m",
        "floor": 0.0, "released": None, "date": "2020-01-01", "model": "x", "score": 0.5,
        "error": float("nan"), "known": None, "reason": "",
    }  # fmt: skip
    return pd.DataFrame([base | row for row in rows])


def test_facts_become_series_scores_and_counts_of_what_is_left_out():
    tables = sources.series_and_scores(
        facts_of(
            {"protocol": "q"}, {"protocol": None}, {"protocol": None, "date": "2021-01-01"},
            {"reason": "no score"}, {"reason": "no score"},
        ),
        CITATIONS,
    )  # fmt: skip
    assert list(tables["series"]["series"]) == ["made-1", "made-2"]
    assert "date" not in tables["series"]
    assert tables["series"]["protocol"].isna().tolist() == [True, False]
    assert list(tables["scores"]["series"]) == ["made-1", "made-1", "made-2"]
    assert tables["excluded"].to_numpy().tolist() == [["history_made", "B", "no score", 2]]


def test_a_release_date_holds_for_all_sources_of_a_benchmark():
    facts = facts_of({"released": "2020-05-01"}, {}, {"benchmark": "C"})
    dates = sources.add_releases(facts)["released"]
    assert list(dates[:2]) == ["2020-05-01"] * 2
    assert pd.isna(dates.iloc[2])


def test_a_citation_that_is_not_listed_is_a_report():
    rows = [
        ("history_made", None), (ECI, "Leaderboard"), (ECI, "Some Technical Report"),
        (ECI, UNSTATED),
    ]  # fmt: skip
    series = pd.DataFrame(rows, columns=["source", "protocol"]).assign(benchmark="B")
    found = sources.add_sites(series, CITATIONS)
    assert found["site"].tolist() == [
        "made.org", "board.org", "Some Technical Report", f"B: {UNSTATED}",
    ]  # fmt: skip
    assert found["tier"].tolist() == ["measured", "measured", "reported", "reported"]


def test_a_correction_changes_the_name_of_one_row():
    facts = facts_of({"model": "low"}, {"model": "low", "score": 0.4}, {"model": "high"})
    wrong = {"source": "history_made", "benchmark": "B", "model": "low", "score": 0.5}
    corrections = pd.DataFrame([wrong | {"corrected_model": "medium", "reference": "u"}])
    found = sources.correct_models(facts, corrections)
    assert found["model"].tolist() == ["medium", "low", "high"]
    assert list(found.columns) == list(facts.columns)


def forecasts(*months):
    names = ["q2.5", "q10", "q25", "q50", "q75", "q90", "q97.5"]
    limits = dict(zip(names, [0.5, 0.55, 0.6, 0.65, 0.7, 0.8, 0.9], strict=True))
    return pd.DataFrame({"month": months}).assign(
        series="s-0", benchmark="B0", origin="2023-01-01", best=0.5, probability=0.1, **limits
    )


def test_forecasts_are_kept_with_data_and_code():
    kept = sources.archived(forecasts(12), [b"a", b"b"], "v")
    assert set(kept["code"]) == {"v"}
    other = sources.archived(forecasts(12), [b"a", b"c"], "v")
    assert other["data"].iloc[0] != kept["data"].iloc[0]


def test_what_has_come_due_is_scored_and_the_rest_says_why_not():
    frontier = pd.DataFrame(
        {
            "series": [*["s-0"] * 4, "s-1"],
            "date": pd.to_datetime(
                ["2022-12-01", "2023-03-01", "2023-05-01", "2023-08-01", "2024-03-01"]
            ),
            "best": [0.5, 0.65, 0.85, 0.85, 0.9],
        }
    )
    kept = sources.archived(forecasts(3, 6, 12, 24), [b""], "v")
    found = sources.scored(kept, frontier).set_index("month")
    assert list(found["state"]) == ["", "", sources.ENDED, sources.PENDING]
    assert found.loc[3, ["observed", "inside_50", "inside_80"]].tolist() == [0.65, 1, 1]
    assert found.loc[6, ["observed", "inside_80", "inside_95"]].tolist() == [0.85, 0, 1]
    assert np.isnan(found.loc[12, "observed"])
    gone = sources.scored(kept.assign(series="gone"), frontier)
    assert gone["state"].iloc[0] == sources.ENDED


@pytest.fixture
def file(tmp_path):
    """Boards of ten systems by March 2024, twelve by April, and a far better one in November."""

    def write(*names):
        early = [
            {"date": f"2024-0{1 + 3 * place // 10}-10", "resolved": 20.0 + place}
            for place in range(12)
        ]
        results = [{"date": "2024-11-02", "resolved": 60.0}, *early]
        boards = [{"name": name, "results": results} for name in [*names, "bash-only"]]
        path = tmp_path / "leaderboards.json"
        path.write_text(json.dumps({"leaderboards": boards}), encoding="utf-8")
        return path

    return write


def test_a_month_knows_all_systems_so_far_and_no_later_one(file):
    results = sources.results(file("Test", "Lite", "Verified", "Multimodal"))
    cases = sources.cases(results, k=5, alpha=0.5, bins=20)
    own = cases[(cases["benchmark"] == "SWE-bench Lite") & (cases["ahead"] == 6)]
    # The tenth system came in March; six months later the first rise is seen in May.
    assert list(own["month"]) == ["2024-03", "2024-04", "2024-05"]
    _, april, may = own.to_dict("records")
    scores = (20 + np.arange(12)) / 100
    assert april["best"] == pytest.approx(0.31)
    assert april["gap"] == pytest.approx(0.09 / 9)
    assert april["s_index"] == pytest.approx(float(saturation_index(0.31, 0.27, 300, 0.5)))
    assert april["bdi"] == pytest.approx(float(bdi(np.histogram(scores, 20, (0, 1))[0])))
    assert (april["rise"], may["rise"]) == (pytest.approx(0), pytest.approx(0.29))


def test_a_missing_board_is_named(file):
    with pytest.raises(InputError, match="there is no board 'Lite'"):
        sources.results(file("Test", "Verified", "Multimodal"))
