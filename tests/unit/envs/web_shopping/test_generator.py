"""Generated shops and wishes: invented anew from a seed, met by one product alone, found by their own words."""

import asyncio
import itertools
import random
from pathlib import Path
from typing import Any

import pytest

from api.admission import policies, simulation
from api.admission.player import Policy
from envs import registry
from envs.base import Action, Observation
from envs.web_shopping import catalogue
from envs.web_shopping.assortment import products
from envs.web_shopping.assortment.vocabulary import CONTRARY, OPTIONS, SHOWN_AS, sorts
from envs.web_shopping.draft import Goal, limited, price_limit
from envs.web_shopping.generator import generate
from envs.web_shopping.generator.rivals import Rivals
from envs.web_shopping.product import digest
from envs.web_shopping.spec import CatalogueRef
from grading import parse_reference
from grading.kinds.purchase import Product as Bought
from grading.kinds.purchase import PurchaseReference, reward
from packs.draft import DraftPack
from packs.read import read_pack
from tests.unit.envs.web_shopping.shop import BOWL, LAMP, LID

SIZE = 1500


@pytest.fixture(scope="module")
def drafted() -> DraftPack:
    return generate(seed=21, count=6, split="dev", size=SIZE)


def test_a_shop_hangs_on_its_seed_and_grows_at_its_end() -> None:
    shop = list(products(4, 300))
    assert shop == list(products(4, 300))
    assert shop[:100] == list(products(4, 100))
    assert shop != list(products(5, 300))
    assert len({one.asin for one in shop}) == 300
    by_query = {sort.query: sort for sort in sorts()}
    for one in shop:
        sort = by_query[one.query]
        assert set(one.options) == {SHOWN_AS.get(name, name) for name in sort.options}
        assert set(one.attributes) <= set(sort.attributes)
        assert not any(pair <= set(one.attributes) for pair in CONTRARY)
        assert one.price % 10
        text = " ".join([one.name, *one.bullets, one.description]).lower()
        # What it does not have is said nowhere, since a text counts as much as the list.
        assert not [other for other in sort.attributes if other not in one.attributes and other in text]


def test_every_sort_is_complete() -> None:
    for sort in sorts():
        assert len(sort.category) >= 3
        assert len(set(sort.attributes)) == len(sort.attributes) >= 7
        assert {OPTIONS[name] for name in sort.options}
        assert 0 < sort.prices[0] < sort.prices[1] < 980


def test_families_differ_in_little() -> None:
    shop = list(products(4, 600))
    families = [pair for pair in itertools.pairwise(shop) if pair[0].query == pair[1].query]
    alike = [(a, b) for a, b in families if a.options == b.options and a.price == b.price]
    assert len(alike) > 100
    # Each differs from the first of its family in one attribute, so two of them in up to four.
    assert all(len(set(a.attributes) ^ set(b.attributes)) <= 4 for a, b in alike)


def test_a_pack_hangs_on_its_seed(drafted: DraftPack) -> None:
    again, other = (generate(seed=seed, count=3, split="dev", size=SIZE) for seed in (21, 22))
    assert list(again.references) == list(drafted.references)[:3]
    assert {line.episode.spec["instruction"] for line in other.references if line.episode}.isdisjoint(
        line.episode.spec["instruction"] for line in drafted.references if line.episode
    )


def test_each_wish_is_met_by_one_product_alone(drafted: DraftPack) -> None:
    """Counted here over every product with every choice of its options."""
    for line in drafted.references:
        assert line.episode is not None
        shop = line.episode.spec["catalogue"]
        assert isinstance(shop, dict)
        reference = parse_reference(line.reference)
        assert isinstance(reference, PurchaseReference)
        best = []
        for product in products(int(str(shop["seed"])), SIZE):
            values = [[(name, value) for value in listed] for name, listed in product.options.items()]
            wanted = [[pair for pair in pairs if pair[1] in reference.options] or pairs[:1] for pairs in values]
            chosen = [dict(choice) for choice in _choices(wanted)]
            if any(reward(Bought.model_validate(product.bought(one)), reference).score >= 1 for one in chosen):
                best.append(product.asin)
        (asin,) = best
        assert f"click[{asin.lower()}]" in str(line.oracle)


def _choices(lists: list[list[tuple[str, str]]]) -> list[list[tuple[str, str]]]:
    found: list[list[tuple[str, str]]] = [[]]
    for listed in lists:
        found = [[*one, pair] for one in found for pair in listed]
    return found


