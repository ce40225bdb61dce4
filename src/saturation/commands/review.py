"""The command `review`."""

import dataclasses

import pandas as pd

from saturation.commands.base import Options, as_json
from saturation.commands.benchmark import load_responses
from saturation.errors import InputError
from saturation.files.tables import load_table, write_csv, writing
from saturation.own.pages import line
from saturation.review import report


def run(options: Options) -> str:
    """Review the items that files hold answers to."""
    subjects = None
    if options.subjects:
        table = load_table(options.subjects, dtype=str)
        if missing := sorted({"item", "subject"}.difference(table.columns)):
            raise InputError(f"{options.subjects}: there is no column '{missing[0]}'")
        subjects = table.drop_duplicates("item").set_index("item")["subject"]
    needs = (
        "scores, or one model's answers; a review needs answers of several models, such as rows of "
        "model, item and response (name other columns with --columns)"
    )
    answers, _ = load_responses(options, needs, family="accuracy", score_range=[0.0, 1.0])
    # Of several runs the first.
    result = report.review(answers.drop_duplicates(["model", "item"]), subjects)
    if options.output:
        with writing(options.output, "the list"):
            write_csv(pd.DataFrame(map(dataclasses.asdict, result.suspects)), options.output)
    if options.json:
        return as_json({"review": dataclasses.asdict(result)})
    return "\n".join(
        part
        for label, sentence in report.text(result, options.show)
        for part in line(label, sentence, most=4)
    )
