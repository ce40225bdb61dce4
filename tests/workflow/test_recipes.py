"""The recipes of docs/developing.md, each followed with a toy in a copy of the project."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd

from studies.ledger import schemas

ROOT = Path(__file__).resolve().parents[2]
EVIDENCE = ",".join(schemas.EVIDENCE.columns)

TOY = {
    "workflow/rules/toy.smk": '''
"""A toy study: how long is its word?

in:  config section toy
out: results/toy/quantities.csv
"""


rule toy_quantities:
    """Count the letters of a word."""
    output:
        "results/toy/quantities.csv",
    log:
        "results/logs/toy/quantities.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("toy/quantities.py"),
        word=config["toy"]["word"],
    script:
        "../scripts/toy/quantities.py"


offer("toy", targets=rules.toy_quantities.output, quantities=rules.toy_quantities.output[0])
''',
    "workflow/scripts/toy/quantities.py": '''
"""The length of a word."""

from studies import quantity
from studies.files import stages
from studies.files.stages import Paths
from saturation.files.tables import write_csv
from studies.toy.quantities import length


def main(inputs: Paths, output: Paths, *, word: str) -> None:
    write_csv(quantity.frame([length(word)]), output["files"])


stages.run(main, globals())
''',
    "src/studies/toy/__init__.py": '"""A toy."""\n',
    "src/studies/toy/quantities.py": '''
"""The toy's headline number."""

from studies.quantity import Quantity


def length(word: str) -> Quantity:
    """Number of letters."""
    return Quantity("word_length", float(len(word)))
''',
    "workflow/schemas/toy.schema.yaml": '''
type: object
additionalProperties: false
required: [word]
properties:
  word:
    type: string
    description: a word
''',
    "resources/ledger/claims/toy.csv": '''
