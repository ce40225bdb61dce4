"""Write the report's front page: findings, the claims in numbers, what the run was made from."""

import json

from saturation.files.tables import load_table, write_text
from studies.dashboard.page import landing, provenance
from studies.files import stages
from studies.files.stages import Paths
from studies.ledger import schemas
from studies.ledger.rules import quoted


def main(inputs: Paths, output: Paths, *, names: list[str]) -> None:
    tables = stages.load_several(inputs.each("quantities"), schemas.QUANTITIES)
    summary, grades = load_table(inputs["summary"]), load_table(inputs["grades"])
    made_from = [
        json.loads(inputs[name].read_text(encoding="utf-8")) for name in ("manifest", "origin")
    ]
    page = landing(
        inputs["page"].read_text(encoding="utf-8"),
        inputs["findings"].read_text(encoding="utf-8"),
        quoted(dict(zip(names, tables, strict=True)), summary, grades),
        summary,
        provenance(*made_from),
    )
    write_text(page, output["files"])


stages.run(main, globals())
