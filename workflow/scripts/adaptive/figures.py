"""Draw a bank's figures."""

import textwrap

from saturation.adaptive import figures, misfit, schemas
from saturation.files import stages
from saturation.files.tables import write_figures
from saturation.pages import style

# Steps of each test that are drawn.
SELECTED = 50
# Characters a line.
TITLE_WIDTH = 58


def main(inputs: stages.Paths, output: stages.Paths, *, bank: str, synthetic: bool) -> None:
    items = stages.read(inputs["item_table"], schemas.ITEMS)
    ability = stages.read(inputs["abilities"], schemas.ABILITIES)["ability"]
    tests = stages.read(inputs["administrations"], schemas.ADMINISTRATIONS)
    stopping = stages.read(inputs["stopping"], schemas.STOPPING)
    curve = stages.read(inputs["frontier"], schemas.FRONTIER)
    top = stages.read(inputs["top"], schemas.TOP)["ability"]
    tests_of_fit = stages.read(inputs["misfit"], schemas.MISFIT)
    floors = stages.read(inputs["floors"], schemas.FLOORS)
    doubt = misfit.short(tests_of_fit, floors)
    title = f"{figures.called(bank)} ({'synthetic' if synthetic else 'real'} responses)"
    if doubt:
        title += f"\n{textwrap.fill(doubt, TITLE_WIDTH)}"
    with style.style():
        drawn = {
            "item_curves": figures.item_curves(items, ability, title),
            "information_slice": figures.information_slice(items, 0.0, title),
            "selected_items": figures.selected_items(tests, items, SELECTED, title),
            "stopping": figures.stopping(stopping, title),
            "frontier": figures.frontier(curve, ability, top, title),
        }
        write_figures(drawn, output.each("files"))


stages.run(main, globals())
