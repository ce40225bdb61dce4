"""What is known of metrics by name: bounds and direction, where a tool does not write them.

Only metrics whose unit is the same wherever the tools write them are listed: F1 is a proportion in
one task and a percentage in the next, so its bounds must be declared in the config.
"""

from typing import NamedTuple


class Known(NamedTuple):
    """Bounds and direction of a metric."""

    minimum: float | None
    maximum: float | None
    higher_is_better: bool | None


_PROPORTION = Known(0.0, 1.0, True)
_LOWER_UNBOUNDED = Known(None, None, False)
_UNKNOWN = Known(None, None, None)

_KNOWN = {
    **dict.fromkeys(
        [
            "acc",
            "acc_norm",
            "accuracy",
            "exact_match",
            "quasi_exact_match",
            "prefix_exact_match",
            "quasi_prefix_exact_match",
            "mc1",
            "mc2",
            "inst_level_strict_acc",
            "prompt_level_strict_acc",
            "inst_level_loose_acc",
            "prompt_level_loose_acc",
            "em",
            "qem",
            "pem",
            "pqem",
            "extractive_match",
        ],
        _PROPORTION,
    ),
    **dict.fromkeys(
        ["perplexity", "word_perplexity", "byte_perplexity", "bits_per_byte"], _LOWER_UNBOUNDED
    ),
    **dict.fromkeys(["f1", "bleu", "rouge", "chrf"], Known(None, None, True)),
    **dict.fromkeys(["wer", "ter"], Known(None, None, False)),
}


def known(metric: str) -> Known:
    """Bounds and direction of a metric by its name; all None if it is not known."""
    return _PROPORTION if metric.startswith("pass@") else _KNOWN.get(metric, _UNKNOWN)
