"""Another workflow, in another folder, takes this one in and runs a study under a prefix."""

import json
import subprocess
import sys

import pandas as pd

OTHER = """
module saturation:
    snakefile:
        {snakefile}
    config:
        {config}
    prefix:
        "saturated"

use rule * from saturation as saturation_*

rule best:
    default_target: True
    input:
        "saturated/results/plateau/index.csv"
    output:
        "best.txt"
    shell:
        "sort -t, -k9 -g {{input}} | tail -n 1 | cut -d, -f1 > {{output}}"
"""


def test_another_workflow_takes_this_one_in_with_its_own_config_and_a_prefix(project, tmp_path):
    here = tmp_path / "other"
    here.mkdir()
    text = OTHER.format(
        snakefile=json.dumps(str(project.folder / "Snakefile")),
        config={"plateau": {"k": 3, "resamples": 200}},
    )
    (here / "Snakefile").write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "--cores", "1"],
        cwd=here, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    index = pd.read_csv(here / "saturated/results/plateau/index.csv")
    assert len(index) == 60
    assert set(index["k"]) == {3}
    highest = index.sort_values("s_index")["benchmark_id"].iloc[-1]
    assert (here / "best.txt").read_text().strip() == highest
    assert not (here / "results").exists()
