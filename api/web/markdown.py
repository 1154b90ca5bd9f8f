"""Markdown of owners as safe HTML: no raw HTML, sanitised, formulas kept as text for the page's own renderer."""

import nh3
from markdown_it import MarkdownIt
from markupsafe import Markup

_MARKDOWN = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
_TAGS = {
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "ul",
    "ol",
    "li",
    "em",
    "strong",
    "code",
    "pre",
    "blockquote",
    "a",
    "br",
    "hr",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
}


def render(text: str) -> Markup:
    """HTML of a Markdown text."""
    clean = nh3.clean(_MARKDOWN.render(text), tags=_TAGS, attributes={"a": {"href"}}, url_schemes={"http", "https"})
    return Markup(clean)  # noqa: S704 - sanitised in the line before
