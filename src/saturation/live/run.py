"""The commands ``saturation adapt``, ``subset`` and ``score``."""

from argparse import Namespace
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pandas as pd

from saturation.adaptive import short_form
from saturation.adaptive.folds import FEWEST_FAMILIES
from saturation.adaptive.misfit import believed, doubt
from saturation.adaptive.model import MISSING
from saturation.adaptive.replay import METHODS, OURS, Test, ablation, tried
from saturation.adaptive.responses import Bank
from saturation.adaptive.session import Choice, Session, Stop
from saturation.adaptive.short_form import Score, ShortForm, choose_subset
from saturation.errors import InputError, group_values, refuse
from saturation.files.tables import json_line, write_json, write_text, write_whole, writing
from saturation.live import evaluators
from saturation.live.evaluators import UNNAMED, After, Answers, Evaluator, answers, bank, choice_of
from saturation.pages.templates import percent
from saturation.statistics.intervals import CONFIDENCE


def adapt(session: Session, evaluate: Evaluator, after: After | None = None) -> Session:
    """Ask and answer until the session ends.

    Parameters
    ----------
    evaluate
        Takes the names of a batch's items, gives back 1, 0 or None (not evaluated) for each.
    after
        Called after each batch, for instance to save the session.

    Raises
    ------
    InputError
        If the answers are not those to the batch.
    """
    while batch := session.next_items():
        batch_answers = evaluate(batch)
        _check(batch, batch_answers)
        for item in batch:
            session.answer(item, batch_answers[item])
        if after is not None:
            after(session)
    return session


def _check(batch: list[str], given: Answers) -> None:
    wrong = [f"evaluation: no answer to item '{item}'" for item in batch if item not in given]
    wrong += [
        f"evaluation: item '{item}' was not asked" for item in given if item not in set(batch)
    ]
    wrong += [
        f"evaluation: item '{item}' has the answer {right!r}; expected 1, 0 or null"
        for item, right in given.items()
        if right is not None and right not in (0, 1)
    ]
    refuse(wrong)


def run_adapt(options: Namespace) -> str:
    """Evaluate a model adaptively, and report its score."""
    name, item_bank, families = bank(options.bank, options.respondents, choice_of(options))
    truth = None
    if options.hold_out is not None:
        item_bank, families, truth = leave_family_out(item_bank, families, options.hold_out)
    stop = Stop(options.standard_error, options.length)
    choice = Choice(batch=options.batch, among=options.among, seed=options.seed)
    evaluate = _evaluation(options, truth)
    test = tried(item_bank, families, stop, choice, believed(item_bank.responses, name))
    session = _begun(test, stop, choice, options.session)
    evaluate(session)
    if all(right is None for right in session.answers.values()):
        raise InputError(
            f"evaluation: none of {len(session.answers)} items could be evaluated; nothing is "
            "known of the model"
        )
    doubted = doubt(item_bank.responses, families, name, floor=test.guessing.value)
    outcome = result(name, test, session) | {"doubt": doubted}
    if options.output is not None:
        with writing(options.output, "the result"):
            write_json(outcome, options.output)
    if options.json:
        return json_line(outcome)
    return "\n".join(sentences(outcome, truth))


def leave_family_out(
    given: Bank, families: list[str], respondent: str
) -> tuple[Bank, list[str], dict[str, int]]:
    """Return the bank without a respondent's family, and the respondent's answers."""
    if respondent not in given.respondents:
        raise InputError(
            f"--hold-out: no respondent '{respondent}'; there are: "
            f"{', '.join(given.respondents[:10])} ..."
        )
    row = given.respondents.index(respondent)
    places = [place for place, family in enumerate(families) if family != families[row]]
    answers = zip(given.items, given.responses[row].tolist())
    return (
        Bank([given.respondents[place] for place in places], given.items, given.responses[places]),
        [families[place] for place in places],
        {item: right for item, right in answers if right != MISSING},
    )


def _begun(test: Test, stop: Stop, choice: Choice, path: Path | None) -> Session:
    """Start a session or resume the file's session; its errors were tried with equal settings."""
    session = test.session(stop, choice)
    if path is not None and path.exists():
        try:
            text = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: no saved session can be read there: {error}") from None
        session.resume(text, str(path))
    return session


def _evaluation(options: Namespace, truth: dict[str, int] | None) -> Callable[[Session], object]:
    """Choose the session's answers: recorded answers of the model held out, or `--through`."""
    choice = choice_of(options)

    def keep(now: Session) -> None:
        if options.session is not None:
            with writing(options.session, "the session"):
                write_whole(write_text, now.saved() + "\n", options.session)

    def run_program(session: Session) -> None:
        with evaluators.program(options.run) as evaluate:
            adapt(session, evaluate, keep)

    if truth is not None:
        evaluate = evaluators.recorded(truth)
    elif options.run is None:
        raise InputError("--run is missing: the command that evaluates the model (or --hold-out)")
    elif options.through == "lines":
        return run_program
    elif options.through == "inspect":
        by_inspect = evaluators.inspect(options.run, choice)
        return lambda session: by_inspect(session, keep)
    else:
        evaluate = evaluators.harness(options.run, choice)
    return lambda session: adapt(session, evaluate, keep)


