"""Customers, their addresses, and the people whom participants play."""

import random
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.contrib.auth.models import User

from . import goods
from .catalogue import brands, model
from .writing import moment, store


@dataclass(frozen=True)
class Crowd:
    """Everybody: the customer whom a participant plays, and the others, with an address each."""

    customer: Any
    others: list[Any]
    home: dict[int, dict[str, Any]]


def person(draw: random.Random, username: str, surname: str, days: int, **more: Any) -> Any:
    """Somebody without a password."""
    given = draw.choice(goods.GIVEN)
    mail = f"{given}.{surname}".lower() + f"{draw.randrange(10, 99)}@example.org"
    return User(
        username=username,
        first_name=given,
        last_name=surname,
        email=mail,
        date_joined=moment(draw, days),
        password=UNUSABLE_PASSWORD_PREFIX + f"{draw.getrandbits(120):030x}",
        **more,
    )


def fill(draw: random.Random, count: int) -> Crowd:
    """The roles' people and `count` other customers."""
    surnames = brands(draw, count + 3)
    played = [
        person(draw, "manager", surnames[0], 1400, is_staff=True, is_superuser=True),
        person(draw, "customer", surnames[1], 1000),
        person(draw, "newcomer", surnames[2], 20),
    ]
    crowd = [person(draw, f"c{number:04d}", surnames[number + 3], draw.randrange(30, 900)) for number in range(count)]
    people = store([*played, *crowd], dated=())
    country = model("address", "Country").objects.create(
        iso_3166_1_a2="IE",
        iso_3166_1_a3="IRL",
        iso_3166_1_numeric="372",
        printable_name="Ireland",
        name="Ireland",
        is_shipping_country=True,
    )
    home = {who.pk: living(draw, who, country) for who in [*people, people[1]]}
    address = model("address", "UserAddress")
    rows = []
    for who in people:
        if who.username in ("manager", "newcomer"):
            continue
        row = address(user=who, is_default_for_shipping=True, **home[who.pk], date_created=who.date_joined)
        rows.append(row)
    second = living(draw, people[1], country)
    rows.append(address(user=people[1], **second, notes="Leave with the neighbour", date_created=people[1].date_joined))
    for row in rows:
        row.hash = row.generate_hash()
    store(rows)
    return Crowd(people[1], crowd_of(people), home)


def crowd_of(people: list[Any]) -> list[Any]:
    """The customers whom nobody plays."""
    return people[3:]


def living(draw: random.Random, who: Any, country: Any) -> dict[str, Any]:
    """The fields of an address of somebody."""
    town = draw.choice(goods.HEADS).capitalize() + draw.choice(("ton", "ford", "by", "wick", "mouth"))
    code = f"{draw.choice('ABCDEFGH')}{draw.randrange(10, 99)} {draw.choice('KPRTVX')}{draw.randrange(100, 999)}"
    words = {
        "first_name": who.first_name,
        "last_name": who.last_name,
        "line4": town,
        "postcode": code,
        "line1": f"{draw.randrange(1, 180)} {draw.choice(goods.STREETS)}",
    }
    return words | {"country": country, "search_text": " ".join(words.values())}
