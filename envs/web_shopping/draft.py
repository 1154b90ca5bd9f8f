"""A wish as a problem and its secret side; what the importer and the generator share."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from envs.web_shopping.catalogue import Catalogue
from envs.web_shopping.pages import A_PAGE, HITS, NEXT
from envs.web_shopping.product import Product
from envs.web_shopping.spec import ShopSiteSpec, WebShoppingSpec
from packs.problem import Episode, Probe, Problem, ReferenceLine

SECONDS = 1800
SITE_STEPS = 40
LIMITS = tuple(10.0 * number for number in range(1, 100))

Where = Literal["text", "site"]
WHERE = ("text", "site")
"""How a wish is played: in the published text world, or on the shop's site in the browser."""


@dataclass(frozen=True)
class Goal:
    """What counts as right: a product like `product`, with `attributes`, `options` chosen and not above `limit` dollars
    (0: any price)."""

    product: Product
    attributes: tuple[str, ...]
    options: tuple[str, ...]
    limit: float

    def reference(self, option_match: str) -> dict[str, object]:
        """The reference that the kind `purchase` grades by."""
        return {
            "kind": "purchase",
            "name": self.product.name,
            "query": self.product.query,
            "category": self.product.category,
            "attributes": list(self.attributes),
            "options": list(self.options),
            "price_upper": self.limit,
            "option_match": option_match,
        }


def price_limit(draw: random.Random, price: float) -> float:
    """As published: of the four next multiples of ten two are drawn, and the larger one counts; 0 where there is no
    second one below 1,000 dollars."""
    above = [limit for limit in LIMITS if limit > price][:4]
    return max(draw.sample(above, 2)) if len(above) >= 2 else 0.0


def limited(text: str, limit: float) -> str:
    """A wish with its price limit in the published form."""
    return f"{text}, and price lower than {limit:.2f} dollars" if limit else text


def way_to(shop: Catalogue, asin: str, query: str, options: Sequence[str]) -> tuple[dict[str, object], ...] | None:
    """The actions that buy a product with these options, found by `query`; None where the search does not show it."""
    found = [product.asin for product in shop.search(query.lower(), HITS)]
    if asin not in found:
        return None
    pages = [NEXT.lower()] * (found.index(asin) // A_PAGE)
    clicks = [*pages, asin.lower(), *options, "buy now"]
    search: dict[str, object] = {"tool": {"name": "search_action", "arguments": {"keywords": query}}}
    if "]" not in query:
        search = {"text": f"Action:\nsearch[{query}]"}
    return (search, *(_click(target) for target in clicks))


def _click(target: str) -> dict[str, object]:
    """In the text protocol, unless the text has a bracket, which it cannot say."""
    if "[" in target or "]" in target:
        return {"tool": {"name": "click_action", "arguments": {"value": target}}}
    return {"text": f"Action:\nclick[{target}]"}


def drafted(
    id_: str,
    split: str,
    type_: str,
    subject: str,
    spec: WebShoppingSpec,
    reference: dict[str, object],
    oracle: Sequence[dict[str, object]],
) -> tuple[Problem, ReferenceLine]:
    """The problem `id_` and its reference line."""
    problem = Problem(
        id=id_,
        split=split,
        type=type_,
        subject=subject,
        statement=f"In a shop that is shown as text, buy: {spec.instruction}",
        episode=True,
    )
    episode = Episode(
        environment="web_shopping",
        spec=spec.model_dump(mode="json", exclude_defaults=True),
        probes=(Probe(name="purchase", kind="purchase"),),
        steps=spec.turns,
        seconds=SECONDS,
    )
    return problem, ReferenceLine.model_validate(
        {"id": id_, "reference": reference, "episode": episode, "oracle": list(oracle)}
    )


def on_site(
    pair: tuple[Problem, ReferenceLine], numbers: Mapping[str, int], product: Product, values: Sequence[str]
) -> tuple[Problem, ReferenceLine]:
    """The same wish on the shop's site: its reference stays. `numbers`: of each product, counted from 1 in the order of
    the catalogue; `values`: the options of `product` that are to be chosen."""
    problem, line = pair
    assert line.episode is not None
    text = WebShoppingSpec.model_validate(line.episode.spec)
    spec = ShopSiteSpec(instruction=text.instruction, catalogue=text.catalogue, whole_page=True)
    option = {value: name for name, offered in product.options.items() for value in offered}
    oracle = [
        {"text": f"goto [{{{{site shop}}}}/catalogue/product_{numbers[product.asin]}/]"},
        *(_choose(option[value], value) for value in values),
        {"text": "click [{{element button 'Add to cart'}}]"},
        {"text": "goto [{{site shop}}/checkout/]"},
        {"text": "click [{{element button 'Ship to this address'}}]"},
        {"text": "click [{{element link 'Continue'}}]"},
        {"text": "click [{{element button 'Place order'}}]"},
        {"text": "stop []"},
    ]
    episode = line.episode.model_copy(
        update={
            "environment": "web_shopping_site",
            "spec": spec.model_dump(mode="json", exclude_defaults=True),
            "steps": SITE_STEPS,
        }
    )
    statement = f"In a shop in the browser, buy: {text.instruction}"
    return problem.model_copy(update={"statement": statement}), line.model_copy(
        update={"episode": episode, "oracle": tuple(oracle)}
    )


def _choose(name: str, value: str) -> dict[str, object]:
    """As a call, since a value may have brackets in it."""
    arguments = {"element": f"{{{{element combobox '{name}'}}}}", "option": value}
    return {"tool": {"name": "select_option", "arguments": arguments}}
