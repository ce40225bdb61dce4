"""From files to a card in one call, as the workflow's stages do it."""

import pytest
import yaml

from saturation.errors import InputError
from saturation.own.card import Abstention
from saturation.own.study import from_config, observed_on, study


@pytest.fixture
def config(request):
    text = (request.config.rootpath / "config/config.yaml").read_text(encoding="utf-8")
    return yaml.safe_load(text)


@pytest.fixture
def settings(config):
    config["plateau"]["resamples"] = 100
    return from_config(config["own"], config["plateau"], config["discriminability"])


@pytest.fixture
def leaderboard(tmp_path):
    rows = "".join(
        f"m{i},{score},50000\n" for i, score in enumerate([0.95, 0.9498, 0.9496, 0.9494, 0.9492])
    )
    (tmp_path / "x.csv").write_text("model,score,n_items\n" + rows)
    return [{"path": tmp_path / "x.csv"}]


DECLARED = {"family": "accuracy", "score_range": [0, 1], "observed_on": "2026-01-31"}


def test_a_leaderboard_s_card(settings, leaderboard):
    made = study("mine", leaderboard, DECLARED | {"released": "2025-01-01"}, settings)
    card = made.card
    assert (card.benchmark, card.verdict, card.reason) == (
        "mine", "saturated", "alike_at_the_ceiling"
    )  # fmt: skip
    assert card.p_saturated == card.frontier.index.p_saturated
    assert (card.observed_on, card.released) == ("2026-01-31", "2025-01-01")
    assert card.synthetic is False
    assert card.imported == made.imports.record
    assert card.history.abstains.startswith("months with at least 10 dated evaluations: 0")
    assert card.items.information.abstains
    assert card.consistency.abstains
    assert len(made.imports.scores) == 5


def test_a_metric_without_a_ceiling_has_no_course_and_is_not_saturated(settings, leaderboard):
    declared = {"family": "rating", "observed_on": "2026-01-31"}
    card = study("mine", leaderboard, declared, settings).card
    assert card.history == Abstention("the metric has no lowest and highest score")
    assert (card.verdict, card.reason) == ("undetermined", "metric_not_accuracy_like")
    assert card.p_saturated is None


def test_the_card_s_date_is_the_declared_one_else_the_latest(settings, tmp_path):
    text = "model,score,n_items,date\n" + "".join(
        f"m{i},0.{9 - i},50,2025-0{i + 1}-01\n" for i in range(5)
    )
    (tmp_path / "x.csv").write_text(text)
    made = study("x", [{"path": tmp_path / "x.csv"}], {**DECLARED, "observed_on": None}, settings)
    assert made.card.observed_on == "2025-05-01"
    assert observed_on([made.imports.scores], "2026-02-03", "x") == "2026-02-03"


def test_a_card_without_any_date_is_refused(settings, leaderboard):
    with pytest.raises(InputError, match="benchmark 'mine': the files give no date"):
        study("mine", leaderboard, {**DECLARED, "observed_on": None}, settings)
