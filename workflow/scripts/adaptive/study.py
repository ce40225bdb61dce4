"""Fit, evaluate and compare the banks of some collections; write every table of theirs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from saturation.adaptive.schemas import ITEM_PARAMETERS
from saturation.files.tables import load_table, write_csv, write_json, write_markdown
from studies.adaptive import banks, evaluation, study
from studies.adaptive.evaluation import Calibration
from studies.files import stages

TITLES = {
    "table1": "Baselines beside adaptive tests of the same length",
    "table2": "Random items, random items with abilities, adaptive tests",
    "table3": "The same by benchmark",
}


def main(
    inputs: stages.Paths,
    output: stages.Paths,
    *,
    collections: Mapping[str, Mapping[str, str | None]],
    evaluated: Mapping[str, Any],
    whole: Mapping[str, Any],
    fewest: int,
) -> None:
    settings = study.Settings(evaluation=evaluation.Settings(**evaluated), **whole)
    partners = {bank: partner for part in collections.values() for bank, partner in part.items()}
    given = read(inputs, partners, fewest)
    made = {
        collection: study.study(collection, {bank: given[bank] for bank in part}, settings)
        for collection, part in collections.items()
    }
    of_bank = {bank: tables for found in made.values() for bank, tables in found["banks"].items()}
    for path in output.each("banks"):
        write_csv(of_bank[path.parent.name][path.stem], path)
    for path in output.each("facts"):
        write_json(of_bank[path.parent.name][path.stem], path)
    for path in output.each("collections"):
        write_csv(made[path.parent.name][path.stem], path)
    for path in output.each("markdown"):
        table = made[path.parent.name][path.stem]
        write_markdown(table, path, f"{TITLES[path.stem]}: {path.parent.name}")
    for path in output.each("quantities"):
        write_csv(study.quantities(list(made.values())), path)
    left_out = [bank for found in made.values() for bank in found["left_out"]]
    if left_out:
        print(f"not averaged over, for want of a partner or of items: {', '.join(left_out)}")


def read(
    inputs: stages.Paths, partners: Mapping[str, str | None], fewest: int
) -> dict[str, study.BankInput]:
    """The banks with what is known of each."""
    known = by_bank(inputs.each("known"), inputs.each("known_abilities"))
    given = {}
    for (bank, partner), path, people in zip(
        partners.items(), inputs.each("responses"), inputs.each("respondents"), strict=True
    ):
        taken = banks.load(path, people, fewest)
        given[bank] = study.BankInput(
            taken.bank,
            taken.respondents,
            known=calibration(*known[bank]) if bank in known else None,
            partner=partner,
            left_out=taken.left_out,
        )
    return given


def by_bank(first: list[Path], second: list[Path]) -> dict[str, tuple[Path, Path]]:
    """Pairs of files by the bank whose folder they are in."""
    return {path.parent.name: (path, other) for path, other in zip(first, second, strict=True)}


def calibration(items: Path, abilities: Path) -> Calibration:
    rested_on = load_table(abilities)
    return Calibration(stages.read(items, ITEM_PARAMETERS), rested_on["ability"].to_numpy(float))


stages.run(main, globals())
