"""The ledger's claims with their evidence, in words and with links."""

from saturation.dashboard import rows
from saturation.dashboard.rows import Link
from saturation.ledger.schemas import VERDICTS, paper


def test_claims_are_short_and_have_their_evidence(tables):
    found = rows.content(tables["ledger"], tables["evidence"], {"known"})
    first, second, _ = found["claims"]
    assert [row["computed"] for row in found["claims"]] == ["59.99", "no", ""]
    assert [row["published"] for row in found["claims"]] == ["60", "yes", ""]
    assert first["address"] == "papers/plateau.html#x"
    assert second["quotation"] is None
    assert [len(row["pieces"]) for row in found["claims"]] == [1, 2, 1]
    (piece,) = first["pieces"]
    assert piece["study"] == "the plateau study"
    assert piece["role"] == "the natural reading"
    assert piece["method"] == "usual practice"
    assert piece["code"] == [Link("src/saturation/index.py:3", "code/index.html#L3")]
    assert [one.address for one in piece["cells"]] == [
        "data/plateau_quantities.html#row-2", "data/plateau_quantities.html#row-5"
    ]  # fmt: skip
    assert piece["sources"] == [Link("known", "sources.html#known"), Link("a sheet", None)]
    assert second["pieces"][1]["code"] == []


def test_claims_are_counted_by_paper_and_verdict(tables):
    found = rows.content(tables["ledger"], tables["evidence"], set())
    assert found["verdicts"] == {"reproduced": 2, "differs": 1}
    assert [(one["name"], one["claims"], one["verdicts"]) for one in found["papers"]] == [
        ("plateau", 2, {"reproduced": 2}), ("fluid", 1, {"differs": 1})
    ]  # fmt: skip
    assert found["papers"][0]["title"] == "When AI Benchmarks Plateau"
    every = tables["ledger"].assign(verdict="undecidable", paper="new")
    found = rows.content(every, tables["evidence"], set())
    assert found["verdicts"] == {"undecidable": 3}
    assert found["papers"][0]["title"] == "new"  # a paper that is not listed has its short name
    assert next(iter(VERDICTS)) == "reproduced"
    assert paper("fluid").url.endswith("2509.11106")


def test_words_that_are_not_known_stay_as_they_are(tables):
    odd = tables["evidence"].assign(study="else", role="odd", method="none")
    piece = rows.content(tables["ledger"], odd, set())["claims"][0]["pieces"][0]
    assert (piece["study"], piece["role"], piece["method"]) == ("else", "odd", None)
