"""Categories, products, prices and pictures."""

import random
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import tenancy
from django.utils.text import slugify
from oscar.core.loading import get_model

from . import goods, pictures
from .writing import moment, store


@dataclass(frozen=True)
class Good:
    """A product with its stock record and the words it was described with."""

    product: Any
    stock: Any
    colour: str
    material: str


def model(app: str, name: str) -> Any:
    """One of oscar's models."""
    return get_model(app, name)


def brands(draw: random.Random, count: int) -> list[str]:
    """Names that no maker has."""
    found: dict[str, None] = {}
    while len(found) < count:
        found.setdefault((draw.choice(goods.HEADS) + draw.choice(goods.HEADS) + draw.choice(goods.TAILS)).capitalize())
    return list(found)


def fill(draw: random.Random, per_category: int) -> list[Good]:
    """The whole catalogue: 8 departments, 40 categories, `per_category` products each."""
    category, partner = model("catalogue", "Category"), model("partner", "Partner")
    names = brands(draw, 24)
    supplier = partner.objects.create(name=f"{names[0]} Trading", code="main")
    pictures.missing()
    plan: list[tuple[Any, Any, str, str, int]] = []
    for place, (department, inside) in enumerate(goods.DEPARTMENTS.items()):
        top = category.add_root(name=department, slug=slugify(department), code=f"d{place}", is_public=True)
        kind = product_class(department)
        for name, nouns in inside.items():
            leaf = top.add_child(name=name, slug=slugify(name), code=slugify(name), is_public=True)
            plan += [(leaf, kind, draw.choice(names), nouns[n % len(nouns)], place) for n in range(per_category)]
        top.refresh_from_db()
    draw.shuffle(plan)
    return products(draw, plan, supplier)


def product_class(department: str) -> Any:
    """The kind of product of a department, with its attributes."""
    kind = model("catalogue", "ProductClass").objects.create(name=department, requires_shipping=True, track_stock=True)
    attribute = model("catalogue", "ProductAttribute")
    store(
        attribute(product_class=kind, name=name, code=code, type=type_, required=False)
        for name, code, type_ in (
            ("Colour", "colour", "text"),
            ("Weight in grams", "weight", "integer"),
            ("Guarantee in years", "years", "integer"),
        )
    )
    return kind


def products(draw: random.Random, plan: list[tuple[Any, Any, str, str, int]], supplier: Any) -> list[Good]:
    """A product for each entry of the plan, in its order."""
    product = model("catalogue", "Product")
    upc = draw.randrange(2_000_000, 7_000_000)
    made, facts, titles = [], [], set()
    for _leaf, kind, brand, noun, _place in plan:
        upc += draw.randrange(3, 60)
        title = ""
        while not title or title in titles:
            number = f"{draw.choice('BCDFKLMRTX')}{draw.randrange(100, 990, 10)}"
            title = f"{brand} {draw.choice(goods.QUALITIES)} {noun} {number}"
        titles.add(title)
        fact = (
            draw.choice(goods.COLOURS),
            draw.choice(goods.MATERIALS),
            draw.randrange(80, 4000, 10),
            draw.randrange(1, 8),
        )
        added = moment(draw, draw.randrange(30, 900))
        made.append(
            product(
                structure="standalone",
                is_public=True,
                upc=str(upc),
                title=title,
                slug=slugify(title),
                product_class=kind,
                priority=0,
                meta_description="",
                description=described(draw, noun, *fact),
                date_created=added,
                date_updated=added,
            )
        )
        facts.append(fact)
    made = store(made)
    attached(plan, made, facts)
    stock = stocked(draw, made, supplier)
    drawn(draw, made, [entry[4] for entry in plan])
    return [Good(p, s, fact[0], fact[1]) for p, s, fact in zip(made, stock, facts, strict=True)]


def described(draw: random.Random, noun: str, colour: str, material: str, weight: int, years: int) -> str:
    """A few sentences about a product, spaced as the dashboard's editor leaves them."""
    use = draw.choice(goods.PLACES)
    care = draw.choice(
        ("Wipe clean with a damp cloth.", "Keep dry.", "Spare parts can be ordered.", "Packed in card only.")
    )
    return (
        f"<p>{noun} in {colour}, made of {material}. It weighs {weight} g and suits {use}.</p>\r\n"
        f"<p>{care} Guarantee: {years} year{'s' if years > 1 else ''}.</p>"
    )


def attached(plan: list[Any], made: list[Any], facts: list[tuple[str, str, int, int]]) -> None:
    """Categories and attributes of the products."""
    link, value = model("catalogue", "ProductCategory"), model("catalogue", "ProductAttributeValue")
    store(link(product=p, category=entry[0]) for p, entry in zip(made, plan, strict=True))
    ids = {(a.product_class_id, a.code): a for a in model("catalogue", "ProductAttribute").objects.order_by("id")}
    values = []
    for product, (colour, _, weight, years) in zip(made, facts, strict=True):
        kind = product.product_class_id
        values.append(value(product=product, attribute=ids[kind, "colour"], value_text=colour))
        values.append(value(product=product, attribute=ids[kind, "weight"], value_integer=weight))
        values.append(value(product=product, attribute=ids[kind, "years"], value_integer=years))
    store(values)


def stocked(draw: random.Random, made: list[Any], supplier: Any) -> list[Any]:
    """Prices and stock; some are out of stock, some below their threshold."""
    record, rows = model("partner", "StockRecord"), []
    for number, product in enumerate(made):
        price = Decimal(draw.randrange(250, 24_000)) / 100
        left = 0 if draw.random() < 0.06 else draw.randrange(2, 90)
        rows.append(
            record(
                product=product,
                partner=supplier,
                partner_sku=f"S{draw.randrange(10, 99)}-{number:04d}",
                price=price,
                price_currency="USD",
                num_in_stock=left,
                num_allocated=0,
                low_stock_threshold=draw.choice((None, 5, 10)),
                date_created=product.date_created,
                date_updated=product.date_created,
            )
        )
    return store(rows)


def drawn(draw: random.Random, made: list[Any], places: list[int]) -> None:
    """A picture for each product: 96 of them, shared."""
    root = Path(tenancy.folder() / tenancy.MEDIA)
    for place in sorted(set(places)):
        for number in range(12):
            pictures.draw(draw, root / f"products/{place}-{number}.png", place)
    image = model("catalogue", "ProductImage")
    store(
        image(
            product=p,
            original=f"products/{place}-{draw.randrange(12)}.png",
            display_order=0,
            caption="",
            date_created=p.date_created,
        )
        for p, place in zip(made, places, strict=True)
    )
