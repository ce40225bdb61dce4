"""The verdict at earlier dates, and earlier cards in a folder."""

import json
from dataclasses import asdict
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from saturation.own import card, cards
from saturation.own.card import MOST_DATES, Summary, earlier
from saturation.own.study import from_config

ACCURACY = {"family": "accuracy"}
NO_RESPONSES = pd.DataFrame(
    columns=["model", "item", "response", "cluster", "run", "configuration", "date"]
)


@pytest.fixture(scope="module")
def settings(request):
    import yaml

    text = (request.config.rootpath / "config/config.yaml").read_text(encoding="utf-8")
    config = yaml.safe_load(text)
    return from_config(config["own"], config["plateau"], config["discriminability"]).top


def scored(*rows):
    frame = pd.DataFrame(rows, columns=["model", "score", "date"])
    return frame.assign(
        standard_error=np.nan, n_items=1000.0, run="", configuration="", metric="acc"
    )


def spread(day, low, high, prefix="m"):
    return [
        (f"{prefix}{place}", score, day) for place, score in enumerate(np.linspace(high, low, 5))
    ]


def test_a_top_that_draws_together(settings):
    early, late = spread("2025-01-10", 0.2, 0.6), spread("2025-03-05", 0.895, 0.9, "n")
    scores = scored(*early, *late, ("undated", 0.3, None))
    found = earlier("b", scores, NO_RESPONSES, ACCURACY, settings)
    first, last = found.dates
    assert (first.date, first.verdict, first.n_models) == ("2025-01-10", "separates", 5)
    assert (first.first, first.tied) == ("m0", 1)
    assert first.gap == pytest.approx(0.4)
    assert (last.date, last.n_models, last.tied) == ("2025-03-05", 10, 5)
    assert last.verdict == "underpowered"
    assert found.undated == 1


def test_the_last_date_says_what_the_card_says(settings):
    scores = scored(*spread("2025-01-10", 0.2, 0.6), *spread("2025-03-05", 0.5, 0.9, "n"))
    made = card.assemble("b", scores, NO_RESPONSES, ACCURACY, settings)
    last = earlier("b", scores, NO_RESPONSES, ACCURACY, settings).dates[-1]
    assert (last.verdict, last.reason) == (made.verdict, made.reason)
    assert last.gap == made.frontier.index.gap
    assert last.n_models == made.data.n_ranked


def test_a_model_that_was_evaluated_again_counts_as_of_each_date(settings):
    scores = scored(
        *spread("2025-01-10", 0.2, 0.6), ("m4", 0.95, "2025-02-01"), ("m9", 0.1, "2025-02-01")
    )
    first, last = earlier("b", scores, NO_RESPONSES, ACCURACY, settings).dates
    assert (first.first, last.first, last.n_models) == ("m0", "m4", 6)


def test_item_responses_count_from_their_date(settings):
    rng = np.random.default_rng(0)
    responses = pd.DataFrame(
        [
            (f"m{model}", f"q{item}", float(rng.random() < 0.3 + 0.1 * (model % 5)), day)
            for model in range(10)
            for item in range(50)
            for day in ["2025-01-01" if model < 5 else "2025-06-01"]
        ],
        columns=["model", "item", "response", "date"],
    ).assign(cluster="", run="", configuration="")
    empty = scored().iloc[:0]
    found = earlier("b", empty, responses, ACCURACY, settings)
    assert [row.n_models for row in found.dates] == [5, 10]
    without = responses.drop(columns="date")
    assert "0 dates" in earlier("b", empty, without, ACCURACY, settings).abstains


def test_of_many_months_some_are_shown_with_the_first_and_the_last(settings):
    rows = [
        row
        for month in range(1, 13)
        for row in spread(f"2025-{month:02d}-{month + 5:02d}", 0.2, 0.6, f"m{month}-")
    ]
    rows.append(("x", 0.1, "2025-06-01"))
    dates = [row.date for row in earlier(
        "b", scored(*rows), NO_RESPONSES, ACCURACY, settings).dates]  # fmt: skip
    assert len(dates) == MOST_DATES
    assert (dates[0], dates[-1]) == ("2025-01-06", "2025-12-17")
    assert "2025-06-01" not in dates
    one_month = [*spread("2025-01-10", 0.2, 0.6), ("n", 0.1, "2025-01-20")]
    found = earlier("b", scored(*one_month), NO_RESPONSES, ACCURACY, settings)
    assert [row.date for row in found.dates] == ["2025-01-10", "2025-01-20"]


def test_why_nothing_is_said(settings):
    one = scored(*spread("2025-01-10", 0.2, 0.6))
    assert earlier("b", one, NO_RESPONSES, ACCURACY, settings) == card.Abstention(
        "1 date of evaluations"
    )
    few = scored(("a", 0.5, "2024-01-01"), *spread("2025-01-10", 0.2, 0.6))
    assert earlier("b", few, NO_RESPONSES, ACCURACY, settings).abstains.startswith(
        "1 date by which enough models"
    )


def standing(folder, day, earlier_cards=()):
    """A folder's card of a day, and what a card of the same benchmark says of itself."""
    line = Summary("b", "separates", "told_apart", 0.1, 0.2, day, 5, 9, 1, False, None)
    (folder / "summary.json").write_text(json.dumps(asdict(line)))
    before = [asdict(one) for one in earlier_cards]
    (folder / "card.json").write_text(json.dumps({"earlier_cards": before}))


def of(day):
    return SimpleNamespace(observed_on=day)


def test_a_card_remembers_those_of_earlier_dates(tmp_path):
    assert cards.earlier_cards(of("2025-01-01"), tmp_path) == []
    standing(tmp_path, "2025-01-01")
    (first,) = cards.earlier_cards(of("2025-02-01"), tmp_path)
    assert (first.observed_on, first.verdict) == ("2025-01-01", "separates")
    standing(tmp_path, "2025-02-01", [first])
    found = cards.earlier_cards(of("2025-03-01"), tmp_path)
    assert [one.observed_on for one in found] == ["2025-01-01", "2025-02-01"]
    # The same data again, or older ones, add nothing.
    assert cards.earlier_cards(of("2025-02-01"), tmp_path) == [first]
    assert cards.earlier_cards(of("2024-01-01"), tmp_path) == []


@pytest.mark.parametrize("text", ["{", "[]", '{"earlier_cards": 3}', "{}"])
def test_a_damaged_earlier_card_is_no_card(tmp_path, text):
    standing(tmp_path, "2024-01-01")
    (tmp_path / "card.json").write_text(text)
    (tmp_path / "summary.json").write_text("{}")
    assert cards.earlier_cards(of("2025-01-01"), tmp_path) == []
