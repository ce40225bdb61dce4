"""What a user reads in the terminal when something is wrong: sentences, all of them, no more."""

import pytest

# The header of each is wrong, and one value.
TABLES = {
    "benchmarks.csv": "benchmark_id,name\nb,B\n",
    "scores.csv": "benchmark_id,rank,score\nb,1,much\n",
    "board.csv": "leaderboard,model,benchmark\nl,m,b\n",
    "kinds.csv": "benchmark,kind,n_test\nb,knowledge,10\n",
    "predictions.csv": "model,example\nm,e\n",
}
CONFIG = {
    "plateau": {"benchmarks": "benchmarks.csv", "top_scores": "scores.csv"},
    "discriminability": {"leaderboard": "board.csv", "benchmarks": "kinds.csv"},
    "robustness": {"predictions": "predictions.csv"},
}
TARGETS = (
    "results/plateau/index.csv",
    "results/discriminability/monthly.csv",
    "results/robustness/consistency.csv",
)


@pytest.fixture(scope="module")
def project(make_project):
    return make_project("terminal")


def test_what_is_wrong_in_three_studies_tables_is_said_at_the_end_at_once(project):
    for name, text in TABLES.items():
        (project.folder / name).write_text(text)
    done = project.run(*TARGETS, config=CONFIG, cores=1)
    assert done.returncode != 0
    end = done.stderr[done.stderr.index("What was wrong in this run:") :]
    for part in (
        "Error: benchmarks.csv: column 'released' is missing",
        "Error: scores.csv, row 2, column 'score': value 'much'",
        "Error: board.csv: column 'date' is missing",
        "Error: predictions.csv: column 'score' is missing",
    ):
        assert part in end
        assert end.count(part) == 1
    assert "Traceback" not in done.stderr


def test_a_wrong_config_is_a_sentence_a_line_and_nothing_around_them(project):
    done = project.run("plateau", config={"plateau": {"k": "nine", "alhpa": 1}}, cores=1)
    assert done.returncode != 0
    lines = done.stderr.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("config: "))
    assert [line.split(";")[0] for line in lines[first:] if line] == [
        "config: key 'plateau.alhpa' (value 1) is not known",
        "config: key 'plateau.k': 'nine' is not of type 'integer' (number of top models compared "
        "(section 2.1))",
    ]
    assert "WorkflowError" not in done.stderr


def test_the_list_says_what_each_rule_is_for(project):
    listed = project.run("--list").stdout
    rules = [line for line in listed.splitlines() if line.strip()]
    assert len(rules) > 40
    assert [line for line in rules if "(" not in line] == []
