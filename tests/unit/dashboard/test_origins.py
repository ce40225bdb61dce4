"""Sources and dates of what is shown."""

from saturation.dashboard import rows


def test_every_kind_of_number_has_its_date_its_tables_and_its_sources(tables, cards):
    found = {one.what: one for one in rows.origins(tables, "2025-11-01", cards)}
    published = found["Published scores, S, its interval and P(saturated)"]
    assert published.dated == "2025-11-01"
    assert published.tables[0] == ("benchmarks.csv", "data/shown_benchmarks.csv")
    assert published.sources == [("plateau_annotations", "sources.html#plateau_annotations")]
    assert found["BDI month by month"].dated == "2024-01"
    boards = found["Ranks, ties and verdicts of real boards"]
    assert boards.dated == "models released 2025-01-01 to 2025-03-04"
    assert boards.sources[-1].address is None
    assert found["Claims, evidence and verdicts"].dated == "the papers' texts"
    assert found["Your own benchmark mine"].dated == "2026-01-31"


def test_what_is_not_shown_has_no_row(tables):
    for name in ("monthly", "ledger", "evidence"):
        tables.pop(name)
    tables["models"] = tables["models"].assign(released=None)
    found = {one.what: one for one in rows.origins(tables, "2025-11-01", [])}
    assert len(found) == 2
    assert found["Ranks, ties and verdicts of real boards"].dated == "not known"
