"""The tables of names: what planning, statistics and pages take from one place."""

import subprocess
import sys
from pathlib import Path

import yaml

from saturation import index
from saturation.plateau import names

ROOT = Path(__file__).resolve().parents[3]


def test_the_names_need_no_heavy_imports():
    heavy = "{'numpy', 'pandas', 'scipy', 'matplotlib', 'statsmodels'}"
    code = f"import sys, saturation.plateau.names; assert not {heavy} & set(sys.modules)"
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
    assert config["plateau"]["epsilon"] == index.EPSILON
    assert config["plateau"]["ceiling"] == index.CEILING


def test_table_1_changes_one_setting_at_a_time():
    assert names.table_1(5, 0.5) == {"k3": (3, 0.5), "alpha0": (5, 0.0), "alpha1": (5, 1.0)}
    assert names.table_1(4, 1) == {"k3": (3, 1.0), "alpha0": (4, 0.0), "alpha1": (4, 1.0)}
    # File names are made of these: an alpha of 1 is written 1.0.
    assert str(names.table_1(4, 1)["k3"][1]) == "1.0"


def test_the_paper_has_six_hypotheses_in_two_panels():
    numbered = [row.label for row in names.HYPOTHESES.values() if row.numbered]
    assert numbered == ["H1", "H2", "H3", "H4", "H5", "H6"]
    left, right = (
        [name for name, row in names.HYPOTHESES.items() if row.panel == panel]
        for panel in ("left", "right")
    )
    assert (left, right) == (["h1", "h5", "h6"], ["h2", "h3", "h4"])
    assert not names.HYPOTHESES["quality"].panel


def test_every_figure_has_a_caption():
    captions = {path.stem for path in (ROOT / "workflow" / "report" / "plateau").iterdir()}
    assert captions == {*names.FIGURES, "index"}
