"""Pages from templates: every value escaped for its format, numbers as readers expect them."""

import math

import jinja2
import pytest

from saturation.pages import templates as pages_templates

NAN = float("nan")


def test_values_are_escaped():
    text = pages_templates.page("<p>{{ name }}</p>", {"name": '<b>"x" & y</b>'})
    assert text == "<p>&lt;b&gt;&#34;x&#34; &amp; y&lt;/b&gt;</p>"
    text = pages_templates.markdown("| {{ name | md }} |", {"name": "a|b\n<i>*c*</i> [d](e) `f`"})
    assert text == "| a\\|b &lt;i&gt;\\*c\\*&lt;/i&gt; \\[d\\](e) \\`f\\` |"
    # No formula of a spreadsheet into which the text is copied.
    assert pages_templates.markdown("{{ name | md }}", {"name": "=A(1-1)"}) == "\\=A(1-1)"


def test_templates_of_one_family_know_each_other():
    templates = {
        "layout": "<title>{% block title %}{% endblock %}</title>",
        "page": "{% extends 'layout' %}{% block title %}{{ name }}{% endblock %}",
    }
    render = pages_templates.load_together(templates)
    assert render("page", {"name": "<b>"}) == "<title>&lt;b&gt;</title>"
    with pytest.raises(jinja2.TemplateNotFound):
        render("none", {})
    with pytest.raises(jinja2.UndefinedError):
        render("page", {})


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("we *do* and *did* it", "we <em>do</em> and <em>did</em> it"),
        ("orders of magnitude smaller* in", "orders of magnitude smaller in"),
        ("(e.g., $k = 3$) rises", "(e.g., k = 3) rises"),
        (r"($S_{\text{index}} \geq 0.7$)", "(S_index ≥ 0.7)"),
        (r"$R_{\text{Bayes}}^2 = 0.8 \pm 0.1$, $|Q^*| = 9$", "R_Bayes² = 0.8 ± 0.1, |Q∗| = 9"),
        ("it costs $5", "it costs $5"),
        ("*<b>* & \u202e", "<em>&lt;b&gt;</em> &amp; &lt;U+202E&gt;"),
    ],
)
def test_emphasis_is_markup_and_nothing_else_of_a_quotation_is(text, shown):
    assert str(pages_templates.emphasis(text)) == shown
    assert pages_templates.page("{{ text | emphasis }}", {"text": text}) == shown


def test_numbers_are_as_readers_expect_them():
    shares = [(0.1234, 1), (1, 0), (0.00049, 1), (None, 1), (NAN, 1)]
    shown = [pages_templates.percent(*share) for share in shares]
    assert shown == ["12.3 %", "100 %", "0.0 %", "–", "–"]
    numbers = [(1234.567, 2), (1234.567, 0), (-0.001, 2), (-0.4, 0), (math.inf, 2), (None, 2)]
    shown = [pages_templates.number(*number) for number in (*numbers, (NAN, 0))]
    assert shown == ["1234.57", "1,235", "0.00", "0", "∞", "–", "–"]


def test_names_are_isolated_and_nothing_else_becomes_markup():
    said = "within " + pages_templates.isolated("<b>\u202ex") + ", y"
    assert pages_templates.names(said) == "within <bdi>&lt;b&gt;&lt;U+202E&gt;x</bdi>, y"
    assert pages_templates.names(pages_templates.isolated("a\ue001\ue000b")) == "<bdi>ab</bdi>"
    assert pages_templates.page("{{ said | names }}", {"said": "<i>"}) == "&lt;i&gt;"


def test_what_is_counted_has_its_plural():
    shown = [pages_templates.counted(n, "date") for n in (0, 1, 2, 1000)]
    assert shown == ["0 dates", "1 date", "2 dates", "1,000 dates"]


def test_a_p_value_below_a_thousandth_is_not_nought():
    values = (0.0304, 0.001, 0.00099, 0.0, None)
    shown = [pages_templates.probability(p) for p in values]
    assert shown == ["p = 0.030", "p = 0.001", "p < 0.001", "p < 0.001", "p = –"]
