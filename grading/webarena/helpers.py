"""Helper calls in WebArena's files, read and never evaluated: a name from a whitelist with literal arguments."""

import ast
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

# Name -> number of arguments besides the page.
HELPERS = {
    "shopping_get_latest_order_url": 0,
    "shopping_get_sku_latest_review_author": 1,
    "shopping_get_sku_latest_review_rating": 1,
    "reddit_get_post_url": 1,
    "gitlab_get_project_memeber_role": 1,
}
LAST_URL = "__last_url__"


class HelperError(ValueError):
    """The text is no call of a known helper with literal arguments; the message says what is wrong."""


@dataclass(frozen=True)
class HelperCall:
    """A helper and its literal arguments; `on_page` when it reads the page the agent left or the checker opened."""

    name: str
    arguments: tuple[str, ...]
    on_page: bool = False


def parse_call(text: str) -> HelperCall:
    """Read `func:name('argument', ...)`; `__page__` stands for the page. Raises HelperError."""
    try:
        node = ast.parse(text.strip().removeprefix("func:").strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise HelperError(f"not a call: {text[:100]!r}") from error
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.keywords:
        raise HelperError(f"not a plain call of a helper: {text[:100]!r}")
    if node.func.id not in HELPERS:
        raise HelperError(f"unknown helper '{node.func.id}'; known: {', '.join(HELPERS)}")
    pages = [part for part in node.args if isinstance(part, ast.Name) and part.id == "__page__"]
    literals = [part.value for part in node.args if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    if len(pages) + len(literals) != len(node.args) or len(pages) > 1:
        raise HelperError(f"arguments of '{node.func.id}' must be text literals")
    if len(literals) != HELPERS[node.func.id]:
        raise HelperError(f"'{node.func.id}' takes {HELPERS[node.func.id]} argument(s), not {len(literals)}")
    return HelperCall(node.func.id, tuple(literals), bool(pages))


def post_url(address: str) -> str:
    """The canonical address of a forum post `/f/<forum>/<id>/...`; any other address unchanged."""
    parts = urlsplit(address)
    match = re.match(r"/f/([^/]+)/(\d+)(?:/|$)", parts.path)
    if not match or not parts.netloc:
        return address
    return f"{parts.scheme}://{parts.netloc}/f/{match[1]}/{match[2]}/"
