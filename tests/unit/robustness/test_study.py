"""One call gives every table: what is made up says so, and headline numbers are counted by hand."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from scipy import stats

from saturation import index, quantity, seeds
from saturation.errors import InputError
from saturation.files import stages
from saturation.files.schema import validate
from saturation.files.tables import read_table
from saturation.robustness import names as robustness_names
from saturation.robustness import schemas, sources, study, synthetic

ROOT = Path(__file__).parents[3]
FACTS = ROOT / "resources" / "robustness"
GOLDEN = read_table(ROOT / "tests" / "golden" / "robustness_spearman.csv")
CONFIG = yaml.safe_load((ROOT / "config" / "config.yaml").read_text(encoding="utf-8"))
TRUTH = {**CONFIG["robustness"]["synthetic"], "examples": 12}
SETTINGS = study.Settings(resamples=8, seed=1)
INDEX = pd.DataFrame(
    {
        "benchmark_id": ["boolq", "mmlu", "mmlu_pro", "gpqa_diamond"],
        "s_index": [0.9, 0.8, 0.4, 0.2],
        "bin": ["high", "high", "low", "low"],
    }
)


@pytest.fixture(scope="module")
def facts():
    return {
        name: stages.read(
            FACTS / f"{name}.{suffix}", schemas.FACTS[name], **schemas.AS_TEXT.get(name, {})
        )
        for name, suffix in robustness_names.FACTS.items()
    }


@pytest.fixture(scope="module")
def drawn(facts):
    """Synthetic predictions and their truth."""
    return synthetic.study(
        facts["performance"],
        robustness_names.levels(facts["design"]),
        read_table(FACTS / "datasets.csv"),
        TRUTH,
        seeds.generator(1, "robustness", "synthetic"),
    )


@pytest.fixture(scope="module")
def own(drawn):
    """The study of those predictions."""
    rows, _ = sources.prepared(drawn[0], SETTINGS.factors, (0, 1), "lower_strip", False, "f")
    datasets = validate(read_table(FACTS / "datasets.csv"), schemas.DATASETS, "datasets.csv")
    return study.own_study(rows, datasets, INDEX, SETTINGS)


@pytest.fixture(scope="module")
def public(facts):
    """The study without predictions of one's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study.slopes, "DRAWS", 5)
        return study.study(facts, SETTINGS)


@pytest.fixture(scope="module")
def found(public):
    """Headline numbers of the public answers by name."""
    table = public.quantities.set_index("quantity")
    return table[table.index.str.startswith("public_")]


def test_the_defaults_are_the_configs():
    section = CONFIG["robustness"]
    shared = ("factors", "confidence", "resamples", "outlier_alpha", "std_bins")
    given = {name: section[name] for name in shared} | {"factors": tuple(section["factors"])}
    given |= {name: CONFIG["plateau"][name] for name in ("k", "alpha")}
    assert study.Settings(**given, seed=CONFIG["seed"]) == study.Settings()


def test_made_up_numbers_are_called_so(facts, public, own):
    found = study.quantities(facts, vars(public) | vars(own))["quantity"]
    assert found.str.startswith("synthetic_slope").sum() == 5
    assert "slope_ols" not in set(found)
    made = {name: table for name, table in vars(own).items() if name != "examples"}
    assert all(table["synthetic"].all() for table in made.values())


def test_no_real_model_has_made_up_answers(facts, drawn, own):
    made_up = set(drawn[1]["model"]) | set(own.consistency["model"])
    assert made_up == {f"model {place}" for place in range(1, 10)}
    assert not made_up & set(facts["performance"]["model"])


def test_the_papers_design_has_24_configurations(facts, public):
    levels = robustness_names.levels(facts["design"])
    assert {factor: len(of_factor) for factor, of_factor in levels.items()} == {
        "paraphrase": 2, "demonstrations": 2, "noise": 3, "temperature": 2,
    }  # fmt: skip
    # The undisturbed level comes first, and levels are text whatever they look like.
    assert levels["noise"][0] == "none"
    assert all(isinstance(name, str) for names in levels.values() for name in names)
    assert robustness_names.n_configurations(levels) == 24
    found = public.quantities.set_index("quantity")["value"]
    assert found[["n_pairs", "n_inferences"]].tolist() == [54, 129_600]


