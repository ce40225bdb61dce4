"""The command `index`."""

from typing import TYPE_CHECKING, Any

from saturation.commands.base import Command, Options, Parser, as_json, default_config
from saturation.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def _index_options(parser: Parser) -> None:
    add = parser.add_argument
    add("--s-1", type=float, required=True, metavar="SCORE", help="the best score, in [0, 1]")
    add("--s-k", type=float, required=True, metavar="SCORE", help="the k-th best, in [0, 1]")
    add("--n", type=int, required=True, metavar="N", help="number of test items")
    add("--alpha", type=float, help="n_eff = n^alpha (default: the config's)")


def _index(options: Options) -> str:
    from saturation.index import (
        decision,
        interval_of_proportions,
        saturation_bin,
        saturation_index,
        side_of_threshold,
    )

    config = default_config()
    settings, level = config["plateau"], config["own"]["level"]
    alpha = settings["alpha"] if options.alpha is None else options.alpha
    threshold = settings["saturated_from"]
    for option, value in (("--s-1", options.s_1), ("--s-k", options.s_k), ("--alpha", alpha)):
        if not 0 <= value <= 1:
            raise InputError(f"{option} is {value:g}; a number in [0, 1] is allowed")
    scores = (options.s_1, options.s_k)
    try:
        value = saturation_index(*scores, options.n, alpha)
    except (ValueError, OverflowError) as error:
        raise InputError(f"--n or a score: {error}") from None

    def limits(level: float) -> "tuple[NDArray[Any], NDArray[Any]]":
        return interval_of_proportions(*scores, options.n, options.n, alpha, level)

    lower, upper = limits(level)
    verdict = str(decision(limits, 2, threshold, level))
    in_bin = str(saturation_bin(float(value), settings["bin_edges"])).replace("_", " ")
    if options.json:
        limits_ = {"lower": float(lower), "upper": float(upper), "level": level}
        return as_json({"s_index": float(value), **limits_, "bin": in_bin, "decision": verdict})
    return (
        f"S {value:.3f} ({100 * level:g} % interval {lower:.3f} to {upper:.3f}), {in_bin}\n"
        f"{verdict}: {side_of_threshold(verdict, threshold)}"
    )


INDEX = Command(
    "index",
    "compute the published saturation index of two scores",
    _index_options,
    _index,
    """example:
  saturation index --s-1 0.992 --s-k 0.982 --n 500""",
)
