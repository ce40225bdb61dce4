"""Read the sheet of annotations and scores that the plateau paper's authors released.

The sheet is pinned by its hash: a cell outside the vocabulary below is a KeyError.
"""

import re
from collections.abc import Mapping

import pandas as pd

from saturation.files.schema import require_columns
from saturation.files.tables import Row, records
from studies.plateau.inputs import flag_lists

FILE = "plateau_annotations"
TOP = 5
HAND_ASSIGNED_FLAG = "n_not_test_set"

_MODELS = "top5_models_extracted"
_SCORES = [f"top model {rank}" for rank in range(1, TOP + 1)]
_RECENT = "Recent Models Evaluated (Yes / No)"
_AGE = "Time since benchmark release (in months)"
_SIZE = "Quantity of test samples"
_AVAILABILITY = "Publically v/s Privately available"
_CURATION = "Dataset curation tags"
_ISSUES = "Dataset-related issues"
_DIVERSITY_NOTES = "Literal diversity Notes"
_SOURCES = "Saturation Time Metadata\n(Top-Performing five Models: Performance and Rankings) "

_COLUMNS = [
    "ID",
    "Name",
    "Released Date",
    _SOURCES,
    _MODELS,
    *_SCORES,
    _RECENT,
    _AGE,
    "SOTA Performance at release",
    _ISSUES,
    "Task Input",
    "Task Output Format",
    _CURATION,
    "Languages included",
    _SIZE,
    "Paper Citations",
    _AVAILABILITY,
    "Literal diversity",
    _DIVERSITY_NOTES,
    "Metric",
]

_OUTPUT_FORMATS = {
    frozenset(["MCQ"]): "multiple_choice",
    frozenset(["Free-form"]): "free_form",
    frozenset(["MCQ", "Free-form"]): "both",
    frozenset([]): None,
}
_INPUT_FORMATS = {
    frozenset(["QA /MCQ"]): "question_answering",
    frozenset(["QA (MCQ)"]): "question_answering",
    frozenset(["Instruction/Open Ended"]): "instruction",
    frozenset(["Coding"]): "coding",
    frozenset(["Agentic"]): "agentic",
    frozenset(["QA /MCQ", "Instruction/Open Ended"]): "question_answering_and_instruction",
}
_CURATION_TAGS = {
    "Expert human created": "curated_by_experts",
    "crowdsourced human created": "curated_by_crowd",
    "LLM generated": "generated_by_llm",
    "Programatically generated/Scraped": "generated_by_program",
}
_ISSUE_TAGS = {
    "Contamination": "issue_contamination",
    "Noisy data": "issue_noise",
    "Mislabeling": "issue_mislabelling",
    "Biases": "issue_bias",
    "Other data-related issues": "issue_other",
    "No known issues": "issue_none_known",
}
_METRICS = {
    "Accuracy": "accuracy",
    "F1": "f1",
    "pass$k": "pass_at_k",
    "LLM-as-a-Judge": "judge",
    "BLEU4": "bleu",
    "Custom": "custom",
    "Task-specific Metrics": "task_specific",
    "Correlation": "correlation",
    "Recall": "recall",
    "Human Expert": "human_expert",
    "Unadjusted factuality score": "factuality",
}
_YES_NO = {"Yes": True, "No": False}

_MODEL_AND_SCORE = re.compile(r"^(?P<model>.+?)\s*[:\s]\s*\d+(?:\.\d+)?$")
_SCORE_AND_MODEL = re.compile(r"(?P<score>\d+(?:\.\d+)?)?\s*%?\s*\(?(?P<model>.*?)\s*\)?")
_SITE = re.compile(r"https?://(?:www\.)?([a-zA-Z0-9.-]+)")
# A line of the cell with the best models: a name and its score. Links and remarks are none.
_LISTED = re.compile(r"[A-Za-z].*?[:\s=(–-]\d{1,3}(?:[.,]\d+)?\s*%?")
_REMARK = re.compile(r"(?:source|numbers|since|note|from|link)\b", re.IGNORECASE)
_LANGUAGE_COUNT = re.compile(r"(?P<count>\d+) (?:programming )?languages", re.IGNORECASE)


