"""Another project's model: which points it takes, its curve, and who is compared with whom."""

import numpy as np
import pandas as pd
import pymc as pm
import pytest
import xarray as xr
from scipy import stats

from saturation.forecast.names import NLP_KIND
from saturation.forecast.series import months_after
from saturation.forecast.tops import entries
from studies.forecast import harvey


def test_entries_are_the_best_three_so_far():
    shares = [0.2, 0.1, 0.05, 0.04, 0.3, 0.2, 0.2, 0.4]
    days = pd.date_range("2024-01-01", periods=len(shares))
    frontier = pd.DataFrame({"series": "a", "date": days, "share": shares})
    frontier["best"] = frontier["share"].cummax()
    found = entries(frontier)
    assert found["share"].tolist() == [0.2, 0.1, 0.05, 0.3, 0.2, 0.4]
    assert found["rise"].tolist() == [False, False, False, True, False, True]
    assert len(harvey.points(frontier, days[5])) == 5
    assert harvey.points(frontier, days[4]).empty


CURVES = {
    "ceiling": [0.9, 0.95], "middle": [300.0, 500.0], "rate": [0.01, 0.004], "shape": [2.0, 1.4],
    "spread": [0.05, 0.1], "skewness": [-3.0, -0.5],
}  # fmt: skip


def fit(draws=1):
    curves = {name: np.tile(values, (draws, 1)) for name, values in CURVES.items()}
    begun = pd.Series(pd.Timestamp("2024-01-01"), ["a", "b"])
    return harvey.Fitted(["a", "b"], begun, curves, 1.0)


def law(place, day):
    """Skew-normal law of the score, from the paper's formulas."""
    own = {name: values[place] for name, values in CURVES.items()}
    power = 1 / (1 - own["shape"])
    sigmoid = (1 - (1 - own["shape"]) * np.exp(-own["rate"] * (day - own["middle"]))) ** power
    level = own["ceiling"] * sigmoid
    width = 0.01 + own["spread"] * 2 * np.sqrt(sigmoid * (1 - sigmoid))
    return stats.skewnorm(own["skewness"], level, width)


@pytest.mark.parametrize(("name", "place"), [("a", 0), ("b", 1)])
def test_predicted_scores_have_the_model_s_law(name, place):
    drawn = fit(20_000).scores(name, [200, 700], np.random.default_rng(1))
    for day, own in zip((200, 700), drawn, strict=True):
        assert stats.kstest(own, law(place, day).cdf).pvalue > 0.001
    if name == "a":  # with shape 2 the curve is logistic
        middle = 0.9 / (1 + np.exp(-0.01 * (200 - 300)))
        assert law(0, 200).args[1] == pytest.approx(middle)


def gamma(mean, sd):
    return stats.gamma((mean / sd) ** 2, scale=sd**2 / mean)


# Of a ceiling: 0.84 of the way from 0.75 to 1, give or take 0.08, is 0.96 give or take 0.02.
PRIORS = {
    "mean_ceiling": stats.beta(16.8, 3.2), "sd_ceiling": stats.halfnorm(scale=0.08),
    "mean_rate": gamma(0.005, 0.002), "sd_rate": stats.halfnorm(scale=0.005),
    "mean_shape": gamma(1.5, 0.5), "sd_shape": stats.halfnorm(scale=0.5),
    "mean_spread": gamma(0.11, 0.02), "sd_spread": stats.halfnorm(scale=0.05),
    "mean_skewness": stats.norm(-3.5, 0.5), "sd_skewness": stats.halfnorm(scale=1),
}  # fmt: skip


def test_the_sampled_model_has_the_same_likelihood_and_priors():
    days, owner = np.array([0.0, 400, 0, 900]), np.array([0, 0, 1, 1])
    shares = np.array([0.05, 0.6, 0.1, 0.7])
    built = harvey.model(shares, days, owner, ["a", "b"])
    wanted = sum(law(o, d).logpdf(s) for o, d, s in zip(owner, days, shares, strict=True))
    values = {
        "part": (np.array(CURVES["ceiling"]) - 0.75) / 0.25, "middle": CURVES["middle"],
        "rate": CURVES["rate"], "beyond": np.array(CURVES["shape"]) - 1,
        "spread": CURVES["spread"], "skewness": CURVES["skewness"],
    }  # fmt: skip
    held = pm.do(built, {name: np.array(value) for name, value in values.items()})
    density = held.compile_logp(vars=[held["score"]])
    assert density(held.initial_point()) == pytest.approx(wanted)
    for name, prior in PRIORS.items():
        found = pm.logp(built[name], prior.mean()).eval()
        assert found == pytest.approx(prior.logpdf(prior.mean()), rel=1e-5), name
    # The far tail keeps its density.
    far = harvey._skew_normal(np.array([0.9, 0.3]), 0.5, 0.02, -3.0).eval()
    assert far == pytest.approx(stats.skewnorm(-3, 0.5, 0.02).logpdf([0.9, 0.3]))


