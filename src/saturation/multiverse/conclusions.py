"""What is asked: the plateau paper's conclusions, and the readings that leave each the same."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Conclusion:
    """A conclusion of the plateau paper and the choices that leave it the same question.

    Parameters
    ----------
    name
        Hypothesis (``h1`` ...) or variable.
    statement
        What the paper says, in our words.
    expected
        ``none`` (not significant), ``positive`` or ``negative`` (significant with that sign),
        ``higher`` (that sign, no test claimed). Positive: the first group, or a larger value, is
        the more saturated.
    groupings
        Readings of the variable, the paper's or the most usual first.
    adjustments
        Sets of covariates under which the statement is meant, the usual first.
    """

    name: str
    statement: str
    expected: str
    groupings: tuple[str, ...]
    adjustments: tuple[str, ...]


_BESIDE_AGE = ("age", "age_and_log_n", "age_and_citations", "age_log_n_and_citations")
_WITH_OR_WITHOUT_AGE = ("none", *_BESIDE_AGE)

CONCLUSIONS = {
    conclusion.name: conclusion
    for conclusion in (
        Conclusion(
            "h1", "public and private benchmarks do not differ",
            "none", ("primary",), _WITH_OR_WITHOUT_AGE,
        ),
        Conclusion(
            "h2", "English-only and multilingual benchmarks do not differ at the same age",
            "none", ("primary",), _BESIDE_AGE,
        ),
        Conclusion(
            "h3", "expert-curated benchmarks are less saturated at the same age",
            "positive", ("expert", "expert_or_crowd_only"), _BESIDE_AGE,
        ),
        Conclusion(
            "h4", "closed- and open-ended benchmarks do not differ",
            "none", ("primary", "both_counts_as_open"), _WITH_OR_WITHOUT_AGE,
        ),
        Conclusion(
            "h5", "more cited benchmarks are more saturated, before age is considered",
            "higher", ("log_citations", "citations", "citations_per_month"), ("none",),
        ),
        Conclusion(
            "h6", "templated and non-templated benchmarks do not differ",
            "none", ("primary", "tags_or_notes"), _WITH_OR_WITHOUT_AGE,
        ),
        Conclusion(
            "age", "older benchmarks are more saturated, also next to adoption",
            "positive", ("months", "log_months"),
            ("none", "citations", "log_n", "log_n_and_citations"),
        ),
        Conclusion(
            "test_size", "larger test sets go with lower saturation",
            "negative", ("log_n", "n"), ("none", "age", "age_and_citations"),
        ),
        Conclusion(
            "adoption", "citations show no association once age is accounted for",
            "none", ("log_citations", "citations", "citations_per_month"),
            ("age", "age_and_log_n"),
        ),
        Conclusion(
            "quality", "benchmarks with documented quality issues are more saturated",
            "higher", ("primary", "recorded_only"), ("none",),
        ),
    )
}  # fmt: skip

ADJUSTMENTS: dict[str, tuple[str, ...]] = {
    "none": (),
    "age": ("age",),
    "log_n": ("log_n",),
    "citations": ("log_citations",),
    "log_n_and_citations": ("log_n", "log_citations"),
    "age_and_log_n": ("age", "log_n"),
    "age_and_citations": ("age", "log_citations"),
    "age_log_n_and_citations": ("age", "log_n", "log_citations"),
}
