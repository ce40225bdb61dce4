"""What the bank still measures at the top of its respondents."""

from pathlib import Path

import numpy as np

from saturation.adaptive import frontier, responses
from saturation.files.tables import logged, read_table, write_csv, write_html, write_json

GRID_POINTS = 201
MARGIN = 1.0
MOST_ITEMS = 1000


def main(tables: dict[str, Path], output: dict[str, Path], *, bank: str, top: int) -> None:
    loaded = responses.from_wide(
        read_table(tables["responses"]), str(tables["responses"]), fewest=1
    )
    people, items = read_table(tables["respondents"]), read_table(tables["item_table"])
    ability = read_table(tables["abilities"])["ability"].to_numpy()
    a, b = items["discrimination"].to_numpy(), items["difficulty"].to_numpy()
    grid = np.linspace(ability.min() - MARGIN, ability.max() + MARGIN, GRID_POINTS)
    curve = frontier.curve(grid, a, b)
    best = frontier.top_models(people, ability, top)
    at_top = frontier.curve(ability[best], a, b)
    at_top.insert(0, "respondent", [loaded.respondents[row] for row in best])
    sizes = frontier.ranking_by_size(loaded.responses[best], a, b, ability[best], MOST_ITEMS)
    first, stable = frontier.smallest_set(sizes)
    suspects = items.dropna(subset="suspicion_rank").sort_values("suspicion_rank")
    facts = {
        "n_items": len(items),
        "items_all_right": int(items["all_right"].sum()),
        "items_all_wrong": int(items["all_wrong"].sum()),
        "negative_slope_share": float((items["signed_slope"] < 0).mean()),
        "suspects_beyond_two_se": int((items["slope_z"] < -2).sum()),
        "se_at_top": float(at_top["se"].max()),
        "smallest_gap_at_top": float(-np.diff(at_top["ability"]).max()),
        "smallest_set_first": first,
        "smallest_set_stable": stable,
    }
    write_csv(curve, output["curve"])
    write_csv(at_top, output["top"])
    write_csv(sizes, output["sizes"])
    write_csv(suspects, output["suspects"])
    write_html(suspects.head(50), output["page"], f"Label-error suspects of {bank}: worst 50")
    write_json(facts, output["facts"])


if "snakemake" in globals():
    with logged(snakemake.log[0]):
        main(
            {name: Path(path) for name, path in snakemake.input.items() if name != "code"},
            {name: Path(path) for name, path in snakemake.output.items()},
            bank=snakemake.wildcards.bank,
            top=snakemake.params.top,
        )
