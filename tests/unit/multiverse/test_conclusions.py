"""The conclusions: the light list that planning reads is the list that is analysed."""

import yaml

from saturation.multiverse import names
from saturation.multiverse.joint import _SIDES
from saturation.multiverse.specifications import ADJUSTMENTS, CONCLUSIONS


def test_titles_conclusions_and_their_order_are_one_list():
    assert list(names.TITLES) == list(CONCLUSIONS)
    assert all(name == conclusion.name for name, conclusion in CONCLUSIONS.items())


def test_every_conclusion_names_known_adjustments_and_expectations():
    for conclusion in CONCLUSIONS.values():
        assert set(conclusion.adjustments) <= ADJUSTMENTS.keys()
        assert conclusion.expected in _SIDES


def test_a_statement_at_the_same_age_is_only_analysed_with_age():
    for name in ("h2", "h3", "adoption"):
        assert all("age" in ADJUSTMENTS[set_] for set_ in CONCLUSIONS[name].adjustments)


def test_the_config_may_choose_every_error_model_and_test(pytestconfig):
    schema = pytestconfig.rootpath / "workflow/schemas/multiverse.schema.yaml"
    properties = yaml.safe_load(schema.read_text(encoding="utf-8"))["properties"]
    assert properties["error_model"]["items"]["enum"] == list(names.ERROR_MODELS)
    assert properties["test"]["items"]["enum"] == list(names.TESTS)
