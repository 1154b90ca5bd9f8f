"""Numbers, money, durations, distances, dates, addresses: what is read, what is refused, in one table each."""

from decimal import Decimal
from typing import Any

import pytest

from grading.matching import calendar, places, quantities
from grading.matching.calendar import Day
from grading.matching.places import Url
from grading.matching.quantities import Money
from grading.matching.tokens import MAX_TEXT, fold, holds, number_token, tokens, unaccented


def decimal(value: float | str | None) -> Decimal | None:
    return None if value is None else Decimal(str(value))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("5", 5),
        ("-5", -5),
        ("+5", 5),
        ("1,170.50", "1170.5"),
        ("11,70", None),
        (".5", ".5"),
        ("-.5", "-.5"),
        ("1,234,567", 1234567),
        ("1 170", None),
        ("5.", None),
        ("", None),
        ("five", 5),
        ("Twenty-One", 21),
        ("one hundred", 100),
        ("hundred", 100),
        ("two hundred and five", 205),
        ("thousand", 1000),
        ("three thousand two hundred", 3200),
        ("two million one thousand", 2_001_000),
        ("one billion", 10**9),
        ("two hundred thousand", 200_000),
        ("ninety nine", 99),
        ("zero", 0),
        ("and", None),
        ("five apples", None),
        ("0" * 79 + "5", 5),
        ("0" * 80 + "5", None),
        ("one hundred one", 101),
        ("nineteen", 19),
        ("twenty", 20),
    ],
)
def test_numbers(text: str, value: Any) -> None:
    assert quantities.number(text) == decimal(value)


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("$5", 5, "USD"),
        ("-$5", -5, "USD"),
        ("US$ 1,603.69", "1603.69", "USD"),
        ("5 dollars", 5, "USD"),
        ("1 dollar", 1, "USD"),
        ("€5", 5, "EUR"),
        ("5 euro", 5, "EUR"),
        ("5 EUR", 5, "EUR"),
        ("£5", 5, "GBP"),
        ("5 pounds", 5, "GBP"),
        ("5 gbp", 5, "GBP"),
        ("¥500", 500, "JPY"),
        ("500 jpy", 500, "JPY"),
        ("5", 5, None),
        ("-5.5", "-5.5", None),
        ("five", 5, None),
        ("$-5", -5, "USD"),
        ("- $5", -5, "USD"),
    ],
)
def test_money(text: str, amount: Any, currency: str | None) -> None:
    assert quantities.money(text) == Money(Decimal(str(amount)), currency)


@pytest.mark.parametrize("text", ["", "$", "5 apples", "$5 $6", "5 dollarsx", "about $5"])
def test_no_money(text: str) -> None:
    assert quantities.money(text) is None


def test_money_in_running_text() -> None:
    found = quantities.find_money("From $1,603.69 down to 5 EUR, -£2 off, 12 orders, 7.50 dollars")
    assert [(str(one.amount), one.currency) for one in found] == [
        ("1603.69", "USD"),
        ("5", "EUR"),
        ("-2", "GBP"),
        ("7.50", "USD"),
    ]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1h 44min", 6240),
        ("1 hour and 5 minutes", 3900),
        ("1 hour, 5 minutes", 3900),
        ("1:30", 5400),
        ("1:02:03", 3723),
        ("0:00:01", 1),
        ("100:00", 360_000),
        ("1:60", None),
        ("90 s", 90),
        ("90 secs.", 90),
        ("2 weeks", 1_209_600),
        ("1 week 1 day", 691_200),
        ("1.5 hours", 5400),
        ("3d", 259_200),
        ("1h 5m", 3900),
        ("1d 1h 1m 1s", 90_061),
        ("2 hrs", 7200),
        ("10 mins", 600),
        ("5", None),
        ("5 apples", None),
        ("", None),
        ("1 hour apart", None),
        ("2 minutes 30 seconds", 150),
    ],
)
def test_durations(text: str, seconds: float | None) -> None:
    assert quantities.duration(text) == decimal(seconds)


