"""Live sessions against replayed ones, and saved ones that go on."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from saturation.adaptive import administration, model
from saturation.adaptive.abilities import map_ability
from saturation.adaptive.session import Choice, Session, Stop
from saturation.errors import InputError


def bank(seed, n_items=80):
    random = np.random.default_rng(seed)
    a, b = np.exp(random.normal(0.3, 0.5, n_items)), random.normal(0, 1.2, n_items)
    table = pd.DataFrame({"item": range(n_items), "discrimination": a, "difficulty": b})
    return table.assign(item="q" + table["item"].astype(str))


def parameters(items):
    return [items[name].to_numpy() for name in ("discrimination", "difficulty")]


def best(items, at=0.0):
    """Names of the items, the most informative first."""
    info = model.information(np.array([at]), *parameters(items))[0]
    return items["item"].iloc[np.argsort(-info)].tolist()


def answers(items, theta, seed):
    p = model.probability(np.array([theta]), *parameters(items))[0]
    return dict(zip(items["item"], (np.random.default_rng(seed).random(len(items)) < p) * 1))


def played(session, truth):
    """The session to its end: items in the order asked, and the ability after each."""
    asked, abilities = [], []
    while batch := session.next_items():
        item = batch[0]
        session.answer(item, truth[item])
        asked.append(item)
        abilities.append(session.ability)
    return asked, abilities


@pytest.mark.parametrize("floor", [0.0, 0.2])
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), theta=st.floats(-2, 2), start=st.floats(-2, 2))
def test_a_session_asks_what_the_replay_asks(floor, seed, theta, start):
    """Also of items that tie, and of slopes of either sign; to the last bit."""
    items = bank(seed)
    items.loc[10:20, ["discrimination", "difficulty"]] = 1.5, 0.0
    items.loc[30:33, "discrimination"] *= -1
    truth = answers(items, theta, seed)
    prior = model.Prior(0.2, 0.9, -3, 3)
    cells = np.array([[truth[item] for item in items["item"]]], dtype=np.int8)
    for stop_se in (0.0, 0.45):
        arguments = (*parameters(items), 40, stop_se, prior, start, floor)
        test = administration.administer(cells, *arguments)
        live = Session(items, start, prior, Stop(stop_se, 40), floor=floor)
        asked, abilities = played(live, truth)
        given_items = test.items[0][test.items[0] >= 0]
        assert asked == items["item"].iloc[given_items].tolist()
        assert abilities == test.ability[0, : len(asked)].tolist()
        assert live.standard_error == test.se[0, -1]


def test_it_begins_with_the_prior_and_at_the_start():
    items = bank(1)
    live = Session(items, prior=model.Prior(0.4, 0.8))
    assert (live.ability, live.standard_error, live.stopped) == (0.4, 0.8, None)
    assert live.start == 0.4
    for start in (-1.5, 1.5):
        assert Session(items, start).next_items()[0] == best(items, start)[0]


def test_why_it_stops():
    items = bank(2)
    truth = answers(items, 0.5, 2)
    for length in (1, 7):
        live = Session(items, stop=Stop(length=length))
        assert len(played(live, truth)[0]) == length
        assert live.stopped == "length"
    assert live.next_items() == []
    live = Session(items, stop=Stop(standard_error=0.4))
    played(live, truth)
    assert live.stopped == "standard error"
    assert live.standard_error <= 0.4
    live = Session(items)
    assert sorted(played(live, truth)[0]) == sorted(items["item"])
    assert live.stopped == "bank"


def test_batches_are_chosen_at_one_ability_and_answered_in_any_order():
    items = bank(4)
    truth = answers(items, 0.5, 4)
    live = Session(items, stop=Stop(length=10), choice=Choice(batch=4))
    first = live.next_items()
    assert live.next_items() == first == best(items)[:4]
    for item in reversed(first):
        assert live.stopped is None
        live.answer(item, truth[item])
    sizes = [4]
    while batch := live.next_items():
        sizes.append(len(batch))
        for item in batch:
            live.answer(item, truth[item])
    assert sizes == [4, 4, 2]
    # The last estimate is that of all ten answers, whatever their order.
    rows = items.set_index("item").loc[list(live.answers)]
    cells = np.array([list(live.answers.values())], dtype=np.int8)
    assert live.ability == pytest.approx(map_ability(cells, *parameters(rows))[0][0], abs=1e-8)


def test_an_item_that_could_not_be_evaluated_is_left_out():
    items = bank(5)
    live = Session(items, stop=Stop(length=3))
    left_out = live.next_items()[0]
    live.answer(left_out, None)
    assert (live.ability, live.standard_error) == (0.0, 1.0)
    asked, _ = played(live, answers(items, 0, 5))
    assert len(asked) == 3
    assert left_out not in asked
    assert live.answers[left_out] is None


def test_randomesque_draws_are_among_the_best_and_seeded():
    items = bank(8, 40)
    truth = answers(items, 0.5, 8)
    firsts = [
        Session(items, choice=Choice(among=5, seed=seed)).next_items()[0] for seed in range(40)
    ]
    assert set(firsts) == set(best(items)[:5])
    one, same, other = (
        played(Session(items, choice=Choice(among=5, seed=seed)), truth)[0] for seed in (1, 1, 2)
    )
    assert one == same != other
    assert len(one) == len(items)


@pytest.mark.parametrize("choice", [Choice(), Choice(batch=3, among=4, seed=9)])
@pytest.mark.parametrize(("after", "floor"), [(0, 0.0), (1, 0.2), (8, 0.0)])
def test_a_resumed_session_goes_on_as_if_it_had_not_been_saved(choice, after, floor):
    items = bank(9)
    truth = answers(items, -0.6, 9)
    stop = Stop(standard_error=0.2, length=30)
    prior = model.Prior(0.1, 1.1, -4, 4) if after else model.Prior(0, 2)
    whole, broken = (Session(items, 0.3, prior, stop, choice, floor) for _ in range(2))
    expected = played(whole, truth)
    for _ in range(after):
        item = broken.next_items()[0]
        broken.answer(item, truth[item])
    broken.next_items()
    again = Session(items, 0.3, prior, stop, choice, floor)
    again.resume(broken.saved())
    assert again.saved() == broken.saved()
    assert (again.ability, again.standard_error) == (broken.ability, broken.standard_error)
    asked, abilities = played(again, truth)
    assert asked == expected[0][after:]
    assert abilities == expected[1][after:]
    assert again.stopped == whole.stopped
    assert again.saved() == whole.saved()


def changed(text, path, value):
    content = place = json.loads(text)
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    if value is KeyError:
        del place[path[-1]]
    return json.dumps(content)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["format"], "a playlist", "this JSON is not a 'saturation adaptive session'"),
        (["version"], 1, "saved with version 1, and here it is 3"),
        (["version"], KeyError, "saved with version None"),
        (["items_sha256"], "0" * 64, "saved with items_sha256 0000"),
        (["start"], "high", "saved with start high, and here it is 0.0"),
        (["prior", 1], 2.0, r"saved with prior \[0.0, 2.0, None, None\]"),
        (["length"], 7, "saved with length 7, and here it is None"),
        (["floor"], 0.5, "saved with floor 0.5, and here it is 0.0"),
        (["rest"], 1, "saved with rest 1, and here it is None"),
        (["answers", 0, 1], 2, "item .* has the answer 2; expected 0, 1 or null"),
        (["answers", 0, 1], "1", "has the answer '1'"),
        (["answers", 0], 3, "answers or pending items are damaged"),
        (["pending"], KeyError, "answers or pending items are damaged"),
        (["answers", 0, 0], "q999", "item 'q999' is not in the bank"),
        (["pending"], ["q1", "q1"], "item 'q1' stands 2 times"),
        (["start"], np.nan, r"not whole JSON \(NaN is no number\)"),
    ],
)
def test_a_foreign_or_changed_session_is_refused_in_a_sentence(path, value, message):
    items = bank(11)
    live = Session(items)
    live.answer(live.next_items()[0], 0)
    again = Session(items)
    with pytest.raises(InputError, match=message):
        again.resume(changed(live.saved(), path, value))
    for text in ("[1, 2]", "", live.saved()[:40]):
        with pytest.raises(InputError, match=r"^session: "):
            again.resume(text)
    assert again.saved() == Session(items).saved()


def test_another_bank_is_refused():
    items = bank(12)
    text = Session(items).saved()
    for other in (items.iloc[::-1], items.assign(difficulty=0.0), items.iloc[:-1]):
        with pytest.raises(InputError, match="saved with items_sha256"):
            Session(other.reset_index(drop=True)).resume(text)


def test_answers_that_are_none_are_refused():
    live = Session(bank(13))
    with pytest.raises(InputError, match=r"'q1' does not wait .* waiting: none; ask next_items"):
        live.answer("q1", True)
    item = live.next_items()[0]
    for bad in (2, "yes", np.nan, -1):
        with pytest.raises(InputError, match="expected True, False or None"):
            live.answer(item, bad)
    live.answer(item, True)
    with pytest.raises(InputError, match="does not wait"):
        live.answer(item, True)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda items: Session(items.assign(item="same")), "item"),
        (lambda items: Session(items.assign(discrimination=np.nan)), "discrimination"),
        (lambda items: Session(items.assign(difficulty=np.inf)), "difficulty inf is not a finite"),
        (lambda items: Session(items, floor=0.001), "no chance to guess"),
        (lambda _: Stop(standard_error=-0.1), "standard_error -0.1"),
        (lambda _: Stop(standard_error=np.nan), "standard_error nan"),
        (lambda _: Stop(length=0), "length 0"),
        (lambda _: Choice(batch=0), "batch 0"),
        (lambda _: Choice(among=0), "among 0"),
    ],
)
def test_items_and_settings_that_are_none_are_refused(wrong, message):
    with pytest.raises(InputError, match=message):
        wrong(bank(14))
