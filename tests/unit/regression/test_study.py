"""The study in one call: the tables of its stages, and the scripts that make them."""

import dataclasses
import importlib.util
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from saturation import seeds
from saturation.errors import InputError
from saturation.files.stages import Paths, read
from saturation.files.tables import read_table, write_csv, write_netcdf
from saturation.regression import gate, refits, schemas, study
from saturation.regression.design import Design
from saturation.regression.specification import Effort

SCRIPTS = Path(__file__).parents[3] / "workflow" / "scripts" / "regression"
MODELS = ("reference", "interaction", "gap", "yes_or_no")
SCHEMES = {name: ["folds"] for name in MODELS} | {"gap": ["folds", "singly"]}
EFFORT = Effort(60, 10, 2)
LOOSE = gate.Gate(rhat=1.5, ess=5, divergences=0)


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
def draw(posterior_of):
    """Stands in for the sampler."""
    return lambda design, specification, effort, seed: posterior_of(
        design, specification.likelihood, seed % 1000, effort.draws
    )


@pytest.fixture(scope="module")
def held_out(prepared, default_index, settings, draw):
    designs = study.designs(prepared[0], default_index, settings)
    return {
        name: {
            scheme: refits.held_out(
                design, settings.specifications[name],
                refits.fold_of_rows(design.benchmark, scheme, 3, settings.seed), draw,
                effort=EFFORT, limits=LOOSE,
                seed=seeds.derive(settings.seed, "regression", "refits", name, scheme),
            )
            for scheme in SCHEMES[name]
        }
        for name, design in designs.items()
    }  # fmt: skip


@pytest.fixture(scope="module")
def tables(prepared, default_index, settings, posteriors, held_out):
    return study.study(prepared[0], default_index, posteriors, held_out, settings)


def script(name):
    """A script as a module."""
    spec = importlib.util.spec_from_file_location(f"regression_{name}", SCRIPTS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_model_has_its_tables_and_all_of_them_a_summary(tables):
    kinds = ("design", "validation", "coefficients", "checks")
    assert set(tables) == {f"{model}/{kind}" for model in MODELS for kind in kinds} | {
        "permutations", "located", "fit", "effects", "comparison", "quantities",
    }  # fmt: skip
    assert tables["fit"]["model"].drop_duplicates().tolist() == list(MODELS)
    assert (tables["interaction/validation"]["rows"] > 60).all()
    kinds = tables["fit"].groupby("model", sort=False)["data"].unique()
    assert kinds["reference"].tolist() == ["in_sample", "folds"]
    assert kinds["gap"].tolist() == ["in_sample", "folds", "singly"]
    quantities = tables["quantities"].set_index("quantity")["value"]
    auroc = tables["reference/validation"].set_index(["data", "measure"])["median"]
    assert quantities["auroc__reference"] == auroc["in_sample", "auroc"]
    assert quantities["auroc_draws_held_out__reference"] == auroc["folds", "auroc"]


def test_another_threshold_changes_what_counts_as_saturated(
    prepared, default_index, settings, posteriors, held_out, tables
):
    lower = dataclasses.replace(settings, saturated_from=0.3)
    other = study.study(prepared[0], default_index, posteriors, held_out, lower)
    counts = [made["reference/design"]["saturated"].sum() for made in (tables, other)]
    assert counts == [
        (default_index["s_index"] >= 0.7).sum(),
        (default_index["s_index"] >= 0.3).sum(),
    ]
    assert "share at least 0.3" in set(other["reference/checks"]["statistic"])


@pytest.fixture
def made_by_scripts(scripted, tmp_path):
    """What the scripts made, in a folder that a test may change."""
    return Path(shutil.copytree(scripted, tmp_path / "made"))


@pytest.fixture(scope="module")
def scripted(prepared, default_index, settings, posteriors, draw, sections, tmp_path_factory):
    """The scripts run on given posteriors; returns the folder."""
    tmp_path = tmp_path_factory.mktemp("regression")
    files = {name: tmp_path / f"{name}.csv" for name in ("benchmarks", "index")}
    write_csv(prepared[0], files["benchmarks"])
    write_csv(default_index, files["index"])

    def each(name):
        return [tmp_path / model / name for model in MODELS]

    script("design").main(
        Paths(files), Paths({"files": each("design.csv")}), models=sections,
        missing=settings.missing, saturated_from=settings.saturated_from, minimum_rows=60,
    )  # fmt: skip
    posterior = script("posterior")
    posterior.draw = draw
    held = ("predictions", "measures", "refits")
    refits = {"folds": 3, "singly": [], "draws": 60, "tune": 10, "chains": 2, "rhat": 1.5, "ess": 5}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            posterior, "posteriors",
            lambda designs, specified, effort, limits, seed: {
                name: (posteriors[name], gate.diagnostics(posteriors[name])) for name in designs
            },
        )  # fmt: skip
        posterior.main(
            Paths({"designs": each("design.csv")}),
            Paths({"posteriors": each("posterior.nc"), "diagnostics": each("diagnostics.csv")}
                  | {name: each(f"refits/folds/{name}.csv") for name in held}),
            models=sections, effort={"draws": 60, "tune": 10, "chains": 2}, refits=refits,
            gate={"rhat": 1.1, "ess": 10, "divergences": 0}, seed=settings.seed,
        )  # fmt: skip
    refit = script("refits")
    refit.draw = draw
    kinds = ("validation", "coefficients", "checks")
    singly = [model for model in MODELS if "singly" in SCHEMES[model]]
    refit.main(
        Paths({"designs": [tmp_path / model / "design.csv" for model in singly]}),
        Paths({name: [tmp_path / model / f"refits/singly/{name}.csv" for model in singly]
               for name in held}),
        models={model: sections[model] for model in singly},
        refits=refits, divergences=0, seed=settings.seed, scheme="singly",
    )  # fmt: skip
    script("validation").main(
        Paths({"designs": each("design.csv"), "posteriors": each("posterior.nc")}
              | {name: [tmp_path / model / f"refits/{scheme}/{name}.csv"
                        for model in MODELS for scheme in SCHEMES[model]]
                 for name in held}),
        Paths({kind: each(f"{kind}.csv") for kind in kinds}),
        models={model: sections[model] for model in MODELS},
        saturated_from=settings.saturated_from, bootstrap=settings.bootstrap, schemes=SCHEMES,
        seed=settings.seed,
    )  # fmt: skip
    script("artefact").main(
        Paths({"design": tmp_path / "reference/design.csv", "index": files["index"]}),
        Paths({name: tmp_path / f"{name}.csv" for name in ("permutations", "located")}),
        specification=sections["reference"], alpha=0.5, epsilon=settings.epsilon,
        permutations=settings.permutations, seed=settings.seed,
    )  # fmt: skip
    names = ("fit", "effects", "comparison", "quantities")
    pages = {f"{name}_html": tmp_path / f"{name}.html" for name in names[:3]}
    script("summary").main(
        Paths({"validations": each("validation.csv"), "coefficients": each("coefficients.csv"),
               "held_out": each("refits/folds/predictions.csv"),
               "located": tmp_path / "located.csv"}),
        Paths({name: tmp_path / f"{name}.csv" for name in names} | pages),
        models=sections, folds=3,
    )  # fmt: skip
    return tmp_path


