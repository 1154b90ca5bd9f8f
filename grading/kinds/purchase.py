"""`purchase`: what was bought against what was asked for, by WebShop's reward (AgentBench's web shopping)."""

from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field
from rapidfuzz import fuzz, utils

from grading.answer import Answer
from grading.evidence import read
from grading.matching.colours import first_colour
from grading.matching.nouns import nouns
from grading.reference import Reference
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict

ALIKE = 85
Phrase = Annotated[str, Field(min_length=1, max_length=1000)]


class Product(BaseModel):
    """Evidence: what was bought, with the value chosen for each of its options."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    name: str
    query: str
    category: str
    attributes: tuple[str, ...]
    bullets: tuple[str, ...]
    description: str
    price: float = Field(allow_inf_nan=False)
    options: dict[str, str]


class Purchase(BaseModel):
    """Evidence: the product, or None where nothing was bought."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    product: Product | None


class PurchaseReference(Reference):
    """The goal: a sort of thing (`name`, `query`, `category` with names between ` › `), `attributes` it has, `options`
    to be chosen (values), and the most it may cost in dollars (0: anything).

    The score is r_type · (attributes met + options met + price met) / (attributes + options + 1), as published. Options
    are compared as published (`option_match` "fuzzy": the first colour word in them, then the same words but for few
    letters), or have to be equal but for case and spaces ("exact").
    Evidence (default "purchase"): `{"product": {...} | null}`.
    """

    kind: Literal["purchase"] = "purchase"
    name: Phrase
    query: str
    category: str
    attributes: Annotated[tuple[Phrase, ...], Field(min_length=1, max_length=100)]
    options: Annotated[tuple[Phrase, ...], Field(max_length=100)] = ()
    price_upper: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    option_match: Literal["fuzzy", "exact"] = "fuzzy"
    evidence: str = "purchase"


class Reward(NamedTuple):
    """The parts of a score: the factor of the sort of thing, what was met of how much, whether the price is."""

    type: float
    attributes: int
    options: int
    price: bool
    score: float


@grader(PurchaseReference, version="1")
def purchase(answer: Answer, reference: PurchaseReference, tools: Tools) -> Verdict:
    """The published reward of what was bought; nothing bought is worth nothing."""
    del tools
    seen = read(answer, reference.evidence, Purchase)
    if isinstance(seen, Verdict):
        return seen
    if seen.product is None:
        return Verdict.incorrect("nothing was bought")
    found = reward(seen.product, reference)
    reason = (
        f"factor {found.type:g} of the sort of thing, {found.attributes} of {len(reference.attributes)} attributes, "
        f"{found.options} of {len(reference.options)} options, {'within' if found.price else 'above'} the price"
    )
    return Verdict.graded(found.score, reason)


def reward(product: Product, goal: PurchaseReference) -> Reward:
    """The published reward, in [0, 1], with its parts."""
    factor = _type_factor(product, goal)
    attributes = sum(_has(product, wanted) for wanted in goal.attributes)
    options = _options_met(tuple(product.options.values()), goal)
    price = goal.price_upper <= 0 or product.price <= goal.price_upper
    share = (attributes + options + price) / (len(goal.attributes) + len(goal.options) + 1)
    return Reward(factor, attributes, options, price, factor * share)


def _type_factor(product: Product, goal: PurchaseReference) -> float:
    wanted, given = nouns(goal.name), set(nouns(product.name))
    title = len(set(wanted) & given) / len(wanted) if wanted else 0.2
    if title == 0:
        return 0.0
    if title < 0.1:
        return 0.1
    same = product.query == goal.query or len(_nodes(product.category) & _nodes(goal.category)) >= 2
    return 1.0 if same or title > 0.2 else 0.5


def _nodes(category: str) -> set[str]:
    return {node.strip() for node in category.split("\u203a")}


def _has(product: Product, attribute: str) -> bool:
    if any(alike(known, attribute) for known in product.attributes):
        return True
    texts = (product.name, " ".join(product.bullets), product.description)
    return any(attribute in text.lower() for text in texts)


def _options_met(chosen: tuple[str, ...], goal: PurchaseReference) -> int:
    if goal.option_match == "exact":
        held = {_folded(value) for value in chosen}
        return sum(_folded(wanted) in held for wanted in goal.options)
    colours = [first_colour(value) for value in chosen]
    return sum(any(alike(value, first_colour(wanted)) for value in colours) for wanted in goal.options)


def _folded(value: str) -> str:
    return " ".join(value.lower().split())


def alike(one: str, other: str) -> bool:
    """Whether two phrases have the same words but for few letters, as published (thefuzz's `token_set_ratio`)."""
    left, right = (utils.default_process(text.encode("ascii", "ignore").decode()) for text in (one, other))
    return bool(left and right) and round(fuzz.token_set_ratio(left, right)) > ALIKE
