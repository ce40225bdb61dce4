"""The shipped config's settings of cards, and the study's lessons for forecasts."""

import pytest
import yaml

from saturation.own import outlook
from saturation.own.study import from_config


@pytest.fixture
def config(pytestconfig):
    return yaml.safe_load((pytestconfig.rootpath / "config/config.yaml").read_text())


@pytest.fixture(scope="session")
def default_settings(pytestconfig):
    config = yaml.safe_load((pytestconfig.rootpath / "config/config.yaml").read_text())
    return from_config(config["own"], config["plateau"], config["discriminability"])


@pytest.fixture(scope="session")
def lessons(request):
    folder = request.config.rootpath / "resources/forecast"
    return outlook.lessons(folder / "shared.csv", folder / "accuracy.csv")
