"""Make the embedded tables of public answers from their pinned sources."""

from saturation.files.tables import load_table, write_csv, write_parquet
from studies.files import pickles, stages
from studies.files.stages import Paths
from studies.robustness import sources
from studies.robustness.names import PROMPT_SOURCES, REPEATS, SENSITIVITY, VARIANTS


def main(inputs: Paths, output: Paths) -> None:
    # Others' files: each is read as it is, and checked by the reader of its layout.
    path = {file.stem: file for file in inputs.each("sources")}
    verdicts = sources.variants(
        {title: pickles.load_frame(path[name]) for title, name in VARIANTS.items()}
    )
    scores = sources.prompts({key: load_table(path[name]) for name, key in PROMPT_SOURCES.items()})
    # Names as categories, each written once.
    write_parquet(verdicts.astype(sources.SMALL_VERDICTS), output["variants"])
    write_parquet(scores.astype(sources.SMALL_SCORES), output["prompts"])
    write_csv(sources.repeats(load_table(path[REPEATS])), output["repeats"])
    write_csv(sources.sensitivity(load_table(path[SENSITIVITY])), output["sensitivity"])


stages.run(main, globals())
