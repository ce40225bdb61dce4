import json
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats
from scipy.special import log_expit

from saturation.adaptive import administration, model, session
from saturation.adaptive.abilities import map_ability
from saturation.adaptive.session import Choice, Rival, Session, Stop, leads, resumed
from saturation.errors import InputError


def bank(seed, n_items=80):
    random = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "item": [f"q{number}" for number in range(n_items)],
            "discrimination": np.exp(random.normal(0.3, 0.5, n_items)),
            "difficulty": random.normal(0, 1.2, n_items),
            "category": random.choice(["algebra", "history", "law"], n_items),
        }
    )


def answers(items, theta, seed):
    a, b = (items[name].to_numpy() for name in ("discrimination", "difficulty"))
    p = model.probability(np.array([theta]), a, b)[0]
    return dict(zip(items["item"], (np.random.default_rng(seed).random(len(items)) < p) * 1))


def played(session, truth):
    """The session to its end: items in the order asked, and the ability after each."""
    asked, abilities = [], []
    while (item := session.next_item()) is not None:
        session.answer(item, truth[item])
        asked.append(item)
        abilities.append(session.ability)
    return asked, abilities


@settings(max_examples=4, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(-2, 2), st.floats(-2, 2))
def test_a_session_asks_what_the_replay_asks(seed, theta, start):
    """Also of items that tie, and of slopes of either sign; to the last bit."""
    items = bank(seed)
    items.loc[10:20, ["discrimination", "difficulty"]] = 1.5, 0.0
    items.loc[30:33, "discrimination"] *= -1
    truth = answers(items, theta, seed)
    prior = model.Prior(0.2, 0.9, -3, 3)
    cells = np.array([[truth[item] for item in items["item"]]], dtype=np.int8)
    for stop_se in (0.0, 0.45):
        test = administration.administer(
            cells,
            items["discrimination"].to_numpy(),
            items["difficulty"].to_numpy(),
            40,
            stop_se,
            prior,
            start,
        )
        session = Session(items, start, prior, Stop(standard_error=stop_se, length=40))
        asked, abilities = played(session, truth)
        given_items = test.items[0][test.items[0] >= 0]
        assert asked == items["item"].iloc[given_items].tolist()
        assert abilities == test.ability[0, : len(asked)].tolist()
        assert session.standard_error == test.se[0, -1]


def test_it_begins_with_the_prior_and_at_the_start():
    items = bank(1)
    session = Session(items, prior=model.Prior(0.4, 0.8))
    assert (session.ability, session.standard_error, session.stopped) == (0.4, 0.8, None)
    assert session.start == 0.4
    for start in (-1.5, 1.5):
        info = model.information(
            np.array([start]), items["discrimination"].to_numpy(), items["difficulty"].to_numpy()
        )
        assert Session(items, start).next_item() == items["item"].iloc[info[0].argmax()]


def test_why_it_stops():
    items = bank(2)
    truth = answers(items, 0.5, 2)
    session = Session(items, stop=Stop(length=7))
    assert len(played(session, truth)[0]) == 7
    assert session.stopped == "length"
    assert session.next_items() == []
    session = Session(items, stop=Stop(standard_error=0.4))
    played(session, truth)
    assert session.stopped == "standard error"
    assert session.standard_error <= 0.4
    session = Session(items)
    assert sorted(played(session, truth)[0]) == sorted(items["item"])
    assert session.stopped == "bank"


@pytest.mark.parametrize(("theta", "ahead"), [(1.5, True), (-1.5, False)])
def test_a_rival_stops_it_once_told_apart(theta, ahead):
    items = bank(3, 300)
    truth = answers(items, theta, 3)
    session = Session(items, stop=Stop(rival=Rival(0.0, 0.1)))
    asked, _ = played(session, truth)
    assert (session.stopped, session.leads) == ("rival", ahead)
    assert 3 < len(asked) < 150
    assert Session(items).leads is None
    untold = Session(items, stop=Stop(rival=Rival(theta, 0.1), length=20))
    played(untold, truth)
    assert (untold.stopped, untold.leads) == ("length", None)