def result(name: str, test: Test, session: Session) -> dict[str, Any]:
    """Collect a session's result for its model."""
    estimate = test.predicted(session)
    beside = test.ability_errors.reach(estimate.ability_se)[0]
    shares = dict.fromkeys(("share_right", "lower", "upper"))
    if test.tells_share:
        value, reach = estimate.share[0], test.share_errors.reach(estimate.error)[0]
        shares = {
            "share_right": value,
            "lower": max(value - reach, 0.0),
            "upper": min(value + reach, 1.0),
        }
    return {
        "bank": name,
        "stopped": session.stopped,
        "items": len(test.names),
        "asked": [item for item, right in session.answers.items() if right is not None],
        "not_evaluated": [item for item, right in session.answers.items() if right is None],
        "ability": session.ability,
        "ability_lower": session.ability - beside,
        "ability_upper": session.ability + beside,
        **shares,
        "level": CONFIDENCE,
        "ability_factor": test.ability_errors.factor,
        "share_factor": test.share_errors.factor,
        "share_rms_error": test.share_errors.rms,
        "random_rms_error": test.random_error,
        "respondents": test.respondents,
        "families": test.families,
        "floor": test.guessing.value,
        "guessing": test.guessing.describe(),
    }


def sentences(found: dict[str, Any], truth: dict[str, int] | None) -> list[str]:
    """Describe a result in words."""
    items, left_out, whole = (found[key] for key in ("asked", "not_evaluated", "items"))
    lines = [
        f"{len(items):,} of {whole:,} items asked ({percent(1 - len(items) / whole)} saved); "
        f"stopped by {found['stopped']}",
        f"ability {found['ability']:+.2f} ({percent(found['level'], 0)} interval "
        f"{found['ability_lower']:+.2f} to {found['ability_upper']:+.2f}; on families left out, "
        f"errors are {found['ability_factor']:.2f} times what the model says)",
    ]
    errors = (
        f"{found['share_rms_error']:.3f} on families left out, that of as many random items by "
        f"{found['random_rms_error']:.3f}"
    )
    if found["share_right"] is None:
        lines.append(
            f"the share right is not predicted: it would be missed by {errors}; for the share "
            "right take a subset (saturation subset)"
        )
    else:
        lines.append(
            f"{found['share_right']:.3f} of {found['bank']} right ({percent(found['level'], 0)} "
            f"interval {found['lower']:.3f} to {found['upper']:.3f}; it is missed by {errors})"
        )
    if found["guessing"]:
        lines.append(str(found["guessing"]))
    if found["doubt"]:
        lines.append(
            f"{found['doubt']}. These intervals rest on families left out, which it does not touch"
        )
    if left_out:
        lines.append(f"{len(left_out)} items could not be evaluated")
    if truth is not None:
        lines.append(f"true share right: {sum(truth.values()) / len(truth):.3f}")
    return lines


def run_score(options: Namespace) -> str:
    """Score each model that the files hold, and compare neighbours in rank."""
    form = short_form.load(options.scorer)
    answers_by_model = answers(options.answers, options.model or UNNAMED, choice_of(options))
    scores = {
        model: short_form.score(form, model_answers)
        for model, model_answers in answers_by_model.items()
    }
    report = {model: asdict(estimate) for model, estimate in scores.items()}
    if options.output is not None:
        with writing(options.output, "the scores"):
            write_json(report, options.output)
    if options.json:
        return json_line(report)
    lines = [f"{model}: {sentence(estimate, form.bank)}" for model, estimate in scores.items()]
    lines += [
        f"{pair.one} less {pair.other}: {100 * pair.value:+.1f} points (95 % interval "
        f"{100 * pair.lower:+.1f} to {100 * pair.upper:+.1f})"
        for pair in short_form.compared(form, answers_by_model)
    ]
    return "\n".join(lines + warning(scores, form.guessing.describe()))


def warning(scores: dict[str, Score], information: str) -> list[str]:
    """Join the notes of all models but `information` in one line; no line without a note."""
    models_of = group_values(
        (note, model) for model, score in scores.items() for note in score.notes
    )
    models_of.pop(information, None)
    notes = [
        note if len(models) == len(scores) else f"{', '.join(models)}: {note}"
        for note, models in models_of.items()
    ]
    return [f"Warning: {'. '.join(notes)}."] if notes else []


def sentence(score: Score, bank: str) -> str:
    """Print a score in words."""
    return (
        f"{100 * score.accuracy:.1f} % of {bank} right (95 % interval {100 * score.lower:.1f} to "
        f"{100 * score.upper:.1f} %), ability {score.ability:+.2f} (standard error "
        f"{score.ability_se:.2f} if the model holds), from {score.answered:,} answers"
    )


