"""Make the embedded table of checked questions anew, and compare every cell."""

from saturation.files.tables import load_table, write_csv
from studies.files import differences
from studies.files.differences import Pair
from studies.files.stages import Paths, run
from studies.review import study


def main(inputs: Paths, output: Paths) -> None:
    source = study.compact(load_table(inputs["source"]))
    pairs = [
        Pair("mmlu_redux", load_table(inputs["questions"]), source),
        Pair("weights", load_table(inputs["weights"]), load_table(inputs["learned"])),
    ]
    write_csv(differences.verified(pairs), output["files"])


run(main, globals())
