"""Two-parameter logistic item response model: probability, information, ability for known items.

Responses are int8 matrices, respondents in rows and items in columns, with 1 for correct, 0 for
wrong and :data:`MISSING` for cells that were not observed. The model is equation 2 of the fluid
benchmarking paper, p = logistic(a (theta - b)).

Fitting is in :mod:`saturation.irt_fit`, the full posterior in :mod:`saturation.irt_nuts`.
"""

from dataclasses import dataclass

import numba
import numpy as np
import numpy.typing as npt
from scipy.special import expit, log_expit

MISSING = -1
Floats = npt.NDArray[np.float64]
Responses = npt.NDArray[np.int8]

_QUADRATURE_NODES = 21
_MOST_STEPS = 50
# Newton's error after a step is of the order of the step squared.
_SMALLEST_STEP = 1e-4


@dataclass(frozen=True)
class Prior:
    """Normal prior of an ability."""

    mean: float = 0.0
    sd: float = 1.0


STANDARD = Prior()


def probability(ability: Floats, discrimination: Floats, difficulty: Floats) -> Floats:
    """Probability of a right answer, respondents by items (equation 2)."""
    return expit(_logit(ability, discrimination, difficulty))


def information(ability: Floats, discrimination: Floats, difficulty: Floats) -> Floats:
    """Fisher information of each item at each ability, abilities by items (equation 4)."""
    tail = np.exp(-np.abs(_logit(ability, discrimination, difficulty)))
    return np.asarray(np.square(discrimination) * tail / np.square(1.0 + tail))


def test_information(ability: Floats, discrimination: Floats, difficulty: Floats) -> Floats:
    """Information of the whole item set at each ability: the sum over items."""
    return information(ability, discrimination, difficulty).sum(axis=1)


test_information.__test__ = False  # type: ignore[attr-defined]  # pytest takes the name for a test


def log_likelihood(
    responses: Responses, ability: Floats, discrimination: Floats, difficulty: Floats
) -> Floats:
    """Log-likelihood of each observed response; cells that are missing give 0."""
    logit = _logit(ability, discrimination, difficulty)
    found = np.where(responses == 1, log_expit(logit), log_expit(-logit))
    return np.where(responses == MISSING, 0.0, found)


def map_ability(
    responses: Responses, discrimination: Floats, difficulty: Floats, prior: Prior = STANDARD
) -> tuple[Floats, Floats]:
    """Maximum a posteriori ability of each respondent for known items (equation 3 with a prior).

    Returns
    -------
    tuple
        Ability, and its standard error 1 / sqrt(information + 1 / prior variance).
    """
    return _climb_all(
        np.ascontiguousarray(responses),
        np.ascontiguousarray(discrimination),
        np.ascontiguousarray(difficulty),
        prior.mean,
        prior.sd,
    )


def eap_ability(
    responses: Responses, discrimination: Floats, difficulty: Floats, prior: Prior = STANDARD
) -> tuple[Floats, Floats]:
    """Expected a posteriori ability and posterior standard deviation of each respondent.

    Gauss-Hermite quadrature with nodes centred and scaled at each respondent's own posterior
    mode: a grid that is the same for all would miss posteriors that thousands of items make
    narrow.
    """
    mode, spread = map_ability(responses, discrimination, difficulty, prior)
    nodes, weights = np.polynomial.hermite_e.hermegauss(_QUADRATURE_NODES)
    places = mode[:, None] + spread[:, None] * nodes
    log_posterior = np.column_stack(
        [
            log_likelihood(responses, at, discrimination, difficulty).sum(axis=1)
            - 0.5 * ((at - prior.mean) / prior.sd) ** 2
            for at in places.T
        ]
    )
    log_weight = log_posterior + 0.5 * nodes**2 + np.log(weights)
    share = np.exp(log_weight - log_weight.max(axis=1, keepdims=True))
    share /= share.sum(axis=1, keepdims=True)
    mean = (share * places).sum(axis=1)
    return mean, np.sqrt((share * (places - mean[:, None]) ** 2).sum(axis=1))


def link(ability: Floats, reference: Floats) -> tuple[float, float]:
    """Slope and intercept that bring one fit's abilities onto another's scale (mean and sigma).

    Parameters
    ----------
    ability, reference
        The same respondents' abilities in the two fits.
    """
    slope = float(reference.std() / ability.std())
    return slope, float(reference.mean() - slope * ability.mean())


def _logit(ability: Floats, discrimination: Floats, difficulty: Floats) -> Floats:
    return np.asarray(ability)[:, None] * discrimination - discrimination * difficulty


@numba.njit(cache=True)
def climb(  # pragma: no cover - compiled
    row: Responses,
    given: npt.NDArray[np.int64],
    discrimination: Floats,
    difficulty: Floats,
    theta: float,
    prior_mean: float,
    prior_sd: float,
) -> tuple[float, float]:
    """Newton's way to one respondent's posterior mode on the items given, and its standard error.

    The posterior is log-concave; steps are held to 1.
    """
    curvature = 0.0
    for _ in range(_MOST_STEPS):
        gradient = -(theta - prior_mean) / prior_sd**2
        curvature = prior_sd**-2
        for item in given:
            if row[item] == MISSING:
                continue
            logit = discrimination[item] * (theta - difficulty[item])
            tail = np.exp(-abs(logit))
            inverse = 1.0 / (1.0 + tail)
            p = inverse if logit >= 0 else tail * inverse
            gradient += discrimination[item] * (row[item] - p)
            curvature += discrimination[item] ** 2 * tail * inverse * inverse
        step = min(max(gradient / curvature, -1.0), 1.0)
        theta += step
        if abs(step) < _SMALLEST_STEP:
            break
    return theta, 1.0 / np.sqrt(curvature)


@numba.njit(cache=True)
def _climb_all(  # pragma: no cover - compiled
    responses: Responses,
    discrimination: Floats,
    difficulty: Floats,
    prior_mean: float,
    prior_sd: float,
) -> tuple[Floats, Floats]:
    persons, items = responses.shape
    ability, error, given = np.empty(persons), np.empty(persons), np.arange(items)
    for person in range(persons):
        ability[person], error[person] = climb(
            responses[person], given, discrimination, difficulty, prior_mean, prior_mean, prior_sd
        )
    return ability, error
