"""The command ``saturation score``: what a new model's answers to a subset say."""

import argparse
from dataclasses import asdict

from saturation.adaptive import scorer
from saturation.adaptive.scorer import Score
from saturation.files.tables import write_json, writing
from saturation.live.answers import UNNAMED, answers, choice_of


def run(options: argparse.Namespace) -> str:
    """Score each model that the files hold.

    Parameters
    ----------
    options
        The parsed command line: scorer, answers, model, output, and choices.
    """
    form = scorer.read(options.scorer)
    found = answers(options.answers, options.model or UNNAMED, choice_of(options))
    scores = {model: scorer.score(form, own) for model, own in found.items()}
    if options.output is not None:
        with writing(options.output, "the scores"):
            write_json({model: asdict(one) for model, one in scores.items()}, options.output)
    lines = []
    for model, one in scores.items():
        lines += [f"{model}: {sentence(one, form.bank)}", *(f"  {note}" for note in one.notes)]
    return "\n".join(lines)


def sentence(one: Score, bank: str) -> str:
    """A score in words.

    Parameters
    ----------
    one
        The score.
    bank
        The bank's name.
    """
    ability = (
        f"standard error {one.ability_se:.2f}"
        if one.ability_lower is None
        else f"95% interval {one.ability_lower:+.2f} to {one.ability_upper:+.2f}"
    )
    return (
        f"{one.accuracy:.3f} of {bank} right (95% interval {one.lower:.3f} to {one.upper:.3f}), "
        f"ability {one.ability:+.2f} ({ability}), from {one.answered:,} answers"
    )
