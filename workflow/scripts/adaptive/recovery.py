"""How well the fit of a synthetic bank recovers its truth: a table and a figure."""

from saturation.adaptive import figures, schemas, synthetic
from saturation.files import stages
from saturation.files.tables import write_csv, write_figure
from saturation.pages import style


def main(inputs: stages.Paths, output: stages.Paths, *, synthetic_bank: str) -> None:
    items = stages.read(inputs["item_table"], schemas.ITEMS)
    true_items = stages.read(inputs["true_items"], schemas.TRUE_ITEMS)
    table = synthetic.recovery(
        items,
        stages.read(inputs["abilities"], schemas.ABILITIES),
        true_items,
        stages.read(inputs["true_abilities"], schemas.TRUE_ABILITIES),
    )
    write_csv(table.assign(synthetic=True), output["table"])
    with style.style():
        title = f"{figures.called(synthetic_bank)} (synthetic responses)"
        figure = figures.recovered(true_items, items, title)
        write_figure(figure, [output[kind] for kind in ("png", "pdf", "svg")])


stages.run(main, globals())
