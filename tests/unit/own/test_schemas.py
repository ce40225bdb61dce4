"""The tidy tables: what is text is read as text, nothing is an empty name."""

import pytest

from saturation.errors import InputError
from saturation.files import stages
from saturation.own import schemas


@pytest.fixture
def read(tmp_path):
    def reader(text, schema=schemas.RESPONSES):
        (tmp_path / "x.csv").write_text(text)
        texts = [name for name, c in schema.columns.items() if c.dtype == schemas.TEXT]
        return stages.read(tmp_path / "x.csv", schema, dtype=dict.fromkeys(texts, str))

    return reader


RESPONSES = "benchmark,model,item,cluster,run,configuration,response,synthetic\n"
SCORES = "benchmark,model,metric,run,configuration,date,score,standard_error,n_items,synthetic\n"


def test_a_table_may_be_empty_but_for_its_header(read):
    assert read(RESPONSES).empty
    assert read(SCORES, schemas.SCORES).empty
    with pytest.raises(InputError, match="column 'item' is missing"):
        read(RESPONSES.replace(",item", ""))


@pytest.mark.parametrize(
    ("header", "row", "column"),
    [
        (RESPONSES, ",m,i,,,,0.5,False", "benchmark"),
        (RESPONSES, "b,,i,,,,0.5,False", "model"),
        (RESPONSES, "b,m,,,,,0.5,False", "item"),
        (RESPONSES, "b,m,i,,,,1.1,False", "response"),
        (RESPONSES, "b,m,i,,,,,False", "response"),
        (SCORES, "b,m,acc,,,,,0.1,10,False", "score"),
        (SCORES, "b,m,acc,,,,0.5,-0.1,10,False", "standard_error"),
        (SCORES, "b,m,acc,,,,0.5,0.1,0,False", "n_items"),
    ],
)
def test_what_is_refused(read, header, row, column):
    schema = schemas.SCORES if header == SCORES else schemas.RESPONSES
    with pytest.raises(InputError, match=f"row 2, column '{column}'"):
        read(f"{header}{row}\n", schema)
