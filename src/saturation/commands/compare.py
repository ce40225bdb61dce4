"""The command `compare`."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from saturation.commands.base import Options, as_json
from saturation.commands.benchmark import check_declared, declared_of, files_of, load_votes
from saturation.commands.versions import compare_on_many, compare_versions
from saturation.errors import InputError
from saturation.files.tables import load_json
from saturation.own import compare, imports, pages, votes
from saturation.own.card import Abstention
from saturation.own.cards import decode_card
from saturation.own.compare import Comparison
from saturation.own.study import printed_scale, shipped_context
from saturation.planning.config import Config


def run(options: Options) -> str:
    """Compare two models, two versions of a system, or two cards."""
    if options.baseline or options.candidate:
        return compare_versions(options)
    if options.first is None or options.second is None:
        raise InputError(
            "name two models and their files, two cards, or --baseline and --candidate; see "
            "`saturation compare --help`"
        )
    if options.files and (text := compare_on_many(options)) is not None:
        return text
    return _compare_on_one(options)


def _compare_on_one(options: Options) -> str:
    """Compare two models on a single benchmark, or two cards."""
    names, files = (options.first, options.second), options.files
    if not files:
        cards = _card_paths(names)
        if cards is not None:
            return _two_cards(cards, options.json)
        files = [Path(name) for name in names]
        if missing := sorted((path for path in files if not path.is_file()), key=Path.exists):
            raise InputError(
                f"{missing[0]} is no file; name two models and the files that hold them, such as "
                "`saturation compare MODEL OTHER results.csv`, two cards, or a file for each model"
            )
    comparison, declared, remarks = _tested(names, files, options)
    if isinstance(comparison, Abstention):
        raise InputError(f"the two models cannot be compared: {comparison.abstains}")
    if options.json:
        return as_json(asdict(comparison))
    unit = pages.unit_of(declared["family"], printed_scale(declared))
    notes = [part for remark in remarks for part in pages.line("note", remark)]
    return "\n".join([compare.text(comparison, unit), *notes])


def _card_paths(names: tuple[str, str]) -> tuple[Path, Path] | None:
    """Find the cards of two names of files or folders; None if either name has no card."""
    first, second = (path / "card.json" if path.is_dir() else path for path in map(Path, names))
    if all(path.name == "card.json" and path.is_file() for path in (first, second)):
        return first, second
    return None


def _tested(
    names: tuple[str, str], files: Sequence[Path], options: Options
) -> tuple[Comparison | Abstention, Config, list[str]]:
    """Test two models by votes or scores and answers; return declarations and remarks too."""
    declared_options, settings = declared_of(options), shipped_context().settings.top
    if options.files and (voted := load_votes(files, declared_options)):
        name, declared, tables = voted
        ratings, remarks = votes.rated(tables)
        return compare.two_rated(names, name, ratings, declared, settings), declared, remarks
    contents = imports.load(files_of(files), declared_options)
    entry = imports.conclude(contents, declared_options)
    name, declared = entry.name, dict(entry.declared)
    check_declared(name, declared)
    joined = imports.join_tables(name, entry.contents, declared, entry.remarks)
    if not options.files:
        models = sorted({*joined.scores["model"], *joined.responses["model"].unique()})
        if len(models) != 2:
            raise InputError(f"the two files hold {len(models)} models: name two of them first")
        names = tuple(models)
    answers = (joined.scores, joined.responses)
    tested = compare.two_models(names, name, answers, declared, settings)
    return tested, declared, joined.record.remarks


def _two_cards(paths: tuple[Path, Path], wants_json: bool) -> str:
    cards = []
    for path in paths:
        try:
            cards.append(decode_card(load_json(path, "make the card anew")))
        except (KeyError, TypeError, StopIteration):
            raise InputError(
                f"{path}: no card of this version of saturation; make it anew with "
                "`saturation card`"
            ) from None
    comparison = compare.two_cards(cards)
    if wants_json:
        return as_json(comparison)
    return compare.cards_text(comparison, cards)
