"""The page as a whole: what its template is given, and what can stand inside a script."""

import json

import pandas as pd
import pytest

from saturation.dashboard import page

SETTINGS = {"k": 5, "alpha": 0.5, "saturated_from": 0.7, "observed_on": "2025-11-01"}
TEMPLATE = (
    "{{ css | safe }}§{{ js | safe }}§{{ bundle | safe }}§{{ specs | safe }}§{{ counts.own }}"
    "§{% for row in rows %}{{ row.name }},{% endfor %}§{{ cards | join(',') }}"
    "§{{ boards.items() | list }}§{{ ledger | length }}§{{ settings.k }}"
    "§{% for column in columns %}{{ column.key }},{% endfor %}§{{ bins | length }}"
    "§{{ colours | length }}§{{ own | map(attribute='id') | join(',') }}"
    "§{{ tops | join(',') }}§{{ facts | join(',') }}§{{ papers }}"
)


def parts(tables, cards, bundle="var x;"):
    templates = {"html": TEMPLATE, "css": "CSS", "js": "JS"}
    return page.page(tables, cards, templates, bundle, SETTINGS).split("§")


def test_the_template_is_given_everything(tables, cards):
    css, js, bundle, specs, own, names, keys, boards, ledger, k, columns, *rest = parts(
        tables, cards
    )
    assert (css, js, bundle, own, ledger, k) == ("CSS", "JS", "var x;", "2", "3", "5")
    assert list(json.loads(specs)) == ["age", "bdi-0", "bdi-1", "bdi-2", "compression"]
    assert names == "Alpha-1,Beta,Gamma,mine,arena,"
    assert keys == "own-mine,own-arena"
    assert boards == "[(&#39;v1&#39;, 2), (&#39;v2&#39;, 1), (&#39;your own&#39;, 2)]"
    assert columns == "name,s_index,s_lower,bin,p_saturated,age,n,s_1,"
    assert rest[:4] == ["5", "5", "own-mine,own-arena", "a,b,own-mine,own-arena"]
    assert rest[4] == "a,b,c"


def test_without_cards_months_and_ledger_there_is_still_a_page(tables):
    for name in ("monthly", "ledger", "evidence"):
        tables.pop(name)
    found = parts(tables, [])
    assert (found[4], found[5], found[7], found[8]) == ("0", "Alpha-1,Beta,Gamma,", "[]", "0")


def test_a_script_cannot_be_ended_from_within(tables):
    assert parts(tables, [], "a</script>b")[2] == "a<\\/script>b"
    text = page.embedded({"name": "</script><b>&amp;"})
    assert not set("<>&") & set(text)
    assert json.loads(text) == {"name": "</script><b>&amp;"}


def test_what_is_not_a_number_is_refused_and_names_are_escaped(tables):
    with pytest.raises(ValueError, match="JSON"):
        page.embedded({"x": float("nan")})
    tables["benchmarks"] = tables["benchmarks"].assign(name=["<b>", "x", "y"])
    assert parts(tables, [])[5] == "&lt;b&gt;,x,y,"


def test_rows_keep_their_order(tables, cards):
    shuffled = dict(tables, intervals=tables["intervals"].sample(frac=1, random_state=1))
    assert parts(shuffled, cards) == parts(tables, cards)
    assert pd.Series(parts(tables, cards)[5].split(",")).is_unique