def test_link_joins_what_is_known_and_computes_its_own():
    pairs = pd.DataFrame(
        {
            "dataset": ["A"] * 3 + ["B"] * 2,
            "performance": [0.9, 0.8, 0.7, 0.5, 0.4],
            "n_examples": 100,
        }
    )
    datasets = pd.DataFrame({"dataset": ["A", "B"], "output_consistency": [0.8, 0.3]})
    plateau = pd.DataFrame({"benchmark_id": ["a"], "s_index": [0.4], "bin": ["moderate"]})
    ids = pd.Series({"A": "a", "B": None})
    table = study.saturation(pairs, datasets, plateau, ids, 3, 0.5)
    assert list(table)[:5] == ["dataset", "benchmark_id", "s_index", "bin", "s_index_own"]
    table = table.set_index("dataset")
    assert table.loc["A", "s_index"] == 0.4
    assert np.isnan(table.loc["B", "s_index"])
    expected = float(index.saturation_index(0.9, 0.7, 100, 0.5))
    assert table.loc["A", "s_index_own"] == pytest.approx(expected)
    assert np.isnan(table.loc["B", "s_index_own"])


def test_each_index_is_ranked_against_consistency():
    linked = pd.DataFrame(
        {
            "output_consistency": [0.9, 0.1, 0.5],
            "s_index": [0.1, 0.9, 0.5],
            "s_index_own": np.nan,
            "performance": [0.9, 0.5, 0.7],
        }
    )
    table = study.correlations(linked).set_index("index")
    assert list(table.index) == ["s_index", "s_index_own", "performance"]
    assert table["rho"].fillna(9).tolist() == pytest.approx([-1, 9, 1])
    assert table["n"].tolist() == [3, 0, 3]


@pytest.mark.parametrize("row", GOLDEN.head(4).to_dict("records"), ids=str)
def test_exact_p_values_are_those_of_r(row):
    y = pd.Series([float(place) for place in row["order"].split()])
    found = study.rank_correlation(pd.Series(np.arange(len(y)) + 0.5), y)
    assert found["rho"] == pytest.approx(row["rho"])
    assert found["p"] == pytest.approx(row["p"], abs=1e-9)
    assert found["n"] == len(y)


def test_from_nine_datasets_the_p_value_is_that_of_t():
    row = GOLDEN.iloc[4]
    y = pd.Series([float(place) for place in row["order"].split()])
    found = study.rank_correlation(pd.Series(np.arange(9.0)), y)
    t = row["rho"] * np.sqrt(7 / (1 - row["rho"] ** 2))
    assert found["rho"] == pytest.approx(row["rho"])
    assert found["p"] == pytest.approx(2 * stats.t.sf(t, 7))
    assert found["p"] != pytest.approx(row["p"], rel=1e-3)


def test_tied_ranks_by_hand():
    """Of the six orders of ranks (1.5, 1.5, 3) against 1, 2, 3, two are as extreme upwards."""
    found = study.rank_correlation(pd.Series([1.0, 2, 3]), pd.Series([5.0, 5, 7]))
    assert found["rho"] == pytest.approx(np.sqrt(3) / 2)
    # Two orders put 3 last, two put it first, which is as extreme downwards.
    assert found["p"] == pytest.approx(4 / 6)


def test_few_complete_cases_and_a_variable_that_does_not_vary_have_no_correlation():
    flat, two, y = (pd.Series(v) for v in ([1.0] * 4, [1.0, 2, np.nan, np.nan], [1.0, 2, 3, 4]))
    for pair, n in (((flat, y), 4), ((y, flat), 4), ((two, y), 2)):
        found = study.rank_correlation(*pair)
        assert np.isnan([found["rho"], found["p"]]).all()
        assert found["n"] == n


def table_of(rows):
    return quantity.frame(rows).set_index("quantity")


