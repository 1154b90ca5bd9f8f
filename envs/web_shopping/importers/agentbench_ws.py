"""AgentBench's web-shopping samples: WebShop's products and instructions, in its own files.

The goals are made as published; what is drawn there at every start (price limits, prices within a range) is drawn here
from a seed and kept with the sample.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec

from envs.web_shopping import catalogue, draft
from envs.web_shopping.catalogue import Catalogue
from envs.web_shopping.draft import Goal, Where
from envs.web_shopping.importers import raw
from envs.web_shopping.importers.source import Source, read_source, texts
from envs.web_shopping.importers.upstream import read_opening
from envs.web_shopping.product import Product
from envs.web_shopping.spec import CatalogueRef, WebShoppingSpec
from grading.kinds.purchase import alike
from grading.matching.colours import first_colour
from packs import cards
from packs.benchmark import Benchmark
from packs.draft import DraftPack, Mode, Soundness, known_mode
from packs.problem import Episode, Problem, ReferenceLine
from packs.report import Report

TURNS = 10
ORDER = 233
SHOWN: Mapping[Where, str] = {"text": "that is shown as text", "site": "in the browser"}
PARTS = {"all": slice(None), "std": slice(0, 200), "dev": slice(200, 280)}
Goals = Literal["all", "human", "synthetic"]


@dataclass(frozen=True)
class Sample:
    """An instruction with its goal. `source` is "human" or "synthetic"."""

    id: str
    source: str
    text: str
    goal: Goal


def read(
    source: Path,
    *,
    mode: Mode = "fixed",
    seed: int = 0,
    goals: Goals = "all",
    part: str = "all",
    limit: int | None = None,
    turns: int = TURNS,
    upstream: str = "",
    where: Where = "text",
) -> DraftPack:
    """The samples of a folder of WebShop's files; the catalogue is put among those of this machine.

    `goals`: "human" are the published samples, "synthetic" adds none of them but one instruction made of attributes and
    a choice of options for each product that has one. `part` "std" (the first 200) or "dev" (the 80 after them) of the
    human ones in their published order, which are the published samples where the folder holds the whole catalogue.
    `turns` is the published 10; the function-calling variant has 20. `upstream` is a checkout of AgentBench v0.2, whose
    instruction and example are then shown in place of ours. `where` "site": in the browser, on the shop's site.

    Raises FileNotFoundError, and ValueError for another mode, other words, a file of another form.
    """
    known_mode(mode)
    if goals not in ("all", "human", "synthetic") or part not in PARTS or where not in draft.WHERE:
        told = f"'part' one of {', '.join(PARTS)}, and 'where' {' or '.join(draft.WHERE)}"
        raise ValueError(f"'goals' is all, human or synthetic, {told}")
    found = read_source(source)
    opening = read_opening(Path(upstream)) if upstream else ()
    report = Report(source.name)
    products = _products(found, mode, seed, report)
    samples = _samples(found, products, seed, goals, part)[:limit]
    report.read = len(samples)
    shop_ref = catalogue.add(tuple(products.values()))
    shop = catalogue.open_catalogue(shop_ref)
    problems: list[Problem] = []
    references: list[ReferenceLine] = []
    numbers = {asin: number for number, asin in enumerate(products, 1)}
    for given in samples:
        sample = _sound(given, mode, report)
        built = _built(sample, mode, shop, shop_ref, turns, opening, report)
        if built is not None:
            clicks = _clicks(sample.goal)
            if where == "site" and not isinstance(clicks, str):
                built = draft.on_site(built, numbers, sample.goal.product, clicks)
            problems.append(built[0])
            references.append(built[1])
    report.notes.append(
        f"{len(products)} products, {found.restored} of them restored from look-alikes; catalogue "
        f"{shop_ref.digest[:12]} in {catalogue.folder()}: wherever the pack is played, it has to be there"
    )
    return DraftPack(
        report,
        problems,
        references,
        card=partial(benchmark, mode, len(products), where),
        soundness=Soundness(exclude=mode == "fixed", seed=seed, times=1, trial=_first(references)),
        notes=_by_source,
    )


def _first(references: Sequence[ReferenceLine]) -> Episode | None:
    return references[0].episode if references else None


def _by_source(kept: Sequence[Problem]) -> list[str]:
    counts = sorted(Counter(problem.type for problem in kept).items())
    return ["kept by type: " + ", ".join(f"{name} {count}" for name, count in counts)]


def _products(found: Source, mode: Mode, seed: int, report: Report) -> dict[str, Product]:
    """All products that can be read, by their numbers; look-alikes under numbers that do not say so."""
    price_of = raw.drawn_price(seed) if mode == "published" else raw.highest_price
    products: dict[str, Product] = {}
    for record in found.records:
        asin = str(record.get("asin"))
        base = raw.original(asin)
        attributes = texts(found.attributes.get(base, {}).get("attributes"))
        try:
            product = raw.read_product(record, attributes, price_of)
        except (KeyError, TypeError, ValueError) as error:
            report.notes.append(f"product {asin[:40]} is left out: {error!r}"[:200])
            continue
        if base != asin:
            product = msgspec.structs.replace(product, asin=raw.disguised(asin))
        products.setdefault(product.asin, product)
    return products


def _samples(found: Source, products: Mapping[str, Product], seed: int, goals: Goals, part: str) -> list[Sample]:
    human = [sample for asin in products for sample in _human(found, products[asin], seed)]
    # The published order; it hangs on their number alone.
    random.Random(ORDER).shuffle(human)
    synthetic = [sample for asin in products for sample in _synthetic(found, products[asin], seed)]
    chosen = human[PARTS[part]] if goals != "synthetic" else []
    return chosen + (synthetic if goals != "human" and part == "all" else [])


def _human(found: Source, product: Product, seed: int) -> Iterator[Sample]:
    """One goal for each instruction that asks for attributes; a second one of the same words is the same sample."""
    for number, given in enumerate(found.human.get(product.asin, ())):
        attributes = texts(given.get("instruction_attributes"))
        if attributes and given.get("instruction"):
            id_ = f"human-{product.asin}-{number}"
            options = texts(given.get("instruction_options"))
            text = str(given["instruction"]).strip(".")
            yield _sample(id_, "human", text, Goal(product, attributes, options, 0.0), seed)


def _synthetic(found: Source, product: Product, seed: int) -> Iterator[Sample]:
    """One goal for a product with an instruction of that kind, with one choice of its options (published: every)."""
    given = found.attributes.get(product.asin, {})
    text, attributes = given.get("instruction"), texts(given.get("instruction_attributes"))
    if not text or not attributes:
        return
    draw = random.Random(f"options {seed} {product.asin}")
    chosen = {name: draw.choice(values) for name, values in sorted(product.options.items()) if values}
    asked = ", and ".join(f"{name}: {value}" for name, value in chosen.items())
    goal = Goal(product, attributes, tuple(chosen.values()), 0.0)
    yield _sample(f"synthetic-{product.asin}", "synthetic", f"{text}{' with ' + asked if asked else ''}", goal, seed)


def _sample(id_: str, source: str, text: str, goal: Goal, seed: int) -> Sample:
    limit = draft.price_limit(random.Random(f"limit {seed} {id_}"), goal.product.price)
    return Sample(id_, source, draft.limited(text, limit), replace(goal, limit=limit))


def _sound(sample: Sample, mode: Mode, report: Report) -> Sample:
    """In mode "fixed" the options of a goal become values that its product offers, where one is alike."""
    if mode == "published":
        return sample
    offered = list(dict.fromkeys(value for values in sample.goal.product.options.values() for value in values))
    exact = tuple(_offered(wanted, offered) for wanted in sample.goal.options)
    if exact != sample.goal.options:
        changed = [f"{old!r} is {new!r}" for old, new in zip(sample.goal.options, exact, strict=True) if old != new]
        report.mark(sample.id, "option", "as it is offered: " + ", ".join(changed))
    return replace(sample, goal=replace(sample.goal, options=exact))


def _offered(wanted: str, offered: Sequence[str]) -> str:
    value = raw.option_value(wanted)
    if value in offered:
        return value
    return next((one for one in offered if alike(first_colour(one), first_colour(value))), value)


def _built(
    sample: Sample,
    mode: Mode,
    shop: Catalogue,
    shop_ref: CatalogueRef,
    turns: int,
    opening: tuple[str, ...],
    report: Report,
) -> tuple[Problem, ReferenceLine] | None:
    goal = sample.goal
    clicks = _clicks(goal)
    if isinstance(clicks, str):
        report.exclude(sample.id, "option", clicks)
        return None
    ways = (draft.way_to(shop, goal.product.asin, query, clicks) for query in _queries(goal))
    way = min((found for found in ways if found is not None), key=len, default=None)
    if way is None or len(way) > turns:
        cause = "no search shows its product" if way is None else f"it takes {len(way)} actions, there are {turns}"
        report.exclude(sample.id, "search", cause)
        return None
    return draft.drafted(
        sample.id,
        "dev",
        f"web_shopping_{sample.source}",
        goal.product.category.split("\u203a", 1)[0].strip() or "other",
        WebShoppingSpec(instruction=sample.text, catalogue=shop_ref, turns=turns, opening=opening),
        goal.reference("fuzzy" if mode == "published" else "exact"),
        way,
    )


def _queries(goal: Goal) -> Iterator[str]:
    """What may find a product: its title, the same with its options, with its first bullet."""
    name, bullet = goal.product.name, (goal.product.bullets or ("",))[0]
    yield from (name, " ".join([name, *goal.options]), f"{name} {bullet}"[:400])


def _clicks(goal: Goal) -> tuple[str, ...] | str:
    """The values to click so that every option of a goal is met; what is wrong where that cannot be done."""
    clicks: dict[str, str] = {}
    named = {value: name for name, values in goal.product.options.items() for value in values}
    for wanted in goal.options:
        value = _offered(wanted, list(named))
        if value not in named:
            return f"the product does not offer the option {wanted!r}"
        if clicks.get(named[value], value) != value:
            return f"{wanted!r} and {clicks[named[value]]!r} are values of one option, {named[value]!r}"
        clicks[named[value]] = value
    return tuple(clicks.values())


def benchmark(mode: Mode, products: int, where: Where, problems: Sequence[Problem]) -> Benchmark:
    """The card of the pack; the score is the mean reward, as published."""
    return cards.published(
        "agentbench-ws-site" if where == "site" else "agentbench-ws",
        mode,
        problems,
        title="web shopping",
        licence="MIT",
        summary=f"Find and buy what is asked for in a shop {SHOWN[where]}.",
        card=_CARD.format(mode=mode, count=len(problems), products=f"{products:,}", shown=SHOWN[where]),
        source="https://github.com/princeton-nlp/WebShop",
    )


_CARD = """\
{count} instructions of WebShop (Yao et al., NeurIPS 2022, arXiv:2207.01206) in a shop of {products} products {shown}.
AgentBench's web-shopping track plays them as text (Liu et al., ICLR 2024, arXiv:2308.03688). Mode "{mode}".

A purchase scores WebShop's reward; the score is its mean. With fewer products than the published 1.18 million it is
easier to find the right one, so scores of this pack are compared with each other only. Products and instructions have
been public since 2022: good for practice, not as a hidden test.
"""
