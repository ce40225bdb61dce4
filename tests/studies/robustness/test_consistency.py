"""Measures of consistency against the definitions, by hand, and against R and statsmodels."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.anova import anova_lm

from saturation.files.tables import load_table
from studies.robustness import consistency, schemas, sources

GOLDEN = Path(__file__).parents[2] / "golden"
GOLDEN_WILSON = load_table(GOLDEN / "robustness_wilson.csv")


def long_table(examples, references=None):
    """Rows of model m on dataset d from lists of (answer, score), one list an example."""
    rows = [
        {
            "model": "m",
            "dataset": "d",
            "example_id": f"{number:03d}",
            "variant": f"v{position:02d}",
            "answer": answer,
            "score": float(score),
            "reference": True if references is None else position in references,
        }
        for number, example in enumerate(examples)
        for position, (answer, score) in enumerate(example)
    ]
    return sources.compact(pd.DataFrame(rows), [*schemas.KEYS, "variant", "answer"])


def drop(numerators, denominators):
    """Mean of 1 - a / b: 0 for 0 / 0, left out for a / 0."""
    terms = [
        0.0 if a == b == 0 else 1 - a / b
        for a, b in zip(numerators, denominators)
        if b != 0 or a == b
    ]
    return sum(terms) / len(terms)


def by_definition(example, references):
    scores = [score for _, score in example]
    originals = [scores[position] for position in references]
    n = len(scores)
    mean = sum(scores) / n
    return {
        "consistent": len({answer for answer, _ in example}) == 1,
        "performance": sum(originals) / len(originals),
        "score_std": math.sqrt(sum((s - mean) ** 2 for s in scores) / n),
        "pdr": sum(drop([o] * n, scores) for o in originals) / len(originals),
        "pdr_usual": sum(drop(scores, [o] * n) for o in originals) / len(originals),
        "success": sum(s == 1 for s in scores) / n,
    }


def pairs_of(examples, answers=None, seed=0, confidence=0.95, references=None, resamples=500):
    rows = long_table(examples, references)
    return consistency.pair_measures(
        consistency.example_measures(rows),
        answers or {},
        confidence,
        resamples,
        np.random.default_rng(seed),
    ).iloc[0]


def test_pair_measures_enumerated_by_hand():
    examples = [
        [("a", 1), ("a", 1), ("a", 1)],
        [("b", 0), ("b", 0), ("b", 0)],
        [("a", 1), ("b", 0), ("a", 1)],
        [("a", 1), ("a", 1), ("a", 1)],
    ]
    pair = pairs_of(examples, {"d": 4})
    p = 8 / 12
    assert pair["performance"] == pytest.approx(p)
    assert pair["output_consistency"] == 0.75
    assert pair["always_right"] == 0.5
    assert pair["consistent_wrong"] == 0.25
    assert pair["random_baseline"] == pytest.approx(p**3 + (1 - p) ** 3)
    assert pair["random_baseline_answers"] == pytest.approx(p**3 + 3 * ((1 - p) / 3) ** 3)
    assert pair["score_std"] == pytest.approx(math.sqrt(2 / 9) / 4)
    assert pair["excess_lower"] <= pair["excess"] <= pair["excess_upper"]


def test_excess_interval_is_that_of_all_resamples():
    """Of a consistent example that is right and a mixed one that is right once in three.

    Resamples have (2, 1, 0) consistent examples in 1, 2, 1 of four cases, so p is 1, 2/3 or 1/3
    and the excess 0, 1/2 - 1/3 or 0 - 1/3.
    """
    examples = [[("a", 1)] * 3, [("a", 1), ("b", 0), ("c", 0)]]
    pair = pairs_of(examples, {"d": 3}, resamples=4000)
    assert pair["excess"] == pytest.approx(1 / 6)
    assert pair[["excess_lower", "excess_upper"]].tolist() == pytest.approx([-1 / 3, 1 / 6])
    narrow = pairs_of(examples, confidence=0.4, resamples=4000)
    assert narrow[["excess_lower", "excess_upper"]].tolist() == pytest.approx([0, 1 / 6])


def test_examples_with_fewer_configurations_have_their_own_baseline():
    """p = 3/4: the mean of both examples' shares of right answers."""
    examples = [[("a", 1)] * 4, [("a", 1), ("b", 0)]]
    pair = pairs_of(examples, {"d": 2}, confidence=0.4, resamples=4000)
    two, four = 0.75**2 + 0.25**2, 0.75**4 + 0.25**4
    assert pair["random_baseline"] == pytest.approx((two + four) / 2)
    assert pair["random_baseline_answers"] == pytest.approx((two + four) / 2)
    assert pair["n_configurations"] == 4
    # The second alone agrees with probability 1/2, and does not: excess -1/2; both: 1/2 - baseline.
    ends = [0, 0.5 - (two + four) / 2]
    assert pair[["excess_lower", "excess_upper"]].tolist() == pytest.approx(ends)
    wide = pairs_of(examples, resamples=4000)
    assert wide["excess_lower"] == pytest.approx(-0.5)