def test_durations_in_running_text() -> None:
    found = quantities.find_durations("Drive 5 hours and 47 minutes, walk 1h 3m or 20 min; 5 m, 3 days later")
    assert found == [20_820, 3780, 1200, 259_200]


@pytest.mark.parametrize(
    ("text", "metres"),
    [
        ("2km", 2000),
        ("2 kilometers", 2000),
        ("1 kilometre", 1000),
        ("375 m.", 375),
        ("5 meters", 5),
        ("1 metre", 1),
        ("250 cm", "2.5"),
        ("1,000 m", 1000),
        ("1 mile", "1609.344"),
        ("2 mi", "3218.688"),
        ("10 ft", "3.048"),
        ("1 foot", "0.3048"),
        ("3 feet", "0.9144"),
        ("2 yards", "1.8288"),
        ("1 yd", "0.9144"),
        ("0.5 km", 500),
        ("5", None),
        ("km", None),
        ("5 kmh", None),
        ("", None),
        ("5 km 3 m", None),
    ],
)
def test_distances(text: str, metres: Any) -> None:
    assert quantities.distance(text) == decimal(metres)


def test_distances_in_running_text() -> None:
    assert quantities.find_distances("2 km, then 300 m; 5 kmh, 1.5 miles") == [2000, 300, Decimal("2414.016")]


@pytest.mark.parametrize(
    ("given", "wanted", "same"),
    [
        (10_200, 10_000, True),
        (10_201, 10_000, False),
        (9800, 10_000, True),
        (9799, 10_000, False),
        (110, 100, True),
        (111, 100, False),
        (90, 100, True),
        (55, 50, True),
        (56, 50, False),
        (0, 0, True),
        (1, 0, False),
        (310, 300, True),
        (311, 300, False),
        (510, 500, True),
        (612, 600, True),
        (613, 600, False),
    ],
)
def test_distances_are_the_same_within_ten_metres_or_two_percent_but_never_ten_percent(
    given: int, wanted: int, same: bool
) -> None:
    assert quantities.same_distance(Decimal(given), Decimal(wanted)) is same


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("40.44, -79.93", ("40.44", "-79.93")),
        ("(40.44; -79.93)", ("40.44", "-79.93")),
        ("40° 79°", ("40", "79")),
        ("90, 180", ("90", "180")),
        ("-90, -180", ("-90", "-180")),
        ("90.1, 0", None),
        ("0, 180.1", None),
        ("-90.1, 0", None),
        ("0, -180.1", None),
        ("40.44", None),
        ("here", None),
        ("", None),
    ],
)
def test_coordinates(text: str, place: tuple[str, str] | None) -> None:
    assert quantities.coordinates(text) == (place and tuple(map(Decimal, place)))


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2023-03-11", Day(3, 11, 2023)),
        ("2023/3/1", Day(3, 1, 2023)),
        ("2023.12.31", Day(12, 31, 2023)),
        ("March 11th 2023", Day(3, 11, 2023)),
        ("Mar. 11, 2023", Day(3, 11, 2023)),
        ("Sept 1", Day(9, 1, None)),
        ("11 March 2023", Day(3, 11, 2023)),
        ("the 2nd of May", Day(5, 2, None)),
        ("Wed, 5 Jul 2023", Day(7, 5, 2023)),
        ("Wednesday July 5", Day(7, 5, None)),
        ("3/11/2023", Day(3, 11, 2023)),
        ("31/5/2023", Day(5, 31, 2023)),
        ("12/11/2023", Day(12, 11, 2023)),
        ("13/12/2023", Day(12, 13, 2023)),
        ("12-31-99", Day(12, 31, 2099)),
        ("1/2/00", Day(1, 2, 2000)),
        ("31.5.2023", Day(5, 31, 2023)),
        ("31. 5. 2023", Day(5, 31, 2023)),
        ("2023-05-31 10:00:00", Day(5, 31, 2023)),
        ("2023-05-31T10:00Z", Day(5, 31, 2023)),
        ("May 31, 2023 at 5:30 p.m.", Day(5, 31, 2023)),
        ("May 31, 2023.", Day(5, 31, 2023)),
        ("Feb 29", Day(2, 29, None)),
        ("Feb 29, 2023", None),
        ("2023-13-01", None),
        ("2023-02-30", None),
        ("May 32", None),
        ("13/13/2023", None),
        ("May", None),
        ("soon", None),
        ("", None),
        ("May 5 then", None),
        ("5.13.2023", None),
        ("1/1/0000", Day(1, 1, 2000)),
        ("1/2/0100", Day(1, 2, 100)),
        ("1/2/0099", Day(1, 2, 2099)),
    ],
)
def test_days(text: str, day: Day | None) -> None:
    assert calendar.day(text) == day


