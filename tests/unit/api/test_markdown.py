"""Owners' texts stand under headings of the page."""

import pytest

from api.web.markdown import has_formulas, render


@pytest.mark.parametrize(("written", "tag"), [("# a", "h3"), ("## a", "h4"), ("a\n===", "h3"), ("###### a", "h6")])
def test_headings_begin_below_those_of_the_page(written: str, tag: str) -> None:
    assert render(written).strip() == f"<{tag}>a</{tag}>"


@pytest.mark.parametrize(
    ("written", "html"),
    [
        ("With $Q_1 = v * A * 2$.", r'<p>With <span class="formulas">\(Q_1 = v * A * 2\)</span>.</p>'),
        ("$$\na < b\n$$", r'<span class="formulas">\[a &lt; b\]</span>'),
        ("It costs $5 and $6.", "<p>It costs $5 and $6.</p>"),
        ("`$a$`", "<p><code>$a$</code></p>"),
        ('<span class="tag">a</span>', '<p>&lt;span class="tag"&gt;a&lt;/span&gt;</p>'),
    ],
)
def test_formulas_are_marked_for_the_page_and_prices_are_none(written: str, html: str) -> None:
    found = render(written, formulas=True)
    assert found.strip() == html
    assert has_formulas(found) == ("<span" in html)
    assert not has_formulas(render(written))
