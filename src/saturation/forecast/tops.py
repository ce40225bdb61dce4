"""When is the top of a benchmark indistinguishable? Its first and its k-th score, month by month.

The best score follows its forecast. Below it come the entries of months like those that were seen,
each as far below the best score of its month, in logits, as an entry was then. What came of earlier
forecasts moves the probabilities of later ones: by one shift of their log odds, learnt from
outcomes that were known.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import scipy
from numpy.typing import NDArray

from saturation import seeds
from saturation.forecast import models, schemas, scoring
from saturation.forecast.backtest import FEWEST_TO_POOL, Settings, known
from saturation.forecast.models import LOGISTIC
from saturation.forecast.names import NLP
from saturation.forecast.outlook import MONTHS, MONTHS_AHEAD, forecast, shared
from saturation.forecast.scoring import METHOD
from saturation.forecast.series import due, months_after, months_between
from saturation.index import ALPHA, EPSILON, SATURATED_FROM, GapModel, K

Floats = NDArray[np.float64]
# Months whose entries are drawn again.
LOOK_BACK = 24
# Test-set size at which past tops are judged: that of most public benchmarks is not stated.
N_ITEMS = 500
AHEAD = (6, 12)
# A score enters the best so far if it is among as many.
ENTERS = 3
# There and back on a scale, a score that did not rise may differ by so little.
ROUNDING = 1e-9
# Spread of the shift's prior around none, in log odds.
SHIFT_SD = 1.0
# A share of draws is no nearer to 0 or 1 than this.
EDGE = 0.01
CASES = [
    "origin", "series", "benchmark", "ahead", "s_index", "drawn", "probability", "came", "brier",
]  # fmt: skip
TOPS = [
    "ahead", "forecasts", "benchmarks", "drawn", "said", *scoring.limits("came"),
    *scoring.limits("error"), *scoring.limits("skill"), "shift",
]  # fmt: skip
AFTER = [
    "series", "benchmark", "date", "months", "rise", "method", "observed", "predicted", "crps",
    "below", "upto",
]  # fmt: skip


@dataclass(frozen=True)
class Bar:
    """When a top counts as indistinguishable: its saturation index reaches a threshold."""

    n_items: float  # size of the test set
    k: int = K
    alpha: float = ALPHA
    epsilon: float = EPSILON
    threshold: float = SATURATED_FROM
    floor: float = 0.0  # expected score of guessing, which shares of the usable range leave out

    def index(self, first: Floats, kth: Floats) -> Floats:
        """Saturation index of shares of the usable range, of any shape."""
        s_1, s_k = (self.floor + (1 - self.floor) * shares for shares in (first, kth))
        return GapModel.of_scores(s_1, s_k, self.n_items, self.alpha, self.epsilon).index()


class Top(NamedTuple):
    """What was known of a top at an origin, in logits."""

    places: Floats  # of the k best models, falling; shape (k,)
    # How far below the best score of its month each of the best k entries of past months lay, apart
    # from the one that set it; minus infinity where there was none. Shape (months, k).
    below: Floats
    led: NDArray[np.bool_]  # whether the month had a new best score; shape (months,)


def top(entries: pd.DataFrame, origin: pd.Timestamp, k: int) -> Top | None:
    """The top at an origin and the months before; None with fewer than k models."""
    best = best_by(entries, origin)
    if len(best) < k:
        return None
    past = entries[entries["date"] <= origin]
    place = LOGISTIC.steps(past["share"])
    age = np.floor(-months_between(origin, past["date"])).astype(int)
    below = np.full((min(int(age.max()) + 1, LOOK_BACK), k), -np.inf)
    led = np.zeros(len(below), dtype=bool)
    for month in range(len(below)):
        ahead = place[age >= month].max()
        before = place[age > month].max(initial=-np.inf)
        own = np.sort(place[age == month] - ahead)[::-1]
        # The forecast of the best score has its leaders already.
        led[month] = ahead > before
        own = own[1:] if led[month] else own
        below[month, : min(len(own), k)] = own[:k]
    return Top(LOGISTIC.steps(best[:k]), below, led)


def best_by(entries: pd.DataFrame, day: pd.Timestamp) -> Floats:
    """The best share of each model up to a day, falling."""
    past = (entries["date"] <= day).to_numpy()
    shares, names = entries["share"].to_numpy(float)[past], entries["model"].to_numpy()[past]
    falling = np.argsort(-shares)
    _, first = np.unique(names[falling], return_index=True)
    return shares[falling][np.sort(first)]


def paths(known_top: Top, best: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Draws of the first and the k-th share of the usable range in each month ahead."""
    draws, months = best.shape
    k = len(known_top.places)
    places = LOGISTIC.steps(best)
    held = np.tile(known_top.places, (draws, 1))
    kth = np.empty((draws, months))
    for month in range(months):
        leads = places[:, month] > held.max(axis=1) + ROUNDING
        entered = places[:, [month]] + known_top.below[_again(known_top, leads, rng)]
        leader = np.where(leads, places[:, month], -np.inf)
        held = -np.partition(-np.column_stack([held, leader, entered]), k - 1, axis=1)[:, :k]
        kth[:, month] = held.min(axis=1)
    return best, np.minimum(LOGISTIC.shares(kth), best)


