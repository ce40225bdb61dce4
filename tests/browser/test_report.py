"""One run: its jobs open what their rules declare, and every item of its report can be opened.

By default it is a small run with tables, figures and sweeps; the heavy tests take the whole default
run. With SATURATION_REPORT=results/report.html the page of that name is opened instead.

Two faults have made the report's pages white before: a second label with two values becomes a
toggle, and an item without a counterpart under it takes the whole page down; and Chromium shows an
address of more than 2 MiB as a blank frame.
"""

import io
import os
from collections import defaultdict
from pathlib import Path

import pandas as pd
import pytest

# Playwright's own loop, closed at exit.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

SMALL = {
    "plateau": {"resamples": 200, "permutations": 199},
    "multiverse": {"reduced": {"specifications": 50, "permutations": 99}},
    "ledger": {"studies": ["plateau", "multiverse"]},
}
# A study's figures and tables, a sweep (its subcategories come from a wildcard), and the ledger.
TARGETS = ("plateau", "multiverse_reduced", "results/ledger/ledger.csv")
GIVEN = os.environ.get("SATURATION_REPORT")
WAIT = 20_000  # ms
MOST_BYTES = 12_000_000  # of the default run's page, which people send to each other

# Python looks for this module at every start; a job's log tells which job it was.
LISTENER = """
import os, sys

def listen(event, arguments):
    if event == "open" and isinstance(arguments[0], str):
        path = os.path.relpath(arguments[0], {project!r})
        if not path.startswith("..") and "__pycache__" not in path and path[-3:] != ".py":
            with_process = os.path.join({opened!r}, str(os.getpid()))
            file = os.open(with_process, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            os.write(file, (path + "\\n").encode())
            os.close(file)

sys.addaudithook(listen)
"""
# Snakemake's own files, and what is written beside the outputs.
OTHERS = (".snakemake/", "results/logs/")
LOG = "results/logs/"
LEDGER = "results/logs/ledger/ledger.log"


class Run:
    """A finished run of some targets, whose jobs' opened files are noted by process."""

    def __init__(self, project, folder, targets, config):
        self.project, self.targets, self.config = project, targets, config
        self.opened = folder / "opened"
        self.opened.mkdir()
        listener = LISTENER.format(project=str(project.folder), opened=str(self.opened))
        (folder / "sitecustomize.py").write_text(listener, encoding="utf-8")
        paths = filter(None, (str(folder), os.environ.get("PYTHONPATH")))
        self.snakemake(*targets, env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)})

    def snakemake(self, *arguments, env=None):
        done = self.project.finish(*arguments, config=self.config, env=env)
        return done.stdout

    def report(self):
        """The page of its report."""
        page = self.project.folder / "results/report.html"
        self.snakemake(*self.targets, "--report", page)
        return page

    def declared(self):
        """Inputs and outputs of every job, by its log."""
        text = self.snakemake("--detailed-summary", *self.targets)
        summary = pd.read_csv(io.StringIO(text), sep="\t", dtype=str, keep_default_na=False)
        files = defaultdict(set)
        for job, made, needed in zip(
            summary["log-file(s)"], summary["output_file"], summary["input-file(s)"], strict=True
        ):
            files[job] |= {made, *needed.split(",")}
        return files


@pytest.fixture(scope="module")
def make_run(make_project, tmp_path_factory):
    return lambda name, targets=(), config=None: Run(
        make_project(name), tmp_path_factory.mktemp(name), targets, config
    )


@pytest.fixture(scope="module")
def small(make_run):
    return make_run("small", TARGETS, SMALL)


@pytest.fixture(scope="module")
def default(make_run):
    return make_run("default")


@pytest.mark.skipif(bool(GIVEN), reason="a page is opened that another run has made")
@pytest.mark.parametrize("name", ["small", pytest.param("default", marks=pytest.mark.heavy)])
def test_jobs_open_only_what_their_rules_declare(name, request):
    """The change of another file would go unseen."""
    run = request.getfixturevalue(name)
    files = run.declared()
    heard = set()
    for process in run.opened.iterdir():
        paths = process.read_text(encoding="utf-8").split("\n")[:-1]
        job = next((path for path in paths if path.startswith(LOG)), None)
        if job is None:  # Snakemake itself
            continue
        heard.add(job)
        folders = tuple(f"{path}/" for path in files[job] if (run.project.folder / path).is_dir())
        known = (*OTHERS, *folders)
        # The ledger hashes anew what led to its numbers.
        declared = set().union(*files.values()) if job == LEDGER else files[job]
        unknown = {path for path in paths if not path.startswith(known)} - declared
        assert not unknown, f"{job} opens {sorted(unknown)}"
    assert heard == set(files)


# A picture above the upper edge of what scrolls is out of reach.
TOP_IS_REACHED = """(node) => {
  const box = node.closest('.overflow-auto');
  box.scrollTop = 0;
  return node.getBoundingClientRect().top >= box.getBoundingClientRect().top;
}"""


