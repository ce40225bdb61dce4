import numpy as np

from saturation.simulation.check import Outcome
from saturation.simulation.counting import covered, drawn_once, rejected, repeated

NAN = float("nan")


def test_intervals_contain_their_own_ends_and_nan_abstains():
    assert covered([0, 1, 2, NAN, 0], [1, 2, 3, 4, NAN], 1) == Outcome(2, 3, abstained=2)
    assert covered([0, 0], [1, 1], [1.5, 0.5]) == Outcome(1, 2)


def test_a_p_value_at_the_level_rejects_and_nan_abstains():
    assert rejected([0.05, 0.051, 0.0, NAN]) == Outcome(2, 3, abstained=1)
    assert rejected([0.05, 0.2], level=0.2) == Outcome(2, 2)


def test_events_are_counted_one_or_several_a_data_set():
    events = iter([True, False, None, [True, None, True]])
    simulated = repeated(lambda rng: next(events))(np.random.default_rng(0), 4)
    assert simulated == Outcome(3, 4, abstained=2)


def test_a_scenario_is_drawn_once_and_from_a_stream_of_its_own():
    drawn = []

    def draw(rng):
        drawn.append(1)
        return rng.random()

    first = drawn_once("a", draw)
    assert first(3) == first(3)
    assert len(drawn) == 3
    assert drawn_once("a", draw)(3) == first(3)
    assert drawn_once("b", draw)(3) != first(3)
