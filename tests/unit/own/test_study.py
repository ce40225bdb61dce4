"""From the config and files to a card in one call, as the workflow does it."""

import pandas as pd
import pytest

from saturation.own import study as own_study
from saturation.own.card import Abstention
from saturation.own.imports import UNDATED
from saturation.own.study import from_config, observed_on, study

DECLARED = {"family": "accuracy", "score_range": [0, 1], "observed_on": "2026-01-31"}


@pytest.fixture
def leaderboard(tmp_path):
    scores = [0.95, 0.9498, 0.9496, 0.9494, 0.9492]
    rows = "".join(f"m{i},{score},50000\n" for i, score in enumerate(scores))
    (tmp_path / "x.csv").write_text("model,score,n_items\n" + rows)
    return [{"path": tmp_path / "x.csv"}]


def test_every_key_of_the_config_arrives(config):
    config["own"] |= {
        "level": 0.9, "power": 0.7, "meaningful_difference": 0.03,
        "models_compared": 7, "least_coverage": 0.6, "grid": {"k": [3, 6], "alpha": [0.2]},
    }  # fmt: skip
    config["plateau"] |= {
        "k": 4, "alpha": 0.25, "epsilon": 1e-9, "bin_edges": [0.1, 0.2], "saturated_from": 0.2,
        "ceiling": 0.8,
    }  # fmt: skip
    config["discriminability"] |= {"bins": 12, "min_models": 3}
    config["discriminability"]["retirement"]["bdi_decline"] = 0.33
    config["discriminability"]["growth"]["min_windows"] = 9
    made = from_config(config["own"], config["plateau"], config["discriminability"])
    top, course = made.top, made.course
    assert (top.level, course.level) == (0.9, 0.9)
    assert (top.power, top.compared, top.least_coverage, top.margin) == (0.7, 7, 0.6, 0.03)
    assert (top.k_grid, top.alpha_grid) == ((3, 6), (0.2,))
    assert (top.k, top.alpha, top.epsilon, top.ceiling) == (4, 0.25, 1e-9, 0.8)
    assert (top.edges, top.saturated_from) == ((0.1, 0.2), 0.2)
    assert (course.bins, course.min_models) == (12, 3)
    assert course.thresholds.bdi_decline == 0.33
    assert course.demands.min_windows == 9


def test_a_leaderboard_s_card(default_settings, leaderboard):
    made = study("mine", leaderboard, DECLARED | {"released": "2025-01-01"}, default_settings)
    card = made.card
    assert (card.benchmark, card.verdict, card.reason) == (
        "mine", "saturated", "equivalent_at_the_ceiling"
    )  # fmt: skip
    assert (card.observed_on, card.released) == ("2026-01-31", "2025-01-01")
    assert card.imported == made.imports.record
    assert card.history.abstains.startswith("months with at least 10 dated evaluations: 0")
    declared = {"family": "rating", "observed_on": "2026-01-31"}
    card = study("mine", leaderboard, declared, default_settings).card
    assert card.history == Abstention("the metric has no lowest and highest score")
    assert card.reason == "metric_not_accuracy_like"


def test_the_card_s_date_is_the_declared_one_else_the_latest(default_settings, leaderboard):
    dated = pd.DataFrame({"date": ["2025-05-01", None, "2025-02-03", ""]})
    assert observed_on([dated, pd.DataFrame()], None) == "2025-05-01"
    assert observed_on([dated], "2026-02-03") == "2026-02-03"
    card = study("mine", leaderboard, {**DECLARED, "observed_on": None}, default_settings).card
    assert card.observed_on == UNDATED


@pytest.mark.parametrize(
    ("limits", "changes", "scale"),
    [
        ([0, 10], {}, [0.0, 10.0]),
        ([1, 100], {}, [1.0, 100.0]),
        ([0, 1], {}, None),
        ([0, 100], {}, None),
        (None, {}, None),
        ([0, 10], {"higher_is_better": False}, None),
        ([0, 10], {"family": "accuracy"}, None),
    ],
)
def test_a_scale_is_that_of_a_bounded_mean_which_is_no_share(limits, changes, scale):
    declared = {"family": "bounded_mean", "score_range": limits, "higher_is_better": True}
    assert own_study.own_scale(declared | changes) == scale


def test_issues_of_a_public_benchmark_are_those_of_the_annotation():
    columns = dict.fromkeys(own_study.ISSUES, False)
    rows = [
        {"benchmark_id": "a_b", "name": "A-B", **columns, "issue_noise": True, "issue_bias": True},
        {"benchmark_id": "c", "name": "See", **columns},
    ]
    table = pd.DataFrame(rows)
    found = own_study.with_known_issues("a b", {"family": "x"}, table)
    assert found["known_issues"] == "noise, bias"
    assert found["known_issues_source"] == own_study.ANNOTATION
    for name in ("c", "see", "d"):
        assert own_study.with_known_issues(name, {"family": "x"}, table) == {"family": "x"}
    said = {"known_issues": "mine", "known_issues_source": "me"}
    assert own_study.with_known_issues("a_b", said, table) == said
