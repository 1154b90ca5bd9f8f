"""Owners' texts stand under headings of the page."""

import pytest

from api.web.markdown import render


@pytest.mark.parametrize(("written", "tag"), [("# a", "h3"), ("## a", "h4"), ("a\n===", "h3"), ("###### a", "h6")])
def test_headings_begin_below_those_of_the_page(written: str, tag: str) -> None:
    assert render(written).strip() == f"<{tag}>a</{tag}>"
