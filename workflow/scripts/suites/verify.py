"""Make the embedded suites anew from their pinned sources, and compare every cell."""

from saturation.files.tables import load_json, load_table, write_csv
from studies.files import differences
from studies.files.differences import Pair
from studies.files.stages import Paths, run
from studies.suites import study


def main(inputs: Paths, output: Paths) -> None:
    computed = {
        name: study.compact_open_llm(name, load_table(inputs[f"source_{name}"]))
        for name in (study.V1, study.V2)
    }
    computed[study.HELM] = study.compact_helm(
        load_json(inputs["source_helm"], "take the pinned file")["models"]
    )
    pairs = [Pair(name, load_table(inputs[name]), table) for name, table in computed.items()]
    write_csv(differences.verified(pairs), output["files"])


run(main, globals())
