"""The card in a terminal: aligned, short, and with nothing in it that moves other text."""

from dataclasses import replace

import pytest

from saturation.own import pages
from saturation.own.study import study


@pytest.fixture
def card(tmp_path, default_settings):
    def made(names, declared=None, **more):
        rows = "".join(f'"{name}",{0.9 - i / 500},500\n' for i, name in enumerate(names))
        (tmp_path / "x.csv").write_text("model,score,n_items\n" + rows)
        given = {"family": "accuracy", "score_range": [0, 1], "observed_on": "2026-01-01"}
        return study(
            "x", [{"path": tmp_path / "x.csv"}], given | (declared or {}), default_settings
        ).card

    return made


def test_it_is_aligned_and_short(card):
    text = pages.text(card([f"a rather long name of a model, number {i:04d}" for i in range(60)]))
    lines = text.splitlines()
    assert len(lines) <= 26
    assert max(map(len, lines)) <= pages.TERMINAL_WIDTH
    assert all(line[: pages.LABEL].strip() or line.startswith(" ") for line in lines[1:])
    tied = next(line for line in lines if line.startswith("tied"))
    assert tied.startswith("tied        ")
    assert " models: a rather long name" in tied


def test_names_cannot_move_the_cursor_or_turn_the_line_round(card):
    names = ["good", "\x1b[2Jgone", "\u202eevil", "c", "d"]
    text = pages.text(card(names))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "<U+001B>[2Jgone" in text
    assert "<U+202E>evil" in text


def test_a_rating_has_no_number_of_items(tmp_path, default_settings):
    rows = "".join(f"m{i},{1300 - i},3\n" for i in range(5))
    (tmp_path / "x.csv").write_text("model,score,standard_error\n" + rows)
    declared = {"family": "rating", "observed_on": "2026-01-01"}
    text = pages.text(study("x", [{"path": tmp_path / "x.csv"}], declared, default_settings).card)
    assert "items need" not in text
    assert "1300.0" in text


def test_a_loss_keeps_the_digits_that_tell_models_apart(tmp_path, default_settings):
    rows = "".join(f"m{i},{1.2 + i / 100:.2f},0.01\n" for i in range(5))
    (tmp_path / "x.csv").write_text("model,score,standard_error\n" + rows)
    declared = {"family": "other", "higher_is_better": False, "observed_on": "2026-01-01"}
    text = pages.text(study("x", [{"path": tmp_path / "x.csv"}], declared, default_settings).card)
    assert "-1.210  (-1.230 to -1.190)" in text
    assert "a difference of 0.0396" in text


def test_a_model_with_few_items_is_said(tmp_path, default_settings):
    rows = "".join(f"m{i},0.{9 - i},{500 if i else 100}\n" for i in range(6))
    (tmp_path / "x.csv").write_text("model,score,n_items\n" + rows)
    declared = {"family": "accuracy", "score_range": [0, 1], "observed_on": "2026-01-01"}
    text = pages.text(study("x", [{"path": tmp_path / "x.csv"}], declared, default_settings).card)
    assert "not ranked  too few items answered: m0 (20 %)" in text
    assert "6 models (5 ranked)" in text


def test_of_many_remarks_the_first_are_printed(card):
    full = card(["a", "b", "c", "d", "e"])
    full.imported.notes[:] = [f"remark {i}" for i in range(50)]
    text = pages.text(full)
    assert "remark 1" in text
    assert "remark 45" not in text
    assert text.endswith(" more remarks, on the card's page")
    assert len(text.splitlines()) <= pages.MOST_LINES


def test_a_card_a_line(card):
    one = card(["a", "b", "c", "d", "e"])
    lines = pages.table([one, replace(one, benchmark="longer")]).splitlines()
    assert lines[0].startswith("x       ")
    assert lines[1].startswith("longer  ")
    assert len(set(map(len, lines))) == 1


def test_too_few_items_are_said_with_how_many_settle_it(card):
    text = " ".join(pages.text(card(["a", "b", "c", "d", "e"])).split())
    assert text.startswith("x: UNDERPOWERED")
    # Those of two models named beforehand may be fewer than there are.
    assert ", named beforehand; present are 500 " in text
    assert "of 500 items: about " in text
    assert " show the first models alike within 2.0 points if they are equal" in text
