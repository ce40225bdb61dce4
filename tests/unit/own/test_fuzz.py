"""Valid files with something changed: the same tables, or a sentence; never another exception."""

import gzip
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from saturation.errors import InputError
from saturation.own.imports import read

ACCURACY = {"family": "accuracy", "score_range": [0, 1]}
BOARD = "model,score,n_items,date\n" + "".join(
    f"model {i},{0.9 - i / 50:.3f},{500 + i},2025-0{i + 1}-01\n" for i in range(6)
)
LONG = "model,item,response,cluster\n" + "".join(
    f"m{i},q{j},{(i + j) % 2},c{j // 2}\n" for i in range(3) for j in range(4)
)
WIDE = "model,q1,q2,q3\n" + "".join(f"m{i},{i % 2},1,0\n" for i in range(5))
TABLES = {"board": BOARD, "long": LONG, "wide": WIDE}
RESULTS = json.dumps(
    {"results": {"t": {"acc,none": 0.5, "acc_stderr,none": 0.05}},
     "n-samples": {"t": {"original": 101, "effective": 101}},
     "config": {"model": "hf", "model_args": "pretrained=m"}, "date": 1733011200.5},
    indent=1,
)  # fmt: skip
SAMPLES = "".join(
    json.dumps({"doc_id": i, "doc": {}, "filter": "none", "metrics": ["acc"], "acc": i % 2}) + "\n"
    for i in range(6)
)
FILES = {
    **{name: text.encode() for name, text in TABLES.items()},
    "results": RESULTS.encode(),
    "samples": SAMPLES.encode(),
    "packed": gzip.compress(BOARD.encode(), mtime=0),
}
QUICK = settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture
def rows(tmp_path):
    """``(content)``: the rows of scores and responses that a file gives, or None if refused."""
    path = tmp_path / "file"

    def imported(content):
        path.write_bytes(content)
        try:
            found = read("mine", [{"path": path, "model": None}], ACCURACY)
        except InputError as error:
            if min(map(len, error.violations), default=0) < 20:
                raise
            return None
        return {tuple(map(str, row)) for table in found[:2] for row in table.to_numpy().tolist()}

    return imported


def mutated(data, content):
    """One to three bytes changed, a piece left out, doubled or moved, or the end cut off."""
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, max(len(content) - 1, 0)))
        end = data.draw(st.integers(start, min(len(content), start + 40)))
        kind = data.draw(st.sampled_from(["flip", "cut", "drop", "double", "insert"]))
        put = data.draw(st.binary(min_size=1, max_size=1 if kind == "flip" else 6))
        content = {
            "flip": content[:start] + put + content[start + 1 :],
            "cut": content[:start],
            "drop": content[:start] + content[end:],
            "double": content[:end] + content[start:end] + content[end:],
            "insert": content[:start] + put + content[start:],
        }[kind]
    return content


@QUICK
@given(st.sampled_from(sorted(FILES)), st.data())
def test_a_damaged_file_is_read_or_refused_with_a_sentence(rows, name, data):
    rows(mutated(data, FILES[name]))


@QUICK
@given(st.sampled_from(sorted(TABLES)), st.data())
def test_the_order_of_columns_and_lines_and_their_ends_do_not_count(rows, name, data):
    lines = [line.split(",") for line in TABLES[name].splitlines()]
    fixed = 1 if name == "wide" else 0  # whose first column says what the others are
    order = [*range(fixed), *data.draw(st.permutations(range(fixed, len(lines[0]))))]
    body = data.draw(st.permutations(lines[1:]))
    mark = data.draw(st.sampled_from([",", ";", "\t"]))
    end = data.draw(st.sampled_from(["\n", "\r\n", "\n\n"]))
    quote = data.draw(st.sampled_from(["", '"']))
    text = end.join(
        mark.join(f"{quote}{row[i]}{quote}" for i in order) for row in [lines[0], *body]
    )
    start = data.draw(st.sampled_from([b"", b"\xef\xbb\xbf"]))
    assert rows(start + text.encode()) == rows(FILES[name])
