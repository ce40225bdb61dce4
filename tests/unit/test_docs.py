"""Rendered files agree with what they are rendered from."""

import importlib.util
import re
from pathlib import Path

import pandas as pd
import pytest
import yaml

from saturation.errors import InputError
from studies.plateau import schemas

ROOT = Path(__file__).resolve().parents[2]

ENVS = ROOT / "envs"
LOCKS = ["requirements", "requirements-dev", "requirements-site"]


def load(name):
    path = ROOT / "docs" / "tools" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


environment, render = load("environment"), load("render")


def test_the_table_of_keys_is_the_schema_s():
    text = (ROOT / "config" / "README.md").read_text(encoding="utf-8")
    assert text == render.filled(text, "keys", render.config_keys()), "run `make docs`"
    assert render.filled("a\n<!-- k -->\nold\n<!-- /k -->\n", "k", "new\n") == (
        "a\n<!-- k -->\nnew\n<!-- /k -->\n"
    )


def test_the_table_of_keys_has_a_row_for_every_leaf_of_the_config():
    def paths(part, schema, path=""):
        for key, value in part.items():
            known = schema.get("properties", {})
            name, below = (key, known[key]) if key in known else named(schema)
            if isinstance(value, dict):
                yield from paths(value, below, f"{path}{name}.")
            elif value is not None or "additionalProperties" not in below:
                yield path + name

    def named(schema):
        """Keys that the user chooses stand as NAME."""
        return "NAME", schema["additionalProperties"]

    render = load("render")
    rows = render.config_keys().splitlines()[2:]
    defaults = yaml.safe_load((ROOT / "config/config.yaml").read_text())
    assert {row.split("`")[1] for row in rows} >= set(paths(defaults, render.schema()))
    assert len(rows) == len(set(rows))


def test_the_badges_say_what_the_readme_and_the_tables_say():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    # The last row of the table of the ledger.
    results = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    counts = re.search(r"^\| all .*$", results, re.MULTILINE)[0].replace("|", " ").split()
    verdicts = ("reproduced", "consistent", "differs", "undetermined", "not run here")
    columns = (*verdicts, "undecidable", "claims")
    summary = pd.DataFrame([dict(zip(columns, map(int, counts[2:]), strict=True))])
    said = render.badges(summary, pd.read_csv(render.VALIDATION))
    assert said["python"] == ("Python", "3.11 to 3.13")
    for name, (what, value) in said.items():
        drawn = (render.DOCS / "images" / f"badge_{name}.svg").read_text(encoding="utf-8")
        assert drawn == render.drawn(what, value), "run `make docs`"
        # That of the claims is described without their number.
        assert f"[![{what.lstrip('0123456789 ')}](docs/images/badge_{name}.svg)]" in text


def test_the_tutorial_shows_what_its_cells_print():
    text = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    assert text.count("```text") > 5
    assert render.executed(text) == text, "run `make docs`"


SENTENCES = [(page, sentence) for page, listed in render.sentences().items() for sentence in listed]


@pytest.mark.parametrize(("page", "sentence"), SENTENCES)
def test_a_sentence_whose_numbers_are_rendered_stands_once_in_its_page(page, sentence):
    text = render.page_path(page).read_text(encoding="utf-8")
    assert render.found(text, sentence).groups()


def test_numbers_of_a_sentence_are_written_anew_and_its_line_breaks_stay():
    text = "Before 0.5.\nOf 1,000\nboards 12 % hold\n(-0.10 to 3e-05). After 0.5."
    sentence = "Of {n:,.0f} boards {share!p:.1f} % hold ({low:.2f} to {high:.1g})."
    named = {"n": 2000.0, "share": 0.255, "low": 0.25, "high": 0.5}
    expected = "Before 0.5.\nOf 2,000\nboards 25.5 % hold\n(0.25 to 0.5). After 0.5."
    assert render.renewed(text, sentence, named) == expected
    # A sign can be turned.
    assert render.renewed("By 1.0.", "By {behind!m:.1f}.", {"behind": -0.63}) == "By 0.6."


