"""Select the evaluations that represent models, and measure each model's coverage of items."""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import special

from saturation.errors import listed
from saturation.leaderboard.read.tidy import newest
from saturation.pages.templates import counted

# Where a model's name and a setting's are all that is asked for.
KEY = ["model", "configuration"]
# Rows from which the chance of equal answers is taken, names of a group of copies that are listed,
# and how many times as many equal ones as by chance are remarked.
MOST_COMPARED, MOST_TWINS, MOST_CHANCE = 200, 3, 5.0


class Entries(NamedTuple):
    """The evaluations that are compared; remarks say what was left out or differs between them."""

    scores: pd.DataFrame
    responses: pd.DataFrame
    remarks: list[str]


def select(scores: pd.DataFrame, responses: pd.DataFrame, least_coverage: float) -> Entries:
    """Select the latest evaluations in the configurations that most models share.

    Of several dates of a model, configuration and run the latest counts. A configuration that no
    more than half of the models have is left out wherever a model has another one. A model's item
    responses stand back behind its aggregate score if they are fewer than a share `least_coverage`
    of the items of that score: they are a sample of it. Both tables are those of
    :mod:`saturation.leaderboard.read.tidy`; either may be empty.
    """
    remarks = []
    latest = newest(scores)
    if not latest.all():
        remarks.append(
            f"{(~latest).sum()} earlier evaluations of "
            f"{scores.loc[~latest, 'model'].nunique()} models count only in the course over time"
        )
    scores = scores[latest]
    parts = [table[KEY].drop_duplicates().astype(str) for table in (scores, responses)]
    pairs = pd.concat(parts).drop_duplicates()
    models = pairs["configuration"].value_counts()
    shared = set(models.index[models > pairs["model"].nunique() / 2])
    extra = _extra(pairs, shared)
    if extra:
        remarks.append(
            f"left out: configurations that no more than half of the models have: {listed(extra)}"
        )
    scores, responses = (_within(table, shared, extra) for table in (scores, responses))
    parts = [_within(part, shared, extra) for part in parts]
    unlike = _unlike(pd.concat(parts).drop_duplicates())
    if unlike:
        remarks.append(
            "not all models have the same configurations; those of the others are not those that "
            f"most models have: {listed(unlike)}"
        )
    responses = _drop_samples(scores, responses, least_coverage, remarks)
    return Entries(scores, responses, remarks)


def coverage(estimates: pd.DataFrame, matrix: pd.DataFrame) -> tuple[pd.Series, float]:
    """Share of the benchmark that each model answered, and the benchmark's number of items.

    The benchmark is the items that more than half of the models with responses answered, and no
    fewer items than more than half of all models have: neither a partial run nor a model with
    items of its own moves it. `estimates` has ``model, n_items`` of all models; `matrix` is items
    by models. A share, or the number, is NaN where numbers of items are unknown.
    """
    counts = estimates["n_items"].astype(float)
    answered = matrix.notna()
    common = answered.sum(axis=1) > matrix.shape[1] / 2
    within = answered[common].sum().reindex(estimates["model"]).to_numpy(float)
    of_most = counts.quantile(0.5, interpolation="lower")
    n = np.fmax(common.sum() if len(common) else np.nan, of_most)
    share = np.minimum(np.where(np.isnan(within), counts, within) / n, 1.0)
    return pd.Series(share, index=estimates.index), n


def unshared(matrix: pd.DataFrame) -> list[str]:
    """Describe models whose items, in a matrix of items by models, are not those of most."""
    if matrix.shape[1] < 2:
        return []
    answered = matrix.notna()
    shared = answered[answered.sum(axis=1) > 1].any()
    remarks = []
    if not shared.all():
        remarks.append(
            "these models share no item with any other, so that no test on common items compares "
            f"them: {listed(shared.index[~shared])}"
        )
    common = answered.sum(axis=1) > matrix.shape[1] / 2
    unlike = answered.ne(common, axis=0).any() & shared
    if unlike.any():
        remarks.append(
            f"with other items than most models: {listed(unlike.index[unlike])}; scores are means "
            "over the items that each answered, tests compare two models on those that both did"
        )
    return remarks