@pytest.mark.parametrize("row", GOLDEN_WILSON.to_dict("records"), ids=str)
def test_consistency_has_the_interval_of_rs_prop_test(row):
    agree, differ = [("a", 1), ("a", 1)], [("a", 1), ("b", 0)]
    consistent = int(row["successes"])
    examples = [agree] * consistent + [differ] * (int(row["n"]) - consistent)
    pair = pairs_of(examples, confidence=row["level"], resamples=2)
    ends = pair[["output_consistency_lower", "output_consistency_upper"]].tolist()
    assert ends == pytest.approx([row["lower"], row["upper"]], abs=1e-9)


def test_shares_of_behaviours_are_of_their_own_examples():
    right, wrong = [("a", 1), ("a", 1)], [("b", 0), ("b", 0)]
    mixed, astray = [("a", 1), ("b", 0)], [("b", 0), ("c", 0)]
    pair = pairs_of([right] * 5 + [mixed] * 3 + [wrong] + [astray])
    shares = [*consistency.BEHAVIOURS, "consistent_wrong", "output_consistency", "n_examples"]
    assert pair[shares].tolist() == [0.5, 0.3, 0.2, 0.1, 0.6, 10]


def test_drops_and_performance_are_means_over_examples():
    """Only the first configuration is a reference; the paper's drop divides by the perturbed."""
    examples = [[("a", 1), ("b", 0.5)], [("a", 0.5), ("b", 1)], [("a", 0), ("b", 0.25)]]
    pair = pairs_of(examples, references={0})
    assert pair["performance"] == pytest.approx(0.5)
    assert pair["pdr"] == pytest.approx(np.mean([(0 - 1) / 2, (0 + 0.5) / 2, (0 + 1) / 2]))
    assert pair["pdr_usual"] == pytest.approx(np.mean([(0 + 0.5) / 2, (0 - 1) / 2, 0]))
    spreads = [0.25, 0.25, 0.125]
    assert pair["score_std"] == pytest.approx(np.mean(spreads))


def test_examples_of_unequal_size_and_their_neighbours_are_kept_apart():
    """The same example of two models and of two datasets, one row or three."""
    rows = pd.DataFrame(
        [
            ("m", "d", "e", "v0", "a", 1.0),
            ("m", "f", "e", "v0", "a", 0.0),
            ("m", "f", "e", "v1", "b", 1.0),
            ("n", "f", "e", "v0", "b", 0.5),
            ("n", "f", "g", "v0", "b", 1.0),
            ("n", "f", "g", "v1", "b", 0.0),
            ("n", "f", "g", "v2", "b", 1.0),
        ],
        columns=["model", "dataset", "example_id", "variant", "answer", "score"],
    ).assign(reference=True)
    coded = sources.compact(rows, [*schemas.KEYS, "variant", "answer"])
    measured = consistency.example_measures(coded)
    assert measured["n_configurations"].tolist() == [1, 2, 1, 3]
    assert measured["consistent"].tolist() == [True, False, True, True]
    assert measured["success"].tolist() == pytest.approx([1, 0.5, 0, 2 / 3])
    assert measured["binary"].tolist() == [True, True, False, True]
    assert measured["behaviour"].tolist() == ["always_right", "mixed", "mixed", "mixed"]
    # Pairs that there are, and no others; a mean over their own examples.
    pairs = consistency.pair_measures(measured, {}, 0.9, 50, np.random.default_rng(0))
    assert pairs[["model", "dataset"]].to_numpy().tolist() == [["m", "d"], ["m", "f"], ["n", "f"]]
    assert pairs["output_consistency"].tolist() == [1, 0, 1]
    assert pairs["n_examples"].tolist() == [1, 1, 2]
    assert pairs["performance"].tolist() == pytest.approx([1, 0.5, (0.5 + 2 / 3) / 2])
    # Graded scores have none.
    assert pairs["random_baseline"].fillna(-1).tolist() == [1, 0.5, -1]
    assert pairs["excess_lower"].isna().tolist() == [False, False, True]


