"""A wish as a problem and its secret side; what the importer and the generator share."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from envs.web_shopping.catalogue import Catalogue
from envs.web_shopping.pages import A_PAGE, HITS, NEXT
from envs.web_shopping.product import Product
from envs.web_shopping.spec import WebShoppingSpec
from packs.problem import Episode, Probe, Problem, ReferenceLine

SECONDS = 1800
LIMITS = tuple(10.0 * number for number in range(1, 100))


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