def clustered(responses: pd.DataFrame) -> list[str]:
    """Return a remark on the clusters that items are in, if they are."""
    if responses.empty:
        return []
    sizes = responses.drop_duplicates("item")["cluster"].dropna().astype(str).value_counts()
    if set(sizes.index) <= {""}:
        return []
    if len(sizes) == 1:
        return [
            f"all items are in one cluster, '{sizes.index[0]}', which shows no variation between "
            "clusters: they count as independent, and errors may be too small"
        ]
    alone = sizes.pop("") if "" in sizes else 0
    largest = 100 * sizes.max() / (sizes.sum() + alone)
    return [
        f"errors are over {len(sizes) + alone:,} clusters, the largest with {largest:.0f} % of the "
        "items: items of further clusters lower them more than further items of these"
    ]


def _extra(pairs: pd.DataFrame, shared: set[str]) -> set[str]:
    """List configurations to leave out: of models that also have a shared configuration."""
    is_shared = pairs["configuration"].isin(shared)
    with_shared = pairs["model"].isin(pairs.loc[is_shared, "model"])
    return set(pairs.loc[with_shared & ~is_shared, "configuration"])


def _within(table: pd.DataFrame, shared: set[str], extra: set[str]) -> pd.DataFrame:
    if not extra:
        return table
    is_shared = table["configuration"].isin(shared)
    return table[is_shared | ~table["model"].isin(table.loc[is_shared, "model"])]


def _unlike(pairs: pd.DataFrame) -> set[str]:
    """Models whose configurations are not those that most models have."""
    sets = pairs.groupby("model")["configuration"].agg(
        lambda names: "\n".join(sorted(map(str, names)))
    )
    if sets.nunique() < 2:
        return set()
    return {str(name) for name in sets.index[sets != sets.value_counts().index[0]]}


def _drop_samples(
    scores: pd.DataFrame, responses: pd.DataFrame, least_coverage: float, remarks: list[str]
) -> pd.DataFrame:
    """Responses of models whose aggregate score does not rest on many more items."""
    full = scores["n_items"].astype(float).groupby(scores["model"]).max()
    responses_of_both = responses[responses["model"].isin(full.index[full.notna()])]
    answered = responses_of_both.groupby("model")["item"].nunique()
    few = answered[answered < least_coverage * full.reindex(answered.index)].index
    if len(few):
        remarks.append(
            "item responses of fewer items than the score of the same model are left out, and its "
            f"score counts: {listed(few)}"
        )
    return responses[~responses["model"].isin(few)]


def duplicates(matrix: pd.DataFrame) -> list[str]:
    """Return remarks on models, and on items, with equal answers under different names.

    Takes items by models. Only items that all answered and on which some two models differ count,
    and only where so many equal ones are not to be expected of models and items that differ in
    strength.
    """
    mixed = matrix[matrix.notna().all(axis=1)]
    models = _improbably_equal(mixed.T)
    copies = [name for group in models for name in group[1:]]
    items = _improbably_equal(mixed.drop(columns=copies))
    return [
        f"{counted(sum(map(len, groups)), kind)} have the same answers as another {kind}, which "
        f"chance does not explain: {listed(' and '.join(group[:MOST_TWINS]) for group in groups)}; "
        "if they are copies, leave them out: errors count them as independent"
        for kind, groups in (("model", models), ("item", items))
        if groups
    ]


def _improbably_equal(table: pd.DataFrame) -> list[list[str]]:
    """Return the groups of equal rows, if there are many more than chance would make."""
    table = table[table.max(axis=1) > table.min(axis=1)]
    number = len(table)
    codes = np.unique(table.to_numpy(float), axis=0, return_inverse=True)[1].ravel()
    names = table.index.astype(str).to_series().groupby(codes, sort=False)
    groups = [list(group) for _, group in names if len(group) > 1]
    twins = sum(map(len, groups)) - len(groups)
    if not twins:
        return []
    # Chance of a right answer by the row's and the column's share, none of them quite 0 or 1.
    some = table.iloc[:: max(1, number // MOST_COMPARED)]
    shares = (part.clip(0.02, 0.98) for part in (some.mean(axis=1), some.mean()))
    rows, columns = (special.logit(share.to_numpy(float)) for share in shares)
    right = special.expit(rows[:, None] + columns - special.logit(some.to_numpy(float).mean()))
    equal = np.log(right[:, None] * right + (1 - right[:, None]) * (1 - right)).sum(axis=2)
    chance = np.exp(equal[np.triu_indices(len(some), 1)]).mean()
    expected = chance * number * (number - 1) / 2
    return groups if twins > MOST_CHANCE * expected + 0.5 else []
