"""From the config and files to a card in one call, as the workflow does it."""

import pandas as pd
import pytest

from saturation import cli
from saturation.own import cards
from saturation.own import study as own_study
from saturation.own.card import Abstention
from saturation.own.imports import UNDATED, load
from saturation.own.study import observed_on, parse_settings, study

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
        "k": 4, "alpha": 0.25, "bin_edges": [0.1, 0.2], "saturated_from": 0.2,
        "ceiling": 0.8,
    }  # fmt: skip
    config["discriminability"] |= {"bins": 12, "min_models": 3}
    config["discriminability"]["retirement"]["bdi_decline"] = 0.33
    config["discriminability"]["growth"]["min_windows"] = 9
    made = parse_settings(config["own"], config["plateau"], config["discriminability"])
    top, course = made.top, made.course
    assert (top.level, course.level) == (0.9, 0.9)
    assert (top.power, top.compared, top.least_coverage, top.margin) == (0.7, 7, 0.6, 0.03)
    assert (top.k_grid, top.alpha_grid) == ((3, 6), (0.2,))
    assert (top.k, top.alpha, top.ceiling) == (4, 0.25, 0.8)
    assert (top.edges, top.saturated_from) == ((0.1, 0.2), 0.2)
    assert (course.bins, course.min_models) == (12, 3)
    assert course.thresholds.bdi_decline == 0.33
    assert course.demands.min_windows == 9


def test_a_leaderboard_s_card(context, leaderboard):
    declared = DECLARED | {"released": "2025-01-01"}
    made = study("mine", load(leaderboard, declared), declared, context)
    card = made.card
    assert (card.benchmark, card.verdict, card.reason) == (
        "mine", "saturated", "equivalent_at_the_ceiling"
    )  # fmt: skip
    assert (card.observed_on, card.released) == ("2026-01-31", "2025-01-01")
    assert card.imported == made.imports.record
    assert card.history.abstains.startswith("months with at least 10 dated evaluations: 0")
    declared = {"family": "rating", "observed_on": "2026-01-31"}
    card = study("mine", load(leaderboard, declared), declared, context).card
    assert card.history == Abstention("the metric has no lowest and highest score")
    assert card.reason == "metric_not_accuracy_like"


def test_the_card_s_date_is_the_declared_one_else_the_latest(context, leaderboard):
    dated = pd.DataFrame({"date": ["2025-05-01", None, "2025-02-03", ""]})
    assert observed_on([dated, pd.DataFrame()], None) == "2025-05-01"
    assert observed_on([dated], "2026-02-03") == "2026-02-03"
    declared = {**DECLARED, "observed_on": None}
    card = study("mine", load(leaderboard, declared), declared, context).card
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
    assert own_study.printed_scale(declared | changes) == scale


def test_issues_of_a_public_benchmark_are_those_of_the_annotation():
    columns = dict.fromkeys(own_study.ISSUES, False)
    rows = [
        {"benchmark_id": "a_b", "name": "A-B", **columns, "issue_noise": True, "issue_bias": True},
        {"benchmark_id": "c", "name": "See", **columns},
    ]
    table = pd.DataFrame(rows)
    found = own_study.add_known_issues("a b", {"family": "x"}, table)
    assert found["known_issues"] == "noise, bias"
    assert found["known_issues_source"] == own_study.ANNOTATION
    for name in ("c", "see", "d"):
        assert own_study.add_known_issues(name, {"family": "x"}, table) == {"family": "x"}
    said = {"known_issues": "mine", "known_issues_source": "me"}
    assert own_study.add_known_issues("a_b", said, table) == said


TABLES = {
    "undated": ("model,score,n_items\n", "{model},{score},500\n", {"score_range": [0, 1]}),
    "dated": (
        "model,score,n_items,date\n", "{model},{score},500,2025-0{model}-01\n",
        {"score_range": [0, 1], "released": "2024-06-01"},
    ),
    "answers": ("model,item,response\n", "{model},q,1\n{model},r,0\n", {"score_range": [0, 1]}),
    "loss": (
        "model,score,standard_error\n", "{model},{score},0.01\n",
        {"family": "other", "higher_is_better": False, "known_issues": "noise",
         "known_issues_source": "us", "observed_on": "2026-01-31", "synthetic": True},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_command_workflow_and_notebook_make_the_same_card(
    name, tmp_path, monkeypatch, context, pytestconfig
):
    header, row, keys = TABLES[name]
    scores = enumerate([0.5, 0.6, 0.7, 0.78, 0.85], start=1)
    rows = "".join(row.format(model=model, score=score) for model, score in scores)
    (tmp_path / "x.csv").write_text(header + rows)
    monkeypatch.chdir(tmp_path)
    files = [{"path": "x.csv"}]
    declared = {"family": "accuracy", "higher_is_better": True, **keys}

    folder = pytestconfig.rootpath / "workflow/templates"
    templates = {page: (folder / f"{file}.j2").read_text() for page, file in cards.PAGES.items()}
    notebook = study("x", load(files, declared), declared, context).card
    cards.write_card(notebook, tmp_path / "notebook", templates)
    cards.make({"x": declared}, {"x": files}, tmp_path / "workflow", context, templates)
    words = ["card", "x.csv", "--output", "command"]
    for key, value in declared.items():
        option = f"--{key.replace('_', '-')}"
        if isinstance(value, bool):
            words.append(option if value else f"--no-{option[2:]}")
        else:
            words += [option, *map(str, value if isinstance(value, list) else [value])]
    assert cli.main(words) == 0

    places = ("notebook", "workflow/x", "command")
    written = [(tmp_path / place / "card.json").read_text() for place in places]
    assert written[0] == written[1] == written[2]