class Report:
    """The page, walked as a reader would."""

    def __init__(self, browser, path, width=1280):
        self.faults = []
        self.page = browser.new_page(viewport={"width": width, "height": 900})
        self.page.set_default_timeout(WAIT)
        self.page.on("pageerror", lambda error: self.fault(f"error: {error}"))
        self.page.on("console", self.heard)
        self.address = path.resolve().as_uri()
        self.place = "the front page"
        self.page.goto(self.address)
        self.page.wait_for_selector("#app nav")
        self.categories = self.page.evaluate(
            "Object.entries(categories).map(([name, below]) => [name, Object.keys(below)])"
        )

    def fault(self, what):
        self.faults.append(f"{self.place}: {what}")

    def heard(self, message):
        if message.type == "error":
            self.fault(f"console: {message.text}")

    def open_menu(self, place):
        """Go to the menu of all sections; a page that a fault has taken down is loaded anew."""
        self.place = place
        if self.page.locator("#app nav").count() == 0:
            self.page.goto("about:blank")
            self.page.goto(self.address)
            self.page.wait_for_selector("#app nav")
        self.page.locator("#app nav ol li a").first.click()
        self.page.get_by_text("Statistics", exact=True).wait_for()

    def follow(self, name):
        """Follow a link of the menu; whether the page is still there."""
        links = self.page.locator("#app nav li a").filter(
            has=self.page.get_by_text(name, exact=True)
        )
        links.first.click()
        return self.alive()

    def alive(self):
        self.page.wait_for_timeout(50)
        if self.page.locator("#app nav").count() == 0:
            self.fault("the page is white")
            return False
        return True

    def sections(self):
        """Every category with every subcategory of it; a single one is opened with its category."""
        for category, below in self.categories:
            for subcategory in below:
                yield [category] if len(below) == 1 else [category, subcategory]

    def walk(self):
        """Open everything; returns the number of items."""
        for name in ("Workflow", "Statistics", "About"):
            self.open_menu(name)
            self.follow(name)
        return sum(self.section(names) for names in self.sections())

    def section(self, names):
        if not self.opened(names):
            return 0
        rows = self.page.locator("#app nav table tbody tr")
        labels = [text.strip() for text in rows.all_inner_texts()]
        if not labels:
            self.fault("no items")
        for number, label in enumerate(labels):
            self.place = " > ".join([*names, label])
            link = rows.nth(number).locator("a").first
            if link.get_attribute("download") is not None:  # a table
                continue
            link.click()
            if not self.alive():
                return number
            self.content()
        for number, label in enumerate(labels):  # the caption takes the list's place
            self.place = " > ".join([*names, label])
            rows.nth(number).locator("a").last.click()
            if not self.alive() or not self.opened(names):
                return number
        return len(labels)

    def opened(self, names):
        """Whether a section can be opened."""
        self.open_menu(" > ".join(names))
        return all(self.follow(name) for name in names)

    def content(self):
        """What the item shows is there: a picture with a size, or a frame with text in it."""
        shown = self.page.locator("#app img[src^='data:image'], #app iframe").last
        if shown.evaluate("node => node.tagName") == "IMG":
            self.page.wait_for_function(
                "node => node.complete && node.naturalWidth > 0", arg=shown.element_handle()
            )
            if not shown.evaluate(TOP_IS_REACHED):
                self.fault("the figure's top cannot be scrolled to")
            return
        frame = shown.element_handle().content_frame()
        frame.wait_for_load_state()
        if not frame.evaluate("document.body.innerText").strip():
            self.fault("the frame is blank")


def walked(browser, path):
    report = Report(browser, path)
    expected = report.page.evaluate("Object.keys(results).length")
    count = report.walk()
    assert not report.faults, "\n".join(report.faults)
    assert count == expected > 0
    report.page.close()


def front_page(browser, path, width):
    """The text of the page that it opens with, none of it beside the window."""
    report = Report(browser, path, width)
    # A list inside the page may scroll; the page may not.
    box = report.page.locator("#app .prose").first.bounding_box()
    assert box["x"] + box["width"] <= width
    assert report.page.evaluate("document.documentElement.scrollWidth") <= width
    text = report.page.locator("#app .prose").first.inner_text()
    report.page.close()
    return text


@pytest.mark.skipif(bool(GIVEN), reason="another page is opened instead")
def test_every_section_and_item_of_a_small_run_s_report_opens(browser, small):
    page = small.report()
    walked(browser, page)
    # Only a part of the default run: nothing is said of what it did not compute.
    text = front_page(browser, page, 390)
    assert "How to read it" in text
    assert "What comes out" not in text


@pytest.mark.heavy
def test_every_section_and_item_of_the_default_run_s_report_opens(browser, request):
    page = Path(GIVEN) if GIVEN else request.getfixturevalue("default").report()
    walked(browser, page)
    assert page.stat().st_size < MOST_BYTES
    for width in (390, 1280):
        text = front_page(browser, page, width)
        for heading in ("What comes out", "How to read it", "The papers' claims", "made from"):
            assert heading in text
        assert "{" not in text
