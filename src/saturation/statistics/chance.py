"""How often would all configurations agree by chance? Exact random baselines of consistency."""

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def agreement(success: npt.ArrayLike, configurations: npt.ArrayLike, answers: int = 2) -> Array:
    """Probability that independent configurations all give the same answer.

    Every configuration is right with the same probability p; a wrong answer is one of the other
    k - 1, each equally likely: p^V + (k - 1) ((1 - p) / (k - 1))^V. With k = 2 this is also the
    probability that all *scores* agree, whatever the number of answers, and the robustness
    paper's baseline (section 3 and the caption of Figure 1, which give it in words).

    Parameters
    ----------
    success
        Probability p of a right answer, in [0, 1].
    configurations
        Number V of configurations; broadcast against `success`.
    answers
        Number k of possible answers, at least 2.

    Raises
    ------
    ValueError
        If a probability lies outside [0, 1] or there are fewer than two answers.
    """
    right = _probability(success)
    if answers < 2:
        raise ValueError(f"answers is {answers}; at least two are needed to disagree")
    wrong = (1 - right) / (answers - 1)
    count = np.asarray(configurations)
    return np.asarray(right**count + (answers - 1) * wrong**count)


def agreement_of(success_by_configuration: npt.ArrayLike) -> float:
    """Probability that all scores agree when each configuration has its own success probability.

    The product of the probabilities plus the product of their complements. By the inequality of
    the means its first part is never above that of :func:`agreement` at their mean.
    """
    right = _probability(success_by_configuration)
    return float(right.prod() + (1 - right).prod())


def _probability(values: npt.ArrayLike) -> Array:
    array = np.asarray(values, dtype=float)
    if array.size and not ((array >= 0) & (array <= 1)).all():
        bad = array[~((array >= 0) & (array <= 1))].flat[0]
        raise ValueError(f"a success probability is {bad}; it must lie in [0, 1]")
    return array