def test_batches_are_chosen_at_one_ability_and_answered_in_any_order():
    items = bank(4)
    truth = answers(items, 0.5, 4)
    session = Session(items, stop=Stop(length=10), choice=Choice(batch=4))
    first = session.next_items()
    info = model.information(
        np.zeros(1), items["discrimination"].to_numpy(), items["difficulty"].to_numpy()
    )[0]
    assert first == items["item"].iloc[np.argsort(-info)[:4]].tolist()
    assert session.next_items() == first
    for item in reversed(first):
        assert session.stopped is None
        session.answer(item, truth[item])
    sizes = [4]
    while batch := session.next_items():
        sizes.append(len(batch))
        for item in batch:
            session.answer(item, truth[item])
    assert sizes == [4, 4, 2]
    # The last estimate is that of all ten answers, whatever their order.
    asked = list(session.answers)
    rows = items.set_index("item").loc[asked]
    ability, _ = map_ability(
        np.array([[truth[item] for item in asked]], dtype=np.int8),
        rows["discrimination"].to_numpy(),
        rows["difficulty"].to_numpy(),
    )
    assert session.ability == pytest.approx(ability[0], abs=1e-8)


def test_an_item_that_could_not_be_evaluated_is_left_out():
    items = bank(5)
    session = Session(items, stop=Stop(length=3))
    left_out = session.next_item()
    session.answer(left_out, None)
    assert (session.ability, session.standard_error) == (0.0, 1.0)
    asked, _ = played(session, answers(items, 0, 5))
    assert len(asked) == 3
    assert left_out not in asked
    assert session.answers[left_out] is None


def test_categories_have_their_shares():
    items = bank(6, 200)
    shares = {"algebra": 0.5, "history": 0.3, "law": 0.2}
    session = Session(items, stop=Stop(length=40), choice=Choice(shares=shares))
    asked, _ = played(session, answers(items, 0.4, 6))
    category = items.set_index("item")["category"]
    for length in range(1, 41):
        counts = Counter(category.loc[asked[:length]])
        assert all(abs(counts[name] - share * length) <= 1 for name, share in shares.items())
    # Within its category the item is the best.
    first = items[items["category"] == "algebra"]
    info = model.information(
        np.zeros(1), first["discrimination"].to_numpy(), first["difficulty"].to_numpy()
    )[0]
    assert asked[0] == first["item"].iloc[info.argmax()]


def test_a_category_without_items_left_gives_way():
    items = bank(7, 30)
    items["category"] = ["law"] * 3 + ["algebra"] * 27
    choice = Choice(shares={"law": 0.9, "algebra": 0.1})
    asked, _ = played(Session(items, choice=choice), answers(items, 0, 7))
    assert len(asked) == 30


def test_randomesque_draws_are_among_the_best_and_seeded():
    items = bank(8)
    truth = answers(items, 0.5, 8)
    info = model.information(
        np.zeros(1), items["discrimination"].to_numpy(), items["difficulty"].to_numpy()
    )[0]
    best = items["item"].iloc[np.argsort(-info)[:5]].tolist()
    firsts = [Session(items, choice=Choice(among=5, seed=seed)).next_item() for seed in range(200)]
    counts = Counter(firsts)
    assert set(counts) == set(best)
    assert min(counts.values()) > 20
    alike = [
        played(Session(items, choice=Choice(among=5, seed=seed), stop=Stop(length=20)), truth)[0]
        for seed in (1, 1, 2)
    ]
    assert alike[0] == alike[1] != alike[2]
    assert len(played(Session(items, choice=Choice(among=5)), truth)[0]) == len(items)


