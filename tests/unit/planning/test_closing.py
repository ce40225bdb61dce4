"""What is said at the end of a run."""

import json

import pytest

from saturation.planning import closing


@pytest.fixture
def run(tmp_path):
    (tmp_path / "results").mkdir()
    (tmp_path / ".snakemake").mkdir()

    def done(**outputs):
        named = {f"results/{path.replace(':', '/')}": digest for path, digest in outputs.items()}
        (tmp_path / closing.MANIFEST).write_text(json.dumps({"outputs": named}))
        return closing.summary(tmp_path)

    return done


def test_a_first_run_says_what_came_out(run):
    said = run(**{"plateau:a.csv": "1", "figures:plateau:b.png": "2", "ledger:c.csv": "3"})
    assert said.startswith("3 results in ")
    assert "(ledger 1, plateau 2)" in said
    assert "no earlier run" in said


def test_a_second_run_says_what_differs(run):
    first = {f"plateau:{number}.csv": "1" for number in range(7)}
    run(**first)
    assert "every one is the same as in the last run" in run(**first)
    changed = {**first, "plateau:6.csv": "2", "ledger:new.csv": "1"}
    del changed["plateau:0.csv"]
    said = run(**changed)
    assert "1 differ from the last run: results/plateau/6.csv" in said
    assert "1 are new: results/ledger/new.csv" in said
    assert "1 are no longer made: results/plateau/0.csv" in said
    assert "7 differ" not in said
    many = run(**dict.fromkeys(first, "3"))
    assert "results/plateau/5.csv and 1 more" in many


def test_what_there_is_to_open_is_named(run, tmp_path):
    page = tmp_path / "results/dashboard/index.html"
    page.parent.mkdir()
    page.write_text("")
    lines = run(**{"dashboard:index.html": "1"}).splitlines()
    assert lines[-1] == "open results/dashboard/index.html: all benchmarks on one page"


@pytest.mark.parametrize("content", [None, "", "{}", "[]"])
def test_without_a_manifest_it_says_so(tmp_path, content):
    (tmp_path / "results").mkdir()
    if content is not None:
        (tmp_path / closing.MANIFEST).write_text(content)
    assert "only a part of the default run" in closing.summary(tmp_path)


class TestFailures:
    """What failed jobs wrote to their logs, gathered."""

    @staticmethod
    def block(rule, log):
        return (
            f"Error in rule {rule}:\n    message: Check it.\n    jobid: 2\n"
            f"    input: a.csv\n    log: {log} (check log file(s) for error details)\n"
        )

    def test_every_failed_job_s_sentences_are_said_once(self, tmp_path):
        logs = {"a.log": "read a.csv\nError: a is bad\nError: b is bad\n",
                "b c.log": "Error: c is bad\n", "fine.log": "Error: not of this run\n"}  # fmt: skip
        for name, text in logs.items():
            (tmp_path / name).write_text(text)
        log = tmp_path / "snakemake.log"
        first = self.block("one", "a.log")
        log.write_text(
            f"before\n{first}rule fine:\n    log: fine.log\n{self.block('two', 'b c.log')}{first}"
        )
        assert closing.failures([log], tmp_path).splitlines() == [
            "What was wrong in this run:", "Error: a is bad", "Error: b is bad", "Error: c is bad",
        ]  # fmt: skip

    def test_nothing_is_said_of_a_job_without_a_log_or_without_a_sentence(self, tmp_path):
        log = tmp_path / "snakemake.log"
        (tmp_path / "mute.log").write_text("read a.csv\n")
        log.write_text(
            self.block("one", "gone.log")
            + self.block("two", "mute.log")
            + "Error in rule three:\n    jobid: 3\n"
        )
        assert closing.failures([log], tmp_path) == ""
