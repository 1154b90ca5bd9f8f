"""Typed values as people write them."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grading.matching.typed import found_in, is_nothing, same


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


ADDRESS = {"name": "Fuku Tea", "house_number": "3716", "street": "Forbes Avenue", "city": "Pittsburgh",
           "state": "Pennsylvania", "postcode": "15213", "country": ""}  # fmt: skip


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
    ],
)
def test_found_in_running_text(text: str, wanted: str, expected: bool | None) -> None:
    assert found_in(text, wanted) is expected


def test_a_reference_that_is_not_of_its_format_is_undecided() -> None:
    assert same("5", "five apples", "number") is None
    assert same("5", "soon", "date") is None
    assert same("x", {"a": 1}, "string") is None


def test_nothing() -> None:
    assert all(map(is_nothing, (None, "N/A", "none", " null. ")))
    assert not is_nothing(0)


FORMS = ["string", "number", "currency", "duration", "date", "distance", "coordinates", "url", "month", "auto"]


@settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=200)
@given(st.text(max_size=60) | st.from_regex(r"[0-9$:,./ a-z-]{0,40}", fullmatch=True), st.sampled_from(FORMS))
def test_never_raises_and_is_reflexive_where_it_decides(text: str, form: Any) -> None:
    assert same(text, text, form) in (True, None)
    found_in(text, "5 min")
    found_in(text, "May 5")
