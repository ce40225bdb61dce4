"""The forecasts of how long benchmarks last, as one function, and their headline numbers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd

from saturation import quantity, seeds
from saturation.files.schema import validate
from saturation.files.tables import as_written
from saturation.forecast import backtest, outlook, scoring, tops
from saturation.forecast import series as dated_series
from saturation.forecast.names import NLP, NLP_KIND
from saturation.forecast.schemas import DESCRIBED, FRONTIER
from saturation.forecast.scoring import AS_KNOWN, LAST_YEAR, METHOD, RECENT
from saturation.forecast.series import due, months_after
from saturation.quantity import Quantity
from studies.forecast import indices, lifespans, sources
from studies.forecast.lifespans import CHANGE

# Groups of benchmarks with what their numbers' names begin with.
GROUPS = {RECENT: "", NLP_KIND: "nlp_", LAST_YEAR: "last_year_", AS_KNOWN: "as_known_"}
COVERAGE = ("coverage_50", "coverage_80", "coverage_95")
# Later than the first boards: what is older has only its records.
RECENT_FROM = "2023-01-01"


@dataclass(frozen=True)
class Inputs:
    """What the forecasts are made from."""

    # series, scores: the embedded series and their dated scores
    series: pd.DataFrame
    scores: pd.DataFrame
    boards: pd.DataFrame  # best scores of the two Open LLM Leaderboards by month
    benchmarks: pd.DataFrame  # the annotated benchmarks as the plateau study prepares them
    kept: pd.DataFrame  # forecasts that earlier runs kept
    # monthly, index: monthly metrics and indices of the discriminability study; None where it ran
    # on another leaderboard or other windows
    monthly: pd.DataFrame | None = None
    index: pd.DataFrame | None = None


@dataclass(frozen=True)
class Settings:
    """Settings of the study."""

    # as_of, cutoff: days from which forecasts start: today's, and those compared with printed
    # scores
    as_of: str
    cutoff: str
    # first_origin, last_origin, origin_months: the days from which past forecasts are made again
    first_origin: str
    last_origin: str
    origin_months: int
    level: float
    observed_on: str  # day on which the plateau study observed its benchmarks
    forecasts: backtest.Settings

    @classmethod
    def of(cls, config: Mapping[str, Any], observed_on: str, seed: int) -> "Settings":
        """Settings from the config's section ``forecast``."""
        given = dict(config)
        how = {name: given.pop(name) for name in ("horizons", "half_lives", "draws")}
        return cls(**given, observed_on=observed_on, forecasts=backtest.Settings(**how, seed=seed))

    def origins(self, first: str) -> list[pd.Timestamp]:
        """Days from which forecasts are made again."""
        return backtest.origins(first, self.last_origin, self.origin_months)


class Series(NamedTuple):
    """Every series with its span, its best scores so far, and the dated scores behind them."""

    series: pd.DataFrame
    frontier: pd.DataFrame
    scores: pd.DataFrame

    @property
    def usable(self) -> pd.DataFrame:
        """The series that give forecasts."""
        return self.series[self.series["reason"].isna()]


@dataclass(frozen=True)
class Tables:
    """All tables of the study, each by the name of its file in ``results/forecast/``."""

    series: pd.DataFrame
    frontier: pd.DataFrame
    backtest: pd.DataFrame
    weights: pd.DataFrame
    summary: pd.DataFrame
    after: pd.DataFrame
    peer: pd.DataFrame
    known: pd.DataFrame
    bands: pd.DataFrame
    reach: pd.DataFrame
    abstentions: pd.DataFrame
    shared: pd.DataFrame
    tops_cases: pd.DataFrame
    tops: pd.DataFrame
    accuracy: pd.DataFrame
    archive_scored: pd.DataFrame
    indices_cases: pd.DataFrame
    indices: pd.DataFrame
    lifespans: pd.DataFrame
    lifespans_medians: pd.DataFrame
    lifespans_pace: pd.DataFrame
    lifespans_survival: pd.DataFrame
    lifespans_hypotheses: pd.DataFrame
    later_cases: pd.DataFrame
    later: pd.DataFrame
    quantities: pd.DataFrame


def study(inputs: Inputs, settings: Settings, scores_file: str = "scores") -> Tables:
    """Series, past and present forecasts, life spans, and what they say of the indices.

    Parameters
    ----------
    scores_file
        Name of the table of scores, for messages.

    Returns
    -------
    Tables
        Its fields are the tables in ``results/forecast/``, all but the archive, which adds where
        a run's forecasts come from.

    Raises
    ------
    InputError
        Where a score has no date, or too few benchmarks can be forecast.
    """
    known = _series(inputs, settings, scores_file)
    tables = {"series": known.series, "frontier": known.frontier}
    tables |= _forecasts(known, settings)
    tables |= _tops(known, [*inputs.scores["series"]], tables["weights"], settings)
    tables["accuracy"] = outlook.accuracy(tables["summary"], tables["tops"])
    tables["archive_scored"] = sources.scored(inputs.kept, known.series, known.frontier)
    tables |= _predictors(inputs, known, settings)
    tables |= _life_spans(inputs, known, settings)
    return Tables(**tables, quantities=quantities(tables))


