"""Read one benchmark of the fluid benchmarking data set in its published layout."""

import json

from saturation.files.tables import load_table, write_csv
from studies.adaptive import banks
from studies.files import stages


def main(inputs: stages.Paths, output: stages.Paths, *, benchmark: str, **_wildcards: str) -> None:
    # The data set's own layout, which its reader checks: a column a checkpoint.
    bank, respondents, known = banks.build_from_published(
        load_table(inputs["parameters"]),
        {path.stem: load_table(path) for path in inputs.each("results")},
        str(inputs["parameters"]),
    )
    leaderboard = json.loads(inputs["leaderboard"].read_text(encoding="utf-8"))
    abilities = banks.leaderboard_abilities(leaderboard, benchmark, str(inputs["leaderboard"]))
    write_csv(bank.frame(), output["responses"])
    write_csv(respondents, output["respondents"])
    write_csv(known, output["known"])
    write_csv(abilities, output["abilities"])


stages.run(main, globals())
