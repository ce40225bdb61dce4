"""Pairwise votes: Bradley-Terry ratings with ties, and errors clustered by prompt and rater."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import sparse, special
from scipy.sparse.csgraph import connected_components

from saturation.arrays import Floats, Places
from saturation.errors import InputError
from saturation.leaderboard.names import WINNERS
from saturation.leaderboard.read.columns import names_score
from saturation.pages.templates import counted
from saturation.statistics.intervals import t_quantile
from saturation.statistics.pairs import SANDWICH_T, Pairs

# Other names of a votes table's columns; the first is ours.
COLUMNS = {
    "model_a": ("model_a", "left", "model_1", "model_x"),
    "model_b": ("model_b", "right", "model_2", "model_y"),
    "winner": WINNERS,
    "prompt": ("prompt", "prompt_id", "question_id", "question", "item"),
    "rater": ("rater", "worker", "judge", "annotator", "user", "voter"),
}
NEEDED, CLUSTERS = ("model_a", "model_b", "winner"), ("prompt", "rater")
FIRST, SECOND = (*COLUMNS["model_a"], "a"), (*COLUMNS["model_b"], "b")
TIES = ("tie", "draw", "both")
BAD = ("both_bad", "bothbad", "tie (bothbad)", "both bad")
# A word for a tie, or for where a model stood.
_SIDE = re.compile(
    r"(?i)tied?|draw|equal|none|both.*|((model|system|response|answer|assistant|player)[ _-]?"
    r")?[abxy12]|left|right|first|second|white|black|home|away|true|false|yes|no"
)
# Of a logit: a rating of 400 more wins ten of eleven votes without ties.
SCALE, CENTRE = 400 / np.log(10), 1000.0
STEPS, ENOUGH, LONGEST, SINGULAR = 200, 1e-10, 1.0, 1e-12


@dataclass(frozen=True)
class Ratings:
    """Bradley-Terry ratings by Davidson's model, on the scale of chess ratings."""

    models: list[str]  #: best first
    rating: Floats
    covariance: Floats  #: clustered
    unclustered: Floats  #: as if votes were independent
    votes: Places  #: of each model
    clusters: dict[str, int]  #: number of prompts, of raters

    @property
    def unit(self) -> str:
        """Sampling unit of the votes: a prompt, else a rater, else a vote."""
        return next(iter(self.clusters), "vote")

    @property
    def n(self) -> int:
        """Number of these."""
        return next(iter(self.clusters.values()), int(self.votes.sum()) // 2)

    @property
    def degrees(self) -> float:
        """Return the errors' degrees of freedom: from the fewest clusters."""
        return float(min(self.clusters.values())) - 1 if self.clusters else np.inf


def map_columns(columns: Sequence[str]) -> dict[str, str]:
    """Map a table's columns to our names; empty if the table holds no votes."""
    small = {str(column).strip().lower(): str(column) for column in columns}
    # The first of several names counts, which is the last to be put down.
    theirs = {
        ours: small[alias]
        for ours, aliases in COLUMNS.items()
        for alias in reversed(aliases)
        if alias in small
    }
    return {column: ours for ours, column in theirs.items()} if set(NEEDED) <= set(theirs) else {}


def name_pair(table: pd.DataFrame) -> pd.DataFrame | None:
    """Return votes with their models, if winners are the names of two models; else None.

    Beside several columns of scores, a winner is what these say and no vote.
    """
    winners = set(table.get("winner", pd.Series()).dropna().astype(str))
    names = sorted(name for name in winners if not _SIDE.fullmatch(name))
    if len(names) != 2 or sum(map(names_score, map(str, table))) > 1:
        return None
    return table.assign(model_a=names[0], model_b=names[1])


def tidy(table: pd.DataFrame, source: str) -> tuple[pd.DataFrame, list[str]]:
    """Votes as model_a, model_b, outcome (1, 0.5 or 0 for model_a), prompt, rater; and remarks."""
    names = map_columns(list(table.columns))
    if not names:
        raise InputError(f"{source}: a table of votes has the columns {', '.join(NEEDED)}")
    votes = table[list(names)].rename(columns=names)
    texts = votes.astype(str).apply(lambda column: column.str.strip())
    blank = votes.isna() | (texts == "")
    if blank.any(axis=None):
        row, column = (place[0] for place in np.nonzero(blank.to_numpy()))
        raise InputError(
            f"{source}: row {row + 1}: {votes.columns[column]} is empty; fill it, or take the row "
            "or the column out"
        )
    votes = texts
    winner = votes["winner"].str.lower()
    # A model's name goes before a word, for there are models called "a".
    first, second = (votes["winner"] == votes[side] for side in ("model_a", "model_b"))
    word = winner.mask(first | second)
    first, second, bad = first | word.isin(FIRST), second | word.isin(SECOND), word.isin(BAD)
    unknown = ~(first | second | bad | winner.isin(TIES))
    if unknown.any():
        row = np.argmax(unknown)
        raise InputError(
            f"{source}: row {row + 1}: winner is {votes['winner'].iloc[row]!r}; a model of the "
            f"row, {FIRST[0]}, {SECOND[0]}, {TIES[0]} or {BAD[0]} is allowed"
        )
    itself = (votes["model_a"] == votes["model_b"]).to_numpy()
    if itself.any():
        row = np.argmax(itself)
        raise InputError(
            f"{source}: row {row + 1}: {votes['model_a'].iloc[row]!r} is compared with itself"
        )
    remarks = [f"{counted(int(bad.sum()), 'vote')} that both are bad count as ties"] * int(
        bad.any()
    )
    missing = [name for name in CLUSTERS if name not in votes]
    if missing:
        remarks.append(
            f"no column {' or '.join(missing)}: errors take votes of one "
            f"{' or of one '.join(missing)} as independent, and may be too small"
        )
    outcome = np.where(first, 1.0, np.where(second, 0.0, 0.5))
    return votes.drop(columns="winner").assign(outcome=outcome), remarks


def fit(votes: pd.DataFrame) -> Ratings:
    """Davidson's model of votes with ties, by maximum likelihood.

    A model with strength p beats one with strength q with probability p/(p + q + nu sqrt(pq)), and
    ties with nu sqrt(pq)/(p + q + nu sqrt(pq)) (R. R. Davidson (1970), Journal of the American
    Statistical Association 65, 317-328). Errors are a sandwich over prompts and raters at once
    (A. C. Cameron, J. B. Gelbach and D. L. Miller (2011), Journal of Business & Economic Statistics
    29, 238-249): the sum of the two one-way ones less that of their cells, each with the factor
    G/(G - 1). `votes` are at least one, as :func:`tidy` gives them; the ratings' mean is 1000.
    """
    models = sorted({*votes["model_a"], *votes["model_b"]})
    m, place = len(models), {name: number for number, name in enumerate(models)}
    a, b = (votes[name].map(place).to_numpy(np.intp) for name in ("model_a", "model_b"))
    y = votes["outcome"].to_numpy(float)
    if (y == 0.5).all():
        raise InputError(
            f"all {counted(len(y), 'vote')} are ties, from which no rating and no error follow; "
            "collect votes with a winner"
        )
    _require_connected(models, a, b, y)
    clusters = {name: votes[name].nunique() for name in CLUSTERS if name in votes}
    for name, number in clusters.items():
        if number == 1:
            raise InputError(
                f"all votes have one {name}, so they say nothing of other {name}s; leave the "
                f"column {name} out to rate by this one alone"
            )
    # Votes on the same two models with the same outcome are alike.
    _, first, kind, count = np.unique(
        [a, b, 2 * y], axis=1, return_index=True, return_inverse=True, return_counts=True
    )
    outcomes = _parameters_of_outcomes(a[first], b[first], y[first], m)
    theta, inverse, scores = _maximum(outcomes, y[first], count.astype(float))
    covariance = inverse @ _meat(scores[kind], votes, list(clusters)) @ inverse
    order = np.argsort(-theta[:m], kind="stable")
    block = np.ix_(order, order)
    return Ratings(
        models=[models[number] for number in order],
        rating=CENTRE + SCALE * theta[:m][order],
        covariance=SCALE**2 * covariance[block],
        unclustered=SCALE**2 * inverse[block],
        votes=np.bincount(np.concatenate([a, b]), minlength=m)[order].astype(np.intp),
        clusters=clusters,
    )


def ranked(found: Ratings, level: float) -> pd.DataFrame:
    """Rated models, best first, as :func:`saturation.leaderboard.top.frontier` takes them."""
    error = np.sqrt(np.diag(found.covariance))
    half = t_quantile(found.degrees, level) * error
    return pd.DataFrame(
        {
            "model": found.models,
            "score": found.rating,
            "standard_error": error,
            "lower": found.rating - half,
            "upper": found.rating + half,
            "n_items": float(found.n),
            "error_source": "votes",
            "coverage": 1.0,
        }
    )


def pairs(found: Ratings) -> Pairs:
    """Test all pairs by the errors of their differences: ratings are correlated."""
    variances = np.diag(found.covariance)
    squares = variances[:, None] + variances[None, :] - 2 * found.covariance
    error = np.sqrt(np.maximum(squares, 0.0))
    empty = Pairs.empty(len(variances))
    difference = found.rating[:, None] - found.rating[None, :]
    np.fill_diagonal(error, 1.0)
    p = 2 * special.stdtr(found.degrees, -np.abs(difference) / error)
    np.fill_diagonal(error, 0.0)
    return empty._replace(
        difference=difference,
        standard_error=error,
        p_value=p,
        items=np.full(p.shape, float(found.n)),
        degrees=np.full(p.shape, found.degrees),
        method=np.full(p.shape, SANDWICH_T, np.int8),
    )


def margin(share: float) -> float:
    """Compute the rating difference at which the better model wins so much over half of votes."""
    return float(SCALE * special.logit(0.5 + share))


def _parameters_of_outcomes(a: Places, b: Places, y: Floats, m: int) -> list[sparse.csr_array]:
    """Return the weights of the parameters in each outcome's log-odds: a wins, b wins, a tie.

    Votes by parameters: the models' strengths, and ln nu where votes are ties.
    """
    has_ties = (y == 0.5).any()
    shape = (len(y), m + has_ties)
    a_wins, b_wins, nu = (
        sparse.csr_array((np.ones(len(y)), (np.arange(len(y)), column)), shape=shape)
        for column in (a, b, np.full(len(y), shape[1] - 1))
    )
    return [a_wins, b_wins, (a_wins + b_wins) / 2 + nu] if has_ties else [a_wins, b_wins]


def _maximum(
    outcomes: list[sparse.csr_array], y: Floats, count: Floats
) -> tuple[Floats, Floats, sparse.csr_array]:
    """Return the parameters, the inverse of their information, and a vote's scores by its kind.

    Davidson's model is a conditional logit; so many votes are of each kind. By Newton's steps.
    """
    came = np.stack([y == 1, y == 0, y == 0.5]).astype(float)
    theta = np.zeros(outcomes[0].shape[1])
    for _ in range(STEPS):
        chances = special.softmax([outcome @ theta for outcome in outcomes], axis=0)
        mean = sum(sparse.diags_array(p) @ part for p, part in zip(chances, outcomes))
        scores = sum(sparse.diags_array(c) @ part for c, part in zip(came, outcomes)) - mean
        squares = sum(
            part.T @ sparse.diags_array(count * p) @ part for p, part in zip(chances, outcomes)
        )
        information = (squares - mean.T @ sparse.diags_array(count) @ mean).toarray()
        # The pseudo-inverse is the inverse among ratings whose mean is 0.
        inverse = np.linalg.pinv(information, rcond=SINGULAR, hermitian=True)
        step = inverse @ (scores.T @ count)
        if np.abs(step).max() < ENOUGH:
            return theta, inverse, scores
        theta = theta + step * min(1.0, LONGEST / np.abs(step).max())
    raise InputError("the ratings were not found: too few votes between some of the models")


def _meat(scores: sparse.csr_array, votes: pd.DataFrame, clusters: list[str]) -> Floats:
    """Sum the squares of clusters' scores: clusters by a label, by two at once, or each vote."""
    if not clusters:
        return _sum_cluster_squares(scores, np.arange(len(votes)))
    one_way = [_sum_cluster_squares(scores, pd.factorize(votes[name])[0]) for name in clusters]
    if len(one_way) == 1:
        return one_way[0]
    cells = pd.factorize(votes.groupby(clusters).ngroup())[0]
    # Of few clusters the difference may have a negative direction.
    values, vectors = np.linalg.eigh(sum(one_way) - _sum_cluster_squares(scores, cells))
    meat: Floats = (vectors * np.maximum(values, 0.0)) @ vectors.T
    return meat


def _sum_cluster_squares(scores: sparse.csr_array, codes: Places) -> Floats:
    n, number = len(codes), codes.max() + 1
    members = sparse.csr_array((np.ones(n), (codes, np.arange(n))), shape=(number, n))
    sums = members @ scores
    products: Floats = (sums.T @ sums).toarray() * number / (number - 1)
    return products


def _require_connected(models: list[str], a: Places, b: Places, y: Floats) -> None:
    """Refuse votes where a group of models won or lost all against the rest: ratings diverge."""
    beats = [a[y > 0], b[y < 1]], [b[y > 0], a[y < 1]]
    winner, loser = (np.concatenate(side) for side in beats)
    m = len(models)
    graph = sparse.csr_array((np.ones(len(winner)), (winner, loser)), shape=(m, m))
    number, group = connected_components(graph, connection="strong")
    if number == 1:
        return
    smallest = np.bincount(group).argmin()
    some = [models[place] for place in np.flatnonzero(group == smallest)[:5]]
    raise InputError(
        f"no finite rating: {', '.join(some)} won or lost every vote against the other models, or "
        "never met them; leave these out, or collect more votes"
    )
