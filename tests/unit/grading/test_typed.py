"""Typed values as people write them."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from grading.matching.typed import MAX_VALUE, boolean, detect, is_nothing, occurs_in, same


@pytest.mark.parametrize(
    ("form", "left", "right", "expected"),
    [
        ("number", "1,170", "1170", True),
        ("number", "twenty-one", "21", True),
        ("number", "two hundred and five thousand", "205000", True),
        ("number", "170 km", "170", False),
        ("number", "-5", "5", False),
        ("number", 3, "3.0", True),
        ("currency", "$1,603.69", 1603.69, True),
        ("currency", "1603.7", 1603.69, False),
        ("currency", "0.00", "$0", True),
        ("currency", "€5", "$5", False),
        ("currency", "5 dollars", "$5.00", True),
        ("currency", "-$5", "$5", False),
        ("duration", "63 minutes", "1h 3min", True),
        ("duration", "1 hour and 35 minutes", "1hr 35min", True),
        ("duration", "1:30", "90 min", True),
        ("duration", "1h 5m", "65min", True),
        ("duration", "90", "90 min", False),
        ("duration", "2 min", "2 hours", False),
        ("date", "March 11th 2023", "2023-03-11", True),
        ("date", "03/11/2023", "March 11, 2023", True),
        ("date", "31/05/2023", "May 31, 2023", True),
        ("date", "31.5.2023", "May 31, 2023", True),
        ("date", "Wed, 5 Jul 2023", "07/05/2023", True),
        ("date", "Oct 21st", "October 21", True),
        ("date", "Oct 21", "October 21 2023", False),
        ("date", "2023-02-30", "2023-03-02", False),
        ("date", "2023-05-31 10:00:00", "05/31/2023", True),
        ("distance", "2000 m", "2km", True),
        ("distance", "2.1 km", "2km", False),
        ("distance", "2.03 km", "2km", True),
        ("distance", "2", "2km", False),
        ("distance", "1.24 miles", "2km", True),
        ("month", "Sept.", "September", True),
        ("month", "05", "May", True),
        ("month", "May", "June", False),
        ("boolean", "Yes.", True, True),
        ("boolean", "maybe", True, False),
        ("null", "N/A", None, True),
        ("null", "no idea", None, False),
        ("url", "https://shop.test:443/a/?y=2&x=1#top", "http://shop.test/a?x=1&y=2", True),
        ("url", "http://shop.test/ab", "http://shop.test/a", False),
        ("url", "http://shop.test/a?x=1&x=1", "http://shop.test/a?x=1", False),
        ("url", "http://evil.test/http://shop.test/a", "http://shop.test/a", False),
        ("url", "http://shop.test/caf%C3%A9", "http://shop.test/café", True),
        ("coordinates", "40.4424, -79.9397", {"latitude": "40.4424191", "longitude": "-79.9397388"}, True),
        ("coordinates", {"latitude": 40.5, "longitude": -79.9}, {"latitude": "40.4", "longitude": "-79.9"}, False),
        ("location-name", "the Oaklander", "The Oaklander Hotel", True),
        ("string", "T-shirt “blue”", 't shirt "blue"', True),
        ("string", "-2", "2", False),
        ("string", "C++", "C", False),
        ("string", "Quest Lumaflex™ Band", "quest lumaflextm band", True),
        ("auto", "1h 44m", "1hr 44min", True),
        ("auto", "$5", "5.00 USD", True),
        ("string", True, "true", False),
        ("string", ["a"], "a", False),
    ],
)
def test_same(form: Any, left: Any, right: Any, expected: bool) -> None:
    assert same(left, right, form) is expected


@pytest.mark.parametrize(
    ("form", "left", "right", "tolerance", "expected"),
    [
        ("number", "5.4", "5", 0.4, True),
        ("number", "5.41", "5", 0.4, False),
        ("number", "4.6", "5", 0.4, True),
        ("number", "5.0001", "5", None, False),
        ("number", "x", "5", None, False),
        ("number", "5", "x", None, None),
        ("currency", "$5.005", "$5", None, True),
        ("currency", "$5.006", "$5", None, False),
        ("currency", "$4.995", "$5", None, True),
        ("currency", "$6", "$5", 1, True),
        ("currency", "$6.01", "$5", 1, False),
        ("currency", "$5.005", "$5", 0, False),
        ("currency", "5", "$5", None, True),
        ("currency", "$5", "5", None, True),
        ("currency", "soon", "$5", None, False),
        ("currency", "$5", "soon", None, None),
        ("currency", "soon", "soon", None, None),
        ("currency", "€5", "$6", 2, False),
        ("duration", "90 s", "1 min", 30, True),
        ("duration", "91 s", "1 min", 30, False),
        ("duration", "61 s", "1 min", None, False),
        ("duration", "1 min", "soon", None, None),
        ("coordinates", "40.001, -79", "40, -79", None, True),
        ("coordinates", "40.0011, -79", "40, -79", None, False),
        ("coordinates", "40, -79.0011", "40, -79", None, False),
        ("coordinates", "41, -80", "40, -79", 1, True),
        ("coordinates", "here", "40, -79", None, False),
        ("coordinates", "40, -79", "here", None, None),
        ("date", "soon", "May 5", None, False),
        ("date", "May 6", "May 5", None, False),
        ("distance", "soon", "5 km", None, False),
        ("distance", "5 km", "soon", None, None),
        ("month", "5", "Mayor", None, None),
        ("month", "soon", "May", None, False),
        ("month", "June", "May", None, False),
        ("url", " git@x.test:a/b.git ", "git@x.test:a/b.git", None, True),
        ("url", "git@x.test:a/c.git", "git@x.test:a/b.git", None, False),
        ("url", "git@x.test:a/b.git", " git@x.test:a/b.git", None, True),
        ("url", "http://s.test/" + "a" * (MAX_VALUE - 14), "http://s.test/" + "a" * (MAX_VALUE - 14), None, True),
        ("url", "http://s.test/" + "a" * (MAX_VALUE - 13), "http://s.test/" + "a" * (MAX_VALUE - 13), None, False),
        ("string", "a" * (MAX_VALUE + 1), "a" * (MAX_VALUE + 1), None, True),
        ("string", "t shirt", "T-shirt", None, True),
        ("string", "+ +", "++", None, False),
        ("string", "+", "+", None, True),
        ("string", "", "", None, True),
        ("string", ".", "", None, False),
        ("string", "?", "!", None, False),
        ("string", "2", "-2", None, False),
        ("string", "-2", "-2", None, True),
        ("string", "-0.5", "0.5", None, False),
        ("string", "5 km", "5 cm", None, False),
        ("string", "['a']", ["a"], None, False),
        ("string", None, "a", None, False),
        ("string", {"a": 1}, "a", None, False),
        ("number", True, "1", None, False),
        ("string", "N/A", None, None, True),
        ("null", "n/a", "5", None, True),
        ("null", "5", "5", None, False),
        ("boolean", "no", "false", None, True),
        ("boolean", "yes", "false", None, False),
        ("boolean", "yes", "perhaps", None, None),
        ("string", "yes", True, None, True),
        ("boolean", 1, "yes", None, False),
        ("location-name", "Stay-Inn", "stay inn", None, True),
        ("location-name", "stay inn hotel", "The Stay-Inn", None, True),
        ("string", "Inayaili Leon", "Inayaili León", None, True),
        ("string", "ÅSA", "asa", None, True),
        ("string", "Leon", "Léa", None, False),
        ("string", "мои", "мой", None, False),
        ("location-name", "Cafe Flore", "Café de Flore", None, False),
        ("location-name", "Restaurant Crème", "Café Creme", None, True),
        ("address", {"city": "Sao Paulo"}, {"city": "São Paulo"}, None, True),
        ("address", "5 Rua Flórida, Sao Paulo", {"city": "São Paulo"}, None, True),
        ("location-name", "Hotel", "The Hotel", None, False),
        ("location-name", "the hotel", "The Hotel", None, True),
        ("location-name", "Restaurant", "Hotel", None, False),
        ("location-name", "Inn", "Stay Inn", None, False),
        ("auto", "twenty-one", 21, None, True),
        ("auto", "2 km", "2000 m", None, True),
        ("auto", "05/31/2023", "May 31, 2023", None, True),
        ("auto", "5.4", "5", 0.4, True),
        ("address", "5 Main St", "5 main st", None, True),
        ("string", {"latitude": 40, "longitude": -79}, {"latitude": "40", "longitude": "-79"}, None, True),
        ("string", {"latitude": 41, "longitude": -79}, {"latitude": "40", "longitude": "-79"}, 1, True),
        ("string", "40, -79", {"longitude": "-79", "latitude": "40"}, None, True),
        ("string", {"latitude": 40}, {"latitude": "40", "longitude": "-79"}, None, False),
        ("string", {"latitude": 40, "longitude": -79}, {"latitude": "x", "longitude": "y"}, None, None),
        ("address", "Paris", {"city": "Paris", "state": None}, None, True),
        ("address", {"city": "Paris", "house": 5}, {"city": "Paris", "house": "5"}, None, True),
        ("address", {"city": "Paris", "house": "5"}, {"city": "Paris", "house": 5}, None, True),
        ("address", {"city": None}, {"city": "Paris"}, None, False),
        ("address", 5, {"house": 5}, None, False),
        ("address", {"city": "None"}, {"city": "Paris", "state": None}, None, False),
    ],
)
def test_same_at_its_edges(form: Any, left: Any, right: Any, tolerance: float | None, expected: bool | None) -> None:
    assert same(left, right, form, tolerance) is expected


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("2 km", "distance"),
        ("5 m", "distance"),
        ("1h 5m", "duration"),
        ("1:30", "string"),
        ("$5", "currency"),
        ("5", "number"),
        ("five", "number"),
        ("May 5", "date"),
        ("2023-05-01", "date"),
        ("http://s.test/a", "url"),
        ("s.test/a", "string"),
        ("ftp://s.test/a", "string"),
        ("hello", "string"),
        ("", "string"),
    ],
)
def test_the_format_of_a_reference_is_told_by_its_text(text: str, form: str) -> None:
    assert detect(text) == form


def test_truth_values() -> None:
    assert [boolean(value) for value in (True, "Yes.", "TRUE", " y !", False, "No!", "false", "n")] == [True] * 4 + [
        False
    ] * 4
    neither: list[JsonValue] = [1, 0, None, "maybe", "", ["yes"], "yesx"]
    assert [boolean(value) for value in neither] == [None] * 7


ADDRESS: dict[str, JsonValue] = {
    "name": "Fuku Tea",
    "house_number": "3716",
    "street": "Forbes Avenue",
    "city": "Pittsburgh",
    "state": "Pennsylvania",
    "postcode": "15213",
    "country": "",
}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Fuku Tea, 3716 Forbes Ave., Pittsburgh, PA 15213, USA", True),
        ("Fuku Tea, 3716 Forbes Ave., Pittsburgh, Pennsylvania 15213", True),
        ("Fuku Tea, 3717 Forbes Ave., Pittsburgh, PA 15213", False),
        ("3716 Forbes Ave., Pittsburgh, PA 15213", False),
        ({**ADDRESS, "street": "forbes ave", "state": "PA"}, True),
        ({**ADDRESS, "postcode": "15232"}, False),
    ],
)
def test_addresses(value: Any, expected: bool) -> None:
    assert same(value, ADDRESS, "address") is expected


@pytest.mark.parametrize(
    ("text", "wanted", "expected"),
    [
        ("It takes 5 hours and 47 minutes by car.", "5h 47min", True),
        ("It takes 5 hours by car.", "5h 47min", False),
        ("Either 5 h or 6 h", "5h", None),
        ("five hours", "5h", None),
        ("It was ordered on May 31, 2023.", "05/31/2023", True),
        ("It was ordered on May 30, 2023.", "05/31/2023", False),
        ("The total is $1,603.69 for 12 orders", "$1603.69", True),
        ("about 375m away", "375 m", True),
        ("about 9375m away", "375 m", False),
        ("blue", "red", None),
        ("5 h, which is 300 min", "5h", True),
        ("from 3 h to 4 h", "5h", False),
        ("on May 5 or so", "May 5", True),
        ("on June 5 or so", "May 5", False),
        ("5 EUR", "$5", False),
        ("5", "5", None),
        ("5h" + " " * (MAX_VALUE - 2), "5h", True),
        ("5h" + " " * (MAX_VALUE - 1), "5h", None),
    ],
)
def test_found_in_running_text(text: str, wanted: str, expected: bool | None) -> None:
    assert occurs_in(text, wanted) is expected


def test_a_reference_that_is_not_of_its_format_is_undecided() -> None:
    assert same("5", "five apples", "number") is None
    assert same("5", "soon", "date") is None
    assert same("x", {"a": 1}, "string") is None


def test_a_stated_format_is_looked_for_in_text() -> None:
    assert occurs_in("it is $5", "5", "currency") is True
    assert occurs_in("it is $5", "5", "number") is None
    assert occurs_in("it is 5 m or 5 min", "5 m", "distance") is True


def test_nothing() -> None:
    nothing: list[JsonValue] = [None, "N/A", "none", " null. ", "", "-", "Not available."]
    something: list[JsonValue] = [0, False, [], "nothing", "0", "nan"]
    assert all(is_nothing(value) for value in nothing)
    assert not any(is_nothing(value) for value in something)


FORMS = ["string", "number", "currency", "duration", "date", "distance", "coordinates", "url", "month", "auto"]


@settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=200)
@given(st.text(max_size=60) | st.from_regex(r"[0-9$:,./ a-z-]{0,40}", fullmatch=True), st.sampled_from(FORMS))
def test_never_raises_and_is_reflexive_where_it_decides(text: str, form: Any) -> None:
    assert same(text, text, form) in (True, None)
    occurs_in(text, "5 min")
    occurs_in(text, "May 5")
