"""Headline numbers of the forecasts, for the ledger and the report."""

from collections.abc import Iterator, Mapping

import pandas as pd

from saturation import quantity
from saturation.forecast.backtest import METHOD
from saturation.forecast.lifespans import CHANGE
from saturation.forecast.names import NLP_KIND
from saturation.forecast.scoring import RECENT
from saturation.quantity import Quantity

# Groups of benchmarks with what their numbers' names begin with.
GROUPS = {RECENT: "", NLP_KIND: "nlp_"}
COVERAGE = ("coverage_50", "coverage_80", "coverage_95")


def quantities(tables: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The headline numbers.

    Parameters
    ----------
    tables
        ``summary``, ``peer``, ``reach``, ``prediction``, ``pace``, ``tops``, ``survival`` and
        ``later``, as the stages write them.

    Returns
    -------
    pandas.DataFrame
        Of :func:`saturation.quantity.frame`.
    """
    return quantity.frame(
        [
            *_scores(tables["summary"]),
            *_at_cutoff(tables["peer"]),
            *_reached(tables["reach"]),
            *_predictors(tables["prediction"]),
            *_life_spans(tables["pace"]),
            *_tops(tables["tops"]),
            *_survival(tables["survival"]),
            *_later(tables["later"]),
        ]
    )


def _scores(summary: pd.DataFrame) -> Iterator[Quantity]:
    for row in summary[summary["group"].isin(GROUPS)].to_dict("records"):
        own = row["method"] == METHOD
        note = f"{row['forecasts']} forecasts of {row['benchmarks']} benchmarks"
        for name in ("crps", "skill", *COVERAGE) if own else ("crps",):
            limits = (row[f"{name}_lower"], row[f"{name}_upper"])
            called = GROUPS[row["group"]] + (name if own else f"{name}_{row['method']}")
            yield Quantity(f"{called}_{row['horizon']}_months", row[name], *limits, note)
        for number in range(1, 6) if own else ():
            called = f"{GROUPS[row['group']]}fifth_{number}_{row['horizon']}_months"
            yield Quantity(called, row[f"fifth_{number}"], note=note)


def _at_cutoff(peer: pd.DataFrame) -> Iterator[Quantity]:
    for row in peer.to_dict("records"):
        method = "" if row["method"] == METHOD else f"_{row['method']}"
        note = f"{row['scores']} scores of {row['benchmarks']} benchmarks"
        for name in ("crps", "coverage_80"):
            limits = (row[f"{name}_lower"], row[f"{name}_upper"])
            yield Quantity(f"cutoff_{name}{method}", row[name], *limits, note)


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


def _predictors(prediction: pd.DataFrame) -> Iterator[Quantity]:
    for row in prediction[prediction["note"].isna()].to_dict("records"):
        about = f"{row['setting']}_{row['predictor']}_{row['ahead']}_months"
        note = f"{row['cases']} cases of {row['benchmarks']} benchmarks"
        for name in ("rho", "partial", "skill"):
            if pd.notna(row[name]):
                limits = (row[f"{name}_lower"], row[f"{name}_upper"])
                yield Quantity(f"predicts_{name}_{about}", row[name], *limits, note)


def _life_spans(pace: pd.DataFrame) -> Iterator[Quantity]:
    for row in pace[pace["note"].isna()].to_dict("records"):
        note = f"{row['ended']} of {row['benchmarks']} ended"
        limits = (row["lower"], row["upper"])
        yield Quantity(f"life_span_factor_a_year_{row['end']}", row["factor_a_year"], *limits, note)


def _tops(tops: pd.DataFrame) -> Iterator[Quantity]:
    for row in tops.to_dict("records"):
        note = f"{row['forecasts']} forecasts of {row['benchmarks']} benchmarks"
        about = f"{row['ahead']}_months"
        for name in ("drawn", "said"):
            yield Quantity(f"top_{name}_{about}", row[name], note=note)
        for name in ("came", "error", "skill"):
            limits = (row[f"{name}_lower"], row[f"{name}_upper"])
            yield Quantity(f"top_{name}_{about}", row[name], *limits, note)


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
