"""What the bank still measures at the top of its respondents."""

from saturation.adaptive import frontier, responses, schemas
from saturation.files import stages
from saturation.files.tables import write_csv, write_html, write_json

# Suspects on the page; the table has all.
SHOWN = 50


def main(inputs: stages.Paths, output: stages.Paths, *, bank: str, top: int) -> None:
    cells = stages.read(inputs["responses"], schemas.WIDE_RESPONSES)
    at_top = frontier.frontier(
        responses.from_wide(cells, str(inputs["responses"]), fewest=1),
        stages.read(inputs["respondents"], schemas.ANSWERED),
        stages.read(inputs["item_table"], schemas.ITEMS),
        stages.read(inputs["abilities"], schemas.ABILITIES)["ability"].to_numpy(),
        top,
    )
    for name in ("curve", "top", "sizes", "suspects"):
        write_csv(getattr(at_top, name), output[name])
    title = f"Label-error suspects of {bank}: worst {SHOWN}"
    write_html(at_top.suspects.head(SHOWN), output["page"], title)
    write_json(at_top.facts, output["facts"])


stages.run(main, globals())