CHOICES = [
    Choice(),
    Choice(batch=3, among=4, seed=9),
    Choice(shares={"algebra": 0.5, "history": 0.3, "law": 0.2}),
]


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("after", [0, 1, 8])
def test_a_resumed_session_goes_on_as_if_it_had_not_been_saved(choice, after):
    items = bank(9)
    truth = answers(items, -0.6, 9)
    stop = Stop(standard_error=0.2, length=30, rival=Rival(-0.5, 0.05, 0.99))
    whole = Session(items, 0.3, model.Prior(0.1, 1.1, -4, 4), stop, choice)
    broken = Session(items, 0.3, model.Prior(0.1, 1.1, -4, 4), stop, choice)
    expected = played(whole, truth)
    for _ in range(after):
        item = broken.next_item()
        broken.answer(item, truth[item])
    broken.next_items()
    again = resumed(broken.saved(), items)
    assert again.saved() == broken.saved()
    assert (again.ability, again.standard_error) == (broken.ability, broken.standard_error)
    asked, abilities = played(again, truth)
    assert asked == expected[0][after:]
    assert abilities == expected[1][after:]
    assert again.stopped == whole.stopped
    assert again.saved() == whole.saved()


def test_limits_that_there_are_not_are_resumed_as_such():
    items = bank(9)
    again = resumed(Session(items, prior=model.Prior(0, 2)).saved(), items)
    assert again.prior == model.Prior(0, 2)


def test_every_prefix_of_a_saved_session_is_refused_in_a_sentence():
    items = bank(10, 12)
    session = Session(items)
    session.answer(session.next_item(), 1)
    text = session.saved()
    for length in range(len(text)):
        with pytest.raises(InputError, match=r"^session: "):
            resumed(text[:length], items)


def changed(text, path, value):
    content = json.loads(text)
    place = content
    for key in path[:-1]:
        place = place[key]
    if value is KeyError:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return json.dumps(content)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["format"], "a playlist", "this JSON is not a 'saturation adaptive session'"),
        (["version"], 2, "version 2; this program reads version 1"),
        (["version"], KeyError, "version None"),
        (["items"], "0" * 64, "the items are not those that it was saved with"),
        (["items"], 3, "items: 3 is not of type 'string'"),
        (["start"], "high", "start: 'high' is not of type 'number'"),
        (["prior"], [0, 1], r"prior: \[0, 1\] is too short"),
        (["prior", 1], -1, "expected a finite mean, an sd above 0"),
        (["stop", "length"], 0, "expected a standard error of at least 0 and a length"),
        (["stop"], KeyError, "the whole: 'stop' is a required property"),
        (["choice", "batch"], 0, "batch 0, among 1; expected at least 1"),
        (["answers", 0, 1], 2, "answers.0.1: 2 is not one of"),
        (["answers", 0, 0], "q999", "item 'q999' is not in the bank"),
        (["pending"], ["q1", "q1"], "item 'q1' stands 2 times"),
        (["start"], np.nan, r"not whole JSON \(NaN is no number\)"),
        (["start"], 10**400, "start: .* is greater than the maximum"),
        (["stop", "standard_error"], -np.inf, "-Infinity is no number"),
        (["rest"], 1, "Additional properties are not allowed"),
    ],
)
def test_a_foreign_or_changed_session_is_refused_in_a_sentence(path, value, message):
    items = bank(11)
    session = Session(items)
    session.answer(session.next_item(), 0)
    with pytest.raises(InputError, match=message):
        resumed(changed(session.saved(), path, value), items)
    with pytest.raises(InputError, match="is not a 'saturation adaptive session'"):
        resumed("[1, 2]", items)


def test_another_bank_is_refused():
    items = bank(12)
    text = Session(items).saved()
    for other in (items.iloc[::-1], items.assign(difficulty=0.0), items.iloc[:-1]):
        with pytest.raises(InputError, match="the items are not those"):
            resumed(text, other.reset_index(drop=True))


