"""The study in one call, its permutation controls, and what it says over all models."""

import dataclasses
import importlib.util
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, stats
from scipy.special import expit

from saturation import seeds
from saturation.errors import InputError
from saturation.files.tables import load_table, write_csv
from saturation.index import saturation_index
from studies.files.stages import Paths
from studies.regression import posterior, study, validation
from studies.regression.design import Design, squeezed
from studies.regression.posterior import write_netcdf
from studies.regression.priors import Effort, Gate, Priors

SCRIPTS = Path(__file__).parents[3] / "workflow" / "scripts" / "regression"
MODELS = ("reference", "interaction", "gap", "yes_or_no")
SCHEMES = {name: ["folds"] for name in MODELS} | {"gap": ["folds", "singly"]}


@pytest.fixture(scope="module")
def settings(specified, missing):
    return study.Settings(
        specified, "reference", missing, minimum_rows=60, bootstrap=50, permutations=4
    )


@pytest.fixture(scope="module")
def posteriors(prepared, default_index, settings, posterior_of):
    designs = study.designs(prepared[0], default_index, settings)
    return {
        name: posterior_of(design, settings.specifications[name].likelihood, seed)
        for seed, (name, design) in enumerate(designs.items())
    }


@pytest.fixture(scope="module")
def held_out(prepared, default_index, settings, posterior_of):
    designs = study.designs(prepared[0], default_index, settings)

    def held(name, scheme):
        model, design = settings.specifications[name], designs[name]

        def sample(rows, seed, effort):
            return posterior_of(rows, model.likelihood, seed % 1000, effort.draws)

        fold = validation.fold_of_rows(design.benchmark, scheme, 3, settings.seed)
        return validation.predict_held_out(
            sample, design, model, fold,
            effort=Effort(60, 10, 2), gate=Gate(1.5, 5, 0), seed=settings.seed,
        )  # fmt: skip

    return {name: {scheme: held(name, scheme) for scheme in SCHEMES[name]} for name in MODELS}


@pytest.fixture(scope="module")
def tables(prepared, default_index, settings, posteriors, held_out):
    return study.study(prepared[0], default_index, posteriors, held_out, settings)


def test_every_model_has_its_tables_and_all_of_them_a_summary(tables):
    assert list(tables["models"]) == list(MODELS)
    assert tables["fit"]["model"].drop_duplicates().tolist() == list(MODELS)
    assert (tables["models"]["interaction"]["validation"]["rows"] > 60).all()
    kinds = tables["fit"].groupby("model", sort=False)["data"].unique()
    assert kinds["reference"].tolist() == ["in_sample", "folds"]
    assert kinds["gap"].tolist() == ["in_sample", "folds", "singly"]
    quantities = tables["quantities"].set_index("quantity")["value"]
    auroc = tables["models"]["reference"]["validation"].set_index(["data", "measure"])["median"]
    assert quantities["auroc__reference"] == auroc["in_sample", "auroc"]


def test_models_are_compared_within_an_outcome_and_effects_are_those_of_saturation(tables):
    compared = tables["comparison"].groupby("outcome", sort=False)["model"].agg(set).to_dict()
    assert compared == {
        "s_index": {"reference", "interaction"}, "log_gap": {"gap"}, "saturated": {"yes_or_no"},
    }  # fmt: skip
    # Three models of saturation, without that of the gap; two of them have the Beta likelihood.
    age = tables["effects"].set_index("column").loc["age"]
    assert age["models"] == 3
    quantities = tables["quantities"].set_index("quantity")
    assert "of the 2 Beta models" in quantities.loc["share_excluding_zero_age", "note"]
    assert "coefficient_gap_age" in quantities.index


def test_another_threshold_changes_what_counts_as_saturated(
    prepared, default_index, settings, posteriors, held_out, tables
):
    lower = dataclasses.replace(settings, saturated_from=0.3)
    other = study.study(prepared[0], default_index, posteriors, held_out, lower)
    counts = [
        study.designs(prepared[0], default_index, one)["reference"].saturated.sum()
        for one in (settings, lower)
    ]
    assert counts == [
        (default_index["s_index"] >= 0.7).sum(),
        (default_index["s_index"] >= 0.3).sum(),
    ]
    assert "share at least 0.3" in set(other["models"]["reference"]["checks"]["statistic"])


