"""What WebArena's helpers ask: two of the page looked at, three of the shop's own interface. None is ever evaluated."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import quote, urlsplit

from pydantic import JsonValue

from envs.base import InfrastructureError, SpecError
from envs.web_sites.external.deployment import Turn
from envs.web_sites.external.state import get_json

NEWEST = "/rest/V1/orders?searchCriteria[sortOrders][0][field]=created_at&searchCriteria[sortOrders][0][direction]=DESC"
# Rows of GitLab's page of members: the account's place among the rows, then the role in the same row.
ROLE = """(account => {
  const accounts = [...document.querySelectorAll("td[data-label='Account'] span.gl-avatar-labeled-sublabel")];
  const place = accounts.findIndex(one => one.outerText === `@${account}`);
  const roles = document.querySelectorAll("td.col-max-role span");
  return place < 0 || place >= roles.length ? "" : roles[place].outerText;
})"""


def post_url(url: str) -> str:
    """The address of a forum's post from the address of anything below it; other addresses stay as they are."""
    parts = urlsplit(url)
    path = parts.path.split("/")
    if len(path) < 4 or path[1] != "f":
        return url
    return f"{parts.scheme}://{parts.netloc}/f/{path[2]}/{path[3]}/"


def member_role(account: str) -> str:
    """The expression of JavaScript that gives an account's role on the page of a project's members."""
    return f"{ROLE}({json.dumps(account)})"


async def newest_order(turn: Turn) -> str:
    """The address of the shop's newest order."""
    found = await _asked(turn, f"{NEWEST}&searchCriteria[pageSize]=1")
    items = found.get("items") if isinstance(found, dict) else None
    if not items:
        raise InfrastructureError(f"the site '{turn.site.name}' has no orders")
    return f"{turn.place.address}/sales/order/view/order_id/{int(items[0]['increment_id'])}/"


async def review_author(turn: Turn, sku: str) -> str:
    """Who wrote the last review of a product; empty without one."""
    return str((await _last_review(turn, sku)).get("nickname", ""))


async def review_rating(turn: Turn, sku: str) -> str:
    """The rating of the last review of a product in percent; empty without one."""
    ratings = (await _last_review(turn, sku)).get("ratings") or [{}]
    return str(ratings[0].get("percent", ""))


async def _last_review(turn: Turn, sku: str) -> Mapping[str, Any]:
    found = await _asked(turn, f"/rest/V1/products/{quote(sku, safe='')}/reviews")
    return found[-1] if isinstance(found, list) and found else {}


async def _asked(turn: Turn, path: str) -> Any:
    who = turn.site.magento
    if who is None:
        raise SpecError(f"a helper of this task asks the shop itself: give [sites.{turn.site.name}.magento]")
    username, password = turn.owner.filled(who.username), turn.owner.filled(who.password)
    login: dict[str, JsonValue] = {"username": username, "password": password}
    token = await get_json(turn, "/rest/default/V1/integration/admin/token", {}, login)
    return await get_json(turn, path, {"Authorization": f"Bearer {token}"})


HELPERS: Mapping[str, Callable[..., Awaitable[str]]] = {
    "shopping_get_latest_order_url": newest_order,
    "shopping_get_sku_latest_review_author": review_author,
    "shopping_get_sku_latest_review_rating": review_rating,
}
