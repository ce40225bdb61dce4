"""The source of the site: links are turned to where pages stand, figures find their function."""

import importlib.util
import re
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "workflow" / "scripts"
HERE = "docs/site/index.md"


@pytest.fixture
def site(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location("site_script", ROOT / "docs/tools/site.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "SOURCE", tmp_path / "source")
    (tmp_path / "source").mkdir()
    return module


def moved(site, text, page):
    places = site.pages()
    return site.linked(text, ROOT / page, places[ROOT / page], places)


class TestLinks:
    @pytest.mark.parametrize(
        ("page", "link", "turned"),
        [("docs/plateau.md", "[a](own.md#ties)", "[a](own.md#ties)"),
         ("docs/plateau.md", "[a](../resources/plateau/README.md#x)",
          "[a](resources/plateau/README.md#x)"),
         ("docs/site/index.md", "[a](../own.md) [b](gallery.md)", "[a](own.md) [b](gallery.md)"),
         ("resources/plateau/README.md", "[a](../../docs/validation.md)",
          "[a](../../validation.md)"),
         ("CONTRIBUTING.md", "[docs/own.md](docs/own.md)", "[](own.md)"),
         ("docs/own.md", "[a](https://example.org/x.md) [b](#ties)",
          "[a](https://example.org/x.md) [b](#ties)")],
    )  # fmt: skip
    def test_they_lead_to_where_the_page_is_on_the_site(self, site, page, link, turned):
        assert moved(site, link, page) == turned

    def test_a_picture_comes_along(self, site):
        assert moved(site, "![x](../images/status.png)", HERE) == (
            "![x](files/docs/images/status.png)"
        )
        copy = site.SOURCE / "files/docs/images/status.png"
        assert copy.read_bytes() == (ROOT / "docs/images/status.png").read_bytes()

    def test_one_that_leads_nowhere_stops_the_build(self, site):
        with pytest.raises(SystemExit, match=r"docs/own\.md: the link 'gone\.md' leads nowhere"):
            moved(site, "[a](gone.md)", "docs/own.md")


class TestMaker:
    @pytest.mark.parametrize(
        ("script", "figure", "function"),
        [("plateau/figures.py", "sensitivity", "plateau.figures.sensitivity"),
         ("robustness/study.py", "consistency", "robustness.figures.consistency"),
         ("multiverse/curve.py", "curve", "multiverse.figures.draw_curve"),
         ("adaptive/figures.py", "quality", "adaptive.figures.quality")],
    )  # fmt: skip
    def test_it_is_found_where_the_figure_is_named(self, site, script, figure, function):
        assert site.maker(SCRIPTS / script, figure) == f"studies.{function}"

    def test_a_figure_that_nobody_draws_stops_the_build(self, site):
        with pytest.raises(SystemExit, match="no function is found that draws 'gone'"):
            site.maker(SCRIPTS / "plateau/figures.py", "gone")


def test_figures_and_tables_of_a_run_are_on_the_pages(site, tmp_path, monkeypatch):
    monkeypatch.setattr(site, "RESULTS", tmp_path)

    def item(path, text):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
        return site.Item(tmp_path / path, "A", "<p>It.</p>", SCRIPTS / "plateau/figures.py")

    item("plateau/tables/table1.md", "# Table 1\n\n| a |\n|---|\n| 1 |\n")
    found = [item("figures/plateau/sensitivity.png", "picture"),
             item("plateau/index.csv", "s_index\n" + "0.5\n" * 30)]  # fmt: skip
    text = site.additions("plateau", found)
    parts = ["## Figures", "(figures-plateau-sensitivity)=\n### A\n\n![A](figures/", "<p>It.</p>",
             ":pyobject: sensitivity\n", "## Tables", "<td>0.5</td>",
             '<a href="tables/plateau-index.csv">All 30 rows', "### Table 1"]  # fmt: skip
    assert sorted(parts, key=text.index) == parts
    assert text.count("<td>0.5</td>") == site.ROWS
    copies = [site.SOURCE / name for name in ("figures/figures-plateau-sensitivity.png",
                                              "extra/tables/plateau-index.csv")]  # fmt: skip
    assert [copy.read_bytes() for copy in copies] == [one.path.read_bytes() for one in found]
    # The paper's tables stand once.
    assert "### Table 1" not in site.additions("plateau", [item("plateau/tables/x.csv", "a\n1\n")])
    assert site.additions("own", found) == ""
    text = site.gallery(found, {"plateau": "The plateau study", "own": "Own"})
    assert "](plateau.md#figures-plateau-sensitivity)" in text
    assert "{py:func}`studies.plateau.figures.sensitivity`" in text
    assert (text.count("## "), text.count("{container} card")) == (1, 1)


def test_blocks_of_the_readme_are_found(site):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    pages = "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs/site").glob("*.md"))
    names = re.findall(r"<!-- from README: (\w+) -->", pages)
    assert names
    assert all(site.block(name, readme).strip() for name in names)


