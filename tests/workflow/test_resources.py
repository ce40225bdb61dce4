"""What a job asks for, read from the dry run: it follows from what the user's files weigh."""

import re

import pytest

ACCURACY = {"family": "accuracy", "observed_on": "2026-01-01", "score_range": [0, 1]}
# The rules whose work grows with a table of the user's.
SIZED = (
    *("plateau_inputs", "plateau_index", "plateau_uncertainty", "plateau_sensitivity"),
    *("plateau_hypotheses", "plateau_controls", "plateau_summary", "plateau_figures"),
    *("multiverse_joint", "dashboard"),
    *("regression_posterior", "regression_study", "regression_calibration"),
    *("discriminability_leaderboards", "discriminability_study"),
    "discriminability_figures",
    *("robustness_predictions", "robustness_own"),
    *("adaptive_responses", "adaptive_study", "adaptive_misfit", "adaptive_figures"),
)


def asked(project, config, *targets):
    """Megabytes and minutes that each job of a dry run asks for, by rule."""
    done = project.finish("-n", "--forceall", *targets, config=config)
    found = re.findall(
        r"^(?:local)?rule (\w+):\n(?:    .*\n)*?    resources: (.*)$", done.stdout, re.MULTILINE
    )
    assert found
    return {
        rule: [int(re.search(rf"\b{name}=(\d+)", said)[1]) for name in ("mem_mb", "runtime")]
        for rule, said in found
    }


def write(folder, name, megabytes):
    """A file of so many megabytes; what it holds is read by jobs alone, and none runs."""
    path = folder / name
    path.write_bytes(b"x" * round(megabytes * 1e6))
    return str(path)


@pytest.fixture(scope="module")
def plans(make_project):
    """What is asked for with small tables of one's own in every study, and with large ones."""
    project = make_project("resources")
    found = []
    for size in (0.01, 30):
        path = write(project.folder, f"{size}.csv", size)
        config = {
            "plateau": {"benchmarks": path, "top_scores": path},
            "discriminability": {"leaderboard": path, "benchmarks": path},
            "robustness": {"predictions": path, "datasets": path},
            "adaptive": {
                "run": ["mine"],
                "collections": {"mine": {"banks": {"mine": {"responses": path}}}},
            },
        }
        found.append(asked(project, config, "all", "regression", "calibration"))
    return found


@pytest.mark.parametrize("rule", SIZED)
def test_a_rule_asks_for_more_the_larger_the_users_table_is(plans, rule):
    (memory, minutes), (more_memory, more_minutes) = (plan[rule] for plan in plans)
    assert more_memory > memory
    assert more_minutes > minutes


def test_what_reads_no_table_of_the_users_asks_for_the_same(plans):
    small, large = plans
    for rule in ("boards_study", "forecast_study", "robustness_study"):
        assert small[rule] == large[rule]


def cards(project, files):
    entries = {name: {**ACCURACY, "files": paths} for name, paths in files.items()}
    plan = asked(project, {"own": {"benchmarks": entries}}, "card")
    (rule,) = [name for name in plan if name.startswith("own_card_")]
    return plan[rule]


def test_a_batch_of_cards_needs_the_memory_of_one_and_the_time_of_all(project, tmp_path):
    heavy, light = write(tmp_path, "heavy.csv", 20), write(tmp_path, "light.csv", 10)
    one = cards(project, {"a": [heavy]})
    both = cards(project, {"a": [heavy], "b": [light]})
    together = cards(project, {"a": [heavy, light]})
    assert both[0] == one[0] < together[0]
    assert one[1] < both[1] == together[1]