def forecast_again(series: pd.DataFrame, scores: pd.DataFrame) -> pd.DataFrame:
    """The series whose tops can be forecast again: all models' scores and the release are known."""
    whole = series["series"].isin(scores["series"]) & (series["source"] != NLP)
    return series[whole & series["reason"].isna() & series["released"].notna()]


def backtest(
    series: pd.DataFrame,
    frontier: pd.DataFrame,
    entries: pd.DataFrame,
    weights: pd.DataFrame,
    settings: Settings,
) -> pd.DataFrame:
    """Probability that a top becomes indistinguishable, forecast again at past origins.

    Columns `CASES`: tops that were still separated at the origin, judged as if the test set
    had `N_ITEMS` items.
    """
    # Comparing numbers is faster than comparing names.
    numbered = entries.assign(model=pd.factorize(entries["model"])[0])
    parts = {str(name): part for name, part in numbered.groupby("series")}
    rows: list[dict[str, Any]] = []
    for origin, own in weights.groupby("origin"):
        day = pd.Timestamp(str(origin))
        what = known(series, frontier, day)
        if what.reasons.count("") < FEWEST_TO_POOL:
            continue
        rng = seeds.generator(settings.seed, "forecast", "tops", str(origin))
        kept = shared(what, own)
        best = forecast(kept, what.histories, MONTHS_AHEAD, settings.draws, rng)
        for row, reason, draws in zip(what.rows, what.reasons, best, strict=True):
            if not reason:
                rows += _cases(row, parts[row["series"]], day, draws, rng)
    return shifted(pd.DataFrame(rows, columns=CASES))


def shift(drawn: Floats, came: Floats) -> float:
    """How far what came lay from the draws, in log odds: the mode under a normal prior."""
    odds = scipy.special.logit(drawn.clip(EDGE, 1 - EDGE))

    def negative_log_likelihood(moved: float) -> float:
        likely = scipy.special.expit((odds + moved) * np.where(came, 1, -1))
        return float((moved / SHIFT_SD) ** 2 / 2 - np.log(likely).sum())

    # The prior alone holds it within a few of its spreads, whatever came.
    return float(
        scipy.optimize.minimize_scalar(negative_log_likelihood, bounds=(-9, 9), method="bounded").x
    )


def shifted(cases: pd.DataFrame) -> pd.DataFrame:
    """Cases with the probability that earlier outcomes make of the draws, and its Brier score."""
    ends = due(cases, "ahead")
    probability = pd.Series(0.0, cases.index)
    for origin, own in cases.groupby("origin"):
        past = cases[ends <= pd.Timestamp(str(origin))]
        moved = shift(past["drawn"].to_numpy(float), past["came"].to_numpy(float))
        odds = scipy.special.logit(own["drawn"].astype(float).clip(EDGE, 1 - EDGE))
        probability[own.index] = scipy.special.expit(odds + moved)
    brier = (probability - cases["came"].astype(float)) ** 2
    return cases.assign(probability=probability, brier=brier)


def hastened(there: NDArray[np.bool_], moved: float) -> NDArray[np.bool_]:
    """Draws whose probability of having come by each month has other log odds.

    As many draws, in the order of the month in which they came.
    """
    draws, months = there.shape
    first = np.sort(np.where(there.any(axis=1), there.argmax(axis=1), months))
    middle = (np.arange(draws) + 0.5) / draws
    taken = scipy.special.expit(scipy.special.logit(middle) - moved)
    return np.asarray(first[(taken * draws).astype(int)][:, None] <= np.arange(months))


def accuracy(cases: pd.DataFrame, level: float) -> pd.DataFrame:
    """How often tops became indistinguishable, beside what was said, by months ahead.

    Columns of `TOPS`: the means of draws and of what was said, the share that came, the Brier score
    (``error``), how much smaller it is than that of always saying that share, and the ``shift``
    that all cases together teach, for forecasts from now on.
    """
    moved = shift(cases["drawn"].to_numpy(float), cases["came"].to_numpy(float))
    rows = []
    for ahead, own in cases.groupby("ahead"):
        clusters, came = own["benchmark"].to_numpy(), own["came"].to_numpy(float)
        rate = float(came.mean())
        pair = own.assign(score=own["brier"], reference=(came - rate) ** 2, cluster=clusters)
        rows.append(
            [
                ahead,
                len(own),
                own["benchmark"].nunique(),
                float(own["drawn"].mean()),
                float(own["probability"].mean()),
                *scoring.clustered_share(came, clusters, level),
                *scoring.clustered_mean(own["brier"], clusters, level),
                *scoring.skill(pair, level),
                moved,
            ]
        )
    return pd.DataFrame(rows, columns=TOPS)


