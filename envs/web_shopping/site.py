"""The same wishes in the browser: the shop's site sells the catalogue, and what is ordered there is the purchase."""

from typing import Any

from envs import registry
from envs.base import (
    Action,
    Environment,
    Evidence,
    InfrastructureError,
    Observation,
    Probe,
    SpecError,
    StepResult,
    parse_probe,
    parse_spec,
)
from envs.web_shopping import catalogue
from envs.web_shopping.product import Product
from envs.web_shopping.spec import SITE_PROBES, CatalogueRef, ShopSiteSpec

SITE, ROLE = "shop", "customer"
RULES = """\
You are in a shop. Buy what is asked for:

{instruction}

Choose the options of the product, put it into the basket and order it; stop once the order is placed. The first product
of your first order is what counts.
"""


class ShopSite:
    """One episode on a copy of the shop's site, played like every task on sites."""

    def __init__(self) -> None:
        self._inner: Environment | None = None
        self._catalogue: CatalogueRef | None = None

    async def reset(self, spec: dict[str, Any], seed: int) -> Observation:
        """What is to be bought, and the shop's first page. The shop is filled with the catalogue where no session on
        this machine has done that. Raises SpecError and InfrastructureError."""
        asked = parse_spec(ShopSiteSpec, spec)
        await catalogue.listed(asked.catalogue)
        self._catalogue = asked.catalogue
        how = asked.model_dump(mode="json", exclude_defaults=True, exclude={"instruction", "catalogue"})
        shop = {"sites": [SITE], "extracts": {SITE: asked.catalogue.digest}, "signed_in": {SITE: ROLE}}
        self._inner = registry.create("web_sites")
        seen = await self._inner.reset(how | shop, seed)
        return seen.model_copy(update={"text": f"{RULES.format(instruction=asked.instruction)}\n{seen.text}"})

    async def step(self, action: Action) -> StepResult:
        """See `web_sites`: the participant ends the episode."""
        return await self._open().step(action)

    async def probe(self, probes: list[Probe]) -> list[Evidence]:
        """Type "purchase" gives `{"product": {...}}`, the first product of the first order with the options chosen (by
        name), or None there."""
        return [await self._see(probe) for probe in probes]

    async def close(self) -> None:
        """Give back the site and the browser."""
        if self._inner is not None:
            await self._inner.close()

    async def _see(self, probe: Probe) -> Evidence:
        try:
            parse_probe(SITE_PROBES, probe)
        except SpecError as error:
            return Evidence(name=probe.name, error=str(error), fault=True)
        asked = {"site": SITE, "query": "bought_first", "values": {"username": ROLE}}
        seen = (await self._open().probe([Probe(name=probe.name, type="query", arguments=asked)]))[0]
        if seen.error is not None or not isinstance(seen.value, list):
            return seen
        rows = [row for row in seen.value if isinstance(row, dict)]
        if not rows:
            return Evidence(name=probe.name, value={"product": None})
        product = await self._product(str(rows[0]["upc"]))
        options = {str(row["option"]): str(row["value"]) for row in rows if row["option"] is not None}
        return Evidence(name=probe.name, value={"product": product.bought(options)})

    async def _product(self, asin: str) -> Product:
        assert self._catalogue is not None
        shop = await catalogue.opened(self._catalogue)
        return next(product for product in shop.products() if product.asin == asin)

    def _open(self) -> Environment:
        if self._inner is None:
            raise InfrastructureError("the episode has not begun, or is closed")
        return self._inner
