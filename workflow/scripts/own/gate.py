"""End with an error if a card has a verdict that the config names: for continuous integration."""

from saturation.errors import InputError
from saturation.files.tables import write_text
from saturation.own.cards import refused
from saturation.own.schemas import CARDS, TEXT
from studies.files import stages
from studies.files.stages import Paths


def main(inputs: Paths, output: Paths, *, fail_on: list[str]) -> None:
    # A name made of digits, as 007, is still a name.
    texts = [name for name, column in CARDS.columns.items() if column.dtype == TEXT]
    cards = stages.read(inputs["cards"], CARDS, dtype=dict.fromkeys(texts, str))
    if sentences := refused(cards, fail_on):
        raise InputError(sentences)
    passed = f"{len(cards)} cards pass; fails on: {', '.join(fail_on) or 'none'}\n"
    write_text(passed, output["gate"])


stages.run(main, globals())
