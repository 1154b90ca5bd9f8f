"""WebArena's rules at their edges: addresses, words and whole tasks, as published, mended and strict."""

from typing import Any

import pytest
from pydantic import ValidationError

from grading import Answer, Evidence, grade, parse_reference
from grading.webarena import urls
from grading.webarena.defects import Defect
from grading.webarena.matching import clean, exact, holds_tokens, include, include_in_page, same_strictly, word_tokens


@pytest.mark.parametrize(
    ("given", "wanted", "as_published", "mended", "strict", "exactly"),
    [
        ("http://s.test/a", "http://s.test/a", True, True, True, True),
        ("http://s.test/a?x=1&x=2", "http://s.test/a?x=2", True, True, True, False),
        ("http://s.test/a?x=1", "http://s.test/a?x=1&x=1", True, True, False, False),
        ("http://s.test/a?x=1", "http://s.test/a?x=2&x=1", True, True, False, False),
        ("http://s.test/a", "http://s.test/a?x=1", False, False, False, False),
        ("http://s.test/b?x=1", "http://s.test/a?x=1 |OR| http://s.test/b?x=1", True, True, True, True),
        ("http://s.test/b?x=2", "http://s.test/a?x=1 |OR| http://s.test/b?x=2", True, True, True, True),
        ("http://s.test/b?x=1", "http://s.test/a?x=1 |OR| http://s.test/b?x=2", True, False, False, False),
        ("http://s.test/a/", " http://s.test/a ", False, True, True, True),
        ("http://s.test/a ", "http://s.test/a", True, True, True, True),
        ("http://s.test/a?x=1/", "http://s.test/a?x=1", True, True, False, False),
        ("http://s.test/a?x=1", "http://s.test/a/?x=1", False, True, True, True),
        ("http://s.test/a/?x=1", "http://s.test/a?x=1", True, True, True, True),
        ("nonsense", "http://s.test/a", False, False, False, False),
        ("http://s.test:8080/a", "http://s.test/a", False, False, False, False),
        ("http://s.test/a", "http://s.test/a |OR| ftp://x", True, True, True, True),
    ],
)
def test_addresses(given: str, wanted: str, as_published: bool, mended: bool, strict: bool, exactly: bool) -> None:
    seen = [urls.classic(given, wanted, frozenset()), urls.classic(given, wanted, frozenset({"D4"}))]
    assert [*seen, urls.strict(given, wanted), urls.strict(given, wanted, exact_query=True)] == [
        as_published,
        mended,
        strict,
        exactly,
    ]


def test_addresses_that_cannot_be_read() -> None:
    assert urls.strict("http://s.test", "ftp://s.test") is None
    assert urls.strict("ftp://s.test", "http://s.test") is False
    assert urls.classic("http://s.test/a", "http://[x", frozenset()) is False
    assert urls.resolve("__A__/x |OR| __B__", {"__A__": "http://a.test/", "__B__": "http://b.test"}) == (
        "http://a.test/x |OR| http://b.test"
    )


NONE: frozenset[Defect] = frozenset()
ALL: frozenset[Defect] = frozenset({"D1", "D2", "D3", "D5"})


@pytest.mark.parametrize(
    ("given", "wanted", "alone", "as_published", "mended"),
    [
        ("A cat", "CAT", True, True, True),
        ("category", "cat", True, True, False),
        ("a b", "b", True, True, True),
        ("ab", "b", True, False, False),
        ("ab", "b", False, True, False),
        ("it's $5", "5", True, True, True),
        ("$5.00", "5", True, False, True),
        ("$5.00", "5", False, True, True),
        ("x |OR| y", "x |OR| y", False, True, True),
        ("y", "x |OR| y", False, False, True),
        ("'5'", '"5"', True, True, True),
        ("5", "'5'", False, True, True),
        ("say :-)", ":-)", False, True, True),
        ("say", ":-)", False, False, False),
        ("B", "b", True, True, True),
    ],
)
def test_inclusion(given: str, wanted: str, alone: bool, as_published: bool, mended: bool) -> None:
    assert [include(given, wanted, NONE, alone=alone), include(given, wanted, ALL, alone=alone)] == [
        as_published,
        mended,
    ]


@pytest.mark.parametrize(
    ("given", "wanted", "as_published", "mended", "strict"),
    [
        ("May 5", "may 5", True, True, True),
        ("5 May", "May 5", False, True, True),
        ("'a'", "a", True, True, True),
        ("'1,170'", '"1170"', False, True, True),
        ("a b", "a-b", False, True, True),
        ("b", "a", False, False, False),
        (" \"a'", "a", False, True, True),
    ],
)
def test_exactness(given: str, wanted: str, as_published: bool, mended: bool, strict: bool) -> None:
    assert [exact(given, wanted, NONE), exact(given, wanted, ALL), same_strictly(given, wanted)] == [
        as_published,
        mended,
        strict,
    ]