def test_every_page_is_in_the_menu(site):
    index = (ROOT / HERE).read_text(encoding="utf-8")
    menu = set(re.findall(r"(?m)^[\w/]+$", "".join(re.findall(r"```{toctree}.*?```", index, re.S))))
    staged = {path.relative_to(site.SOURCE).with_suffix("") for path in site.pages().values()}
    alone = {path.as_posix() for path in staged if path.parts[0] != "resources"} - {"index"}
    assert menu == alone


def test_the_reference_has_every_module(site):
    site.reference()
    text = "".join(path.read_text() for path in (site.SOURCE / "api").glob("*.rst"))
    for path in (ROOT / "src/saturation").rglob("*.py"):
        if path.stem != "__init__":
            module = ".".join(path.relative_to(ROOT / "src").with_suffix("").parts)
            assert f".. automodule:: {module}\n" in text


def test_relative_links_of_all_pages_lead_somewhere():
    folders = ("docs", "docs/site", "config", "resources/*", "speed/results", "tests/fixtures/*")
    pages = [page for one in (".", *folders) for page in ROOT.glob(f"{one}/*.md")]
    assert len(pages) > 30
    dangling = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in pages
        for target in re.findall(r"\]\(([^)#\s:]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
        if not (page.parent / target).exists()
    ]
    assert dangling == []


def test_a_column_is_called_by_words(site):
    names = ["benchmark_id", "s_index", "p_holm", "p_fits", "n_items", "Max score (%)"]
    words = ["benchmark", "S", "p, Holm", "p, fits", "number of items", "Max score (%)"]
    assert list(map(site.heading, names)) == words
    assert site.heading("slope_se") == "slope, standard error"
    assert (site.heading("s_lower"), site.heading("bdi_from")) == ("S, lower limit", "BDI from")


def test_an_estimate_has_its_interval_in_its_cell(site):
    limits = {"gap_lower": [0.25, None], "gap": [0.5, 0.75], "gap_upper": [1.0, None]}
    frame = pd.DataFrame({**limits, "p_value": [0.00001, 0.5]})
    shown = site.readable(frame)
    expected = {"gap [interval]": ["0.5 [0.25, 1]", "0.75"], "p": ["< 0.0001", "0.5"]}
    assert shown.to_dict("list") == expected
    # Limits without their estimate keep columns of their own.
    shown = site.readable(pd.DataFrame({"s_index": [0.5], "s_lower": [0.25], "s_upper": [0.75]}))
    assert list(shown) == ["S", "S, lower limit", "S, upper limit"]
    # No column is lost where two have the same words.
    assert list(site.readable(pd.DataFrame({"p": [0.5], "p_value": [0.25]}))) == ["p", "p_value"]


def test_values_are_words_and_names_that_one_looks_up_stay(site):
    columns = ["claim_id", "bin", "saturated", "note", "n_test", "share"]
    rows = [
        ("plateau_001", "very_high", True, None, 1319, 0.123456),
        ("plateau_002", "low", False, "p_value < 0.05 of the_first", 30, 1e-7),
    ]
    shown = site.readable(pd.DataFrame(rows, columns=columns))
    assert list(shown) == ["claim", "level of S", "saturated", "note", "test-set size n", "share"]
    assert shown.to_numpy().tolist() == [
        ["plateau_001", "very high", "yes", "", "1319", "0.1235"],
        ["plateau_002", "low", "no", "p_value < 0.05 of the_first", "30", "1e-07"],
    ]
