"""The simulations as a workflow: a job a subject, a table whatever comes out, and a gate."""

import pandas as pd
import pytest

from saturation.simulation import names

TOY = '''
"""A coin."""

from saturation.simulation.check import Check, Outcome


def tosses(rng, data_sets):
    """Heads of a coin that may be bent."""
    return Outcome(int((rng.random(data_sets) < {share}).sum()), data_sets)


CHECKS = (Check("{name}_coin", "a.coin", "heads", "tossed", 0.5, 0.4, 0.6, 2000, tosses),)
'''


def write(project, name, share):
    path = project.folder / f"src/saturation/simulation/{name}.py"
    path.write_text(TOY.format(name=name, share=share).lstrip("\n"), encoding="utf-8")


@pytest.fixture
def coins(project):
    """The project with two coins in place of all checks: one is fair."""
    for name in names.subjects():
        (project.folder / f"src/saturation/simulation/{name}.py").unlink()
    write(project, "fair", 0.5)
    write(project, "bent", 0.9)
    return project


def test_what_fails_stops_the_gate_after_the_table_until_it_is_known(coins):
    folder = coins.folder / "results/simulation"
    done = coins.run("simulation")
    assert done.returncode != 0
    table = pd.read_csv(folder / "table.csv")
    assert table["check"].tolist() == ["bent_coin", "fair_coin"]
    assert table["verdict"].tolist() == ["does not hold", "holds"]
    log = (coins.folder / "results/logs/simulation/gate.log").read_text()
    assert "Error: check 'bent_coin' does not hold: a.coin states 0.5 (heads; tossed" in log
    assert "fair_coin" not in log
    # Known: the gate lets it pass, and nothing is simulated again.
    known = coins.folder / "resources/simulation/table.csv"
    known.write_bytes((folder / "table.csv").read_bytes())
    done = coins.run("simulation")
    assert done.returncode == 0, done.stderr
    assert "simulation_checks" not in done.stderr
    assert (folder / "gate.txt").read_text().startswith("2 checks")
    # A change of one subject repeats its checks alone.
    write(coins, "bent", 0.5)
    done = coins.run("simulation")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("rule simulation_checks") == 1
    assert set(pd.read_csv(folder / "table.csv")["verdict"]) == {"holds"}


def test_the_default_run_shows_the_committed_table_and_simulates_nothing(project):
    done = project.run("results/simulation/levels.html")
    assert done.returncode == 0, done.stderr
    assert "simulation_checks" not in done.stderr
    page = (project.folder / "results/simulation/levels.html").read_text(encoding="utf-8")
    assert "statistics.intervals.wilson" in page
    for kind in ("png", "pdf", "svg"):
        assert (project.folder / f"results/figures/simulation/levels.{kind}").is_file()
    planned = project.run("--dry-run", "all")
    assert "simulation_figures" not in planned.stdout + planned.stderr
    assert "simulation_checks" not in planned.stdout + planned.stderr
