"""The shipped config's settings of cards."""

from pathlib import Path

import pytest
import yaml

from saturation.own.study import from_config


@pytest.fixture(scope="session")
def default_settings():
    text = (Path(__file__).parents[3] / "config/config.yaml").read_text()
    config = yaml.safe_load(text)
    return from_config(config["own"], config["plateau"], config["discriminability"])