def test_a_wish_says_all_that_is_asked_for_and_not_what_it_is_called(drafted: DraftPack) -> None:
    for problem, line in zip(drafted.problems, drafted.references, strict=True):
        assert line.episode is not None
        text, reference = str(line.episode.spec["instruction"]), line.reference
        assert all(one in text for one in (*reference["attributes"], *reference["options"]))
        assert limited("", reference["price_upper"]) in text
        brands = [word for word in str(reference["name"]).split() if word.lower() not in text]
        assert brands
        assert problem.statement.endswith(text)
        assert not [field for field in ("attributes", "price_upper", "query") if field in line.episode.spec]


async def test_golds_win_and_who_knows_nothing_does_not(drafted: DraftPack) -> None:
    lines = drafted.references
    runs = [await simulation.simulate_episodes(lines, policies.gold, seed=seed, at_once=8) for seed in (0, 1, 2)]
    assert [[one.verdict.score for one in run] for run in runs] == [[1.0] * len(lines)] * 3
    assert len({str([one.evidence for one in run]) for run in runs}) == 1
    idle = await simulation.simulate_episodes(lines, lambda _: policies.null)
    echoing = await simulation.simulate_episodes(lines, lambda _: policies.echo)
    assert {one.verdict.score for one in (*idle, *echoing)} == {0.0}
    chance = await simulation.simulate_episodes(lines, lambda line: clicking(line.id))
    assert sum(one.verdict.score or 0 for one in chance) / len(lines) < 0.5


def clicking(seed: str) -> Policy:
    """A participant who searches for a word and clicks at random."""
    draw = random.Random(seed)

    def act(seen: Observation, number: int) -> Action:
        clickables = [str(one) for one in _listed(seen.data["clickables"]) if one != "search"]
        if not clickables:
            return Action(text=f"Action: search[{draw.choice(['cotton', 'black', 'pack', 'glass'])}]")
        return Action(text=f"Action: click[{draw.choice(clickables)}]")

    return act


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def test_a_rival_is_seen_in_its_attributes_its_texts_and_its_options() -> None:
    goal = Goal(BOWL, ("lead free",), ("oat green",), 30.0)
    assert Rivals([BOWL, LID, LAMP]).near(goal) == 0
    twin = BOWL.__class__(**{name: getattr(BOWL, name) for name in BOWL.__struct_fields__} | {"asin": "B000000009"})
    assert Rivals([BOWL, twin]).near(goal) is None
    dear = BOWL.__class__(**{name: getattr(twin, name) for name in twin.__struct_fields__} | {"price": 31.0})
    assert Rivals([BOWL, dear, LID]).near(goal) == 1


@pytest.mark.parametrize(
    ("price", "limits"), [(18.5, {30, 40, 50}), (20.0, {40, 50, 60}), (985.0, {0}), (965.0, {980, 990})]
)
def test_limits_are_drawn_as_published(price: float, limits: set[float]) -> None:
    assert {price_limit(random.Random(number), price) for number in range(60)} == limits


def test_the_shipped_shop_is_still_the_one_that_is_made() -> None:
    """Another assortment would make another shop of the same seed: then make the pack anew (`make live-packs`)."""
    pack = read_pack(Path(__file__).parents[4] / "benchmarks" / "live-web-shopping", registry)
    assert len(pack.references) == 20
    for shop in {str(line.episode.spec["catalogue"]): line for line in pack.references if line.episode}.values():
        assert shop.episode is not None
        reference = CatalogueRef.model_validate(shop.episode.spec["catalogue"])
        assert digest(products(reference.seed or 0, reference.size or 0)) == reference.digest


async def test_a_shop_that_is_missing_is_made_once_for_all_who_open_it() -> None:
    reference = CatalogueRef(digest=digest(products(77, 300)), seed=77, size=300)
    shops = await asyncio.gather(*(catalogue.opened(reference) for _ in range(8)))
    assert {id(shop) for shop in shops} == {id(shops[0])}
    assert len(list(catalogue.folder().glob(f"{reference.digest[:40]}*"))) == 1


def test_a_shop_without_a_wish_says_so() -> None:
    with pytest.raises(ValueError, match="is the shop too small"):
        generate(seed=1, count=1, size=2)