def test_words_and_pages() -> None:
    assert [include_in_page("x category", text, NONE) for text in ("cat", "CAT |OR| dog", "dog |OR| cat", "dog")] == [
        True
    ] * 3 + [False]
    assert [include_in_page("x category", text, ALL) for text in ("cat", "cat |OR| x", "dog")] == [False, True, False]
    assert [holds_tokens("a :-) b", text) for text in (" :-) ", ":-(", " ", "a", "A b")] == [
        True,
        False,
        False,
        True,
        True,
    ]
    assert [clean(text) for text in ('"A"', "'a\"", "'a' ", "\"'a'\"", "A")] == ["a", "'a\"", "a", "'a'", "a"]
    assert word_tokens("One. Two! Three? 4.5 five") == ["One", ".", "Two", "!", "Three", "?", "4.5", "five"]


WHOLE = {
    "kind": "webarena",
    "eval_types": ["string_match", "url_match", "program_html"],
    "reference_answers": {"must_include": ["5"]},
    "reference_url": "__S__/done",
    "program_html": [{"required_contents": {"must_include": ["a"]}}, {"required_contents": {"must_include": ["b"]}}],
}


@pytest.mark.parametrize(
    ("text", "url", "pages", "mode", "fixed", "scores"),
    [
        ("5", "http://s.test/done", "ab", "strict", [], [1, 1, 1]),
        ("15", "http://s.test/done", "ab", "strict", [], [0, 1, 1]),
        ("15", "http://s.test/done", "ab", "classic", [], [0, 1, 1]),
        ("5", "http://s.test/donee", "ab", "strict", [], [1, 0, 1]),
        ("5", "http://s.test/donee", "ab", "classic", [], [1, 1, 1]),
        ("5", "http://s.test/donee", "ab", "classic", ["D4"], [1, 0, 1]),
        ("$5.00", "http://s.test/done", "ab", "classic", [], [0, 1, 1]),
        ("$5.00", "http://s.test/done", "ab", "classic", ["D2"], [1, 1, 1]),
        ("5", "http://s.test/done", "ba", "strict", [], [1, 1, 0]),
        (None, "http://s.test/done", "ab", "strict", [], [0, 1, 1]),
        ("5", "http://s.test/done", ["ax", "xb"], "classic", [], [1, 1, 1]),
        ("5", "http://s.test/done", ["ax", "xb"], "strict", [], [1, 1, 0]),
        ("5", "http://s.test/done", ["ax", "xb"], "classic", ["D1"], [1, 1, 0]),
    ],
)
def test_each_evaluator_of_a_task(
    text: str | None, url: str, pages: Any, mode: str, fixed: list[str], scores: list[int]
) -> None:
    seen = [Evidence(name="page", value={"url": url, "sites": {"__S__": "http://s.test"}})]
    seen += [Evidence(name=f"target_{place}", value={"content": page}) for place, page in enumerate(pages)]
    verdict = grade(Answer(text=text, evidence=tuple(seen)), {**WHOLE, "mode": mode, "fixed": fixed})
    names = ["string_match", "url_match", "program_html"]
    assert verdict.detail["evaluators"] == dict(zip(names, scores, strict=True))
    assert verdict.score == float(all(scores))


def test_structured_answers_are_texts_where_they_are_one_value() -> None:
    reference = {"kind": "fuzzy", "answers": {"exact_match": "5"}}
    assert [grade(Answer(data=value), reference).score for value in (5, "5", 5.5)] == [1, 1, 0]
    assert [grade(Answer(data=value), reference).reason for value in (True, [5], None)] == ["no answer was given"] * 3
    block = {"kind": "webarena", "eval_types": ["string_match"], "reference_answers": {"exact_match": "5"}}
    assert [grade(Answer(data=value), block).score for value in (5, None, 6)] == [1, 0, 0]
    assert grade(Answer(text="5", data=6), block).score == 1
    assert grade(Answer(), {**block, "reference_answers": {"exact_match": ""}}).score == 1
    assert [same_strictly(*pair) for pair in (("Xa", "a"), ("a", "Xa"), (" 'a' ", '"a"'))] == [False, False, True]
    for missing in ("reference_answers", "reference_url", "program_html"):
        with pytest.raises(
            ValidationError, match=r"needs its reference \(reference_answers, reference_url, program_html\)"
        ):
            parse_reference({name: value for name, value in WHOLE.items() if name != missing})
