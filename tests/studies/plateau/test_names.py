"""What planning, statistics and pages take from one place."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from saturation import index
from studies.plateau import names
from studies.plateau.names import possible

ROOT = Path(__file__).resolve().parents[3]


def test_the_names_need_no_heavy_imports():
    heavy = "{'numpy', 'pandas', 'scipy', 'matplotlib', 'statsmodels'}"
    code = f"import sys, studies.plateau.names; assert not {heavy} & set(sys.modules)"
    environment = {"PYTHONPATH": str(ROOT / "src")}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)


def test_the_paper_s_settings_are_the_library_s_and_the_config_s():
    config = yaml.safe_load((ROOT / "config" / "config.yaml").read_text(encoding="utf-8"))
    assert names.PAPER_SETTINGS.items() <= config["plateau"].items()
    library = {
        "k": index.K,
        "alpha": index.ALPHA,
        "z": index.Z,
        "bin_edges": list(index.BIN_EDGES),
        "saturated_from": index.SATURATED_FROM,
    }
    assert library == {name: names.PAPER_SETTINGS[name] for name in library}
    assert config["plateau"]["ceiling"] == index.CEILING


def test_table_1_changes_one_setting_at_a_time():
    assert names.table_1(5, 0.5) == {"k3": (3, 0.5), "alpha0": (5, 0.0), "alpha1": (5, 1.0)}
    assert names.table_1(4, 1) == {"k3": (3, 1.0), "alpha0": (4, 0.0), "alpha1": (4, 1.0)}
    # File names are made of these: an alpha of 1 is written 1.0.
    assert str(names.table_1(4, 1)["k3"][1]) == "1.0"


def test_every_figure_has_a_caption():
    captions = {path.stem for path in (ROOT / "workflow" / "report" / "plateau").iterdir()}
    assert captions == {*names.FIGURES, "index"}


@pytest.mark.parametrize(
    ("score", "n", "can"),
    [
        (99.2, 500, True),  # 496 of 500
        (98.3, 500, False),  # between 98.2 and 98.4
        (33.3, 3, True),
        (33.4, 3, False),
        (100.0, 7, True),
        (0.0, 7, True),
        (50.0, 100, None),  # whole per cents of a hundred items
        (12.3, 2500, None),
    ],
)
def test_possible_scores_by_hand(score, n, can):
    assert possible(score, n) is can


@given(st.integers(1, 600), st.data(), st.integers(0, 4))
def test_a_rounded_share_is_never_refused(n, data, decimals):
    right = data.draw(st.integers(0, n))
    assert possible(round(100 * right / n, decimals), n) in (True, None)
