"""Draw how good the adaptive tests of collections are."""

from collections.abc import Mapping, Sequence

from saturation.files.tables import load_table
from studies import style
from studies.adaptive import figures
from studies.files import stages
from studies.style import write_figures


def main(
    inputs: stages.Paths,
    output: stages.Paths,
    *,
    collections: Mapping[str, Sequence[str]],
) -> None:
    with style.style():
        for path in inputs.each("summaries"):
            collection = path.parent.name
            title = f"{figures.name_bank(collection)}, {len(collections[collection])} benchmarks "
            summary = load_table(path)
            drawn = {"quality": figures.quality(summary, title + "(real responses)")}
            files = [file for file in output.each("files") if file.parent.name == collection]
            write_figures(drawn, files)


stages.run(main, globals())
