"""Compare the embedded tables of the plateau study with the published sheet, cell by cell."""

from saturation.files.tables import load_table, write_csv
from studies.files import differences, stages
from studies.files.differences import Pair
from studies.files.stages import Paths
from studies.plateau import sources
from studies.plateau.schemas import BENCHMARKS, TOP_SCORES

KEYS = {"benchmarks": ["source_id"], "top_scores": ["source_id", "rank"]}


def main(inputs: Paths, output: Paths) -> None:
    embedded = sources.stated(
        stages.read(inputs["benchmarks"], BENCHMARKS),
        stages.read(inputs["top_scores"], TOP_SCORES),
    )
    # The sheet has no schema: it is pinned by its hash.
    published = sources.parse_source(load_table(inputs["sheet"], dtype=str))
    pairs = []
    for (name, key), carried, source in zip(KEYS.items(), embedded, published, strict=True):
        places = carried[key].assign(place=range(len(carried)))
        ordered = source.merge(places, how="left").sort_values("place").drop(columns="place")
        pairs.append(Pair(inputs[name].name, carried, ordered))
    write_csv(differences.verified(pairs), output["files"])


stages.run(main, globals())
