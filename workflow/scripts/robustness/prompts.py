"""What paraphrases of an instruction do to scores, task by task."""

from saturation.files import stages
from saturation.files.stages import Paths
from saturation.files.tables import write_csv, write_html
from saturation.robustness import consistency, schemas


def main(inputs: Paths, output: Paths) -> None:
    scores = stages.read(inputs["scores"], schemas.PROMPT_SCORES)
    tests = consistency.tests(scores)
    write_csv(tests, output["prompts"])
    write_html(tests, output["html"], "Analysis of variance: model and paraphrase")
    write_csv(consistency.spreads(scores), output["spreads"])


stages.run(main, globals())
