"""The command ``saturation subset``: a bank's items to take home."""

import argparse
from dataclasses import replace
from pathlib import Path

from saturation.adaptive import scorer
from saturation.adaptive.doubt import doubt
from saturation.adaptive.short_form import ShortForm, short_forms
from saturation.files.tables import writing
from saturation.live.answers import bank, choice_of


def run(options: argparse.Namespace) -> str:
    """Make a subset, write it, and say how good it is.

    Parameters
    ----------
    options
        The parsed command line: bank, size, respondents, output, and choices.
    """
    name, responses, families = bank(options.bank, options.respondents, choice_of(options))
    (form,) = short_forms(name, responses, families, [options.size])
    said = doubt(responses.responses, families, name, floor=form.guessing.value)
    form = replace(form, doubt=said)
    folder = options.output or Path(f"subset_{name}_{options.size}")
    with writing(folder, "the subset"):
        written = scorer.write(form, folder)
    *first, last = written
    return "\n".join([*described(form), f"written to {folder}: {', '.join(first)} and {last}"])


def described(form: ShortForm) -> list[str]:
    """What its user must know of a subset, a sentence a line.

    Parameters
    ----------
    form
        The subset.
    """
    size, whole = len(form.asked.items), len(form.names)
    lines = [
        f"{size:,} of the {whole:,} items of {form.bank} ({1 - size / whole:.0%} saved)",
        f"error of the predicted share right: {form.errors.rms:.3f} for models of families left "
        f"out ({form.families} families, {form.respondents} models); of {size:,} random items: "
        f"{form.random_error:.3f}",
    ]
    if form.errors.factor > 1.0:
        lines.append(
            f"these errors are {form.errors.factor:.2f} times what the item response model says, "
            "and intervals are as much wider"
        )
    if form.guessing.value:
        lines.append(form.guessing.said())
    if form.doubt:
        lines.append(f"{form.doubt}. Believe these errors, which do not rest on it, and no others")
    if form.families == form.respondents:
        lines.append(
            "each model counts as a family of its own: where several are relatives, errors for a "
            "new one are larger; name them with --respondents"
        )
    return lines
