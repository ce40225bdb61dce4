"""The whole study in one call gives the workflow's tables."""

from saturation.boards.schemas import BY_INPUT_NAME


def test_all_tables_are_there(tables):
    assert set(tables) == {*BY_INPUT_NAME, "quantities"}
    assert tables["quantities"]["quantity"].is_unique
