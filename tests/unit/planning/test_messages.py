"""What Snakemake says is made plainer, and nothing else of it is touched."""

import logging

import pytest

from saturation.planning.messages import Plain, purpose


@pytest.fixture
def plain():
    purposes = {"plateau": "Tops of benchmarks.", "plateau_index": "Compute it.", "all": None}
    made = Plain()
    made.learn(purposes, ["results/plateau/index.csv"])
    return made


def record(message, **more):
    made = logging.makeLogRecord({"msg": message, "levelno": logging.ERROR})
    vars(made).update(more)
    return made


@pytest.mark.parametrize(
    ("target", "meant"),
    [("plateua", "plateau"), ("results/plateau/indx.csv", "results/plateau/index.csv")],
)
def test_a_mistyped_target_gets_a_suggestion(plain, target, meant):
    said = record(
        f"MissingRuleException:\nNo rule to produce {target} (if you use input functions make sure "
        "that they don't raise unexpected exceptions)."
    )
    assert plain.filter(said)
    assert f"there is no target '{target}'; did you mean '{meant}'? `snakemake --list`" in said.msg


def test_a_target_like_nothing_gets_none(plain):
    said = record("No rule to produce xyz123 (if you use input functions make sure that).")
    assert plain.filter(said)
    assert said.msg == "there is no target 'xyz123'; `snakemake --list` says what there is"


def test_a_failed_job_says_what_it_is_for_unless_it_does_by_itself(plain):
    failed = record("Error in rule", rule_name="plateau_index", rule_msg=None)
    assert plain.filter(failed)
    assert failed.rule_msg == "Compute it."
    told = record("Error in rule", rule_name="plateau_index", rule_msg="told")
    unknown = record("Error in rule", rule_name="other", rule_msg=None)
    assert plain.filter(told)
    assert plain.filter(unknown)
    assert (told.rule_msg, unknown.rule_msg) == ("told", "")
    started = record("rule", rule_name="plateau_index", rule_msg=None, levelno=logging.INFO)
    assert plain.filter(started)
    assert started.rule_msg is None


def test_that_nothing_was_there_to_restore_is_not_said(plain):
    assert not plain.filter(record("Cannot restore a.csv: no backup found."))
    assert plain.filter(record("Restored previous version of a.csv"))
    assert plain.filter(record(None))


def test_the_purpose_of_a_script_is_its_first_paragraph():
    assert purpose('"""Draw\nit.\n\nMore.\n"""\nimport sys\n') == "Draw it."


def test_an_error_of_ours_is_said_without_where_it_was_raised():
    said = record(
        'WorkflowError in file "/a b/workflow/rules/common.smk", line 102:\n'
        "config: key 'seeed' is not known\nconfig: key 'k' has no value\n"
        '  File "/a b/workflow/rules/common.smk", line 172, in <module>\n'
        '  File "/a b/workflow/rules/common.smk", line 102, in load_config'
    )
    assert Plain().filter(said)
    assert said.msg == "config: key 'seeed' is not known\nconfig: key 'k' has no value"


def test_an_error_that_is_not_ours_keeps_its_place():
    text = 'WorkflowError in file "/other/rules/a.smk", line 1:\nbad\n  File "/x.py", line 2, in f'
    said = record(text)
    assert Plain().filter(said)
    assert said.msg == text


def test_a_failed_script_s_command_is_not_said_but_other_failures_are(plain):
    command = "RuleException:\nCalledProcessError in file \"a.smk\", line 5:\nCommand 'set -e' ..."
    assert not plain.filter(record(command))
    assert plain.filter(record("RuleException:\nOSError in file a.smk, line 5:\nno space"))


def test_a_job_of_hundreds_of_files_lists_the_first(plain):
    files = [f"results/{number}.csv" for number in range(101)]
    started = record("", input=files, output=files[:100], reason="Missing output", rule_msg="")
    assert plain.filter(started)
    assert started.input == [*files[:8], "and 93 more"]
    assert (started.output, started.reason) == (files[:100], "Missing output")
    assert len(files) == 101


@pytest.mark.parametrize(
    ("reason", "shown"),
    [
        ("a" * 1000, "a" * 1000),
        ("a" * 1001, "a" * 1000 + ", ..."),
        ("Updated: " + "results/a.csv, " * 99, "Updated: " + "results/a.csv, " * 66 + "..."),
    ],
)
def test_a_long_reason_ends_at_a_file(plain, reason, shown):
    started = record("", reason=reason, rule_msg="")
    assert plain.filter(started)
    assert started.reason == shown
