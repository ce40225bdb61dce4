"""Another project's model of benchmark progress, fitted to the series of this study.

The hierarchical model of General-Purpose-AI-Policy-Lab/benchmark-forecasting, written anew from its
description: a Harvey curve a benchmark from 0 to a ceiling, skew-normal scores below it whose
spread is widest midway, and priors that all benchmarks share. Left out are human baselines and
ceilings that are known from elsewhere, which our series do not have.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from saturation import seeds
from saturation.forecast import scoring
from saturation.forecast.names import NLP_KIND
from saturation.forecast.scoring import METHOD
from saturation.forecast.series import due
from saturation.forecast.tops import ENTERS, entries

if TYPE_CHECKING:
    import xarray as xr

Floats = NDArray[np.float64]
LOWEST_CEILING = 0.75
CEILING, CEILING_SD = 0.96, 0.02
FEWEST_POINTS = 5
LEAST_SPREAD = 0.01
HARVEY = "harvey"
BEST, RISE, ENTRY = "best", "rise", "entry"
FIRST_ORIGIN, LONGEST = "2023-01-01", 12
ASKED = [
    "about", "horizon", "origin", "series", "benchmark", "date", "method", "best", "observed",
    "crps", "below", "upto",
]  # fmt: skip
HEAD_TO_HEAD = [
    "about", "horizon", "method", "forecasts", "benchmarks", *scoring.limits("crps"),
    *scoring.limits("coverage_80"), *scoring.limits("skill"), "rhat",
]  # fmt: skip
CURVE = ["ceiling", "middle", "rate", "shape", "spread", "skewness"]


class Effort(NamedTuple):
    """How much is drawn."""

    chains: int = 4
    tune: int = 1000
    draws: int = 1000
    target_accept: float = 0.95


class Fitted(NamedTuple):
    """Posterior draws of the curves, each of shape (draws, benchmarks), and how the sampler did."""

    series: list[str]
    begun: pd.Series  # first day of each series
    curves: dict[str, Floats]
    rhat: float

    def scores(self, series: str, days: ArrayLike, rng: np.random.Generator) -> Floats:
        """Predicted scores on days after the series' first; shape (days, draws)."""
        place = self.series.index(series)
        ceiling, middle, rate, shape, spread, skewness = (
            self.curves[name][:, place] for name in CURVE
        )
        time = np.asarray(days, float)[:, None]
        base = np.maximum(1 - (1 - shape) * np.exp(-rate * (time - middle)), 1e-10)
        level = ceiling * base ** (1 / (1 - shape))
        width = LEAST_SPREAD + spread * np.sqrt(level * (ceiling - level)) / (ceiling / 2)
        lean = skewness / np.sqrt(1 + skewness**2)
        first, second = rng.standard_normal((2, *level.shape))
        drawn: Floats = level + width * (lean * np.abs(first) + np.sqrt(1 - lean**2) * second)
        return drawn


def points(frontier: pd.DataFrame, origin: pd.Timestamp) -> pd.DataFrame:
    """Entries into the best three so far up to an origin, of series with enough of them."""
    past = entries(frontier[frontier["date"] <= origin])
    enough = past.groupby("series")["date"].transform("size") >= FEWEST_POINTS
    first = past.groupby("series")["date"].transform("min")
    return past.assign(days=(past["date"] - first).dt.days.astype(float))[enough]


def model(shares: Floats, days: Floats, owner: NDArray[np.int64], names: list[str]) -> Any:
    """The model as PyMC has it; `owner` gives the benchmark of each share."""
    import pymc as pm

    last = pd.Series(days).groupby(owner).max().to_numpy()
    room = 1 - LOWEST_CEILING
    with pm.Model(coords={"series": names}) as built:
        mean = pm.Beta(
            "mean_ceiling", mu=(CEILING - LOWEST_CEILING) / room, sigma=CEILING_SD / room
        )
        sd = pm.HalfNormal("sd_ceiling", CEILING_SD / room)
        possible = pm.math.sqrt(mean * (1 - mean)) - 1e-4
        part = pm.Beta("part", mu=mean, sigma=pm.math.minimum(sd, possible), dims="series")
        ceiling = pm.Deterministic("ceiling", LOWEST_CEILING + room * part, dims="series")
        middle = pm.Gumbel("middle", mu=last / 2, beta=2 * 365, dims="series")
        rate = pm.Gamma(
            "rate", mu=pm.Gamma("mean_rate", mu=0.005, sigma=0.002),
            sigma=pm.HalfNormal("sd_rate", 0.005), dims="series",
        )  # fmt: skip
        beyond = pm.Gamma(
            "beyond", mu=pm.Gamma("mean_shape", mu=1.5, sigma=0.5),
            sigma=pm.HalfNormal("sd_shape", 0.5), dims="series",
        )  # fmt: skip
        shape = pm.Deterministic("shape", 1 + beyond, dims="series")
        mean_spread = pm.Gamma("mean_spread", mu=0.05 + ENTERS / 50, sigma=0.02)
        sd_spread = pm.math.minimum(pm.HalfNormal("sd_spread", 0.05), mean_spread - 1e-6)
        spread = pm.Gamma("spread", mu=mean_spread, sigma=sd_spread, dims="series")
        skewness = pm.TruncatedNormal(
            "skewness", mu=pm.Normal("mean_skewness", -2 - ENTERS / 2, 0.5),
            sigma=pm.HalfNormal("sd_skewness", 1.0), upper=0, dims="series",
        )  # fmt: skip
        own, limit = shape[owner], ceiling[owner]
        risen = pm.math.exp(-rate[owner] * (days - middle[owner]))
        base = pm.math.maximum(1 - (1 - own) * risen, 1e-10)
        level = limit * pm.math.exp(pm.math.log(base) / (1 - own))
        arch = pm.math.sqrt(pm.math.maximum(level * (limit - level), 0)) / (limit / 2)
        width = LEAST_SPREAD + spread[owner] * arch
        pm.CustomDist("score", level, width, skewness[owner], logp=_skew_normal, observed=shares)
    return built