@pytest.mark.parametrize(("synthetic", "prefix"), [(True, "synthetic_"), (False, "")])
def test_numbers_of_made_up_predictions_carry_their_name(synthetic, prefix):
    slopes = pd.DataFrame(
        {"reading": ["ols"], "slope": [1.0], "lower": [0.9], "upper": [1.1], "r_squared": [0.8]}
    ).assign(synthetic=synthetic)
    shares = pd.DataFrame({"component": ["model"], "share": [0.1], "lower": [0], "upper": [0.2]})
    ends = {"output_consistency_lower": 0.4, "output_consistency_upper": 0.6}
    datasets = pd.DataFrame([{"dataset": "MMLU-Pro", "output_consistency": 0.5, **ends}])
    correlations = pd.DataFrame({"index": ["s_index"], "rho": [0.6], "n": [5]})
    table = table_of(study.from_measurement(slopes, shares, datasets, correlations))
    names = ["slope_ols", "r_squared", "share_model", "consistency_mmlu_pro", "rho_s_index"]
    rows = table.loc[[f"{prefix}{name}" for name in names]]
    assert len(table) == len(rows)
    assert rows["value"].tolist() == [1.0, 0.8, 0.1, 0.5, 0.6]
    ends = rows[["lower", "upper"]].to_numpy().tolist()
    assert ends[0] == [0.9, 1.1]
    assert ends[2:4] == [[0, 0.2], [0.4, 0.6]]
    note = "synthetic predictions: says nothing about any model" if synthetic else ""
    assert rows["note"].tolist() == [note] * 4 + [f"{note}; n = 5" if synthetic else "n = 5"]


ENDS = {"low": 2.0, "high": 4.0}
SIGNIFICANT = ["significant_noise", "significant_demonstrations", "significant_other"]


def audited(**columns):
    rows = {
        "anova_type": ["II", "II", "II", "III"],
        "dataset": ["D", "D", "D", "D"],
        "factor": ["noise", "demonstrations", "paraphrase", "intercept"],
        "p": ["0.040", "0.050", "0.051", "0.000"],
        "sum_sq": ["1.0", "2.0", "3.0", "9.0"],
        "error_ss_low": [90.0, 90.0, 90.0, 90.0],
        "error_ss_high": [110.0, 110.0, 110.0, 110.0],
        "types_fit": [True, True, False, False],
        "consistent": [True, False, True, True],
        "df": [2, 1, 3, 1],
        "df_implied": [3, 1, 3, 1],
        **{f"{name}_low": 1.0 for name in schemas.STATISTICS},
        **{f"{name}_high": 3.0 for name in schemas.STATISTICS},
        **{f"{name}_implied_{end}": value for name in ("f", "p") for end, value in ENDS.items()},
        "inconsistent": [float("nan"), "p_fits", float("nan"), float("nan")],
    }
    return pd.DataFrame({**rows, **columns})


DATASETS = pd.DataFrame(
    {"dataset": ["D"], "n_fits": [True], "n_low": [10], "n_high": [14], "mean_low": 0.5,
     "mean_high": 0.7, "mean_added_low": np.nan, "mean_added_high": np.nan}
)  # fmt: skip
EXTERNAL = pd.DataFrame(
    {
        "model": ["M-1", "M-1", "M-1", "N"],
        "dataset": ["MMLU", "MMLU", "GPQA", "MMLU"],
        "measured": [80, 80, 50, 60],
        "published": [85, 84, 50, 70],
        "table_a2": [80, 80, 40, 60],
        "fits": [True, True, False, True],
        "table": ["Table A.3", "Table A.4", "Table A.4", "Table A.4"],
        "source_score": [84.6, np.nan, np.nan, 70.0],
        "source_instruct": [86.0, np.nan, np.nan, np.nan],
    }
)


