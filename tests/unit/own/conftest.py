"""The shipped config's settings of cards, and the study's lessons for forecasts."""

import pytest
import yaml

from saturation.own import outlook
from saturation.own.imports import load
from saturation.own.study import parse_settings, shipped_context, study


@pytest.fixture
def config(pytestconfig):
    return yaml.safe_load((pytestconfig.rootpath / "config/config.yaml").read_text())


@pytest.fixture(scope="session")
def default_settings(pytestconfig):
    config = yaml.safe_load((pytestconfig.rootpath / "config/config.yaml").read_text())
    return parse_settings(config["own"], config["plateau"], config["discriminability"])


@pytest.fixture(scope="session")
def lessons(request):
    folder = request.config.rootpath / "resources/forecast"
    return outlook.lessons(folder / "rises.csv", folder / "record.csv")


@pytest.fixture(scope="session")
def context():
    return shipped_context()


@pytest.fixture
def card(tmp_path, context):
    """The card of a table of these rows."""

    def made(rows, header="model,score,n_items", family="accuracy"):
        (tmp_path / "x.csv").write_text("\n".join([header, *rows, ""]))
        given = {"family": family, "observed_on": "2026-01-31"}
        given |= {} if family == "rating" else {"score_range": [0, 1]}
        contents = load([{"path": tmp_path / "x.csv"}], given)
        return study("bench", contents, given, context).card

    return made
