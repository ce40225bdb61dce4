"""One call gives every table: what is made up says so, and headline numbers are counted by hand."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from saturation import seeds
from saturation.files.schema import validate
from saturation.files.tables import load_table
from studies.robustness import figures, schemas, sources, study
from studies.robustness import names as robustness_names
from studies.style import style
from validation import synthetic

ROOT = Path(__file__).parents[3]
FACTS = ROOT / "resources" / "robustness"
CONFIG = yaml.safe_load((ROOT / "config" / "config.yaml").read_text(encoding="utf-8"))
TRUTH = {**synthetic.TRUTH, "examples": 12}
SETTINGS = study.Settings(resamples=8, seed=1)


@pytest.fixture(scope="module")
def facts():
    return {
        name: load_table(FACTS / f"{name}.{suffix}", **schemas.AS_TEXT.get(name, {}))
        for name, suffix in robustness_names.FACTS.items()
    }


@pytest.fixture(scope="module")
def drawn(facts):
    """Synthetic predictions and their truth."""
    return synthetic.study(
        facts["performance"],
        robustness_names.levels(facts["design"]),
        load_table(FACTS / "datasets.csv"),
        TRUTH,
        seeds.generator(1, "robustness", "synthetic"),
    )


@pytest.fixture(scope="module")
def own(drawn):
    """The study of those predictions."""
    rows, _ = sources.prepared(drawn[0], SETTINGS.factors, (0, 1), "lower_strip", False, "f")
    datasets = validate(load_table(FACTS / "datasets.csv"), schemas.DATASETS, "datasets.csv")
    return study.study_predictions(rows, datasets, SETTINGS)


@pytest.fixture(scope="module")
def public(facts):
    """The study without predictions of one's own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study.slopes, "DRAWS", 5)
        return study.study(facts, SETTINGS)


def test_the_defaults_are_the_configs():
    section = CONFIG["robustness"]
    shared = ("factors", "confidence", "resamples", "outlier_alpha", "std_bins")
    given = {name: section[name] for name in shared} | {"factors": tuple(section["factors"])}
    assert study.Settings(**given, seed=CONFIG["seed"]) == study.Settings()


def test_made_up_numbers_are_called_so(own):
    made = {name: table for name, table in own.items() if name != "examples"}
    assert all(table["synthetic"].all() for table in made.values())


def test_no_real_model_has_made_up_answers(facts, drawn, own):
    assert drawn[1]["synthetic"].all()
    made_up = set(drawn[1]["model"]) | set(own["consistency"]["model"])
    assert made_up == {f"model {place}" for place in range(1, 10)}
    assert not made_up & set(facts["performance"]["model"])


def test_the_undisturbed_level_comes_first_and_levels_are_text(facts):
    levels = robustness_names.levels(facts["design"])
    assert levels["noise"][0] == "none"
    assert all(isinstance(name, str) for names in levels.values() for name in names)


def test_the_headline_numbers_are_those_that_were_read_through(public, reviewed):
    reviewed("robustness", public["quantities"])


def counted(facts, public, **tables):
    """Headline numbers where some tables are others."""
    return study.quantities(facts, public | tables).set_index("quantity")["value"]


@pytest.mark.parametrize(
    ("p", "expected"),
    [("0.049", [0, 0, 0, 6, 6, 12]), ("0.050", [0] * 6), ("0.051", [1, 1, 1, 0, 0, 0])],
)
def test_at_the_level_a_p_value_is_neither_above_nor_below_it(facts, public, p, expected):
    tested = public["audit"]["factor"] != "intercept"
    value = counted(facts, public, audit=public["audit"].assign(p=p, types_fit=tested))
    assert value["audit_types_equal"] == 1
    assert value[value.index.str.match("p_not_significant|significant_")].tolist() == expected


def test_significant_tasks_and_large_shares_are_counted(facts, public):
    changed = public["prompts"].assign(p_holm=0.05, share_of_answers=0.01)
    changed.loc[[0, 1], "p_holm"] = 0.049
    changed.loc[2, "share_of_answers"] = 0.0099
    value = counted(facts, public, prompts=changed)
    assert value["public_prompt_significant"] == 2
    assert value["public_prompt_share_from_one_per_cent"] == 24


def made_up(models, datasets, examples, right=0.5):
    """Predictions over three paraphrases and two temperatures."""
    shape = (models, datasets, examples, 3, 2)
    rng = np.random.default_rng(4)
    chance = right if right in (0, 1) else rng.beta(2, 2, (models, datasets, examples, 1, 1))
    score = (rng.random(shape) < chance).astype(int).ravel()
    places = dict(zip(["model", "dataset", "example_id", "paraphrase", "temperature"],
                      (place.ravel().astype(str) for place in np.indices(shape))))  # fmt: skip
    return pd.DataFrame(places).assign(prediction=score.astype(str), score=score)


@pytest.mark.parametrize(
    ("shape", "right"),
    [((1, 3, 20), 0.5), ((3, 1, 20), 0.5), ((2, 1, 20), 0.5), ((3, 3, 20), 1), ((3, 3, 1), 0.5)],
    ids=["one model", "one dataset", "two pairs", "all right", "one example"],
)
def test_predictions_without_what_a_test_needs_have_empty_cells(shape, right):
    """Tables and figures are made all the same, with reasons."""
    settings = study.Settings(factors=("paraphrase", "temperature"), resamples=8, seed=1)
    rows, _ = sources.prepared(
        made_up(*shape, right), settings.factors, (0, 1), "lower_strip", False, "f"
    )
    datasets = pd.DataFrame({"dataset": sorted(rows["dataset"].unique())})
    datasets = datasets.assign(n_answers=np.nan)
    made = study.study_predictions(rows, datasets, settings)
    for table, value in (("slopes", "slope"), ("variance_shares", "share"), ("anova", "p")):
        cells = made[table]
        assert (cells["note"] != "").tolist() >= cells[value].isna().tolist()
    if shape != (3, 3, 1):
        assert made["variance_shares"]["share"].isna().all()
    tables = {name: table for name, table in made.items() if name != "examples"}
    with style():
        titles = [figure.get_suptitle() for figure in figures.draw_own(tables).values()]
    assert not any("nan" in title.lower() for title in titles)