def _skew_normal(value: Any, centre: Any, width: Any, skewness: Any) -> Any:
    """Log density; PyMC's own is log 0 in the far tail, where chains then stay."""
    import pymc as pm

    standard, place = pm.Normal.dist(), (value - centre) / width
    below = pm.logcdf(standard, skewness * place)
    return pm.math.log(2 / width) + pm.logp(standard, place) + below


def fitted(frontier: pd.DataFrame, origin: pd.Timestamp, effort: Effort, seed: int) -> Fitted:
    """The model sampled from what was known at an origin."""
    import nutpie

    past = points(frontier, origin)
    owner, names = pd.factorize(past["series"])
    built = model(past["share"].to_numpy(), past["days"].to_numpy(), owner, list(names))
    trace = nutpie.sample(
        nutpie.compile_pymc_model(built), chains=effort.chains, tune=effort.tune,
        draws=effort.draws, target_accept=effort.target_accept, cores=1, seed=seed,
        progress_bar=False,
    )  # fmt: skip
    drawn = trace.posterior[CURVE].stack(sample=("chain", "draw"))
    return Fitted(
        list(names),
        past.groupby("series")["date"].min(),
        {name: drawn[name].transpose("sample", "series").to_numpy() for name in CURVE},
        largest_rhat(trace.posterior[CURVE]),
    )


def largest_rhat(posterior: "xr.Dataset") -> float:
    """Rank-normalised R-hat of the parameter that mixes worst."""
    import arviz_stats

    # Any: its functions have no types.
    diagnosed: Any = arviz_stats
    return float(diagnosed.rhat(posterior).to_dataarray().max())


def predicted(
    frontier: pd.DataFrame, forecasts: pd.DataFrame, effort: Effort, seed: int
) -> pd.DataFrame:
    """Scores of the model on forecasts that others made too: one row each of these.

    `frontier` has the day on which each benchmark was ``released``; `forecasts` has ``origin,
    series, benchmark, date, about, best, observed``. The best score so far bounds a forecast of the
    best score from below. Adds the ``rhat`` of the fit; forecasts of series with too few points are
    left out.
    """
    tables = []
    for origin, asked in forecasts[forecasts["method"] == METHOD].groupby("origin"):
        day = pd.Timestamp(str(origin))
        there = frontier[frontier["released"] <= day]
        fit = fitted(there, day, effort, seeds.derive(seed, "forecast", HARVEY, str(origin)))
        rng = seeds.generator(seed, "forecast", HARVEY, "scores", str(origin))
        own = asked[asked["series"].isin(fit.series)]
        days = (own["date"] - own["series"].map(fit.begun)).dt.days.to_numpy(float)
        drawn = [fit.scores(name, [day], rng)[0] for name, day in zip(own["series"], days)]
        draws = np.maximum(np.array(drawn), own["best"].fillna(-np.inf).to_numpy()[:, None])
        observed = own["observed"].to_numpy(float)
        scored = own.assign(
            crps=scoring.crps(draws, observed),
            **scoring.transform(draws, observed)._asdict(),
            rhat=fit.rhat,
        )
        tables.append(scored)
    return pd.concat(tables, ignore_index=True)


def asked(backtest: pd.DataFrame, after: pd.DataFrame, cutoff: str) -> pd.DataFrame:
    """Past forecasts and those after the cutoff, of every method, in one layout.

    A best score and a rise of it cannot lie below the best so far; other entries can.
    """
    past = backtest[~backtest["abstains"] & (backtest["origin"] >= FIRST_ORIGIN)]
    past = past[(past["kind"] != NLP_KIND) & (past["horizon"] <= LONGEST)]
    past = past.assign(date=due(past, "horizon"), about=BEST)
    stays = after[after["method"] == "persistence"].set_index(["series", "date"])["predicted"]
    later = after.join(stays.rename("best"), on=["series", "date"])
    later = later.assign(origin=cutoff, horizon=0, date=pd.to_datetime(later["date"]))
    rises = later[later["rise"]].assign(about=RISE)
    entered = later.assign(about=ENTRY, best=np.nan)
    return pd.concat([past, rises, entered], ignore_index=True)[ASKED]


def compared(others: pd.DataFrame, own: pd.DataFrame, level: float) -> pd.DataFrame:
    """Mean scores of the model and of every other method on the same forecasts.

    Columns `HEAD_TO_HEAD`; ``skill`` is that of this study's forecasts against the row's,
    ``rhat`` the largest of the fits behind the row.
    """
    key = ["about", "horizon", "origin", "series", "date"]
    both = pd.concat([others.merge(own[key], on=key), own.assign(method=HARVEY)])
    rows = []
    for (about, horizon), part in both.groupby(["about", "horizon"]):
        mine = part[part["method"] == METHOD].set_index(key)["crps"]
        for method, each in part.groupby("method"):
            pair = pd.DataFrame(
                {
                    "score": mine.reindex(pd.MultiIndex.from_frame(each[key])).to_numpy(),
                    "reference": each["crps"].to_numpy(),
                    "cluster": each["benchmark"].to_numpy(),
                }
            )
            scored = scoring.scored_with_limits(each, level)
            skill = scoring.skill(pair, level)
            rows.append([about, horizon, method, *scored, *skill, part["rhat"].max()])
    return pd.DataFrame(rows, columns=HEAD_TO_HEAD)