def test_days_in_running_text() -> None:
    text = "Sent 12/30/2023, changed on May 3 and on 2 June 2024; refused 2024-02-30, seen 2024-03-01."
    assert calendar.find_days(text) == [Day(12, 30, 2023), Day(5, 3, None), Day(6, 2, 2024), Day(3, 1, 2024)]
    assert calendar.find_days("version 1.2.3 of a/1/2/2023") == []
    assert calendar.find_days("May 5 2023") == [Day(5, 5, 2023)]


@pytest.mark.parametrize(
    ("given", "wanted", "same"),
    [
        (Day(5, 3, 2023), Day(5, 3, 2023), True),
        (Day(5, 3, 2023), Day(5, 3, 2024), False),
        (Day(5, 3, None), Day(5, 3, 2023), None),
        (Day(5, 3, 2023), Day(5, 3, None), True),
        (Day(5, 3, None), Day(5, 3, None), True),
        (Day(5, 4, 2023), Day(5, 3, 2023), False),
        (Day(6, 3, 2023), Day(5, 3, 2023), False),
    ],
)
def test_the_same_day(given: Day, wanted: Day, same: bool | None) -> None:
    assert calendar.same_day(given, wanted) is same


@pytest.mark.parametrize(
    ("text", "month"),
    [
        ("January", 1),
        ("jan.", 1),
        (" Sept ", 9),
        ("may", 5),
        ("12", 12),
        ("01", 1),
        ("0", None),
        ("13", None),
        ("Mayor", None),
        ("Mayx", None),
        ("", None),
        ("001", None),
        ("10.", 10),
    ],
)
def test_months(text: str, month: int | None) -> None:
    assert calendar.month(text) == month


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("http://Shop.Test/a/", Url("shop.test", "/a", ())),
        ("shop.test", Url("shop.test", "", ())),
        ("https://shop.test:443/a", Url("shop.test", "/a", ())),
        ("http://shop.test:80/a", Url("shop.test", "/a", ())),
        ("http://shop.test:443/a", Url("shop.test:443", "/a", ())),
        ("https://shop.test:8443/a", Url("shop.test:8443", "/a", ())),
        ("HTTP://shop.test./a//b/", Url("shop.test", "/a/b", ())),
        ("<http://s.test/a>", Url("s.test", "/a", ())),
        (" http://s.test/caf%C3%A9 ", Url("s.test", "/café", ())),
        ("http://s.test/a?x=1&y=&x=1#top", Url("s.test", "/a", (("x", "1"), ("y", ""), ("x", "1")), "top")),
        ("http://s.test/" + "a" * 8178, Url("s.test", "/" + "a" * 8178, ())),
        ("http://s.test/" + "a" * 8179, None),
        ("http://s.test/a?" + "&".join(["x=1"] * 200), Url("s.test", "/a", (("x", "1"),) * 200)),
        ("http://s.test/a?" + "&".join(["x=1"] * 201), None),
        ("http://s.test/a b", None),
        ("ftp://s.test/a", None),
        ("http://s.test:x/a", None),
        ("http:///a", None),
        ("http://[broken", None),
        ("", None),
    ],
)
def test_addresses_of_the_web(text: str, address: Url | None) -> None:
    assert places.url(text) == address