def quantities(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The headline numbers, from tables as their files hold them."""
    return quantity.frame(
        [
            *_scores(tables["summary"]),
            *_at_cutoff(tables["peer"]),
            *_reached(as_written(tables["reach"])),
            *_prediction(tables["indices"]),
            *_pace(tables["lifespans_pace"]),
            *_of_tops(tables["tops"]),
            *_survival(tables["lifespans_survival"]),
            *_later(tables["later"]),
        ]
    )


def _series(inputs: Inputs, settings: Settings, scores_file: str) -> Series:
    boards, of_boards = dated_series.of_boards(inputs.boards)
    given = pd.concat([inputs.scores, of_boards], ignore_index=True)
    scores = dated_series.dated(given, scores_file)
    described = dated_series.described(
        pd.concat([inputs.series, boards], ignore_index=True), scores, settings.as_of
    )
    series = validate(as_written(described), DESCRIBED, "series")
    usable = described[described["reason"] == ""]
    frontier = dated_series.frontier(usable, scores[scores["series"].isin(usable["series"])])
    return Series(series, validate(as_written(frontier), FRONTIER, "frontier"), scores)


def _forecasts(known: Series, settings: Settings) -> dict[str, pd.DataFrame]:
    """Past forecasts made again and scored; forecasts from today on, and what they rest on."""
    how, level, usable, frontier = settings.forecasts, settings.level, known.usable, known.frontier
    days, today = settings.origins(settings.first_origin), pd.Timestamp(settings.as_of)
    cutoff = pd.Timestamp(settings.cutoff)
    forecasts, past = backtest.backtest(usable, frontier, days, how)
    as_known = backtest.as_logged(known.series, frontier, known.scores, past, how)
    weights = backtest.weights_by_origin(past, [*days, today], how.half_lives)
    then = backtest.weights_by_origin(past, [cutoff], how.half_lives)
    after = tops.after(usable, frontier, then, cutoff, how)
    now = weights[weights["origin"] == settings.as_of]
    written = as_written(weights)
    benchmarks = backtest.known(usable, frontier, today)
    return {
        "backtest": forecasts,
        "weights": written,
        "summary": as_written(_summary(forecasts, as_known, today, level)),
        "after": after,
        "peer": as_written(tops.compared(after, level)),
        "known": as_known,
        **outlook.outlook(usable, frontier, now, today, how),
        "shared": outlook.shared(benchmarks, written[written["origin"] == settings.as_of]),
    }


def _summary(
    forecasts: pd.DataFrame, as_known: pd.DataFrame, today: pd.Timestamp, level: float
) -> pd.DataFrame:
    """Mean scores of all past forecasts, of those due in the last year, and as known then."""
    late = forecasts[due(forecasts, "horizon") > months_after(today, -12)]
    tables = [scoring.summary(forecasts, level)]
    for name, part in ((LAST_YEAR, late), (AS_KNOWN, as_known)):
        if len(part):
            found = scoring.summary(part, level)
            tables.append(found[found["group"] == RECENT].assign(group=name))
    return pd.concat(tables, ignore_index=True)


def _tops(
    known: Series, whole: Sequence[str], weights: pd.DataFrame, settings: Settings
) -> dict[str, pd.DataFrame]:
    """When tops become indistinguishable; of the Open LLM Leaderboards only the best is known."""
    scores = known.scores[known.scores["series"].isin(whole)]
    usable = tops.forecast_again(known.series, scores)
    entries = dated_series.shares(usable, scores)
    recent = weights[weights["origin"] >= RECENT_FROM]
    cases = tops.backtest(usable, known.frontier, entries, recent, settings.forecasts)
    return {"tops_cases": cases, "tops": as_written(tops.accuracy(cases, settings.level))}


def _predictors(inputs: Inputs, known: Series, settings: Settings) -> dict[str, pd.DataFrame]:
    """Whether the indices predict how far the best score rises."""
    usable = known.usable
    usable = usable[usable["released"].notna() & (usable["source"] != NLP)]
    boards = []
    if inputs.monthly is not None and inputs.index is not None:
        boards.append(indices.board_cases(inputs.monthly, inputs.index))
    histories = indices.history_cases(usable, known.frontier, settings.origins(RECENT_FROM))
    cases = pd.concat([*boards, histories], ignore_index=True)
    prediction = indices.prediction(cases, settings.level)
    return {"indices_cases": cases, "indices": as_written(prediction)}


def _life_spans(inputs: Inputs, known: Series, settings: Settings) -> dict[str, pd.DataFrame]:
    """How long benchmarks last, whether less long than before, and the hypotheses about it."""
    level = settings.level
    spans = lifespans.spans(known.usable, known.frontier)
    observed = pd.Timestamp(settings.observed_on)
    courses = lifespans.courses(known.usable, known.frontier, observed)
    rng = seeds.generator(settings.forecasts.seed, "forecast", "lifespans")
    survival = lifespans.survival(spans, level, rng)
    return {
        "lifespans": spans,
        "lifespans_medians": lifespans.curves(spans, level),
        "lifespans_pace": as_written(lifespans.pace(spans, level)),
        "lifespans_survival": as_written(survival),
        "lifespans_hypotheses": lifespans.hypotheses(spans, inputs.benchmarks),
        "later_cases": courses,
        "later": as_written(lifespans.later(courses, inputs.benchmarks, level, rng)),
    }


def _limited(row: Mapping[Any, Any], name: str) -> tuple[float, float, float]:
    """A value with the limits beside it."""
    return row[name], row[f"{name}_lower"], row[f"{name}_upper"]


def _scores(summary: pd.DataFrame) -> Iterator[Quantity]:
    for row in summary[summary["group"].isin(GROUPS)].to_dict("records"):
        own = row["method"] == METHOD
        note = f"{row['forecasts']} forecasts of {row['benchmarks']} benchmarks"
        for name in ("crps", "skill", *COVERAGE) if own else ("crps",):
            called = GROUPS[row["group"]] + (name if own else f"{name}_{row['method']}")
            yield Quantity(f"{called}_{row['horizon']}_months", *_limited(row, name), note)
        for number in range(1, 6) if own else ():
            called = f"{GROUPS[row['group']]}fifth_{number}_{row['horizon']}_months"
            yield Quantity(called, row[f"fifth_{number}"], note=note)


def _at_cutoff(peer: pd.DataFrame) -> Iterator[Quantity]:
    for row in peer.to_dict("records"):
        method = "" if row["method"] == METHOD else f"_{row['method']}"
        rise = row["event"] == "rise"
        note = f"{row['events']} {'rises' if rise else 'entries'} of {row['benchmarks']} benchmarks"
        for name in ("crps", "coverage_80"):
            called = f"cutoff_{'' if rise else 'entry_'}{name}{method}"
            yield Quantity(called, *_limited(row, name), note)


def _reached(reach: pd.DataFrame) -> Iterator[Quantity]:
    for threshold in sorted(reach["threshold"].unique()):
        own = reach[reach["threshold"] == threshold]
        name = f"reached_{threshold * 100:.0f}"
        yield Quantity(f"{name}_already", float(own["reached_already"].mean()))
        yield Quantity(
            f"{name}_in_two_years",
            1 - float(own["not_in_two_years"].mean()),
            note="mean probability, benchmarks that have reached it among them",
        )


def _prediction(prediction: pd.DataFrame) -> Iterator[Quantity]:
    for row in prediction[prediction["note"].isna()].to_dict("records"):
        about = f"{row['setting']}_{row['predictor']}_{row['ahead']}_months"
        note = f"{row['cases']} cases of {row['benchmarks']} benchmarks"
        for name in ("rho", "partial", "skill"):
            if pd.notna(row[name]):
                yield Quantity(f"predicts_{name}_{about}", *_limited(row, name), note)


def _pace(pace: pd.DataFrame) -> Iterator[Quantity]:
    for row in pace[pace["note"].isna()].to_dict("records"):
        note = f"{row['ended']} of {row['benchmarks']} ended"
        limits = (row["lower"], row["upper"])
        yield Quantity(f"life_span_factor_a_year_{row['end']}", row["factor_a_year"], *limits, note)


def _of_tops(tops: pd.DataFrame) -> Iterator[Quantity]:
    for row in tops.to_dict("records"):
        note = f"{row['forecasts']} forecasts of {row['benchmarks']} benchmarks"
        about = f"{row['ahead']}_months"
        for name in ("drawn", "said"):
            yield Quantity(f"top_{name}_{about}", row[name], note=note)
        for name in ("came", "error", "skill"):
            yield Quantity(f"top_{name}_{about}", *_limited(row, name), note)


def _survival(survival: pd.DataFrame) -> Iterator[Quantity]:
    for row in survival.to_dict("records"):
        note = f"{row['ended']} of {row['benchmarks']} ended"
        kind = row["what"].replace(" ", "_")
        name = "factor_within_kinds" if row["what"] == CHANGE else f"median_{kind}"
        limits = (row["lower"], row["upper"])
        yield Quantity(f"life_span_{name}_{row['end']}", row["value"], *limits, note)


def _later(later: pd.DataFrame) -> Iterator[Quantity]:
    for row in later[later["note"].isna()].to_dict("records"):
        note = f"{row['in_first']} of {row['benchmarks']} are {row['first']}"
        name = f"later_{row['hypothesis']}_{row['outcome']}"
        yield Quantity(name, row["difference"], row["lower"], row["upper"], note)
        yield Quantity(f"{name}_p", row["p_holm"], note="Holm over the hypotheses")
