"""The verdict, on both sides of the edge of every threshold."""

from dataclasses import FrozenInstanceError, asdict, replace

import pytest

from saturation.board import verdict

THRESHOLDS = verdict.Thresholds(
    ceiling=0.9,
    weakening_from=0.05,
    meaningful_difference=0.02,
    resolvable_factor=10.0,
    decline=0.15,
)
SATURATED_FROM = 0.7
# Told apart, with room to the ceiling and to every limit.
SEPARATES = verdict.Findings(
    s_index=0.2,
    s_1=0.6,
    p_saturated=0.0,
    kth_tied=False,
    bounded=True,
    n_items=100,
    items_for_top_k=5000,
    minimum_detectable_difference=0.1,
)
COMPRESSED = replace(SEPARATES, s_index=0.9)


def judged(findings, **changes):
    reached = verdict.judge(replace(findings, **changes), THRESHOLDS, SATURATED_FROM)
    assert reached.verdict in verdict.VERDICTS
    assert reached.explanation == verdict.REASONS[reached.reason]
    return reached.verdict, reached.reason


def test_a_leader_that_is_told_apart_separates():
    assert judged(SEPARATES) == ("separates", "separated")


@pytest.mark.parametrize(("s_index", "expected"), [(0.7, "stagnated"), (0.6999, "separates")])
def test_the_index_reaches_its_threshold(s_index, expected):
    assert judged(SEPARATES, s_index=s_index)[0] == expected


@pytest.mark.parametrize(("s_1", "expected"), [(0.9, "saturated"), (0.8999, "stagnated")])
def test_the_best_score_reaches_the_ceiling(s_1, expected):
    assert judged(COMPRESSED, s_1=s_1)[0] == expected


def test_a_solved_benchmark_says_so_and_ratings_have_no_ceiling():
    assert judged(COMPRESSED, s_1=0.95) == ("saturated", "solved")
    assert judged(COMPRESSED, s_1=1300.0, bounded=False)[0] == "stagnated"


@pytest.mark.parametrize(("p", "expected"), [(0.05, "weakening"), (0.0499, "separates")])
def test_the_probability_alone_weakens(p, expected):
    assert judged(SEPARATES, p_saturated=p)[0] == expected


def test_a_tie_with_the_kth_alone_weakens():
    assert judged(SEPARATES, kth_tied=True) == ("weakening", "underpowered")


@pytest.mark.parametrize(
    ("decline", "expected"),
    [
        (0.1501, ("weakening", "declining")),
        (0.15, ("separates", "separated")),
        (0.0, ("separates", "separated")),
        (None, ("separates", "separated")),
    ],
)
def test_a_decline_weakens_what_separates(decline, expected):
    assert judged(SEPARATES, bdi_decline=decline) == expected


def test_a_decline_changes_nothing_else():
    assert judged(COMPRESSED, bdi_decline=0.9)[0] == "stagnated"
    assert judged(SEPARATES, kth_tied=True, bdi_decline=0.9)[1] == "underpowered"


@pytest.mark.parametrize(
    ("needed", "expected"),
    [
        (1000, "resolvable"),
        (1001, "underpowered"),
        (float("inf"), "underpowered"),
        (None, "underpowered"),
    ],
)
def test_up_to_ten_times_the_items_are_a_remedy(needed, expected):
    assert judged(COMPRESSED, items_for_top_k=needed)[1] == expected
    assert judged(SEPARATES, kth_tied=True, items_for_top_k=needed)[1] == expected


@pytest.mark.parametrize(
    ("detectable", "bounded", "expected"),
    [
        (0.02, True, "alike"),
        (0.0201, True, "underpowered"),
        (0.01, False, "underpowered"),  # 0.02 of a rating's points means nothing
    ],
)
def test_a_difference_that_matters_would_have_been_seen(detectable, bounded, expected):
    found = judged(COMPRESSED, minimum_detectable_difference=detectable, bounded=bounded)
    assert found == ("stagnated", expected)


def test_a_remedy_comes_before_alike():
    changes = {"items_for_top_k": 1000, "minimum_detectable_difference": 0.01}
    assert judged(COMPRESSED, **changes)[1] == "resolvable"


def test_thresholds_by_default_are_those_of_the_config():
    assert verdict.Thresholds() == THRESHOLDS


@pytest.mark.parametrize("reason", verdict.REASONS)
def test_every_reason_has_words(reason):
    assert verdict.Verdict("undetermined", reason).explanation == verdict.REASONS[reason]


@pytest.mark.parametrize(
    "thing", [THRESHOLDS, SEPARATES, verdict.Verdict("separates", "separated")]
)
def test_nothing_changes_after_it_is_stated(thing):
    with pytest.raises(FrozenInstanceError):
        setattr(thing, next(iter(asdict(thing))), None)