def after(
    series: pd.DataFrame,
    frontier: pd.DataFrame,
    weights: pd.DataFrame,
    origin: pd.Timestamp,
    settings: Settings,
) -> pd.DataFrame:
    """Forecasts from a cutoff, beside each later entry into the best scores, up to two years.

    Columns of `AFTER`; ``rise`` marks entries that beat all before. A date is forecast by the next
    whole month's draws.
    """
    what = known(series[series["released"].notna()], frontier, origin)
    end = months_after(origin, MONTHS)
    then = entries(frontier)
    then = then[(then["date"] > origin) & (then["date"] <= end)]
    scored_later = {str(name): part for name, part in then.groupby("series")}
    made = what.made()
    asked = made.of(row["series"] in scored_later for row in made.rows)
    if not asked.rows:
        return pd.DataFrame(columns=AFTER)
    rng = seeds.generator(settings.seed, "forecast", "peer")
    kept = shared(what, weights)
    methods = {METHOD: forecast(kept, asked.histories, MONTHS_AHEAD, settings.draws, rng)}
    methods |= models.compared(made.histories, asked.histories, MONTHS_AHEAD, settings.draws, rng)
    tables = []
    for place, row in enumerate(asked.rows):
        own = scored_later[row["series"]]
        ahead = months_between(origin, own["date"])
        month, observed = np.ceil(ahead).astype(int) - 1, own["share"].to_numpy(float)
        for name, draws in methods.items():
            own_draws = draws[place][:, month].T
            tables.append(
                pd.DataFrame(
                    {
                        "series": row["series"],
                        "benchmark": row["benchmark"],
                        "date": own["date"].to_numpy(),
                        "months": ahead,
                        "rise": own["rise"].to_numpy(),
                        "method": name,
                        "observed": observed,
                        "predicted": np.median(own_draws, axis=1),
                        "crps": scoring.crps(own_draws, observed),
                        **scoring.transform(own_draws, observed)._asdict(),
                    }
                )
            )
    return pd.concat(tables, ignore_index=True)


def entries(frontier: pd.DataFrame) -> pd.DataFrame:
    """Days whose best share was among the three best so far; ``rise`` where it beat all of them."""
    by = frontier.groupby("series")
    rank = by["share"].expanding().rank(ascending=False, method="max").droplevel(0)
    risen = frontier["best"] > by["best"].shift()
    return frontier.assign(rise=risen)[rank.reindex(frontier.index) <= ENTERS]


def compared(table: pd.DataFrame, level: float) -> pd.DataFrame:
    """Mean score and coverage of each method at the cutoff, with intervals over benchmarks."""
    rows = []
    events = pd.concat([table[table["rise"]].assign(event="rise"), table.assign(event="entry")])
    for (event, method), own in events.groupby(["event", "method"], sort=False):
        rows.append([event, method, *scoring.scored_with_limits(own, level)])
    return pd.DataFrame(rows, columns=list(schemas.PEER.columns))


def _again(known_top: Top, leads: NDArray[np.bool_], rng: np.random.Generator) -> NDArray[np.int64]:
    """Months to draw again: with a new best score for one that has one, if there were such."""
    chosen = np.empty(len(leads), dtype=np.int64)
    for new in (True, False):
        same_lead = np.flatnonzero(known_top.led == new)
        same_lead = same_lead if len(same_lead) else np.arange(len(known_top.led))
        chosen[leads == new] = same_lead[
            rng.integers(len(same_lead), size=int((leads == new).sum()))
        ]
    return chosen


def _cases(
    row: Mapping[str, Any],
    entries: pd.DataFrame,
    origin: pd.Timestamp,
    best: Floats,
    rng: np.random.Generator,
) -> list[dict[str, Any]]:
    bar = Bar(N_ITEMS, floor=row["floor"])
    known_top = top(entries, origin, bar.k)
    if known_top is None:
        return []
    now = float(_index(bar, entries, origin))
    if now >= bar.threshold:
        return []
    there = bar.index(*paths(known_top, best, rng)) >= bar.threshold
    about = {"origin": f"{origin:%Y-%m-%d}", "series": row["series"]}
    about |= {"benchmark": row["benchmark"], "s_index": now}
    cases = []
    for ahead in AHEAD:
        ends = [months_after(origin, month) for month in range(1, ahead + 1)]
        if row["observed_until"] < ends[-1]:
            continue
        said = float(there[:, :ahead].any(axis=1).mean())
        came = any(_index(bar, entries, end) >= bar.threshold for end in ends)
        cases.append({**about, "ahead": ahead, "drawn": said, "came": came})
    return cases


def _index(bar: Bar, entries: pd.DataFrame, day: pd.Timestamp) -> float:
    best = best_by(entries, day)
    return float(bar.index(best[0], best[bar.k - 1]))