def test_the_scripts_make_the_tables_and_figures_of_the_study(made_by_scripts, tables, sections):
    for name, table in tables.items():
        write_csv(table, made_by_scripts / "study.csv")
        # Between scripts, numbers have ten digits.
        pd.testing.assert_frame_equal(
            read_table(made_by_scripts / "study.csv"),
            read_table(made_by_scripts / f"{name}.csv"),
            rtol=1e-5, atol=1e-7,
        )  # fmt: skip
    assert "auroc prediction" in (made_by_scripts / "fit.html").read_text()
    names = ("overfitting", "forest", "auroc", "artefact", "checks", "sampling")
    drawn = [made_by_scripts / f"figures/{name}.svg" for name in names]
    kinds = {
        "posteriors": "posterior.nc",
        **{kind: f"{kind}.csv" for kind in ("diagnostics", "coefficients", "checks")},
        "designs": "design.csv",
    }
    inputs = {
        kind: [made_by_scripts / model / name for model in MODELS] for kind, name in kinds.items()
    } | {name: made_by_scripts / f"{name}.csv" for name in ("fit", "permutations", "located")}
    script("figures").main(
        Paths(inputs), Paths({"files": drawn}), models=sections, saturated_from=0.7
    )
    for path in drawn:
        assert path.stat().st_size > 5000
    assert "AUROC of S ≥ 0.7" in drawn[0].read_text()


def test_a_design_is_read_as_it_was_written_and_a_broken_one_is_refused(made_by_scripts):
    path = made_by_scripts / "reference/design.csv"
    design = Design.from_table(read(path, schemas.DESIGN))
    assert design.columns == ["Intercept", "age", "log_n", "private"]
    text = path.read_text().splitlines()
    for place, wrong, said in (
        (1, "True", "column 'saturated'"),
        (4, "", "column 'age'"),
        (3, "2", "column 'Intercept'"),
    ):
        cells = text[5].split(",")
        cells[place] = wrong + "x" * (place == 1)
        path.write_text("\n".join([*text[:5], ",".join(cells), *text[6:]]) + "\n")
        with pytest.raises(InputError, match=said):
            read(path, schemas.DESIGN)


def test_what_was_refitted_is_written_by_its_schema(made_by_scripts, held_out):
    for name, schema in (
        ("predictions", schemas.PREDICTIONS), ("measures", schemas.MEASURES),
        ("refits", schemas.REFITS),
    ):  # fmt: skip
        written = read(made_by_scripts / f"gap/refits/singly/{name}.csv", schema)
        made = getattr(held_out["gap"]["singly"], name)
        pd.testing.assert_frame_equal(written, made, rtol=1e-9, check_dtype=False)


def test_the_calibration_reads_the_design_and_writes_its_tables(made_by_scripts, sections, draw):
    folder = made_by_scripts / "reference"
    calibration = script("calibration")
    calibration.draw = draw
    ranks = made_by_scripts / "ranks.csv"
    calibration.main(
        Paths({"design": folder / "design.csv"}),
        Paths({"ranks": ranks, "uniformity": made_by_scripts / "uniformity.csv"}),
        specification=sections["reference"], simulations=2, ranked=19,
        effort={"draws": 40, "tune": 10, "chains": 2}, seed=1,
    )  # fmt: skip
    assert len(read(ranks, schemas.RANKS)) == 2 * 5
    uniformity = read_table(made_by_scripts / "uniformity.csv")
    assert uniformity["parameter"].tolist() == ["Intercept", "age", "log_n", "private", "spread"]
    script("calibration_figure").main(
        Paths({"ranks": ranks}), Paths({"files": made_by_scripts / "calibration.svg"}), ranked=19
    )
    assert "19 draws, 2 simulated" in (made_by_scripts / "calibration.svg").read_text()


def test_a_posterior_survives_its_file(posteriors, tmp_path):
    from saturation.files.tables import read_netcdf
    from saturation.regression.draws import Draws

    write_netcdf(posteriors["reference"], tmp_path / "posterior.nc")
    draws = Draws.of(read_netcdf(tmp_path / "posterior.nc"))
    np.testing.assert_array_equal(draws.coefficient, Draws.of(posteriors["reference"]).coefficient)
