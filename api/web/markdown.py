"""Markdown of owners as safe HTML: no raw HTML, sanitised, formulas marked for the page's own renderer."""

from collections.abc import Sequence

import nh3
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import Markup, escape
from mdit_py_plugins.dollarmath import dollarmath_plugin


def _below_the_page(state: StateCore) -> None:
    """The text stands under a heading of the page, so its own headings begin two levels below the page's title."""
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(6, int(token.tag[1]) + 2)}"


def _formula(_renderer: object, tokens: Sequence[Token], place: int, *_: object) -> str:
    """A formula for the page's renderer; without scripts it is read as TeX."""
    left, right = (r"\(", r"\)") if tokens[place].type == "math_inline" else (r"\[", r"\]")
    return f'<span class="{_FORMULAS}">{left}{escape(tokens[place].content.strip())}{right}</span>'


def _reader(*, formulas: bool) -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
    made.core.ruler.push("below_the_page", _below_the_page)
    if formulas:
        made.use(dollarmath_plugin, allow_labels=False, allow_space=False, allow_digits=False, double_inline=True)
        for name in ("math_inline", "math_inline_double", "math_block"):
            made.add_render_rule(name, _formula)
    return made


_FORMULAS = "formulas"
_PLAIN, _WITH_FORMULAS = _reader(formulas=False), _reader(formulas=True)
_TAGS = {
    "span",
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


def render(text: str, *, formulas: bool = False) -> Markup:
    """HTML of a Markdown text; `$…$` and `$$…$$` in it are `formulas` of a page that sets them."""
    clean = nh3.clean(
        (_WITH_FORMULAS if formulas else _PLAIN).render(text),
        tags=_TAGS,
        attributes={"a": {"href"}},
        allowed_classes={"span": {_FORMULAS}},
        url_schemes={"http", "https"},
    )
    return Markup(clean)  # noqa: S704 - sanitised in the line before


def has_formulas(html: str) -> bool:
    """Whether a text that `render` made has something for the page's renderer of formulas."""
    return f'class="{_FORMULAS}"' in html