def test_numbers_of_the_audit_by_hand():
    table = table_of(study.from_audit(audited(), DATASETS, EXTERNAL))
    found = table["value"]
    # At 0.05 a p-value is neither above nor below the level.
    assert found["p_not_significant"] == pytest.approx(1 / 3)
    assert found["p_not_significant__both_tables"] == pytest.approx(1 / 3)
    assert found["p_not_significant__with_intercepts"] == 0.25
    assert found[SIGNIFICANT].tolist() == [1, 0, 0]
    # 3.0 is from 2.95 to 3.05, the error from 90 to 110; the intercept does not count.
    low, high = 2.95 / (2.95 + 110), 3.05 / (3.05 + 90)
    share = table.loc["largest_share", ["value", "lower", "upper"]].tolist()
    assert share == pytest.approx([(low + high) / 2, low, high])
    assert table.loc["audit_ii_d_demonstrations", ["value", "note"]].tolist() == [0, "p_fits"]
    assert table.loc["audit_iii_d_intercept", ["value", "note"]].tolist() == [1, ""]
    cells = table[table.index.str.startswith("cell_")]
    assert len(cells) == 4 * 5 + 2
    assert cells.loc["cell_iii_d_intercept_f", ["lower", "upper"]].tolist() == [1, 3]
    assert cells.loc["cell_ii_d_noise_p__added_level", ["lower", "upper"]].tolist() == [2, 4]
    assert table.loc["audit_mean_d", ["lower", "upper"]].tolist() == [0.5, 0.7]
    assert "audit_mean_d__added_level" not in table.index
    assert found["audit_types_equal"] == pytest.approx(2 / 3)
    assert found[["audit_rows", "audit_rows_consistent"]].tolist() == [4, 3]
    assert found["audit_datasets_with_design_n"] == 1
    assert table.loc["audit_n_d", ["value", "lower", "upper"]].tolist() == [12, 10, 14]


def test_other_significant_factors_are_counted_apart():
    factors = ["temperature", "demonstrations", "demonstrations", "intercept"]
    rows = audited(factor=factors, p=["0.049", "0.010", "0.010", "0.000"])
    rows = rows.assign(dataset=["D", "D", "E", "D"])
    found = table_of(study.from_audit(rows, DATASETS, EXTERNAL))["value"]
    assert found[SIGNIFICANT].tolist() == [0, 2, 1]


def test_the_headline_numbers_are_those_that_were_read_through(public, reviewed):
    reviewed("robustness", public.quantities)


def test_slopes_are_those_of_a_plain_fit(found):
    counts = pd.read_parquet(FACTS / "variants.parquet").query("dataset == 'MATH-500'")
    by_model = (
        counts.assign(p=counts["right"] / counts["wordings"], same=counts["distinct_answers"] == 1)
        .groupby("model", observed=True)[["p", "same"]]
        .mean()
    )
    slope, _ = np.polyfit(by_model["p"], by_model["same"], 1)
    assert found.loc["public_slope_answers_math_500", "value"] == pytest.approx(slope)
    assert by_model["p"].corr(by_model["same"]) == pytest.approx(
        found.loc["public_correlation_answers_math_500", "value"]
    )


def test_significant_tasks_and_large_shares_are_counted(facts, public):
    changed = public.prompts.assign(p_holm=0.05, share_of_answers=0.01)
    changed.loc[[0, 1], "p_holm"] = 0.049
    changed.loc[2, "share_of_answers"] = 0.0099
    again = study.quantities(facts, vars(public) | {"prompts": changed})
    value = again.set_index("quantity")["value"]
    assert value["public_prompt_significant"] == 2
    assert value["public_prompt_share_from_one_per_cent"] == 24
    assert value["public_prompt_tasks"] == 25


@pytest.mark.parametrize(
    ("name", "allowed", "refused", "words"),
    [
        ("variants", {"wordings": 1}, {"wordings": 0}, "wordings"),
        ("performance", {"performance": [0.0, 1.0]}, {"performance": 1.01}, r"1\.01"),
        ("performance", {}, {"model": "m", "dataset": "d"}, "model m, dataset d is a duplicate"),
        ("anova", {"p": "4.4e-06"}, {"p": "12"}, r"column 'p'.*printed digits"),
        ("anova", {"p": "0.050"}, {"p": "-0.1"}, r"column 'p'.*printed digits"),
    ],
)
def test_facts_that_cannot_be_are_refused(facts, name, allowed, refused, words):
    table = facts[name].head(2)
    validate(table.assign(**allowed), schemas.FACTS[name], "f")
    with pytest.raises(InputError, match=words):
        validate(table.assign(**refused), schemas.FACTS[name], "f")