def test_spreads_fall_into_the_bin_that_ends_with_them():
    """Bins are open below and closed above; labels name their ends."""
    spreads = [0.1, 0.100001, 0.3, 0.35, 0.5, 0.0, 0.0, 0.0]
    behaviours = ["mixed"] * 6 + ["always_right", "always_wrong"]
    examples = pd.DataFrame(
        {"model": "m", "dataset": "d", "score_std": spreads, "behaviour": behaviours}
    )
    apart = pd.DataFrame({"model": "n", "dataset": "e", "score_std": [0.2], "behaviour": ["mixed"]})
    both = pd.concat([examples, apart]).astype({"model": "category", "dataset": "category"})
    table = consistency.std_distribution(both, 5)
    first, second = table[table["model"] == "m"], table[table["model"] == "n"]
    classes = ["always_right", "constant", "(0, 0.1]", "(0.1, 0.2]", "(0.2, 0.3]", "(0.3, 0.4]"]
    assert first["std_class"].tolist() == [*classes, "(0.4, 0.5]", "always_wrong"]
    assert first["n_examples"].tolist() == [1, 1, 1, 1, 1, 1, 1, 1]
    assert first["share"].tolist() == [1 / 8] * 8
    # Only pairs that there are; the other pair's share is its own.
    assert len(table) == 16
    assert second["n_examples"].tolist() == [0, 0, 0, 1, 0, 0, 0, 0]
    assert second["share"].sum() == 1
    assert list(table.columns) == ["model", "dataset", "std_class", "n_examples", "share"]


cells = st.tuples(st.sampled_from("abc"), st.sampled_from([0.0, 0.25, 0.5, 1.0]))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_measures_are_those_of_the_definitions(data):
    configurations = data.draw(st.integers(2, 5))
    example = st.lists(cells, min_size=configurations, max_size=configurations + 2)
    examples = data.draw(st.lists(example, min_size=1, max_size=4))
    references = data.draw(st.sets(st.integers(0, configurations - 1), min_size=1))
    found = consistency.example_measures(long_table(examples, references))
    for example, row in zip(examples, found.to_dict("records")):
        for name, value in by_definition(example, sorted(references)).items():
            assert row[name] == pytest.approx(value, abs=1e-12), name


def counts(*rows, dataset="d", model="m", distinct=None):
    """Items with (right, wrong, abstained, original)."""
    table = pd.DataFrame(rows, columns=["right", "wrong", "abstained", "original"])
    return table.assign(
        dataset=dataset,
        model=model,
        item=range(len(rows)),
        wordings=table[["right", "wrong", "abstained"]].sum(axis=1),
        distinct_answers=np.nan if distinct is None else distinct,
    )


def measured(table, resamples=20, seed=0):
    generator = np.random.default_rng(seed)
    return consistency.variant_measures(table, 0.95, resamples, generator)


