"""What Snakemake says is made plainer, and nothing else of it is touched."""

import logging

import pytest

from saturation.planning.messages import Plain, purpose


@pytest.fixture
def plain():
    purposes = {"plateau": "Tops of benchmarks.", "plateau_index": "Compute it.", "all": None}
    return Plain(purposes, ["results/plateau/index.csv"])


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
