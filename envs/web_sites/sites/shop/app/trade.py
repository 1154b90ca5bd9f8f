"""Reviews, orders, wish lists, vouchers: what customers have left behind."""

import datetime
import itertools
import random
from collections import Counter, defaultdict
from decimal import Decimal
from typing import Any

from django.contrib.flatpages.models import FlatPage
from django.contrib.sites.models import Site

from . import goods
from .catalogue import Good, model
from .people import Crowd
from .writing import NOW, moment, store

OLD = ("Complete", "Complete", "Complete", "Complete", "Complete", "Cancelled", "Returned")
RECENT = ("Pending", "Being processed", "Shipped", "Complete", "Cancelled")
STEPS = {"Pending": 0, "Being processed": 1, "Shipped": 2, "Complete": 3, "Returned": 3, "Cancelled": 1}
DAYS = 731


def reviews(draw: random.Random, stock: list[Good], crowd: Crowd, each: int) -> None:
    """About `each` reviews a product; the rating is their mean, as the shop works it out."""
    review, rows, scores = model("reviews", "ProductReview"), [], defaultdict(list)
    for good in stock:
        leaning = draw.choice((2.6, 3.4, 3.9, 4.3, 4.6))
        for who in draw.sample(crowd.others, draw.randrange(2 * each + 1)):
            score = min(5, max(1, round(draw.gauss(leaning, 1))))
            scores[good.product.pk].append(score)
            written = moment(draw, draw.randrange(2, 700))
            title, body = opinion(draw, score, good)
            rows.append(
                review(
                    product=good.product,
                    user=who,
                    score=score,
                    title=title,
                    body=body,
                    status=review.APPROVED,
                    date_created=written,
                    total_votes=0,
                    delta_votes=0,
                )
            )
    store(rows)
    for good in stock:
        found = scores[good.product.pk]
        good.product.rating = sum(found) / len(found) if found else None
    model("catalogue", "Product").objects.bulk_update([good.product for good in stock], ["rating"], batch_size=200)


def opinion(draw: random.Random, score: int, good: Good) -> tuple[str, str]:
    """A review's title and text."""
    words = {
        "part": draw.choice(goods.PARTS),
        "days": draw.randrange(2, 30),
        "month": draw.choice(goods.MONTHS),
        "colour": good.colour,
        "material": good.material,
        "relative": draw.choice(goods.RELATIVES),
        "place": draw.choice(goods.PLACES),
    }
    parts = [draw.choice(goods.REMARKS[score]), *draw.sample(goods.REMARKS_MORE, draw.randrange(3))]
    return draw.choice(goods.PRAISE[score]), " ".join(parts).format(**words)


def orders(draw: random.Random, stock: list[Good], crowd: Crowd, count: int, of_the_customer: int) -> None:
    """Orders of 24 months in the order of their dates; `of_the_customer` of them are the customer's."""
    ages = sorted((draw.randrange(1, DAYS) for _ in range(count)), reverse=True)
    own = set(draw.sample(range(count), of_the_customer))
    number = draw.randrange(200_000, 700_000)
    placed = []
    for place, days in enumerate(ages):
        number += draw.randrange(2, 40)
        who = crowd.customer if place in own else draw.choice(crowd.others)
        status = draw.choice(OLD) if days > 40 else draw.choice(RECENT)
        placed.append((str(number), who, moment(draw, days), status, basket(draw, stock)))
    placed.sort(key=lambda entry: entry[2])
    write(draw, placed, crowd)
    counted(placed)


def basket(draw: random.Random, stock: list[Good]) -> list[tuple[Good, int]]:
    """One to four different products with their numbers."""
    chosen = draw.sample(stock, draw.choice((1, 1, 1, 2, 2, 3, 4)))
    return [(good, draw.choice((1, 1, 1, 2, 2, 3, 5))) for good in chosen]


def total(lines: list[tuple[Good, int]]) -> Decimal:
    """What an order costs."""
    return sum((good.stock.price * quantity for good, quantity in lines), Decimal())