def test_answers_that_are_none_are_refused():
    session = Session(bank(13))
    with pytest.raises(InputError, match=r"'q1' does not wait .* waiting: none; ask next_items"):
        session.answer("q1", True)
    item = session.next_item()
    for bad in (2, "yes", np.nan, -1):
        with pytest.raises(InputError, match="expected True, False or None"):
            session.answer(item, bad)
    session.answer(item, True)
    with pytest.raises(InputError, match="does not wait"):
        session.answer(item, True)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"item": "same"}, "item"),
        ({"discrimination": np.nan}, "discrimination"),
        ({"difficulty": np.inf}, "difficulty inf is not a finite number"),
        ({"category": "law"}, "category 'algebra' has no share or no item"),
    ],
)
def test_items_that_are_no_bank_are_refused(change, message):
    shares = {"algebra": 0.5, "history": 0.3, "law": 0.2}
    with pytest.raises(InputError, match=message):
        Session(bank(14).assign(**change), choice=Choice(shares=shares))


def test_shares_need_categories():
    with pytest.raises(InputError, match="column 'category' is missing"):
        Session(bank(14).drop(columns="category"), choice=Choice(shares={"law": 1.0}))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: Stop(standard_error=-0.1), "standard_error -0.1"),
        (lambda: Stop(standard_error=np.nan), "standard_error nan"),
        (lambda: Stop(length=0), "length 0"),
        (lambda: Choice(batch=0), "batch 0"),
        (lambda: Choice(among=0), "among 0"),
        (lambda: Choice(shares={"a": 0.5, "b": 0.4}), "numbers above 0 that add to 1"),
        (lambda: Choice(shares={"a": 1.0, "b": 0.0}), "numbers above 0 that add to 1"),
        (lambda: Choice(shares={"a": np.nan}), "numbers above 0 that add to 1"),
    ],
)
def test_settings_that_are_none_are_refused(wrong, message):
    with pytest.raises(InputError, match=message):
        wrong()


@settings(max_examples=2, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(-2, 2))
def test_a_session_with_a_floor_asks_what_the_replay_asks_and_is_resumed(seed, theta):
    items = bank(seed)
    truth = answers(items, theta, seed)
    cells = np.array([[truth[item] for item in items["item"]]], dtype=np.int8)
    parameters = [items[name].to_numpy() for name in ("discrimination", "difficulty")]
    test = administration.administer(cells, *parameters, 40, floor=0.2)
    session = Session(items, stop=Stop(length=40), floor=0.2)
    for _ in range(15):
        session.answer(item := session.next_item(), truth[item])
    session = resumed(session.saved(), items)
    assert session.floor == 0.2
    played(session, truth)
    asked = list(session.answers)
    assert asked == [items["item"][number] for number in test.items[0]]
    assert session.ability == test.ability[0, -1]
    some = [items["item"].tolist().index(item) for item in asked]
    a, b = (each[some] for each in parameters)
    ability, error = map_ability(cells[:, some], a, b, floor=0.2)
    assert session.ability == pytest.approx(ability[0], abs=1e-4)
    assert session.standard_error == pytest.approx(error[0], rel=1e-3)


def test_a_session_saved_before_there_were_floors_has_none():
    items = bank(1)
    content = json.loads(Session(items).saved())
    assert content.pop("floor") == 0.0
    assert resumed(json.dumps(content), items).floor == 0.0
    with pytest.raises(InputError, match="floor"):
        resumed(json.dumps({**content, "floor": -0.5}), items)
    with pytest.raises(InputError, match="no chance to guess"):
        Session(items, floor=0.001)


RANDOM = np.random.default_rng(3)
A, B = np.exp(RANDOM.normal(0.2, 0.4, 60)), RANDOM.normal(0, 1, 60)
NAMES = [f"q{number}" for number in range(60)]


def log_likelihood(row, theta):
    logit = A[: len(row)] * (theta - B[: len(row)])
    return np.where(row == 1, log_expit(logit), log_expit(-logit)).sum()


def plain_ratio(row, prior, known):
    """Logarithm of the likelihood's mean over the normal distribution, to that at the rival's."""
    at = log_likelihood(row, known)
    mean = integrate.quad(
        lambda theta: (
            np.exp(log_likelihood(row, theta) - at) * stats.norm.pdf(theta, prior.mean, prior.sd)
        ),
        -8,
        8,
        limit=200,
    )[0]
    return np.log(mean)


