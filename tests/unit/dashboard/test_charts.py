"""What the dashboard's charts draw: their data, axes, titles and what a filter dims."""

import json

import numpy as np

from saturation.dashboard import page, rows
from saturation.index import BINS
from saturation.pages.style import BIN_COLOURS


def drawn(spec):
    """The records of a chart, by what they are of."""
    return {record["id"]: record for record in spec["data"]["values"]}


def layer(spec, kind):
    (found,) = [part for part in spec["layer"] if part["mark"]["type"] == kind]
    return found


def parameters(spec):
    return {parameter["name"]: parameter for parameter in spec["params"]}


def test_saturation_over_age_shows_what_has_an_age_with_its_interval(listed):
    spec = page.age_chart(listed)
    data = drawn(spec)
    assert set(data) == {"a", "b", "own-mine", "own-arena"}  # c has no age
    assert (data["a"]["s_lower"], data["a"]["s_index"], data["a"]["s_upper"]) == (0.1, 0.7, 0.97)
    assert (data["a"]["origin"], data["own-mine"]["origin"]) == ("published", "your own")
    points, bars = layer(spec, "point")["encoding"], layer(spec, "rule")["encoding"]
    assert (points["x"]["field"], points["y"]["field"]) == ("age", "s_index")
    assert (bars["y"]["field"], bars["y2"]["field"]) == ("s_lower", "s_upper")
    assert [tip["field"] for tip in points["tooltip"]] == [
        "name", "s_index", "first_and_kth", "age", "n"
    ]  # fmt: skip


def test_points_are_coloured_by_bin_and_shaped_by_origin(listed):
    encoding = layer(page.age_chart(listed), "point")["encoding"]
    assert encoding["color"]["scale"] == {
        "domain": BINS, "range": [BIN_COLOURS[name] for name in BINS]
    }  # fmt: skip
    assert encoding["shape"]["scale"] == {
        "domain": ["published", "your own"], "range": ["circle", "diamond"]
    }  # fmt: skip


def test_compression_is_drawn_in_percent_for_what_has_scores(listed):
    spec = page.compression_chart(listed)
    data = drawn(spec)
    assert set(data) == {"a", "b", "c", "own-mine"}  # ratings have no percentage
    assert (data["a"]["best"], data["a"]["points"]) == (90, 2)
    x, y = spec["encoding"]["x"], spec["encoding"]["y"]
    assert (x["field"], x["scale"]) == ("best", {"domain": [0, 100]})
    assert (y["field"], y["scale"]["type"]) == ("points", "symlog")


def test_a_filter_dims_points_bars_and_lines(listed, tables):
    opacities = [
        layer(page.age_chart(listed), "point")["encoding"]["opacity"],
        layer(page.age_chart(listed), "rule")["encoding"]["opacity"],
        page.compression_chart(listed)["encoding"]["opacity"],
    ]
    assert [opacity["condition"]["test"] for opacity in opacities] == [page.PICKED] * 3
    assert [(opacity["condition"]["value"], opacity["value"]) for opacity in opacities] == [
        (0.95, 0.08), (0.4, 0.05), (0.95, 0.08)
    ]  # fmt: skip
    months = rows.all_months(tables["monthly"], [], listed)
    line = layer(page.bdi_chart(months["v1"]), "line")["encoding"]["opacity"]
    assert page.PICKED in line["condition"]["test"]
    assert "line_store" in line["condition"]["test"]


def test_discriminability_over_time_is_a_line_a_benchmark(tables, cards, listed):
    months = rows.all_months(tables["monthly"], cards, listed)
    spec = page.bdi_chart(months["v2"])
    (record,) = spec["data"]["values"]
    assert record == {
        "id": "b", "benchmark": "BETA", "month": "2024-01", "n_models": 20, "n_submitters": 9,
        "bdi_submitters": 0.712346, "interval": "0.400 to 0.800",
    }  # fmt: skip
    encoding = layer(spec, "line")["encoding"]
    assert (encoding["x"]["field"], encoding["y"]["field"]) == ("month", "bdi_submitters")
    assert encoding["y"]["scale"] == {"domain": [0, 1]}
    assert encoding["color"]["field"] == "benchmark"
    tips = [tip["field"] for tip in layer(spec, "point")["encoding"]["tooltip"]]
    assert tips == [
        "benchmark", "month", "bdi_submitters", "interval", "n_submitters", "n_models",
    ]  # fmt: skip
    small = months["v2"].assign(bdi_submitters_lower=np.nan, reason="9 submitters")
    (record,) = page.bdi_chart(small)["data"]["values"]
    assert record["interval"] == "none: 9 submitters"
    assert parameters(spec)["line"]["bind"] == "legend"


def test_every_chart_fills_its_place_and_listens_to_the_page(tables, cards, listed):
    months = rows.all_months(tables["monthly"], cards, listed)
    content = page.of_all(listed) | page.of_months(months)
    assert list(content) == ["age", "compression", "bdi-0", "bdi-1", "bdi-2"]
    content["course"] = page.of_course(tables["course"].to_dict("records"))
    for chart in content.values():
        spec = chart["spec"]
        assert spec["description"]
        assert (spec["width"], spec["height"]) == ("container", 300)
        assert parameters(spec)["picked"]["value"] is None
        json.dumps(spec, allow_nan=False)
    brushes = [parameters(content[name]["spec"])["brush"] for name in ("age", "compression")]
    assert [brush["select"]["encodings"] for brush in brushes] == [["x", "y"]] * 2


def test_a_boards_course_is_its_gap_in_points_with_the_interval(tables):
    spec = page.of_course(tables["course"].to_dict("records"))["spec"]
    first = spec["data"]["values"][0]
    assert first == {"until": "2025-03-31", "n_models": 5, "n_tied": 2,
                     "gap": 10, "gap_lower": 5, "gap_upper": 15}  # fmt: skip
    bars, points = layer(spec, "rule")["encoding"], layer(spec, "point")["encoding"]
    assert (bars["y"]["field"], bars["y2"]["field"]) == ("gap_lower", "gap_upper")
    assert (points["x"]["field"], points["y"]["field"]) == ("until", "gap")


def test_a_brush_knows_the_fields_and_records_that_it_picks(listed):
    content = page.of_all(listed)
    assert content["age"]["fields"] == ["age", "s_index"]
    assert content["age"]["records"][0] == {"id": "a", "age": 10.0, "s_index": 0.7}
    assert len(content["age"]["records"]) == 5
    assert content["compression"]["fields"] == ["best", "points"]
    assert content["compression"]["records"][1] == {"id": "b", "best": 80.0, "points": 20.0}