def run_subset(options: Namespace) -> str:
    """Make a subset, write the subset, and report its errors."""
    name, item_bank, families = bank(options.bank, options.respondents, choice_of(options))
    guessing = believed(item_bank.responses, name)
    form = choose_subset(name, item_bank, families, options.size, guessing, options.seed)
    remark = doubt(item_bank.responses, families, name, floor=form.guessing.value)
    form = replace(form, doubt=remark)
    folder = options.output or Path(f"subset_{name}_{options.size}")
    with writing(folder, "the subset"):
        paths = short_form.write(form, folder)
    if options.json:
        items = [str(form.names[place]) for place in form.design.asked]
        detectable = {"smallest_difference": form.smallest_difference}
        return json_line({"bank": form.bank, "items": items, **detectable, "written": str(folder)})
    lines = summary(form, item_bank, families)
    if options.details:
        lines += [*described(form, item_bank), *measured(form, item_bank, families)]
    return "\n".join([*lines, f"Wrote {', '.join(paths)} to {folder}."])


def summary(form: ShortForm, given: Bank, families: list[str]) -> list[str]:
    """Print the size of a subset, its errors and, if the model fits poorly, a warning."""
    subset, random = short_form.expected_errors(form, given, families)
    lines = [
        f"{len(form.design.asked):,} of {len(form.names):,} items.",
        f"Expected error {100 * subset:.1f} points for models of this bank (random items: "
        f"{100 * random:.1f}).",
        f"Smallest detectable difference: {100 * form.smallest_difference:.1f} points.",
    ]
    if form.doubt:
        lines.append(
            f"Warning: {form.doubt}; intervals of a score rest on the draw of items, not on the "
            "model."
        )
    return lines


def described(form: ShortForm, given: Bank) -> list[str]:
    """Describe how the items were drawn, missing answers and guessing, a sentence a line."""
    lines = [
        "items are drawn at random within "
        f"{form.design.stratum.max() + 1} strata of predicted difficulty"
    ]
    lacking = given.responses == MISSING
    if lacking.any():
        lines.append(
            f"{percent(lacking.mean())} of the answers are missing: "
            f"{lacking.any(axis=1).sum()} of {form.respondents} models lack some, up to "
            f"{lacking.sum(axis=1).max():,} items; each is judged by the items that it "
            "answered"
        )
    if form.guessing.value:
        lines.append(form.guessing.describe())
    return lines


def measured(form: ShortForm, given: Bank, families: list[str]) -> list[str]:
    """Describe errors of the subset and its alternatives, and its detectable difference."""
    size = len(form.design.asked)
    lines = []
    if form.families < FEWEST_FAMILIES:
        lines.append(
            f"errors are tried on families left out: {form.families} are too few, at least "
            f"{FEWEST_FAMILIES} are needed; the interval does not depend on it"
        )
    else:
        table = ablation(form.bank, given, families, [size], form.guessing)
        lines.append(
            f"errors of the share right on {form.families} families left out ({form.respondents} "
            "models), in points; and relative to random items, with a 95 % interval over families:"
        )
        lines += [
            f"  {100 * row['rms_error']:5.2f}  {row['ratio']:.2f} ({row['lower']:.2f} to "
            f"{row['upper']:.2f})  {METHODS[row['method']]}"
            for row in table.to_dict("records")
        ]
        lines.append(gain(table.set_index("method")))
    if form.families == form.respondents:
        lines.append(
            "each model counts as a family of its own: where several are relatives, errors for a "
            "new one are larger; name them with --respondents"
        )
    pair_errors = short_form.pairs(given, families, form.items, form.design)
    lines.append(
        f"the smallest detectable difference is for a power of {percent(short_form.POWER, 0)}; by "
        "difference of the shares right, probability that the better model is ahead, and "
        "significantly so:"
    )
    lines += [
        f"  {100 * row['from']:3.0f} to {100 * row['to']:3.0f} points  "
        f"{percent(row['kept'], 0):>5}  {percent(row['shown'], 0):>5}  ({row['pairs']:.0f} pairs)"
        for row in short_form.orders(pair_errors).to_dict("records")
    ]
    return lines


# Of the error of random items, at most what a tenth of a bank is to leave.
AIM = 0.75


def gain(table: pd.DataFrame) -> str:
    """Describe the source of the subset's gain over random items, if any, in a sentence."""
    ours, plain = table.loc[OURS], table.loc["strata"]
    if ours["upper"] >= 1.0:
        return (
            "no smaller error than that of random items is shown: difficulties and abilities, as "
            "far as these models tell them, say little of the answers to this bank"
        )
    text = (
        f"the strata bring the error to {plain['ratio']:.2f} of random items', the model's "
        f"correction to {ours['ratio']:.2f}; no choice of items by their information is in it"
    )
    if ours["ratio"] > AIM:
        text += (
            f". More than {AIM}: difficulties and abilities explain "
            f"{100 * (1 - ours['ratio'] ** 2):.0f} % "
            "of the variance of the answers, and items drawn at random save no more"
        )
    return text
