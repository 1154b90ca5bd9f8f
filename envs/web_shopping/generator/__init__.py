"""Fresh wishes in a fresh shop: each has exactly one product that meets all of it, and can be found by its words."""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from envs.web_shopping import catalogue, draft
from envs.web_shopping.assortment import products
from envs.web_shopping.catalogue import Catalogue
from envs.web_shopping.draft import Goal, Where
from envs.web_shopping.generator import wording
from envs.web_shopping.generator.rivals import Rivals
from envs.web_shopping.product import Product, digest
from envs.web_shopping.spec import CatalogueRef, WebShoppingSpec
from packs import cards
from packs.benchmark import Benchmark, Scoring
from packs.draft import DraftPack, Soundness
from packs.problem import Problem, ReferenceLine
from packs.report import Report

TURNS = 10
SIZE = 10_000
TRIES = 200
FEWEST = 4
HOW: Mapping[Where, str] = {"text": "ten rounds each", "site": "in the browser"}
DIFFICULTIES = ("few", "some", "many")


@dataclass(frozen=True)
class _Wish:
    """A goal in words, how many products miss one part of it, and the actions that meet it."""

    goal: Goal
    text: str
    near: int
    oracle: tuple[dict[str, object], ...]


def generate(
    *,
    seed: int,
    count: int = 20,
    split: str = "test",
    slug: str = "live-web-shopping",
    size: int = SIZE,
    where: Where = "text",
) -> DraftPack:
    """A pack of `count` fresh wishes in a shop of `size` products; the same for the same seed. Every split but "dev" is
    private. The shop is made where it is played, from a seed that is drawn from this one. `where` "site": the same
    wishes in the browser, on the shop's site. Raises ValueError for another place.

    A problem's `type` says how many things are asked for beside the sort and the price: `web_shopping_few` four,
    `web_shopping_some` five, `web_shopping_many` six.
    """
    if where not in draft.WHERE:
        raise ValueError(f"'where' is one of {', '.join(draft.WHERE)}")
    draw = random.Random(f"web shopping wishes {seed}")
    shop_seed = draw.getrandbits(63)
    listed = tuple(products(shop_seed, size))
    reference = CatalogueRef(digest=digest(listed), seed=shop_seed, size=size)
    shop, rivals = catalogue.open_catalogue(reference), Rivals(listed)
    report = Report(f"web shopping, seed {seed}", read=count)
    wishes = {f"{slug}-{number:04d}": _drawn(seed, number, shop, rivals) for number in range(count)}
    built = [_built(id_, split, wish, reference) for id_, wish in wishes.items()]
    if where == "site":
        numbers = {product.asin: number for number, product in enumerate(listed, 1)}
        goals = [wish.goal for wish in wishes.values()]
        built = [
            draft.on_site(pair, numbers, goal.product, goal.options) for pair, goal in zip(built, goals, strict=True)
        ]

    def card(kept: Sequence[Problem]) -> Benchmark:
        return cards.live(
            slug,
            split,
            seed,
            title="Live: web shopping",
            summary="Find and buy what is asked for in a shop that nobody has seen.",
            card=_CARD.format(count=len(kept), size=f"{size:,}", how=HOW[where]),
            scoring=Scoring(),
        )

    def notes(kept: Sequence[Problem]) -> list[str]:
        near = [wishes[problem.id].near for problem in kept]
        lengths = Counter(len(wishes[problem.id].oracle) for problem in kept)
        told = ", ".join(f"{length} actions {times}" for length, times in sorted(lengths.items()))
        return [
            f"products that miss one part of a wish: {sum(near) / len(near):.1f} on average, {max(near)} at most",
            f"shortest known ways: {told}",
        ]

    problems, references = [problem for problem, _ in built], [line for _, line in built]
    return DraftPack(report, problems, references, card=card, soundness=Soundness(seed=seed), notes=notes)


def _drawn(seed: int, number: int, shop: Catalogue, rivals: Rivals) -> _Wish:
    """A wish that one product meets, that some others nearly meet, and that can be bought in time by its own words.
    Raises ValueError where none is found."""
    for attempt in range(TRIES):
        draw = random.Random(f"web shopping {seed} {number} {attempt}")
        goal = _goal(draw, draw.choice(rivals.products), FEWEST + number % len(DIFFICULTIES))
        if goal is None:
            continue
        near = rivals.near(goal)
        if near is None or near == 0:
            continue
        text, keywords = wording.wish(draw, goal)
        oracle = draft.way_to(shop, goal.product.asin, keywords, goal.options)
        if oracle is not None and len(oracle) <= TURNS:
            return _Wish(goal, draft.limited(text, goal.limit), near, oracle)
    raise ValueError(f"no wish was found for number {number} of seed {seed} in {TRIES} tries; is the shop too small?")


def _goal(draw: random.Random, product: Product, asked: int) -> Goal | None:
    """A goal that asks for so many attributes and options of a product; None where it has not so many."""
    names = draw.sample(list(product.options), draw.randint(1, len(product.options)))
    options = tuple(draw.choice(product.options[name]) for name in names)
    wanted = asked - len(options)
    if len(set(options)) < len(options) or not 1 <= wanted <= len(product.attributes):
        return None
    attributes = tuple(draw.sample(product.attributes, wanted))
    return Goal(product, attributes, options, draft.price_limit(draw, product.price))


def _built(id_: str, split: str, wish: _Wish, shop: CatalogueRef) -> tuple[Problem, ReferenceLine]:
    goal = wish.goal
    asked = len(goal.attributes) + len(goal.options)
    return draft.drafted(
        id_,
        split,
        f"web_shopping_{DIFFICULTIES[asked - FEWEST]}",
        goal.product.category.split(" \u203a ", 1)[0],
        WebShoppingSpec(instruction=wish.text, catalogue=shop, turns=TURNS),
        goal.reference("exact"),
        wish.oracle,
    )


_CARD = """\
{count} wishes in a shop of {size} invented products, {how}: find the product, choose its options, buy it. \
Exactly one product meets all of a wish, others miss a part of it, and the words of the wish lead to it. The score is \
WebShop's reward: the share of attributes, options and price that are met, times a factor for the sort of thing.

Shop and wishes are drawn from a seed: another seed gives a test set that nobody has seen.
"""
