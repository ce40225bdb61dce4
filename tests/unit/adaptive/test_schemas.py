import pandas as pd
import pytest

from saturation.adaptive import schemas
from saturation.errors import InputError
from saturation.files.schema import validate

STOPPING = {"respondent": "a", "ability": 0.0, "difficulty_given": 0.0, "n_items": 1}


def test_what_a_stage_cannot_have_written_is_refused():
    good = pd.DataFrame([STOPPING | {"reached_limit": True}])
    validate(good, schemas.STOPPING, "stopping.csv")
    for bad, column in (
        ({"n_items": 0}, "n_items"),
        ({"respondent": ""}, "respondent"),
        ({"reached_limit": "no"}, "reached_limit"),
    ):
        with pytest.raises(InputError, match=column):
            validate(good.assign(**bad), schemas.STOPPING, "stopping.csv")


@pytest.mark.parametrize(("se", "right"), [(1e-9, True), (0.0, False), (-1.0, False)])
def test_standard_errors_are_above_nought(se, right):
    table = pd.DataFrame([{"ability": 0.0, "information": 1.0, "se": se}])
    if right:
        validate(table, schemas.FRONTIER, "frontier.csv")
    else:
        with pytest.raises(InputError, match="expected a number above 0"):
            validate(table, schemas.FRONTIER, "frontier.csv")
