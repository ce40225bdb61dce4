"""Tables 1-3 over a collection's banks, and its headline numbers."""

from saturation.adaptive import schemas, study
from saturation.files import stages
from saturation.files.tables import write_csv, write_html, write_markdown
from saturation.quantity import frame

TITLES = {
    "table1": "Baselines beside adaptive tests of the same length",
    "table2": "Random items, random items with abilities, adaptive tests",
    "table3": "The same by benchmark",
}


def main(
    inputs: stages.Paths,
    output: stages.Paths,
    *,
    collection: str,
    banks: list[str],
    seed: int,
    synthetic: bool,
) -> None:
    models = stages.read_each(inputs.each("models"), schemas.MODELS)
    measured = stages.read_each(inputs.each("quality"), schemas.QUALITY)
    tables = study.paper_tables(
        collection,
        dict(zip(banks, models)),
        dict(zip(banks, measured)),
        seed=seed,
        synthetic=synthetic,
    )
    if tables.left_out:
        print(f"not averaged over, for want of a partner or of items: {', '.join(tables.left_out)}")
    label = " (synthetic)" if synthetic else ""
    for name, title in TITLES.items():
        table = getattr(tables, name)
        write_csv(table, output[f"{name}_csv"])
        write_markdown(table, output[f"{name}_md"], f"{title}: {collection}{label}")
        write_html(table, output[f"{name}_html"], f"{title}: {collection}{label}")
    write_csv(tables.summary, output["summary"])
    write_csv(tables.contrasts, output["contrasts"])
    headline = [
        *study.of_collection(collection, tables.summary),
        *study.of_contrasts(collection, tables.contrasts),
    ]
    write_csv(frame(headline), output["quantities"])


stages.run(main, globals())