claim_id,version,places,kind,sense,statement,quotation,published,decimals,note
toy_001,v1,page 1,number,descriptive,The word has five letters.,five letters,5,0,
toy_002,v1,page 1,conclusion,descriptive,The word is short.,a short word,,,
''',
    "resources/ledger/evidence/toy.csv": f'''
{EVIDENCE}
toy_001a,toy_001,toy,natural,released data,usual practice,word_length,,,,,,,,,,,
toy_002a,toy_002,toy,natural,released data,usual practice,,,word_length < 4,,,,,,,,,
''',
}  # fmt: skip


def replaced(path, before, after):
    text = path.read_text(encoding="utf-8")
    assert before in text, path
    path.write_text(text.replace(before, after), encoding="utf-8")


def test_a_study_and_a_claim(project):
    for name, text in TOY.items():
        path = project.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip("\n"), encoding="utf-8")
    replaced(
        project.folder / "src/studies/planning/config.py",
        '    "multiverse": "6 Multiverse",\n',
        '    "multiverse": "6 Multiverse",\n    "toy": "8 Toy",\n',
    )
    defaults = project.folder / "config/config.yaml"
    defaults.write_text(defaults.read_text(encoding="utf-8") + "\ntoy:\n  word: cloud\n")
    project.finish("results/ledger/ledger.csv", config={"ledger": {"studies": ["toy"]}})
    ledger = pd.read_csv(project.folder / "results/ledger/ledger.csv")
    assert ledger["verdict"].tolist() == ["reproduced", "differs"]
    # It has its log, and the default run makes it.
    assert (project.folder / "results/logs/toy/quantities.log").is_file()
    planned = project.run("--dry-run", "--forceall", "all")
    assert "toy_quantities" in planned.stdout + planned.stderr
    # A change of its library alone runs it again; a claim more is two rows; its config is closed.
    replaced(
        project.folder / "src/studies/toy/quantities.py", "float(len(word))", "len(word) - 2.0"
    )
    for name, row in (
        ("claims", "toy_003,v1,page 2,conclusion,inferential,It is long.,so it is,,,\n"),
        (
            "evidence",
            "toy_003a,toy_003,toy,natural,released data,ours,,,word_length > 9,,,,,,,,,\n",
        ),
    ):
        table = project.folder / f"resources/ledger/{name}/toy.csv"
        table.write_text(table.read_text(encoding="utf-8") + row, encoding="utf-8")
    project.finish("results/ledger/ledger.csv", config={"ledger": {"studies": ["toy"]}})
    ledger = pd.read_csv(project.folder / "results/ledger/ledger.csv").set_index("claim_id")
    assert ledger["verdict"].tolist() == ["differs", "reproduced", "differs"]
    assert "word_length = 3" in ledger.loc["toy_003", "note"]
    closed = project.run("--dry-run", config={"toy": {"wrod": "x"}})
    assert "did you mean 'word'?" in closed.stdout + closed.stderr


def test_the_palette(project):
    replaced(project.folder / "src/saturation/pages/style.py", "#0072B2", "#123456")
    program = (
        "import json; import matplotlib as mpl; from studies import style\n"
        "from saturation.pages import templates\n"
        "card = templates.page('{{ page_colours.light.mark }}', {})\n"
        "with style.style():\n"
        "    first = mpl.rcParams['axes.prop_cycle'].by_key()['color'][0]\n"
        "print(json.dumps([card, first]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=project.folder, capture_output=True, text=True,
        check=True, env={"PYTHONPATH": str(project.folder / "src"), "HOME": str(project.folder)},
    )  # fmt: skip
    assert json.loads(done.stdout) == ["#123456", "#123456"]
    # No template has a mark's colour of its own.
    for template in (project.folder / "workflow/templates").rglob("*.*"):
        for colour in ("#0072b2", "#56b4e9", "#d55e00", "#f0e442"):
            assert colour not in template.read_text(encoding="utf-8").lower(), template


def test_a_hypothesis(project):
    folder = project.folder / "src/studies/plateau"
    replaced(
        folder / "names.py",
        "HYPOTHESES = {\n",
        'HYPOTHESES = {\n    "h99": Hypothesis('
        '"H99", "Old ones saturate.", "H99 toy", None, numbered=False),\n',
    )
    replaced(
        folder / "groupings.py",
        "READINGS = {\n",
        "READINGS = {\n"
        '    ("h99", "primary"): {"public": "availability == \'public\'", '
        '"private": "availability == \'private\'"},\n',
    )
    replaced(
        folder / "controls.py",
        "CONCLUSIONS = {\n",
        'CONCLUSIONS = {\n    "h99": Conclusion("h99"),\n',
    )
    # Nothing else has to be changed: the tests that ask for what the three tables hold.
    suite = [
        str(path)
        for path in sorted((ROOT / "tests/studies/plateau").glob("test_*.py"))
        if re.search("HYPOTHESES|READINGS|CONCLUSIONS", path.read_text(encoding="utf-8"))
        and path.name != "test_study.py"  # small and uniform tables, which take longest
    ]
    assert suite
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *suite],
        capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(project.folder / "src")},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


IMPORTER = '''
"""A toy's scores."""

from saturation.leaderboard.read.registry import Importer, Shape
from saturation.leaderboard.read.rows import Imported


def read(document, choice, origin):
    """Scores as the toy writes them."""
    return Imported(notes=[str(document["toy_scores"])])


FORMATS = (Importer("toy", "a toy's file", Shape.DOCUMENT, read, keys=("toy_scores",)),)
'''


def test_an_importer(project):
    path = project.folder / "src/saturation/leaderboard/read/formats/toy.py"
    path.write_text(IMPORTER.lstrip("\n"), encoding="utf-8")
    program = (
        "from saturation.leaderboard.read import registry\n"
        "found = registry.matching(registry.Shape.DOCUMENT, ['toy_scores'], {})\n"
        "names = [importer.name for importer in found]\n"
        "assert names == ['toy'], names"
    )
    subprocess.run(
        [sys.executable, "-c", program], cwd=project.folder, check=True,
        env={"PYTHONPATH": str(project.folder / "src"), "HOME": str(project.folder)},
    )  # fmt: skip
