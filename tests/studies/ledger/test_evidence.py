"""What evidence says of its claim, from rounding and rules to the grade: every edge."""

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saturation.errors import InputError
from studies.ledger.judge import find_outcome, grade, rounds_to
from studies.ledger.schemas import EVIDENCE

NAN = float("nan")


@given(st.integers(-(10**5), 10**5))
def test_a_tie_rounds_either_way(tenths):
    value = Decimal(tenths) / 10
    for mode in (ROUND_HALF_UP, ROUND_HALF_EVEN):
        assert rounds_to(float(value), float(value.quantize(Decimal(1), mode)), 0)


@pytest.mark.parametrize(
    ("value", "published", "decimals", "same"),
    [
        (0.145, 0.15, 2, True),  # 0.145 is 0.14499... in binary
        (0.145, 0.14, 2, True),
        (0.1449, 0.15, 2, False),
        (0.1451, 0.14, 2, False),
        (-12345.51, -12346, 0, True),
        (-12345.49, -12346, 0, False),
        (48.333333, 48.3, 1, True),
        (-0.001, 0.0, 2, True),
        (NAN, 0.0, 2, False),
        (float("inf"), 1.0, 2, False),
    ],
)
def test_rounding_at_the_edges(value, published, decimals, same):
    assert rounds_to(value, published, decimals) is same


CLAIM = {"published": "48.3", "decimals": 1.0}
ROW = dict.fromkeys(EVIDENCE.columns) | {"evidence_id": "study_001a"}


def known(note=None, **values):
    rows = {
        name: value if isinstance(value, tuple) else (value, NAN, NAN)
        for name, value in values.items()
    }
    columns = ("value", "lower", "upper", "note")
    return {name: dict(zip(columns, (*row, note), strict=True)) for name, row in rows.items()}


def number(quantities, named=(), **changes):
    row = ROW | {"quantity": "share", "scale": 100.0} | changes
    return find_outcome(CLAIM, row, quantities, named)


def rule(text, quantities, **changes):
    return find_outcome(CLAIM, ROW | {"rule": text} | changes, quantities)


@pytest.mark.parametrize(
    ("quantities", "outcome", "computed"),
    [
        ({"share": 0.48333}, "agrees", "48.333"),
        ({"share": 0.4836}, "contradicts", "48.36"),
        ({"share": float("inf")}, "contradicts", "inf"),
        # A primary value that gives it agrees whatever the readings.
        ({"share": 0.483, "share__other": 0.1}, "agrees", "48.3"),
        # Without one every reading has to give it.
        ({"share__a": 0.483, "share__b": 0.4829}, "agrees", "48.3"),
        ({"share__a": 0.483, "share__b": 0.5}, "does not settle", "48.3"),
        ({"share__a": 0.4, "share__b": 0.5}, "contradicts", "50"),
    ],
)
def test_a_number_is_compared_in_its_printed_unit(quantities, outcome, computed):
    finding = number(known(**quantities))
    assert (finding.outcome, finding.computed) == (outcome, computed)


def test_a_number_that_one_of_its_readings_hits_is_not_settled():
    assert number(known(share=48.3), scale=None).outcome == "agrees"  # in its printed unit
    quantities = known(share=0.4, share__weighted=0.483, share__other=0.1, shares=0.483)
    finding = number(quantities)
    assert (finding.outcome, finding.why_unsettled) == ("does not settle", "readings")
    assert finding.computed == "40"
    assert "give 48.3, the closest (weighted) is 48.3" in finding.remark


def test_a_reading_that_another_row_names_is_not_tried_again():
    quantities = known(share=0.4, share__script=0.483)
    assert number(quantities, named={"share__script"}).outcome == "contradicts"
    assert number(quantities, named={"share__script"}, quantity="share__script").outcome == "agrees"


@pytest.mark.parametrize(
    ("p", "flag", "outcome"),
    [
        (0.2, None, "agrees"),
        (0.01, None, "contradicts"),
        (0.2, "yes", "does not settle"),
        (0.01, "yes", "contradicts"),
        (0.05, "yes", "contradicts"),
    ],
)
def test_a_rule_decides_and_a_test_that_does_not_reject_settles_nothing(p, flag, outcome):
    finding = rule("h2_p > 0.05", known(h2_p=p), fails_to_reject=flag)
    assert finding.outcome == outcome
    assert finding.computed == ("holds" if p > 0.05 else "does not hold")
    assert finding.why_unsettled == ("fails to reject" if outcome == "does not settle" else "")
    assert finding.remark == f"h2_p > 0.05: h2_p = {p}"


@pytest.mark.parametrize(
    ("effect", "p", "outcome"),
    [
        (0.3, 0.01, "agrees"),
        (0.3, 0.2, "does not settle"),
        (-0.3, 0.2, "does not settle"),
        (-0.3, 0.01, "contradicts"),
    ],
)
def test_an_effect_that_is_not_shown_is_not_contradicted(effect, p, outcome):
    finding = rule(
        "effect > 0 and p <= 0.05", known(effect=effect, p=p), against="effect < 0 and p <= 0.05"
    )
    assert finding.outcome == outcome
    assert finding.why_unsettled == ("not shown" if outcome == "does not settle" else "")
    shown = finding.remark.endswith("against: effect < 0 and p <= 0.05")
    assert shown == (outcome == "contradicts")


