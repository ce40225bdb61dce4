"""What figures draw, and the numbers in their titles."""

import numpy as np
import pandas as pd
import pytest

from studies.adaptive import evaluation, figures


def test_figures_are_those_that_were_read_through(evaluated, figures_as_reviewed):
    compared = evaluation.comparable(evaluated[4].assign(bank="one"))
    summary = evaluation.summarise(compared, np.random.default_rng(0))
    figures_as_reviewed("adaptive", {"quality": figures.quality(summary, "mine")})


@pytest.mark.parametrize(("at_50", "enough"), [(1.0, True), (2.0, True), (2.1, False)])
def test_the_title_says_how_few_items_are_enough(at_50, enough):
    rows = [("random", 10, 5.0), ("random", 500, 2.0)]
    rows += [("fluid", 10, 3.0), ("fluid", 50, at_50), ("fluid", 500, 2.5)]
    table = pd.DataFrame(rows, columns=["method", "n_items", "value"])
    table = table.assign(measure="rank_distance", lower=1.0, upper=6.0, n_models=18)
    title = figures.quality(table, "mine").get_suptitle()
    assert ("50 adaptive items rank about as well as 500 random ones" in title) == enough