def test_one_chain_that_stays_elsewhere_is_seen_in_the_largest_rhat():
    draws = np.random.default_rng(1).normal(size=(4, 500, 3))
    posterior = xr.Dataset({"rate": (("chain", "draw", "series"), draws)})
    assert harvey.largest_rhat(posterior) < 1.02
    draws[1, :, 2] += 3
    assert harvey.largest_rhat(posterior) > 1.3


def test_methods_are_compared_on_the_same_forecasts(monkeypatch):
    day = pd.Timestamp("2024-06-01")
    rows = [
        ["best", 3, "2024-01-01", name, name, day, method, 0.3, 0.4, error, 0.1, 0.2]
        for name in ("a", "b", "few")
        for method, error in (("records", 0.02), ("trend", 0.04))
    ]
    others = pd.DataFrame(rows, columns=harvey.ASKED)
    monkeypatch.setattr(harvey, "fitted", lambda *_: fit(500))
    frontier = pd.DataFrame({"released": [day]})
    own = harvey.predicted(frontier, others, harvey.Effort(), 1)
    assert own["series"].tolist() == ["a", "b"]
    table = harvey.compared(others, own, 0.95).set_index("method")
    assert (table["forecasts"] == 2).all()
    assert table.loc["trend", "skill"] == pytest.approx(0.5)
    assert table.loc["harvey", "crps"] == pytest.approx(own["crps"].mean())


def test_what_is_asked_has_its_day_and_only_rises_are_bounded():
    past = pd.DataFrame(
        {
            "origin": ["2024-01-01", "2024-01-01", "2022-09-01", "2024-01-01", "2024-01-01"],
            "series": list("abcde"), "benchmark": list("abcde"), "horizon": [6, 6, 6, 24, 6],
            "kind": ["code", "code", "code", "code", NLP_KIND], "method": "records",
            "abstains": [False, True, False, False, False], "best": 0.3, "observed": 0.4,
            "crps": 0.1, "below": 0.1, "upto": 0.2,
        }
    )  # fmt: skip
    after = pd.DataFrame(
        {
            "series": "a", "benchmark": "a", "date": ["2025-02-01", "2025-03-01"] * 2,
            "rise": [True, False] * 2, "method": ["persistence"] * 2 + ["records"] * 2,
            "predicted": [0.5, 0.5, 0.6, 0.6], "observed": [0.7, 0.4] * 2, "crps": 0.1,
            "below": 0.1, "upto": 0.2,
        }
    )  # fmt: skip
    found = harvey.asked(past, after, "2025-01-01").query("method == 'records'")
    assert found["about"].tolist() == ["best", "rise", "entry", "entry"]
    assert found["series"].tolist() == ["a"] * 4
    assert found["date"].iloc[0] == months_after(pd.Timestamp("2024-01-01"), 6)
    assert found["date"].iloc[1] == pd.Timestamp("2025-02-01")
    assert found["best"].iloc[:2].tolist() == [0.3, 0.5]
    assert found["best"].iloc[2:].isna().all()


def test_a_prediction_lies_not_below_the_best_and_knows_no_later_benchmark(monkeypatch):
    seen = []
    monkeypatch.setattr(harvey, "fitted", lambda there, *_: seen.append(there) or fit(300))
    days = pd.to_datetime(["2024-01-01", "2024-09-01"])
    frontier = pd.DataFrame({"series": ["a", "b"], "released": days})
    rows = [
        ["best", 3, origin, "a", "a", pd.Timestamp("2024-06-01"), "records", best, 0.97, 0, 0, 0]
        for origin, best in (("2024-05-01", 0.97), ("2024-10-01", np.nan))
    ]
    forecasts = pd.DataFrame(rows, columns=harvey.ASKED)
    own = harvey.predicted(frontier, forecasts, harvey.Effort(), 1)
    assert [len(there) for there in seen] == [1, 2]
    assert own["crps"].iloc[0] < 0.02 < own["crps"].iloc[1]
    assert own["below"].iloc[0] == 0
