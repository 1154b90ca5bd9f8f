"""Whether a product is the only best one for a goal: every product of the shop is graded as if it were bought."""

from collections.abc import Iterator, Sequence
from functools import cache

from envs.web_shopping.draft import Goal
from envs.web_shopping.product import Product
from grading.kinds.purchase import Product as Bought
from grading.kinds.purchase import PurchaseReference, alike, reward


class Rivals:
    """All products of a shop. Those with the attributes of a goal are found by their lists; the grader then decides."""

    def __init__(self, products: Sequence[Product]) -> None:
        self.products = products
        self._texts = [" ".join([one.name, *one.bullets, one.description]).lower() for one in products]

    def near(self, goal: Goal) -> int | None:
        """How many products miss exactly one attribute, one option or the price of a goal; None where another product
        than the goal's own meets all of it."""
        reference = PurchaseReference.model_validate(goal.reference("exact"))
        parts = len(goal.attributes) + len(goal.options) + 1
        near = 0
        for product in self._candidates(goal, parts - 1):
            score = max(_scores(product, goal, reference))
            if score >= 1:
                return None
            near += int(score >= (parts - 1) / parts - 1e-9)
        return near

    def _candidates(self, goal: Goal, least: int) -> Iterator[Product]:
        """Products that can meet `least` parts, as far as lists and texts say; never the goal's own."""
        for product, text in zip(self.products, self._texts, strict=True):
            met = int(product.price <= goal.limit or not goal.limit)
            met += sum(any(value in values for values in product.options.values()) for value in goal.options)
            if met + len(goal.attributes) < least or product.asin == goal.product.asin:
                continue
            met += sum(wanted in text or _listed(product.attributes, wanted) for wanted in goal.attributes)
            if met >= least:
                yield product


def _scores(product: Product, goal: Goal, reference: PurchaseReference) -> Iterator[float]:
    """The rewards of buying a product with the options of a goal, chosen as far as they go together: every order in
    which they could take the place of each other."""
    for turn in range(max(1, len(goal.options))):
        chosen: dict[str, str] = {}
        for value in (*goal.options[turn:], *goal.options[:turn]):
            free = [name for name, values in product.options.items() if value in values and name not in chosen]
            if free:
                chosen[free[0]] = value
        yield reward(Bought.model_validate(product.bought(chosen)), reference).score


@cache
def _listed(attributes: tuple[str, ...], wanted: str) -> bool:
    return any(_alike(one, wanted) for one in attributes)


_alike = cache(alike)