def test_the_workflow_writes_the_digits_of_the_study(
    prepared, default_index, settings, posteriors, held_out, tables, sections, tmp_path
):
    """Through its files, the script makes the same bytes as a notebook."""
    inputs = {"benchmarks": tmp_path / "benchmarks.csv", "index": tmp_path / "index.csv"}
    write_csv(prepared[0], inputs["benchmarks"])
    write_csv(default_index, inputs["index"])
    lists = {
        name: [] for name in ("posteriors", "diagnostics", *("predictions", "measures", "refits"))
    }
    for name in MODELS:
        lists["posteriors"].append(tmp_path / name / "posterior.nc")
        write_netcdf(posteriors[name], lists["posteriors"][-1])
        lists["diagnostics"].append(tmp_path / name / "diagnostics.csv")
        write_csv(posterior.diagnostics(posteriors[name]), lists["diagnostics"][-1])
        for scheme in SCHEMES[name]:
            for kind, table in vars(held_out[name][scheme]).items():
                lists[kind].append(tmp_path / name / scheme / f"{kind}.csv")
                write_csv(table, lists[kind][-1])
    kinds = ("validation", "coefficients", "checks")
    over_all = ("permutations", "located", "fit", "effects", "comparison", "quantities")
    output = {kind: [tmp_path / name / f"{kind}.csv" for name in MODELS] for kind in kinds}
    output |= {kind: tmp_path / f"{kind}.csv" for kind in over_all}
    output["figures"] = [tmp_path / f"{name}.svg" for name in ("overfitting", "forest")]
    given = dataclasses.asdict(settings) | {"specifications": sections}
    spec = importlib.util.spec_from_file_location("regression_study", SCRIPTS / "study.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    script.main(Paths(inputs | lists), Paths(output), settings=given, schemes=SCHEMES)
    expected = {tmp_path / f"{kind}.csv": tables[kind] for kind in over_all}
    for name, made in tables["models"].items():
        expected |= {tmp_path / name / f"{kind}.csv": made[kind] for kind in kinds}
    for path, table in expected.items():
        again = tmp_path / "again.csv"
        write_csv(table, again)
        assert again.read_bytes() == path.read_bytes(), path
        for column in table.select_dtypes("float"):
            np.testing.assert_array_equal(table[column], load_table(path)[column].astype(float))
    assert all(path.stat().st_size > 5000 for path in output["figures"])


PRIORS = Priors(intercept=1.5, coefficient=1.0, spread=20.0)


@pytest.fixture(scope="module")
def drawn():
    rng = np.random.default_rng(2)
    matrix = np.column_stack([np.ones(400), rng.normal(size=(400, 2))])
    mean = expit(matrix @ [0.2, 0.8, -0.5])
    return matrix, np.clip(rng.beta(mean * 5, (1 - mean) * 5), 1e-6, 1 - 1e-6)


def test_the_density_and_its_gradient_are_those_of_the_model(drawn):
    matrix, outcome = drawn

    def ours(theta):
        scales = PRIORS.scales(3)
        return study._negative_log_posterior(theta, matrix, outcome, scales, PRIORS.spread)

    def written_out(theta):
        mean, precision = expit(matrix @ theta[:-1]), np.exp(theta[-1])
        data = stats.beta.logpdf(outcome, mean * precision, (1 - mean) * precision).sum()
        prior = stats.norm.logpdf(theta[:-1], scale=PRIORS.scales(3)).sum()
        return -data - prior - stats.halfnorm.logpdf(precision, scale=PRIORS.spread)

    one, other = np.array([0.1, 0.4, -0.3, 1.2]), np.array([0.5, -0.2, 0.3, 0.7])
    assert ours(one)[0] - ours(other)[0] == pytest.approx(written_out(one) - written_out(other))
    slope = optimize.approx_fprime(one, written_out, 1e-6)
    np.testing.assert_allclose(ours(one)[1], slope, rtol=1e-4)
    mode = optimize.minimize(written_out, one).x[:-1]
    np.testing.assert_allclose(study.posterior_mode(*drawn, PRIORS), mode, atol=1e-5)


def test_a_design_without_the_followed_term_is_refused():
    design = Design(
        ["Intercept", "log_n"],
        np.ones((3, 2)),
        np.full(3, 0.5),
        np.ones(3, bool),
        np.array([*"abc"]),
    )
    with pytest.raises(InputError, match="no term 'age', which the permutation controls follow"):
        study.refit("age", design, PRIORS, [np.arange(3)], [design.outcome])


@pytest.fixture
def small():
    """Twelve benchmarks with a design of age and log n, and their scores."""
    rng = np.random.default_rng(8)
    n_test = np.exp(rng.uniform(4, 9, 12)).round()
    names = np.array([f"b{i:02d}" for i in range(12)])
    scores = pd.DataFrame(
        {"benchmark_id": names, "s_1": 0.9, "s_k": rng.uniform(0.8, 0.9, 12), "n_test": n_test}
    )
    outcome = squeezed(saturation_index(0.9, scores["s_k"], n_test))
    matrix = np.column_stack([np.ones(12), rng.normal(size=12), np.log(n_test) - 6])
    return Design(["Intercept", "age", "log_n"], matrix, outcome, outcome > 0.7, names), scores


def test_sizes_and_ages_are_dealt_out_before_the_refits(small, settings):
    design, scores = small
    few = dataclasses.replace(settings, permutations=2)
    priors = few.specifications[few.reference_model].priors
    null, _ = study.controls(design, scores.sample(frac=1, random_state=1), few)
    assert null["control"].tolist() == ["n_test"] * 2 + ["age"] * 2
    assert null["permutation"].tolist() == [0, 1, 0, 1]
    for row, (control, column) in zip((0, 2), (("n_test", 2), ("age", 1)), strict=True):
        order = seeds.generator(few.seed, "regression", control).permutation(12)
        # S contains the sizes, and not the ages.
        n_test = scores["n_test"].to_numpy()[order if control == "n_test" else slice(None)]
        matrix = design.matrix.copy()
        matrix[:, column] = matrix[order, column]
        outcome = squeezed(saturation_index(scores["s_1"], scores["s_k"], n_test, few.alpha))
        mode = study.posterior_mode(matrix, outcome, priors)
        expected = pytest.approx(mode[1:].tolist(), rel=1e-7)
        assert null.loc[row, ["age", "log_n"]].tolist() == expected


def test_places_in_the_null_by_hand(small):
    design, _ = small
    age, log_n = study.posterior_mode(design.matrix, design.outcome, PRIORS)[1:]
    null = pd.DataFrame(
        {
            "control": "n_test",
            "permutation": range(4),
            # Around a centre of 0.05 below the real one: two at most, two as far away.
            "log_n": log_n + np.array([-0.1, -0.1, 0.0, 0.0]),
            "age": age + np.array([1.0, 2.0, 3.0, 4.0]),
        }
    )
    place = study.located(null, design, PRIORS).set_index("predictor")
    assert place.loc["log_n", "observed"] == pytest.approx(log_n)
    assert place.loc["log_n", "null_mean"] == pytest.approx(log_n - 0.05)
    assert place.loc["log_n", "null_lower"] == pytest.approx(log_n - 0.1)
    assert place.loc["log_n", "null_upper"] == pytest.approx(log_n)
    # 2.5 away from the centre; the refits are 1.5 and 0.5 away.
    assert place.loc["age", "p_two_sided"] == pytest.approx(1 / 5)
    assert (place["permutations"] == 4).all()


@pytest.fixture
def coefficients():
    rows = [
        ("a", "age", 0.5, 0.1, 0.9, True),
        ("b", "age", 0.4, -0.1, 0.9, False),
        ("a", "private", 0.2, -0.5, 0.9, False),
        ("b", "private", -0.2, -0.9, 0.5, False),
        ("a", "age:log_n", 0.1, -0.1, 0.3, False),
        ("a", "metrics[f1;recall]", 0.1, -0.1, 0.3, False),
    ]
    columns = ["model", "column", "mean", "lower_95", "upper_95", "excludes_zero"]
    return pd.DataFrame(rows, columns=columns)


def test_every_quantity_is_named_once_as_the_ledger_expects(coefficients):
    fit = pd.DataFrame(
        {
            "model": "a",
            "measure": ["r2_modelled", "auroc", "r2_prediction"] * 3,
            "data": np.repeat(["in_sample", "folds", "singly"], 3),
            "value": [0.4, 0.75, 0.1, 0.5, 0.65, 0.2, 0.6, 0.55, 0.3],
            "median": [0.4, 0.76, 0.1, 0.5, 0.66, 0.2, 0.6, 0.56, 0.3],
        }
    ).assign(sd=0.05, lower=0.0, upper=1.0, rows=60, columns=3)
    located = pd.DataFrame(
        {"control": ["n_test"], "predictor": "log_n", "null_mean": -0.4, "null_lower": -0.8,
         "null_upper": -0.1, "p_two_sided": 0.3, "permutations": 200}
    )  # fmt: skip
    table = study.quantities(fit, coefficients, study.effects(coefficients), located)
    assert not table["quantity"].duplicated().any()
    named = table.set_index("quantity")["value"]
    expected = {
        "r2_bayes__a_modelled": 0.4, "r2_bayes_sd__a_modelled": 0.05, "auroc__a": 0.76,
        "r2_held_out_a": 0.2, "r2_leave_one_out_a": 0.3, "coefficient_a_age_log_n": 0.1,
        "share_excluding_zero_most_other": 0.0, "permuted_n_test_log_n_p": 0.3,
    }  # fmt: skip
    assert {name: named[name] for name in expected} == expected


def test_effects_at_their_edges(coefficients):
    effects = study.effects(coefficients).set_index("column")
    assert list(effects.index) == ["age", "private"]
    assert effects.loc["age", ["predictor", "lowest", "highest"]].tolist() == ["age", 0.4, 0.5]
    assert effects.loc["private", ["lowest", "highest"]].tolist() == [-0.2, 0.2]
    negative = coefficients.assign(mean=[-0.5, -0.4, -0.2, -0.2, 0.1, 0.1])
    assert study.effects(negative).set_index("column")["sign_kept"].tolist() == [True, True]


def test_another_likelihood_and_all_products_do_not_change_what_is_judged(specified):
    main = specified["reference"]
    models = {
        "main": main,
        "normal": dataclasses.replace(main, likelihood="gaussian"),
        "pairs": dataclasses.replace(main, formula="(age + log_n) ** 2"),
    }
    assert study.judged_models(models) == ["main"]