@pytest.mark.parametrize("prior", [model.STANDARD, model.Prior(0.5, 1.5, -4, 4)])
@pytest.mark.parametrize(("answer", "known"), [(1, -0.2), (1, 0.4), (0, -0.8)])
def test_a_difference_is_stated_where_the_ratio_is_large_enough(prior, answer, known):
    """At the level where the ratio just reaches one over what may err, and not beyond it."""
    row = np.full(8, answer, dtype=np.int8)
    allowed = np.exp(-plain_ratio(row, prior, known))
    assert 1e-3 < allowed < 0.9
    for share, told in ((1.001, answer == 1), (0.999, None)):
        rival_there = Rival(known, level=1 - allowed * share)
        assert leads(row, A[:8], B[:8], prior, rival_there) is told


def test_an_error_of_the_rival_needs_every_ability_in_its_interval_contradicted():
    row = np.ones(60, dtype=np.int8)
    assert leads(row, A, B, model.STANDARD, Rival(1.0)) is True
    assert leads(row, A, B, model.STANDARD, Rival(1.0, 0.2)) is True
    assert leads(row, A, B, model.STANDARD, Rival(1.0, 2.0)) is None
    assert leads(1 - row, A, B, model.STANDARD, Rival(-1.0, 0.2)) is False
    # Its half of the level: the interval's nearest end, and the ratio there.
    known = Rival(0.2, 0.3, level=0.9)
    end = 0.2 + stats.norm.ppf(1 - 0.025) * 0.3
    for count in range(1, 61):
        answers = row[:count]
        decided = plain_ratio(answers, model.STANDARD, end) >= -np.log(0.05)
        assert (leads(answers, A[:count], B[:count], model.STANDARD, known) is True) == decided


def test_without_answers_nothing_is_told():
    nothing = np.array([], dtype=np.int8)
    assert leads(nothing, A[:0], B[:0], model.STANDARD, Rival(9.0)) is None


def test_answers_of_another_model_make_a_rival():
    answers = {"q3": 1, "q9": 0, "q40": 1}
    made = session.from_answers(answers, NAMES, A, B, model.Prior(0.2, 1.0))
    cells = np.full((1, 60), model.MISSING, dtype=np.int8)
    cells[0, [3, 9, 40]] = [1, 0, 1]
    test = map_ability(cells, A, B, model.Prior(0.2, 1.0))
    assert (made.ability, made.standard_error) == pytest.approx((test[0][0], test[1][0]))
    with pytest.raises(InputError, match="item 'x' is not in the bank"):
        session.from_answers({"x": 1, "q1": 0}, NAMES, A, B)
    with pytest.raises(InputError, match="no answers"):
        session.from_answers({}, NAMES, A, B)


@pytest.mark.parametrize(
    "bad", [(np.nan,), (0.0, -0.1), (0.0, np.inf), (0.0, 0.1, 1.0), (0.0, 0.1, 0.0)]
)
def test_a_rival_that_is_none_is_refused(bad):
    with pytest.raises(InputError, match="rival: ability"):
        Rival(*bad)


def test_with_a_floor_every_ability_in_the_rivals_interval_is_contradicted():
    row = np.ones(60, dtype=np.int8)
    assert leads(row, A, B, model.STANDARD, Rival(1.0), 0.25) is True
    assert leads(row, A, B, model.STANDARD, Rival(0.5, 0.2), 0.25) is True
    assert leads(row, A, B, model.STANDARD, Rival(0.5, 2.0), 0.25) is None
    # Right answers that may be guessed tell less.
    first = [
        next(n for n in range(61) if leads(row[:n], A[:n], B[:n], model.STANDARD, Rival(0.5), c))
        for c in (0.0, 0.25)
    ]
    assert first[0] < first[1]
    made = session.from_answers({"q3": 1, "q9": 0}, NAMES, A, B, floor=0.25)
    assert made.ability < session.from_answers({"q3": 1, "q9": 0}, NAMES, A, B).ability
