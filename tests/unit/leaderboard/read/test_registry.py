"""One importer a file: each format says what it needs to see, and the documentation lists it."""

import re
import shutil

import pytest

from saturation.leaderboard.read import formats, registry
from saturation.leaderboard.read.registry import Importer, Shape
from saturation.planning.code import closure

TOY = """
from saturation.leaderboard.read.registry import Importer, Shape
from saturation.leaderboard.read.rows import Imported, Response, Score


def table(table, choice, origin):
    return Imported(scores=[Score(row.model, row.elo, "elo") for row in table.itertuples()])


def document(content, choice, origin):
    return Imported(scores=[Score(content["toy"], content["value"], "toy")])


def lines(numbered, choice, origin):
    return Imported(responses=[Response("m", line["toy_item"], 1.0) for _, line in numbered])


FORMATS = (
    Importer("toy_table", "toy ratings", Shape.TABLE, table, keys=("model", "elo")),
    Importer("toy", "toy results", Shape.DOCUMENT, document, keys=("toy",)),
    Importer("toy_lines", "toy samples", Shape.LINES, lines, keys=("toy_item",)),
    Importer("toy_list", "toy list", Shape.LIST, lines, keys=("toy_item",)),
)
"""


def unread(content, choice, origin):
    raise AssertionError


def importer(name, shape=Shape.DOCUMENT, **needs):
    return Importer(name, name, shape, unread, **needs)


@pytest.fixture
def registered(monkeypatch):
    """Only these importers are registered."""

    def replace(*importers):
        monkeypatch.setattr(registry, "importers", lambda: importers)

    return replace


@pytest.fixture
def toy(tmp_path, monkeypatch):
    """A module in a folder that counts as part of the package of formats."""
    folder = tmp_path / "formats"
    folder.mkdir()
    (folder / "toy.py").write_text(TOY)
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(folder)])
    registry.importers.cache_clear()
    yield
    monkeypatch.undo()
    registry.importers.cache_clear()


@pytest.mark.usefixtures("toy")
class TestANewModule:
    def test_its_formats_are_read_from_every_shape(self, write, read):
        assert read(write("model,elo\na,1200\n", "x.csv")).format == "toy_table"
        assert read(write({"toy": "m", "value": 3})).scores[0].score == 3
        assert read(write('{"toy": "m", "value": 4}')).scores[0].score == 4
        lines = [{"toy_item": "a"}, {"toy_item": "b"}]
        assert [r.item for r in read(write(lines, lines=True)).responses] == ["a", "b"]
        assert [r.item for r in read(write(lines)).responses] == ["a", "b"]

    def test_a_file_that_two_formats_claim_is_refused(self, write, violation, grouped):
        both = write(grouped | {"toy": 1})
        assert "the file could be lm_eval_results and toy" in violation(both)
        assert "could be toy and toy_lines" in violation(write('{"toy": 1, "toy_item": 2}\n\n'))


def test_a_new_module_is_code_that_an_import_depends_on(request, tmp_path):
    root = request.config.rootpath
    shutil.copytree(root / "src/saturation", tmp_path / "saturation")
    module = tmp_path / "saturation/leaderboard/read/formats/toy.py"
    module.write_text("from saturation.statistics import chance\n")
    scripts = root / "workflow/scripts/own"
    needed = closure(scripts / "cards.py", tmp_path)
    assert module in needed
    assert tmp_path / "saturation/statistics/intervals.py" in needed
    assert module not in closure(scripts.parent / "plateau/index.py", tmp_path)


def test_the_documentation_lists_every_format_and_no_other(request):
    text = (request.config.rootpath / "docs/files.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| `(\w+)` \|", text)
    assert sorted(rows) == sorted(one.name for one in registry.importers())


class TestRules:
    def test_all_keys_are_needed_and_the_shape_has_to_be_the_same(self, registered):
        x = importer("x", keys=("a", "b"))
        registered(x)
        assert registry.matching(Shape.DOCUMENT, ["b", "c", "a"], {}) == [x]
        assert registry.matching(Shape.DOCUMENT, ["a", "c"], {}) == []
        assert registry.matching(Shape.LINES, ["a", "b"], {}) == []

    def test_a_format_that_any_columns_may_follow_stands_back(self, registered):
        rest = importer("rest", Shape.TABLE, accepts=lambda content: content is not None)
        keyed = importer("keyed", Shape.TABLE, keys=("score",))
        registered(rest, keyed)
        assert registry.matching(Shape.TABLE, ["model", "score"], {}) == [keyed]
        assert registry.matching(Shape.TABLE, ["model", "q1"], {}) == [rest]
        assert registry.matching(Shape.TABLE, ["model", "q1"], None) == []
