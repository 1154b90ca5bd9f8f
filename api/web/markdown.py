"""Markdown of owners as safe HTML: no raw HTML, sanitised, formulas kept as text for the page's own renderer."""

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markupsafe import Markup


def _below_the_page(state: StateCore) -> None:
    """The text stands under a heading of the page, so its own headings begin two levels below the page's title."""
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + 2)}"


_MARKDOWN = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
_MARKDOWN.core.ruler.push("below_the_page", _below_the_page)
_TAGS = {
    "p",
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