def test_levels_are_those_of_the_table_of_simulations(tmp_path, monkeypatch):
    monkeypatch.setattr(render, "VALIDATION", tmp_path / "table.csv")
    render.VALIDATION.write_text(
        "check,stated,found\na_one,0.9,0.9\na_two_far,0.9,0.8\na_two_near,0.5,0.7\n"
    )
    named = render.simulated()
    assert named["simulated_a_one_found"] == named["simulated_a_most"] == 0.9
    assert named["simulated_a_least"] == named["simulated_a_two_least"] == 0.7
    assert named["simulated_a_two_most"] == 0.8
    assert named["simulated_a_two_off"] == pytest.approx(0.2)


def test_claims_are_counted_by_grade_and_their_replications_by_outcome(tmp_path, monkeypatch):
    monkeypatch.setattr(render, "RESULTS", tmp_path)
    (tmp_path / "ledger").mkdir()
    (tmp_path / "ledger/ledger.csv").write_text("paper,grade\na,not shown\na,not shown\nb,held\n")
    (tmp_path / "ledger/evidence.csv").write_text(
        "claim_id,role,outcome\na_1,replication,does not settle\n"
        "a_2,replication,agrees\na_2,natural,agrees\n"
    )
    counts = {"graded_a_not_shown": 2, "graded_b_held": 1, "tried_a": 2, "tried_a_agrees": 1}
    assert render.judged() == counts | {"tried_a_does_not_settle": 1}


def test_a_cell_of_a_table_is_named_by_its_row_and_column(tmp_path):
    (tmp_path / "table.csv").write_text("control,alpha,p\nage,0.5,0.1\n")
    named = render.keyed(tmp_path / "table.csv", "of", ["control", "alpha"])
    assert named == {"of_age_0_5_control": "age", "of_age_0_5_alpha": 0.5, "of_age_0_5_p": 0.1}


def test_a_sentence_that_is_not_there_is_named():
    with pytest.raises(ValueError, match=r"stands 0 times and not once: Of \{n"):
        render.found("Nothing.", "Of {n:.0f}.")
    with pytest.raises(ValueError, match="stands 2 times"):
        render.found("Of 1. Of 2.", "Of {n:.0f}.")


def test_the_conda_environment_is_the_lock_s():
    asked, lock = ((ENVS / f"requirements.{kind}").read_text() for kind in ("in", "txt"))
    rendered = environment.rendered(asked, lock)
    assert (ENVS / "environment.yaml").read_text() == rendered, "run `make lock`"
    assert len(yaml.safe_load(rendered)["dependencies"]) == len(environment.direct(asked)) + 1


def test_versions_without_hashes_are_the_lock_s():
    versions = environment.pin_versions((ENVS / "requirements-card.txt").read_text())
    assert (ENVS / "versions-card.txt").read_text() == versions, "run `make lock`"


def test_the_columns_of_the_plateau_tables_are_documented_with_those_that_are_optional():
    text = (ROOT / "resources/plateau/README.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| (`.+?`) \| (✓?) ?\|", text.split("## top_scores.csv")[0])
    said = {name: bool(tick) for names, tick in rows for name in re.findall(r"`(\w+)`", names)}
    assert said == {name: not one.required for name, one in schemas.BENCHMARKS.columns.items()}


@pytest.mark.parametrize("name", LOCKS)
def test_every_requirement_is_locked_once_with_hashes_for_every_python(name):
    text = (ENVS / f"{name}.txt").read_text()
    packages = re.findall(r"(?m)^([\w.-]+)==", text)
    assert sorted(set(packages)) == sorted(packages), "bound it in envs/constraints.in"
    assert "python_full_version" not in text
    entries = re.split(r"(?m)^(?=[\w.-]+==)", text)[1:]
    assert len(entries) > 10
    for entry in entries:
        assert re.search(r"--hash=sha256:[0-9a-f]{64}\b", entry), entry.splitlines()[0]
    asked = [line for line in (ENVS / f"{name}.in").read_text().splitlines()
             if re.match(r"[a-zA-Z]", line)]  # fmt: skip
    assert asked
    wanted = {re.split(r"[<>=\s#\[]", line)[0] for line in asked}
    assert wanted <= set(environment.locked(text))


