"""What the shop's administration works on besides the shop's own tables: settings, staff, reviews that wait."""

import random
from typing import Any

from django.db import connection

from .catalogue import Good, model
from .people import Crowd
from .trade import opinion
from .writing import moment, store

TABLES = (
    "create table administration_setting (name text primary key, value text not null)",
    """create table administration_staff (id integer primary key autoincrement, username text not null unique,
    name text not null, role text not null)""",
)
SURNAMES = ("Abernathy", "Brightwell", "Castellane", "Dunmore", "Eastlake", "Fairburn", "Greaves", "Holloway")
GIVEN = ("Agnes", "Basil", "Clara", "Desmond", "Edith", "Fergus", "Gwen", "Hector")


def fill(seed: int, stock: list[Good], crowd: Crowd, waiting: int) -> None:
    """Settings, staff, `waiting` reviews that nobody has decided on and a quarter as many that were rejected."""
    draw = random.Random(f"administration:{seed}")
    with connection.cursor() as cursor:
        for sql in TABLES:
            cursor.execute(sql)
        cursor.executemany("insert into administration_setting (name, value) values (%s, %s)", _settings(draw))
        rows = "insert into administration_staff (username, name, role) values (%s, %s, %s)"
        cursor.executemany(rows, _staff(draw))
    _reviews(draw, stock, crowd, waiting)


def _settings(draw: random.Random) -> list[tuple[str, str]]:
    return [
        ("announcement", ""),
        ("contact_email", f"office{draw.randrange(10, 99)}@example.org"),
        ("contact_phone", f"+353 1 555 {draw.randrange(1000, 9999)}"),
        ("low_stock", str(draw.choice((3, 4, 6, 8)))),
        ("orders_per_page", "20"),
        ("return_days", str(draw.choice((14, 21, 30, 45)))),
        ("reviews_by_newcomers", "wait"),
    ]


def _staff(draw: random.Random) -> list[tuple[str, str, str]]:
    names = [
        f"{given} {surname}" for given, surname in zip(draw.sample(GIVEN, 8), draw.sample(SURNAMES, 8), strict=True)
    ]
    roles = ("manager", "clerk", *draw.choices(("manager", "clerk"), k=4), "clerk", "manager")
    usernames = ("manager", "clerk", *(name.split()[0].lower() for name in names[2:]))
    return list(zip(usernames, names, roles, strict=True))


def _reviews(draw: random.Random, stock: list[Good], crowd: Crowd, waiting: int) -> None:
    review: Any = model("reviews", "ProductReview")
    taken = set(review.objects.values_list("product_id", "user_id"))
    rows = []
    for number in range(waiting + waiting // 4):
        good, who = draw.choice(stock), draw.choice(crowd.others)
        while (good.product.pk, who.pk) in taken:
            good, who = draw.choice(stock), draw.choice(crowd.others)
        taken.add((good.product.pk, who.pk))
        score = draw.choice((1, 1, 2, 3, 4, 5, 5))
        title, body = opinion(draw, score, good)
        rows.append(
            review(
                product=good.product,
                user=who,
                score=score,
                title=title,
                body=body,
                status=review.FOR_MODERATION if number < waiting else review.REJECTED,
                date_created=moment(draw, draw.randrange(1, 25)),
                total_votes=0,
                delta_votes=0,
            )
        )
    store(rows)