def test_shares_are_those_of_a_hand_count():
    table = counts(
        (3, 0, 0, "right"), (0, 3, 0, "wrong"), (0, 0, 2, "abstained"), (1, 2, 0, "right"),
        distinct=[1, 3, 1, 2],
    )  # fmt: skip
    (row,) = measured(table).to_dict("records")
    assert row["performance"] == pytest.approx((1 + 0 + 0 + 1 / 3) / 4)
    assert row["verdict_consistency"] == 0.75
    # Three different wrong answers have one verdict.
    assert row["answer_consistency"] == 0.5
    assert (row["always_right"], row["always_wrong"], row["always_abstained"]) == (0.25,) * 3
    assert row["wordings"] == 2.75
    # Right at first, then wrong twice: the usual drop is two thirds, the printed one is none.
    assert row["pdr_usual"] == pytest.approx((2 / 3) / 4)
    assert row["pdr"] == 0
    assert row["score_std"] == pytest.approx(np.sqrt(2 / 9) / 4)
    # A share p of 1/4 has the one deviation that is not 0: (1 - 2p) / sqrt(p (1 - p)).
    assert row["std_skewness"] == pytest.approx(0.5 / np.sqrt(3 / 16))
    assert np.isnan(measured(counts((3, 0, 0, "right"), (0, 3, 0, "wrong")))["std_skewness"][0])
    # Every verdict's share of all wordings, each item weighing the same.
    right, wrong, abstained = 1 / 3, (1 + 2 / 3) / 4, 0.25
    three, two = (sum(p**n for p in (right, wrong, abstained)) for n in (3, 2))
    assert row["chance"] == pytest.approx(0.75 * three + 0.25 * two)
    assert row["excess"] == pytest.approx(0.75 - row["chance"])


def test_answers_that_are_not_known_have_no_consistency():
    (row,) = measured(counts((2, 0, 0, "right"), (1, 1, 0, "wrong"))).to_dict("records")
    assert np.isnan(row["answer_consistency"])
    assert np.isnan(row["answer_consistency_upper"])
    assert row["verdict_consistency_lower"] < 0.5 < row["verdict_consistency_upper"]


def scores(effect=0.0, paraphrases=30, models=6, seed=0):
    rng = np.random.default_rng(seed)
    wording = rng.normal(0, effect, paraphrases)[:, None]
    chance = np.clip(np.linspace(0.3, 0.7, models) + wording, 0, 1)
    cells = pd.DataFrame(rng.binomial(consistency.ITEMS, chance) / consistency.ITEMS)
    long = cells.add_prefix("m").melt(ignore_index=False, var_name="model", value_name="score")
    return long.rename_axis("paraphrase").reset_index().assign(suite="s", task="t")


def test_the_analysis_is_that_of_statsmodels():
    table = scores(effect=0.05)
    (row,) = consistency.prompt_tests(table).to_dict("records")
    fit = smf.ols("score ~ C(paraphrase) + C(model)", table).fit()
    expected = anova_lm(fit, typ=2)
    assert row["f"] == pytest.approx(expected.loc["C(paraphrase)", "F"])
    assert row["p"] == pytest.approx(expected.loc["C(paraphrase)", "PR(>F)"])
    total = expected["sum_sq"].sum()
    for name, term in (("paraphrase", "C(paraphrase)"), ("model", "C(model)")):
        assert row[name] == pytest.approx(expected.loc[term, "sum_sq"] / total)
    assert row["model"] + row["paraphrase"] + row["interaction"] == pytest.approx(1)


def test_the_share_of_answers_is_that_of_single_right_or_wrong_ones():
    table = scores(effect=0.1, paraphrases=4, models=3)
    rights = (table["score"] * consistency.ITEMS).round().astype(int)
    single = pd.DataFrame(
        {
            "paraphrase": np.repeat(table["paraphrase"], consistency.ITEMS),
            "right": np.concatenate([[1] * k + [0] * (consistency.ITEMS - k) for k in rights]),
        }
    )
    expected = anova_lm(smf.ols("right ~ C(paraphrase)", single).fit())["sum_sq"]
    (row,) = consistency.prompt_tests(table).to_dict("records")
    assert row["share_of_answers"] == pytest.approx(expected.iloc[0] / expected.sum())
    # Degrees of freedom of four paraphrases, and of all answers.
    assert row["share_by_chance"] == pytest.approx(3 / (12 * consistency.ITEMS - 1))
