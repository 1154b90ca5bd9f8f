"""A shop in text: search, look at products, choose options and buy what an instruction asks for.

Facts: WebShop (Yao et al., NeurIPS 2022, arXiv:2207.01206) as AgentBench plays it (Liu et al., ICLR 2024,
arXiv:2308.03688). See `spec.WebShoppingSpec` for the specification of an episode and
`environment.WebShopping.probe` for probes. `SITE` is the same wish in the browser, on the shop's site.
"""

from envs.base import Environment
from envs.definition import EnvironmentDefinition
from envs.web_shopping.spec import PROBES, SITE_PROBES, ShopSiteSpec, WebShoppingSpec


def _create() -> Environment:
    from envs.web_shopping.environment import WebShopping

    return WebShopping()


def _create_site() -> Environment:
    from envs.web_shopping.site import ShopSite

    return ShopSite()


async def _close() -> None:
    from envs.web_shopping import catalogue

    catalogue.close()


ENVIRONMENT = EnvironmentDefinition(
    name="web_shopping", spec=WebShoppingSpec, probes=PROBES, create=_create, close=_close
)
SITE = EnvironmentDefinition(
    name="web_shopping_site", spec=ShopSiteSpec, probes=SITE_PROBES, create=_create_site, close=_close
)
