"""Files as evaluation tools write them, made small by hand, and how to read them."""

import json

import pytest

from saturation.errors import InputError
from saturation.leaderboard.read import registry
from saturation.leaderboard.read.rows import Choice, Origin

GROUPED = {
    "results": {
        "mmlu": {"alias": "mmlu", "acc,none": 0.61, "acc_stderr,none": 0.0039},
        "mmlu_anatomy": {"alias": " - anatomy", "acc,none": 0.57, "acc_stderr,none": 0.043},
        "mmlu_virology": {"alias": " - virology", "acc,none": 0.5, "acc_stderr,none": "N/A"},
    },
    "groups": {"mmlu": {"alias": "mmlu", "acc,none": 0.61, "acc_stderr,none": 0.0039}},
    "group_subtasks": {"mmlu": ["mmlu_anatomy", "mmlu_virology"]},
    "higher_is_better": {name: {"acc": True} for name in ("mmlu", "mmlu_anatomy")},
    "n-samples": {
        "mmlu_anatomy": {"original": 135, "effective": 135},
        "mmlu_virology": {"original": 166, "effective": 100},
    },
    "config": {"model": "hf", "model_args": "pretrained=org/small-7b,dtype=float16"},
    "date": 1733011200.5,
    "model_name": "org/small-7b",
}


def sample(document, filtered, value):
    return {"doc_id": document, "doc": {"q": "?"}, "target": "a", "arguments": {}, "resps": [["x"]],
            "filtered_resps": ["x"], "filter": filtered, "metrics": ["exact_match"],
            "doc_hash": "0" * 8, "prompt_hash": "1" * 8, "target_hash": "2" * 8,
            "exact_match": value}  # fmt: skip


def instance(name, value, split="test", perturbation=None):
    stat = {"name": {"name": "exact_match", "split": split}, "count": 1, "sum": value,
            "sum_squared": value, "min": value, "max": value, "mean": value, "variance": 0.0,
            "stddev": 0.0}  # fmt: skip
    entry = {"instance_id": name, "train_trial_index": 0, "stats": [stat]}
    return entry if perturbation is None else entry | {"perturbation": {"name": perturbation}}


@pytest.fixture
def grouped():
    """A results file of lm-evaluation-harness with a group of two subtasks."""
    return json.loads(json.dumps(GROUPED))


@pytest.fixture
def make_sample():
    """``(document, filter, value)`` as a line of lm-evaluation-harness samples."""
    return sample


@pytest.fixture
def make_instance():
    """``(name, value, split, perturbation)`` as an element of HELM's list of instances."""
    return instance


@pytest.fixture
def write(tmp_path):
    """Write a file of the given content; returns its path."""

    def writer(content, name="file with spaces – ü.json", lines=False):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        elif lines:
            path.write_text("".join(json.dumps(one) + "\n" for one in content))
        else:
            path.write_text(json.dumps(content, indent=2))
        return path

    return writer


@pytest.fixture
def read():
    """``(path, choice, **known)``: what the importers make of a file."""
    return _read


@pytest.fixture
def violation():
    """``(path, choice, **known)``: the sentences with which a file is refused."""

    def refused(path, choice=None, **known):
        with pytest.raises(InputError) as error:
            _read(path, choice, **known)
        return str(error.value)

    return refused


def _read(path, choice=None, **known):
    return registry.load(Origin(path, **known), choice or Choice())
