"""The command `review`."""

import dataclasses
from pathlib import Path

from saturation.commands.base import Command, Options, Parser, as_json
from saturation.commands.benchmark import add_declared, load_responses
from saturation.errors import InputError


def _review_options(parser: Parser) -> None:
    add = parser.add_argument
    add("files", nargs="+", type=Path, metavar="ANSWERS", help="item answers of several models")
    add("--subjects", type=Path, metavar="FILE", help="table of item and subject")
    add("--show", type=int, default=10, metavar="N", help="items to print (default: 10)")
    add("--output", type=Path, metavar="FILE", help="write the whole list as CSV")
    add("--yes", action="store_true", help="accept every proposal that an error would print")
    add_declared(parser)


def _run_review(options: Options) -> str:
    import pandas as pd

    from saturation.files.tables import load_table, write_csv, writing
    from saturation.own.pages import line
    from saturation.review import report

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


REVIEW = Command(
    "review",
    "list the items whose key may be wrong",
    _review_options,
    _run_review,
    """examples:
  saturation review samples_*.jsonl --output to_read.csv
  saturation review answers.csv --subjects subjects.csv --show 50""",
)