@pytest.mark.parametrize(
    ("given", "wanted", "same"),
    [
        ("http://s.test/a?x=1&y=2#q", "https://s.test/a/?y=2&x=1", True),
        ("http://s.test/a", "ftp://s.test/a", None),
        ("ftp://s.test/a", "http://s.test/a", False),
        ("http://s.test/b", "http://s.test/a", False),
        ("http://t.test/a", "http://s.test/a", False),
        ("http://s.test/a?x=1", "http://s.test/a", False),
    ],
)
def test_the_same_address(given: str, wanted: str, same: bool | None) -> None:
    assert places.same_url(given, wanted) is same


POST = {"name": "Fuku Tea", "street": "Forbes Ave", "city": "Pittsburgh", "state": "Pennsylvania", "country": " "}


@pytest.mark.parametrize(
    ("given", "wanted", "same"),
    [
        ("Fuku Tea, 3716 Forbes Avenue, Pittsburgh, PA", POST, True),
        ("Fuku Tea, 3716 Forbes Avenue, Pittsburgh, Pennsylvania", {**POST, "state": "PA"}, True),
        ("Fuku Tea, 3716 Forbes Avenue, Pittsburgh, pa", {**POST, "state": "PA"}, True),
        ("Fuku Tea, 3716 Forbes Avenue, Pittsburgh, Ohio", POST, False),
        ("Fuku Tea, Forbes Avenue, Pittsburgh", POST, False),
        ("Fuku Tea, Forbes Street, Pittsburgh, PA", POST, False),
        ("Fuku Tea, Fifth Avenue, Pittsburgh, PA", POST, False),
        ("the PA system", {"name": "Pennsylvania"}, False),
        ({**POST, "street": "forbes avenue", "state": "pa."}, POST, True),
        ({"name": "Fuku Tea"}, POST, False),
        ({**POST, "country": "USA"}, POST, True),
        ({**POST, "state": "Ohio"}, POST, False),
        ({"street": "5 N. Main St."}, {"street": "5 North Main Street"}, True),
        ({"state": "New York"}, {"state": "NY"}, True),
        ({"state": "NY"}, {"state": "NJ"}, False),
        ({"city": "NY"}, {"city": "New York"}, False),
        ({}, {}, True),
        ({}, {"city": "Pittsburgh"}, False),
    ],
)
def test_addresses_of_the_post(given: Any, wanted: Any, same: bool) -> None:
    assert places.same_address(given, wanted) is same


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1,170.0 km", ["1170", "km"]),
        ("-5 +3", ["-5", "3"]),
        ("-0.00", ["0"]),
        ("007", ["7"]),
        ("1.2.3", ["1", "2", "3"]),
        ("10%", ["10", "%"]),
        ("C++ and C#", ["c++", "and", "c#"]),
        ("it’s", ["it's"]),
        ("“a”", ["a"]),
        ("", []),
        ("5–6", ["5", "6"]),
        ("$0.50", ["$", "0.5"]),
        ("B07X", ["b07x"]),
        ("1e5", ["1e5"]),
        ("½", ["1", "2"]),
    ],
)
def test_tokens(text: str, words: list[str]) -> None:
    assert tokens(text) == words


def test_folding_and_holding() -> None:
    assert fold("  Straße\u00a0‘X’ — “Y” ﬁ ") == "strasse 'x' - \"y\" fi"
    assert unaccented("Ünïcode ÅSA naïve ñ мой が é\u0302") == "Unicode ASA naive n мой が e"
    assert len(fold("a" * (MAX_TEXT + 5))) == MAX_TEXT
    assert [number_token(text) for text in ("1,000.50", "-0", "+7", "100")] == ["1000.5", "0", "7", "100"]
    assert holds(["a", "b", "c"], ["b", "c"])
    assert holds(["a"], ["a"])
    assert not holds(["a", "b", "c"], ["a", "c"])
    assert not holds(["a"], [])
    assert not holds([], ["a"])
