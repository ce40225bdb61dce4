"""The command `index`."""

from saturation.arrays import Floats
from saturation.commands.base import Options, as_json, default_config
from saturation.errors import InputError
from saturation.index import (
    decision,
    interval_of_proportions,
    saturation_bin,
    saturation_index,
    side_of_threshold,
)


def run(options: Options) -> str:
    """Compute the index of two scores, with its interval."""
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

    def limits(level: float) -> tuple[Floats, Floats]:
        return interval_of_proportions(*scores, options.n, options.n, alpha, level)

    lower, upper = limits(level)
    verdict = str(decision(limits, 2, threshold, level))
    in_bin = str(saturation_bin(value, settings["bin_edges"])).replace("_", " ")
    if options.json:
        interval = {"lower": lower, "upper": upper, "level": level}
        return as_json({"s_index": value, **interval, "bin": in_bin, "decision": verdict})
    return (
        f"S {value:.3f} ({100 * level:g} % interval {lower:.3f} to {upper:.3f}), {in_bin}\n"
        f"{verdict}: {side_of_threshold(verdict, threshold)}"
    )