def write(draw: random.Random, placed: list[Any], crowd: Crowd) -> None:
    """The rows of orders and of what hangs on them."""
    order, line, price = model("order", "Order"), model("order", "Line"), model("order", "LinePrice")
    address, change = model("order", "ShippingAddress"), model("order", "OrderStatusChange")
    homes = store(address(**crowd.home[who.pk]) for _, who, *_ in placed)
    site = Site.objects.get_or_create(pk=1, defaults={"domain": "shop.test", "name": "Shop"})[0]
    made = store(
        order(
            number=number,
            site=site,
            user=who,
            currency="USD",
            total_incl_tax=total(lines),
            total_excl_tax=total(lines),
            shipping_incl_tax=0,
            shipping_excl_tax=0,
            shipping_method="Free shipping",
            shipping_code="free-shipping",
            status=status,
            date_placed=when,
            shipping_address=home,
        )
        for (number, who, when, status, lines), home in zip(placed, homes, strict=True)
    )
    rows, changes = [], []
    for row, (_, _, when, status, lines) in zip(made, placed, strict=True):
        rows += [sold(line, row, good, quantity, status) for good, quantity in lines]
        changes += steps(draw, change, row, status, when)
    prices = [
        price(
            order=row.order,
            line=row,
            quantity=row.quantity,
            price_incl_tax=row.unit_price_incl_tax,
            price_excl_tax=row.unit_price_excl_tax,
        )
        for row in store(rows)
    ]
    store(prices)
    store(changes)


def sold(line: Any, order: Any, good: Good, quantity: int, status: str) -> Any:
    """One line of an order."""
    amount = good.stock.price * quantity
    return line(
        order=order,
        partner=good.stock.partner,
        partner_name=good.stock.partner.name,
        partner_sku=good.stock.partner_sku,
        stockrecord=good.stock,
        product=good.product,
        title=good.product.title,
        upc=good.product.upc,
        quantity=quantity,
        line_price_incl_tax=amount,
        line_price_excl_tax=amount,
        line_price_before_discounts_incl_tax=amount,
        line_price_before_discounts_excl_tax=amount,
        unit_price_incl_tax=good.stock.price,
        unit_price_excl_tax=good.stock.price,
        status=status,
        num_allocated=0,
    )


def steps(draw: random.Random, change: Any, order: Any, status: str, when: datetime.datetime) -> list[Any]:
    """How an order came to its status."""
    shipped = ("Pending", "Being processed", "Shipped")
    path = ("Pending", status) if status == "Cancelled" else (*shipped[: STEPS[status]], status)
    rows = []
    for old, new in itertools.pairwise(path):
        when = min(when + datetime.timedelta(hours=draw.randrange(5, 60)), NOW - datetime.timedelta(minutes=1))
        rows.append(change(order=order, old_status=old, new_status=new, date_created=when))
    return rows


def counted(placed: list[Any]) -> None:
    """The shop's own counters, which its reports show."""
    views, purchases, people = Counter[int](), Counter[int](), defaultdict(list)
    for _, who, when, _, lines in placed:
        people[who.pk].append((when, lines))
        for good, quantity in lines:
            purchases[good.product.pk] += quantity
            views[good.product.pk] += 3 * quantity + 1
    product, user = model("analytics", "ProductRecord"), model("analytics", "UserRecord")
    store(
        product(
            product_id=pk, num_views=views[pk], num_basket_additions=purchases[pk], num_purchases=purchases[pk], score=0
        )
        for pk in sorted(purchases)
    )
    store(
        user(
            user_id=pk,
            num_product_views=4 * len(found),
            num_basket_additions=len(found),
            num_orders=len(found),
            num_order_lines=sum(len(lines) for _, lines in found),
            num_order_items=sum(quantity for _, lines in found for _, quantity in lines),
            total_spent=sum((total(lines) for _, lines in found), Decimal()),
            date_last_order=found[-1][0],
        )
        for pk, found in sorted(people.items())
    )


def extras(draw: random.Random, stock: list[Good], crowd: Crowd) -> None:
    """A wish list of the customer, two pages, low stock alerts, a range for the dashboard."""
    wishes, entry = model("wishlists", "WishList"), model("wishlists", "Line")
    listed = store(
        [
            wishes(
                owner=crowd.customer, name="Birthday", key=f"{draw.getrandbits(24):06x}", date_created=moment(draw, 90)
            )
        ]
    )
    store(
        entry(wishlist=listed[0], product=g.product, title=g.product.title, quantity=1) for g in draw.sample(stock, 3)
    )
    alert = model("partner", "StockAlert")
    low = [g.stock for g in stock if g.stock.low_stock_threshold and g.stock.num_in_stock < g.stock.low_stock_threshold]
    store(
        alert(stockrecord=row, threshold=row.low_stock_threshold, status=alert.OPEN, date_created=moment(draw, 10))
        for row in low
    )
    days = draw.choice((14, 21, 30, 45))
    pages = (
        ("/delivery/", "Delivery", f"<p>Parcels leave within {draw.randrange(2, 6)} working days.</p>"),
        ("/returns/", "Returns", f"<p>Unused goods can be sent back within {days} days.</p>"),
    )
    for url, title, content in pages:
        FlatPage.objects.create(url=url, title=title, content=content).sites.add(1)