def test_what_is_installed_together_has_one_version():
    locked = {name: environment.locked((ENVS / f"{name}.txt").read_text()) for name in LOCKS}
    for later in LOCKS[1:]:
        assert locked["requirements"].items() <= locked[later].items()
    dev, site = locked["requirements-dev"], locked["requirements-site"]
    assert {name: site[name] for name in dev.keys() & site} == {
        name: dev[name] for name in dev.keys() & site
    }


def test_no_number_is_typed_that_is_neither_rendered_nor_a_named_constant():
    assert render.untraced() == [], "docs/developing.md, A number in a text"


def test_what_is_typed_is_found_where_it_is_not_code_nor_rendered():
    text = (
        "# A page of 2026\n\nOf 1,234 boards -0.12 to .34 are H1 at 95 %.\n\n    indented 99\n\n"
        "`code 98` [link](a97.md#b-96) Llama-3.1 v2 94\n\n```\nfenced 93\n```\n"
        "<!-- first -->\nrendered 92\n<!-- /first -->\n12. mark 91, 90.\n\n"
        "## Cost\n\n80 s\n\n## More\n\n81\n"
    )
    found = render.typed(text, ["mark {n:.0f},"])
    assert found == [
        (1, "2026"), (3, "1,234"), (3, "-0.12"), (3, ".34"), (3, "95"), (7, "94"), (15, "90"),
        (23, "81"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("number", "may"),
    [("10", True), ("11", False), ("0.5", False), ("1900", True), ("2031", False), ("17", True)],
)
def test_small_whole_numbers_years_and_named_constants_may_be_typed(number, may):
    assert render.allowed(number, {"17"}) == may


CELL = {"quantity": "q", "value": 7.0, "command": "make results", "file": "a/b.csv", "by": ""}


@pytest.fixture
def results(tmp_path):
    """Results that hold one table and one JSON file."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a/b.csv").write_text("model,kind,n\nx,one,1\nx,two,2\ny,two,4\nz,two,8\n")
    (tmp_path / "a/b.json").write_text('{"left_out": {"graded": 363}}')
    return tmp_path


@pytest.mark.parametrize(
    ("taken", "rows", "column", "more", "value"),
    [
        ("only", "model == 'y'", "n", {}, 4),
        ("least", "", "n", {}, 1),
        ("most", "", "n", {"by": "model"}, 8),
        ("mean", "", "n > 1", {}, 0.75),
        ("sum", "kind == 'two'", "n", {}, 14),
        ("count", "n > 2", "model", {}, 2),
        ("kinds", "", "model", {}, 3),
        ("two largest", "", "n", {"by": "model"}, 12),
        ("least", "", "n + 2 * n", {"by": "model"}, 9),
        ("only", "", "`left_out.graded`", {"file": "a/b.json"}, 363),
    ],
)
def test_a_cell_is_read_anew(results, taken, rows, column, more, value):
    row = CELL | {"taken": taken, "rows": rows, "column": column} | more
    assert render.renewed_cells(pd.DataFrame([row]), results)["value"].item() == value


def test_a_cell_of_a_longer_run_stays_where_its_rows_are_not_there(results):
    longer = CELL | {"command": "make full", "column": "n", "taken": "only"}
    table = pd.DataFrame([
        longer | {"rows": "model == 'none'"},
        longer | {"rows": "", "file": "a/missing.csv"},
    ])  # fmt: skip
    assert render.renewed_cells(table, results)["value"].tolist() == [7, 7]


@pytest.mark.parametrize(("rows", "times"), [("model == 'none'", 0), ("model == 'x'", 2)])
def test_a_cell_of_the_default_run_must_be_there_once(results, rows, times):
    table = pd.DataFrame([CELL | {"rows": rows, "column": "n", "taken": "only"}])
    with pytest.raises(InputError, match=f"q stands {times} times in a/b.csv"):
        render.renewed_cells(table, results)


def test_every_cell_is_quoted_and_every_row_of_the_table_is_whole():
    table = render.read_cells()
    blocks = sorted((ROOT / "docs/blocks").iterdir())
    text = "".join(path.read_text(encoding="utf-8") for path in blocks)
    unused = [name for name in table["quantity"] if f"{{{name}" not in text]
    assert unused == []
    assert table["quantity"].is_unique
    assert table[["value", "command", "file", "column", "taken"]].notna().all(axis=None)
    assert set(table["taken"]) <= set(render.TAKEN)
