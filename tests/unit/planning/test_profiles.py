"""The cluster's profile joins every job of the default run to its study's, sweeps left out."""

from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[3]
PROFILE = yaml.safe_load((ROOT / "profiles/slurm/config.yaml").read_text(encoding="utf-8"))
# By hand or by minutes: each is a job of its own.
ALONE = {
    "sources_fetch", "plateau_verify", "discriminability_sources", "discriminability_verify",
    "boards_sources", "boards_verify", "renewal_verify", "robustness_sources", "robustness_verify",
    "forecast_sources", "forecast_verify", "forecast_swebench", "status_sources",
    "status_verify", "review_verify", "suites_verify", "releases_sources", "releases_verify",
    "adaptive_fluid", "adaptive_subset_errors", "regression_calibration",
}  # fmt: skip

# Rules whose names are put together.
MADE_IN_A_LOOP = {"adaptive_study", "adaptive_figures"}
# Rules of a config that names a table of predictions.
OF_PREDICTIONS = {"robustness_predictions", "robustness_own"}

LOCAL = yaml.safe_load((ROOT / "profiles/default/config.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("key", ["rerun-triggers", "max-checksum-file-size"])
def test_what_makes_a_job_run_again_is_the_same_here_and_on_a_cluster(key):
    assert PROFILE[key] == LOCAL[key]


def test_every_rule_is_in_a_group_in_a_sweep_or_alone(planned):
    scripted = set(planned) | MADE_IN_A_LOOP | OF_PREDICTIONS
    sweeps = set(PROFILE["slurm-array-jobs"].split(","))
    grouped = set(PROFILE["groups"])
    assert grouped | sweeps | ALONE >= scripted, scripted - grouped - sweeps - ALONE
    assert not grouped & sweeps
    assert grouped | sweeps | ALONE <= scripted, (grouped | sweeps | ALONE) - scripted


def test_the_default_run_is_some_eight_jobs():
    assert len(set(PROFILE["groups"].values())) <= 9