def parse_source(frame: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Read the published annotation sheet into the two tidy tables.

    - ``benchmarks``: one row a benchmark, keyed by `source_id`: every column of the embedded table
      except the slug, the short name, and the flag that is assigned by hand.
    - ``top_scores``: one row a benchmark and rank: `source_id`, `rank`, `model`, `score` (percent,
      as published).
    """
    require_columns(frame, _COLUMNS, FILE)
    sheet = frame[_COLUMNS].fillna("").apply(lambda column: column.astype(str).str.strip())
    rows = records(sheet[sheet["Name"] != ""])
    benchmarks = pd.DataFrame([_benchmark(row) for row in rows])
    for column in ("citations", "n_languages"):
        benchmarks[column] = benchmarks[column].astype("Int64")
    return benchmarks, pd.DataFrame([entry for row in rows for entry in _top_scores(row)])


def stated(benchmarks: pd.DataFrame, top_scores: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Restrict the embedded tables to the sheet's statements, keyed by `source_id`.

    The first without what is assigned by hand; both comparable with `parse_source`.
    """
    flags = flag_lists(benchmarks["flags"])
    stated_flags = flags.map(lambda names: ";".join(n for n in names if n != HAND_ASSIGNED_FLAG))
    source_ids = dict(zip(benchmarks["benchmark_id"], benchmarks["source_id"]))
    return (
        benchmarks.assign(flags=stated_flags).drop(columns=["benchmark_id", "name"]),
        top_scores.assign(source_id=top_scores["benchmark_id"].map(source_ids)).drop(
            columns="benchmark_id"
        ),
    )


def _benchmark(row: Mapping[str, str]) -> Row:
    languages, n_languages = _languages(row["Languages included"])
    metrics = [_METRICS[part] for part in _parts(row["Metric"])]
    sota, sota_model = _sota(row["SOTA Performance at release"])
    return {
        "source_id": int(row["ID"]),
        "released": pd.to_datetime(row["Released Date"], format="%m/%d/%Y").date().isoformat(),
        "age_months": int(row[_AGE]),
        "citations": int(row["Paper Citations"]) if row["Paper Citations"].isdigit() else None,
        "n_test": int(row[_SIZE].replace(",", "")),
        "availability": row[_AVAILABILITY].lower(),
        "languages": ";".join(languages) or None,
        "n_languages": n_languages,
        "english_only": row["Languages included"] == "English",
        "output_format": _OUTPUT_FORMATS[frozenset(_parts(row["Task Output Format"]))],
        "input_format": _INPUT_FORMATS[frozenset(_parts(row["Task Input"]))],
        **_booleans(_CURATION_TAGS, row[_CURATION]),
        **_booleans(_ISSUE_TAGS, row[_ISSUES]),
        "templated": _YES_NO[row["Literal diversity"]],
        "template_in_notes": "template" in row[_DIVERSITY_NOTES].lower(),
        "metrics": ";".join(metrics),
        "metric_family": metrics[0] if len(metrics) == 1 else "mixed",
        "recent_models_evaluated": _YES_NO[row[_RECENT]],
        "sota_at_release": sota,
        "sota_model_at_release": sota_model,
        "score_sources": _sites(row[_SOURCES]),
        "n_models_listed": _listed(row[_SOURCES]),
        "flags": ";".join(_flags(row, metrics)) or None,
    }


def _top_scores(row: Mapping[str, str]) -> list[Row]:
    models = _models(row)
    models += [None] * (TOP - len(models))
    return [
        {"source_id": int(row["ID"]), "rank": rank, "model": model, "score": float(row[column])}
        for rank, (model, column) in enumerate(zip(models, _SCORES), start=1)
    ]


def _models(row: Mapping[str, str]) -> list[str | None]:
    """Split model names of a list, as 'A: 99.2; B 98' (semicolons or line breaks)."""
    entries = (entry.strip() for entry in re.split(r"[;\n]", row[_MODELS]))
    models = (_MODEL_AND_SCORE.sub(r"\g<model>", entry) for entry in entries if entry)
    return [" ".join(model.split()) for model in models]


def _listed(cell: str) -> int:
    """Count the models in the cell of best models, a line a model."""
    lines = (re.sub(r"https?://\S+", "", line).strip(" -•*") for line in cell.splitlines())
    return sum(bool(_LISTED.search(line)) and not _REMARK.match(line) for line in lines)


def _sites(cell: str) -> str | None:
    """Sites that the cell links to, in alphabetical order: where the scores were read."""
    return ";".join(sorted({site.lower() for site in _SITE.findall(cell)})) or None


def _flags(row: Mapping[str, str], metrics: list[str]) -> list[str]:
    models, scores = _models(row), [float(row[column]) for column in _SCORES]
    states = {
        "duplicate_model": len(set(models)) < len(models),
        "scores_not_in_order": scores != sorted(scores, reverse=True),
        "fifth_score_repeated": len(models) < TOP and scores[-1] == scores[-2],
        "metric_not_accuracy": metrics != ["accuracy"],
    }
    return [flag for flag, holds in states.items() if holds]


def _languages(cell: str) -> tuple[list[str], int | None]:
    """Languages in alphabetical order, and how many; a cell may give only the number."""
    counted = _LANGUAGE_COUNT.fullmatch(cell)
    if counted:
        return [], int(counted["count"])
    if cell == "Multilingual":
        return [], None
    listed = sorted(name.strip().lower() for name in re.split(r"[,;]", cell))
    return listed, len(listed)


def _sota(cell: str) -> tuple[float | None, str | None]:
    """Split score and model of a cell, as '38.8 (GPT 4)'; either may be missing."""
    match = _SCORE_AND_MODEL.fullmatch(cell)
    if match is None or cell in ("", "N/A"):
        return None, None
    score = float(match["score"]) if match["score"] else None
    return score, " ".join(match["model"].split()) or None


def _booleans(tags: Mapping[str, str], cell: str) -> dict[str, bool]:
    present = {tags[part] for part in _parts(cell)}
    return {name: name in present for name in tags.values()}


def _parts(cell: str) -> list[str]:
    return [part.strip() for part in cell.split(",") if part.strip()]
