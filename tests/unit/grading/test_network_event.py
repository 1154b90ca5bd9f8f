"""Requests that the participant's browser made: which one is the expected one, and what cannot be decided."""

from typing import Any

import pytest

from grading import Answer, Evidence, Verdict, grade

ORDER = {
    "url": "http://a1.shop.test/cart/add?p=1&q=2",
    "http_method": "POST",
    "post_data": {"product": "Lamp ", "count": 2, "none": None},
    "response_status": 302,
}
OTHER = {"url": "http://a1.shop.test/", "http_method": "get"}


def judged(requests: list[Any], expected: dict[str, Any], **more: Any) -> Verdict:
    seen = {"requests": requests, "sites": {"__SHOP__": "http://a1.shop.test/"}}
    name = more.get("evidence", "network")
    reference = {"kind": "network_event", "expected": expected, **more}
    return grade(Answer(evidence=(Evidence(name=name, value=seen),)), reference)


WANTED = {"url": "__SHOP__/cart/add", "http_method": "post"}


@pytest.mark.parametrize(
    ("requests", "expected", "made"),
    [
        ([ORDER], WANTED, True),
        ([OTHER, ORDER], WANTED, True),
        ([OTHER], WANTED, False),
        ([], WANTED, False),
        ([ORDER], {"url": "__SHOP__/cart/add"}, False),
        ([{**ORDER, "http_method": "GET"}], {"url": "__SHOP__/cart/add"}, True),
        ([{"url": ORDER["url"]}], {"url": "__SHOP__/cart/add"}, True),
        ([OTHER], {"url": "__SHOP__"}, True),
        ([ORDER], {**WANTED, "url": ["__SHOP__/x", "__SHOP__/cart/add"]}, True),
        ([ORDER], {**WANTED, "url": ["__SHOP__/x", "__SHOP__/y"]}, False),
        ([ORDER], {**WANTED, "url": "__SHOP__/cart"}, False),
        ([ORDER], {**WANTED, "response_status": 302}, True),
        ([ORDER], {**WANTED, "response_status": 200}, False),
        ([ORDER], {**WANTED, "response_status": None}, True),
        ([{**ORDER, "response_status": None}], {**WANTED, "response_status": 302}, False),
        ([ORDER], {**WANTED, "query_params": {"p": "1"}}, True),
        ([ORDER], {**WANTED, "query_params": {"p": 1, "q": " 2"}}, True),
        ([ORDER], {**WANTED, "query_params": {"p": "2"}}, False),
        ([ORDER], {**WANTED, "query_params": {"r": "1"}}, False),
        ([ORDER], {**WANTED, "query_params": None, "post_data": None}, True),
        ([ORDER], {**WANTED, "post_data": {"product": "Lamp", "count": "2"}}, True),
        ([ORDER], {**WANTED, "post_data": {"product": "Vase"}}, False),
        ([ORDER], {**WANTED, "post_data": {"colour": "red"}}, False),
        ([ORDER], {**WANTED, "post_data": {"none": None}}, True),
        ([ORDER], {**WANTED, "post_data": {}}, True),
    ],
)
def test_the_expected_request(requests: list[Any], expected: dict[str, Any], made: bool) -> None:
    verdict = judged(requests, expected)
    told = "the request was made" if made else "the request was not made"
    assert (verdict.score, verdict.reason) == (float(made), told)
    forbidden = judged(requests, expected, rules={"should_not_exist": True})
    assert (forbidden.score, forbidden.reason) == (1 - float(made), told)
    assert judged(requests, expected, rules={"should_not_exist": False}).score == float(made)


def test_only_the_last_request_counts_where_the_rules_say_so() -> None:
    last = {"last_event_only": True}
    assert judged([OTHER, ORDER], WANTED, rules=last).score == 1
    assert judged([ORDER, OTHER], WANTED, rules=last).score == 0
    assert judged([ORDER, OTHER], WANTED, rules={"last_event_only": False}).score == 1
    assert judged([], WANTED, rules=last).score == 0
    assert judged([ORDER], WANTED, rules={"ignored_query_params": ["q"]}, evidence="seen").score == 1


@pytest.mark.parametrize(
    ("expected", "rules", "why"),
    [
        ({"headers": {}, "body": 1}, {"schema": {}}, "it uses body, headers, schema"),
        ({"post_data": {"$.a": 1}}, {}, "it uses paths into the body"),
        ({"post_data": {"x{{y": 1}}, {}, "it uses paths into the body"),
        ({"post_data": {"a": [1]}}, {}, "it uses patterns or nested values"),
        ({"post_data": {"a": {"b": 1}}}, {}, "it uses patterns or nested values"),
        ({"query_params": {"a": "^x$"}}, {}, "it uses patterns or nested values"),
        ({"url": "^http.*"}, {}, "it uses patterns or nested values"),
        ({"url": ["__SHOP__/a", "^http.*"]}, {}, "it uses patterns or nested values"),
    ],
)
def test_what_needs_more_is_left_to_people(expected: dict[str, Any], rules: dict[str, Any], why: str) -> None:
    verdict = judged([ORDER], {**WANTED, **expected}, rules=rules)
    assert (verdict.score, verdict.reason) == (None, f"the expected request cannot be decided: {why}")


def test_an_unknown_site_is_our_fault() -> None:
    for url in ("__FORUM__/x", ["__SHOP__/cart/add", "__FORUM__/x"]):
        verdict = judged([ORDER], {**WANTED, "url": url})
        assert (verdict.score, verdict.reason) == (None, "a site's placeholder is unknown")
    answer = Answer(evidence=(Evidence(name="network", value={"requests": 5}),))
    assert grade(answer, {"kind": "network_event", "expected": WANTED}).score is None
