"""Ask once more whether the indices predict, with SWE-bench's boards beside the others."""

import pandas as pd

from saturation.files.tables import load_table, write_csv
from studies.files import stages
from studies.files.stages import Paths
from studies.forecast import indices, sources


def main(inputs: Paths, output: Paths, *, k: int, alpha: float, bins: int, level: float) -> None:
    others = load_table(inputs["cases"])
    own = sources.cases(sources.results(inputs["boards"]), k, alpha, bins)
    write_csv(own, output["cases"])
    together = pd.concat([others[others["setting"] == "boards"], own], ignore_index=True)
    prediction = indices.prediction(together, level)
    write_csv(prediction[prediction["setting"] == "boards"], output["prediction"])


stages.run(main, globals())
