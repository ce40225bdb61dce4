"""Snakemake's report in a real browser: every section and every item of it can be opened.

Two faults have made pages white before: a second label with two values becomes a toggle, and an
item without a counterpart under it takes the whole page down; and Chromium shows an address of more
than 2 MiB as a blank frame. By default the report is that of a small run with tables, figures and
sweeps; the heavy test takes the whole default run. With SATURATION_REPORT=results/report.html the
page of that name is opened instead.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

# Playwright's own loop, closed at exit.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")

SMALL = {
    "plateau": {"resamples": 200, "permutations": 199},
    "robustness": {"resamples": 100},
    "multiverse": {"reduced": {"specifications": 50, "permutations": 99}},
    "ledger": {"studies": ["plateau", "multiverse"]},
}
# A study's figures and tables, a sweep (its subcategories come from a wildcard), and the ledger.
TARGETS = ("plateau", "multiverse_reduced", "robustness", "results/ledger/ledger.html")
WAIT = 20_000  # ms
MOST_BYTES = 12_000_000  # of the default run's page, which people send to each other
CODE = re.compile(r"\b[a-z0-9]+_[a-z0-9_]+\b")


def made(project, *targets, config=None):
    """The report of a run of the targets, in a copy of the project."""
    done = project.run(*targets, config=config)
    assert done.returncode == 0, done.stderr
    page = project.folder / "results/report.html"
    command = [sys.executable, "-m", "snakemake", *targets, "--report", str(page)]
    if config is not None:
        command += ["--configfile", str(project.folder / "test_config.yaml")]
    done = subprocess.run(command, cwd=project.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return page


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
            rows.nth(number).locator("a").first.click()
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
        headings = frame.evaluate("[...document.querySelectorAll('th')].map((th) => th.innerText)")
        if coded := [words for words in headings if CODE.search(words)]:
            self.fault(f"headings are names of code: {coded}")


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


@pytest.mark.skipif("SATURATION_REPORT" in os.environ, reason="another page is opened instead")
def test_every_section_and_item_of_a_small_run_s_report_opens(browser, make_project):
    page = made(make_project("report"), *TARGETS, config=SMALL)
    walked(browser, page)
    # Only a part of the default run: nothing is said of what it did not compute.
    text = front_page(browser, page, 390)
    assert "How to read it" in text
    assert "What comes out" not in text


@pytest.mark.heavy
def test_every_section_and_item_of_the_default_run_s_report_opens(browser, make_project):
    given = os.environ.get("SATURATION_REPORT")
    page = Path(given) if given else made(make_project("default report"))
    walked(browser, page)
    assert page.stat().st_size < MOST_BYTES
    for width in (390, 1280):
        text = front_page(browser, page, width)
        for heading in ("What comes out", "How to read it", "The papers' claims", "made from"):
            assert heading in text
        assert "{" not in text
