"""Which benchmarks each effect is computed from."""

import numpy as np
import pytest

from saturation.plateau.controls import ADJUSTED, CONCLUSIONS, RANK, Sample, contrast, samples
from saturation.plateau.groupings import READINGS
from saturation.plateau.names import HYPOTHESES


def test_every_effect_is_a_reading_of_a_hypothesis_or_a_column(data):
    for conclusion in CONCLUSIONS.values():
        if conclusion.measure == RANK:
            assert conclusion.variable in data
        else:
            assert len(READINGS[conclusion.variable, conclusion.grouping].groups) == 2
    compared = {row.variable for row in CONCLUSIONS.values()}
    assert set(HYPOTHESES) - {"h5"} <= compared
    assert {"citations", "n_test"} <= compared


def test_the_samples_are_the_groups_of_the_study(data):
    chosen = samples(data)
    assert set(chosen) == {
        (name, adjusted)
        for name in CONCLUSIONS
        for adjusted in ADJUSTED
        if (name, adjusted) != ("age", "age")
    }
    language = chosen["h2", "age"]
    assert language.variable.sum() == 44
    assert len(language.rows) == 60
    assert (data["english_only"].to_numpy()[language.rows] == language.variable).all()
    assert language.given[:, 0] == pytest.approx(data["months_at_observation"].to_numpy())
    assert chosen["h2", "none"].given.shape == (60, 0)
    # ANLI has no output format, seven benchmarks have no count of citations.
    assert len(chosen["h4", "none"].rows) == 59
    cited = chosen["citations", "none"]
    assert len(cited.rows) == 53
    assert (cited.variable == data["citations"].astype(float).to_numpy()[cited.rows]).all()


def test_the_contrast_gives_the_least_squares_slope():
    rng = np.random.default_rng(0)
    variable, age, outcome = (np.arange(9) < 4) * 1.0, rng.uniform(1, 60, 9), rng.normal(size=9)
    plain = Sample(np.arange(9), variable, np.empty((9, 0)))
    difference = outcome[:4].mean() - outcome[4:].mean()
    assert outcome @ contrast(plain) == pytest.approx(difference)
    adjusted = Sample(np.arange(9), variable, age[:, None])
    design = np.column_stack([np.ones(9), variable, age])
    slope = np.linalg.lstsq(design, outcome)[0][1]
    assert outcome @ contrast(adjusted) == pytest.approx(slope)
    assert np.isnan(contrast(plain._replace(variable=np.ones(9)))).all()
