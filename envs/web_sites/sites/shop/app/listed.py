"""A catalogue that is given as a file: a product for each of its lines, in their order.

A line is JSON with `asin`, `name`, `category` (names with ` › ` between), `options` (lists of values by name), `price`,
`description` and `bullets`; what else it holds is not shown.
"""

import json
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.utils.html import escape
from django.utils.text import slugify

from . import pictures
from .catalogue import model
from .writing import NOW, store

PLENTY = 1_000_000
LONGEST_SLUG = 200


def fill(file: Path) -> None:
    """Categories, products, prices and options."""
    pictures.missing()
    with file.open(encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    kind = model("catalogue", "ProductClass").objects.create(name="Goods", requires_shipping=True, track_stock=True)
    made = products(rows, kind)
    leaves = categories(row["category"] for row in rows)
    link = model("catalogue", "ProductCategory")
    store(link(product=one, category=leaves[row["category"]]) for one, row in zip(made, rows, strict=True))
    stocked(made, rows)
    chosen(made, rows)


def products(rows: list[dict[str, Any]], kind: Any) -> list[Any]:
    """The products as the shop shows them; their number is the `upc`."""
    product = model("catalogue", "Product")
    return store(
        product(
            structure="standalone",
            is_public=True,
            upc=row["asin"],
            title=row["name"],
            slug=slugify(row["name"])[:LONGEST_SLUG] or "product",
            product_class=kind,
            priority=0,
            meta_description="",
            description=described(row),
            date_created=NOW,
            date_updated=NOW,
        )
        for row in rows
    )


def described(row: dict[str, Any]) -> str:
    """Description and features."""
    points = "".join(f"<li>{escape(one)}</li>" for one in row["bullets"] if one.strip())
    return f"<p>{escape(row['description'])}</p>" + (f"<ul>{points}</ul>" if points else "")


def categories(paths: Iterable[str]) -> dict[str, Any]:
    """The innermost category for each path of names."""
    category, by_path = model("catalogue", "Category"), dict[tuple[str, ...], Any]()
    found = {}
    for path in dict.fromkeys(paths):
        names = tuple(path.split(" \u203a "))
        for depth in range(1, len(names) + 1):
            here, name = names[:depth], names[depth - 1] or "Other"
            if here not in by_path:
                fields = {"name": name, "slug": slugify(name) or "other", "code": f"c{len(by_path)}", "is_public": True}
                above = category.objects.get(pk=by_path[here[:-1]].pk) if depth > 1 else None
                by_path[here] = above.add_child(**fields) if above else category.add_root(**fields)
        found[path] = by_path[names]
    return found


def stocked(made: list[Any], rows: list[dict[str, Any]]) -> None:
    """Prices, and as many of everything as anybody asks for."""
    supplier = model("partner", "Partner").objects.create(name="Main Trading", code="main")
    record = model("partner", "StockRecord")
    store(
        record(
            product=one,
            partner=supplier,
            partner_sku=row["asin"],
            price=Decimal(str(row["price"])).quantize(Decimal("0.01")),
            price_currency="USD",
            num_in_stock=PLENTY,
            num_allocated=0,
            date_created=NOW,
            date_updated=NOW,
        )
        for one, row in zip(made, rows, strict=True)
    )


def chosen(made: list[Any], rows: list[dict[str, Any]]) -> None:
    """A list to choose from for each option; products with the same one share it."""
    lists: dict[tuple[str, tuple[str, ...]], int] = {}
    pairs = []
    for one, row in zip(made, rows, strict=True):
        for name, values in row["options"].items():
            pairs.append((one, lists.setdefault((name, tuple(values)), len(lists))))
    group, value, option = (model("catalogue", name) for name in ("AttributeOptionGroup", "AttributeOption", "Option"))
    groups = store(group(name=name, code=f"g{number}") for (name, _), number in lists.items())
    store(
        value(group=held, option=text)
        for held, (_, values) in zip(groups, lists, strict=True)
        for text in dict.fromkeys(values)
    )
    options = store(
        option(name=name, code=f"option-{number}", type="select", required=False, option_group=held, order=number)
        for held, ((name, _), number) in zip(groups, lists.items(), strict=True)
    )
    through = model("catalogue", "Product").product_options.through
    store(through(product_id=one.pk, option_id=options[number].pk) for one, number in pairs)
