"""The config's sections as typed settings: each value arrives where it belongs."""

import pytest
import yaml

from saturation.own.study import from_config


@pytest.fixture
def config(request):
    text = (request.config.rootpath / "config/config.yaml").read_text(encoding="utf-8")
    return yaml.safe_load(text)


def settings(config):
    return from_config(config["own"], config["plateau"], config["discriminability"])


def test_every_key_of_cards_arrives(config):
    config["own"] |= {
        "level": 0.9, "power": 0.7, "meaningful_difference": 0.03,
        "models_compared": 7, "least_coverage": 0.6,
        "grid": {"k": [3, 6], "alpha": [0.2]},
    }  # fmt: skip
    made = settings(config)
    assert (made.top.level, made.course.level) == (0.9, 0.9)
    assert (made.top.power, made.top.compared) == (0.7, 7)
    assert made.top.least_coverage == 0.6
    assert (made.top.k_grid, made.top.alpha_grid) == ((3, 6), (0.2,))
    assert made.top.margin == 0.03


def test_the_studies_settings_are_taken_over(config):
    config["plateau"] |= {
        "k": 4, "alpha": 0.25, "epsilon": 1e-9, "bin_edges": [0.1, 0.2], "saturated_from": 0.2,
        "ceiling": 0.8, "resamples": 77,
    }  # fmt: skip
    config["discriminability"] |= {"bins": 12, "min_models": 3}
    config["discriminability"]["retirement"]["bdi_decline"] = 0.33
    config["discriminability"]["growth"]["min_windows"] = 9
    made = settings(config)
    top = made.top
    assert (top.k, top.alpha, top.epsilon) == (4, 0.25, 1e-9)
    assert (top.edges, top.saturated_from) == ((0.1, 0.2), 0.2)
    assert top.ceiling == 0.8
    assert (made.course.bins, made.course.min_models) == (12, 3)
    assert made.course.thresholds.bdi_decline == 0.33
    assert made.course.demands.min_windows == 9