def test_the_bounds_that_decide_are_shown_and_what_stands_beside():
    finding = rule(
        "age.lower > 0", known(age=(0.2, -0.3, 0.6), n=(1.0, NAN, 5.0)), beside="n; age; gone"
    )
    assert finding.outcome == "contradicts"
    assert finding.remark == "age.lower > 0: age = 0.2 (-0.3 to 0.6); n = 1"


@pytest.mark.parametrize(
    ("value", "outcome", "said"),
    [
        (0.7, "does not settle", "it holds from 0.5 to 0.696 of the range 0.5 to 0.9"),
        (0.95, "agrees", "it holds everywhere from 0.5 to 0.9"),
        (0.4, "contradicts", "it holds nowhere from 0.5 to 0.9"),
    ],
)
def test_a_threshold_of_ours_is_tried_over_its_range(value, outcome, said):
    finding = rule(
        "rho > threshold", known(rho=value),
        threshold=0.6, threshold_from=0.5, threshold_to=0.9,
    )  # fmt: skip
    assert finding.outcome == outcome
    assert said in finding.remark
    assert finding.why_unsettled == ("threshold" if outcome == "does not settle" else "")


def test_what_was_not_computed_waits_was_not_released_or_is_an_error():
    assert number(known(), command="make full").outcome == "not run here"
    assert number(known(), command="make full").remark == "not run here: make full"
    assert number(known(), needs="the logs").outcome == "not released"
    # What speaks against a claim has to be computed too.
    against = rule("effect > 0", known(effect=1.0), against="p <= 0.05", command="make full")
    assert against.outcome == "not run here"
    unquantified = find_outcome(CLAIM, ROW | {"needs": "the logs"}, known())
    assert (unquantified.outcome, unquantified.computed) == ("not released", "")
    assert unquantified.remark == "needed: the logs"
    skipped = rule("p > 1", known(p=NAN, note="needs refits"))
    assert skipped.outcome == "not run here"
    assert "p is not computed: needs refits" in skipped.remark
    said = "evidence study_001a: nothing computes quantity 'share'"
    with pytest.raises(InputError, match=said):
        number(known(sharing=1.0))


def piece(outcome="agrees", role="natural", data="released data", method="usual practice", why=""):
    given = {"role": role, "data": data, "method": method}
    return given | {"outcome": outcome, "why_unsettled": why}


def unsettled(why):
    return piece("does not settle", why=why)


WAITS = piece("not run here")
READING = {"role": "reading"}
PRINTED = {"role": "reading", "data": "printed tables"}
REPLICATION = {"role": "replication", "data": "other data"}
NO_DATA = piece("not released", data="none")


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ([piece()], "recomputed from the released data"),
        ([piece(data="released output")], "recomputed from the released output"),
        ([piece(data="released output", method="none")], "equal to the released output"),
        ([piece(data="printed tables")], "consistent within the paper"),
        ([piece(data="other data")], "supported on other data"),
        ([piece("contradicts")], "contradicted by the released data"),
        ([piece("contradicts", data="released output")], "contradicted by the released output"),
        ([piece("contradicts", data="printed tables")], "contradicted within the paper"),
        ([piece("contradicts", data="other data")], "not supported on other data"),
        ([unsettled("fails to reject")], "not contradicted"),
        ([unsettled("not shown")], "not shown by the data"),
        ([unsettled("threshold")], "depends on a threshold of ours"),
        ([unsettled("readings")], "depends on the reading"),
        ([WAITS], "released, not run here"),
        ([NO_DATA], "not released"),
        ([piece("not released")], "specification not released"),
        # The natural reading decides, whatever other readings and replications say.
        ([piece(), piece("contradicts", **READING)], "recomputed from the released data"),
        ([piece("contradicts", **READING), WAITS], "released, not run here"),
        ([WAITS, piece(**REPLICATION)], "released, not run here"),
        # Where the deciding run is still to come, the paper's own printed numbers decide.
        ([WAITS, piece(**PRINTED)], "consistent within the paper"),
        ([WAITS, piece("contradicts", **PRINTED)], "contradicted within the paper"),
        ([piece(), piece("contradicts", **PRINTED)], "recomputed from the released data"),
        # Where nobody released what would decide, a replication that says something grades.
        ([NO_DATA, piece(**REPLICATION)], "supported on other data"),
        ([NO_DATA, piece("contradicts", **REPLICATION)], "not supported on other data"),
        ([NO_DATA, piece("not run here", role="replication")], "not released"),
        ([piece("not released"), piece(**REPLICATION)], "specification not released"),
        ([piece(), piece("contradicts", **REPLICATION)], "recomputed from the released data"),
        # Several natural rows have to agree; what was not run takes nothing away.
        ([piece(), piece("contradicts")], "depends on the reading"),
        ([piece(), WAITS], "recomputed from the released data"),
        ([piece(), unsettled("fails to reject")], "not contradicted"),
        ([piece("contradicts"), unsettled("fails to reject")], "depends on the reading"),
        ([piece("not released"), WAITS], "released, not run here"),
        # Without a natural reading all readings have to agree; replications come last.
        ([piece(**READING), piece("contradicts", **READING)], "depends on the reading"),
        (
            [piece(**READING), piece("contradicts", **REPLICATION)],
            "recomputed from the released data",
        ),
        ([piece(**REPLICATION)], "supported on other data"),
    ],
)
def test_the_grade_follows_from_the_evidence(pieces, expected):
    assert grade(pieces) == expected
