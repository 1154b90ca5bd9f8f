"""Answers that are said twice, `0.75 (75 %)`, `≈ 1.41 (exactly √2)`: one of the two forms, where they agree."""

import re
from dataclasses import replace
from fractions import Fraction

from grading.equivalence.finding import Rules, different
from grading.equivalence.respelt import is_one_share, second_form
from grading.equivalence.texts import Outcome, compare_texts
from grading.language.extract import Extraction
from grading.language.responses.commitments import committed

_SHORT = 200
_NEAR = r"[-−]?\d[\d.,]*\d|[-−]?\d"
_EXACTLY = re.compile(
    r"\W*?(?:(?:about|approximately|approx\.|roughly|\\approx)\s*)?"
    rf"(?P<near>(?:{_NEAR})(?:\s?[A-Za-z°%Ω][A-Za-z/²³·^°]{{0,8}})?)(?:…|\.\.\.|\\[cl]?dots)?\$?\s*(?:\(|[,;]|[—–]|\s-)\s*"
    r"(?:(?:that\s+is|i\.e\.|or|its)[,\s]\s*)?(?:the\s+)?(?:exactly|exact(?:\s+(?:value|form|answer))?)\s*(?:is\s)?[:,=]?\s*"
    r"\$?(?P<exact>(?:[^()$]|\([^()$]{1,40}\)){1,60})\$?\)?[\s.*$]*"
    r"|\W*(?:exact(?:\s+(?:value|form|answer))?|exactly)\s*[:,=]?\s*\$?(?P<first>(?:[^()$,;]|\([^()$]{1,40}\)){1,60}?)\$?\s*[,;(.]\s*"
    r"(?:or\s+)?(?:(?:approximate(?:ly)?|approx\.?|numerical(?:ly)?|decimal|about|roughly)(?:\s+(?:value|form))?\s*[:,=]?|≈|\\approx)\s*"
    rf"\$?(?P<then>{_NEAR})(?:…|\.\.\.)?\$?\)?[\s.*$]*",
    re.IGNORECASE,
)
"""Decimals beside the value that is said to be exact: `≈ 25.13 (exactly: 8π)`, `exact: √2; approximate: 1.414`."""
_ROUNDED = Fraction(1, 50)
_IS_ROUNDED = re.compile(r"\d\.\d|π|\\pi|(?<![\\A-Za-z])[A-Za-z]{2}")
"""A first form whose own digits, or whose pi, may be rounded, or whose unit may be another."""
_FALLEN = re.compile(
    r"\W*(?:an?\s+|the\s+)?(?:\w+\s+)?(?:decline|decrease|drop|fall|reduction|loss|fell|declined|decreased|dropped)\s+(?:of|by)\s+(?P<by>\d+(?:\.\d+)?)\s?\\?%?\W*",
    re.IGNORECASE,
)
"""`A decline of 5 %` before its number with a sign."""


def line_of(found: Extraction) -> str:
    """What is compared: the answer, or the last line of a response."""
    if found.text is None or found.rule != "whole":
        return found.text or ""
    if "\n" not in found.text and found.text.isascii() and found.text.isprintable():
        return found.text if found.text.strip() else ""
    lines = [line for line in found.text.splitlines() if line.strip()]
    return lines[-1] if lines else ""


def without_second_form(found: Extraction) -> Extraction | Outcome:
    """The answer without its second form where the two agree; an outcome where they do not."""
    line = line_of(found)
    exactly = _EXACTLY.fullmatch(line) if "xact" in line and len(line) <= _SHORT else None
    if exactly is not None:
        near = Extraction(exactly["near"] or exactly["then"], "second form")
        value = exactly["exact"] or exactly["first"]
        same = compare_texts(value, near, Rules(rel_tol=_ROUNDED)).finding
        return replace(found, text=value) if same.equal else found
    parts = second_form(line)
    if parts is None or found.text is None:
        return found
    main, second = parts
    fallen = _FALLEN.fullmatch(main)
    if fallen is not None and re.fullmatch(rf"\**\$?[-−]{re.escape(fallen['by'])}(?:\.0+)?\s?\\?%?[\s$*]*", second):
        return replace(found, text=second)
    if second_form(main) is not None:
        inner = without_second_form(replace(found, text=main))
        if isinstance(inner, Outcome) or inner.text is None:
            return inner
        main = inner.text
    other_unit = ("%" in second) != ("%" in main)
    if other_unit and is_one_share(main, second):
        return replace(found, text=main)
    said = committed(main).text
    if said is None and committed(line).text is not None:
        return found  # The first form is an operation in words: `the negative reciprocal of 2, i.e. -1/2`.
    value = said or main
    place = () if _IS_ROUNDED.search(value) else _last_place(second)
    loosely = Rules(abs_tol=place) if place else Rules(rel_tol=_ROUNDED)
    same = compare_texts(value.replace("**", ""), Extraction(second, "second form"), loosely).finding
    other_unit = other_unit or "\\mathbb" in second
    if same.different and not other_unit and re.search(r"\d", second) and not re.search(r"\\[lc]?dots|\.\.\.|…", main):
        readable = compare_texts(second, Extraction(second, "second form"), Rules()).finding
        return Outcome(different("two forms of the answer disagree"), main, found.rule) if readable.equal else found
    return replace(found, text=main) if same.equal else found


def _last_place(text: str) -> tuple[Fraction, ...]:
    """The unit of the last place of a plain decimal; nothing of other texts."""
    found = re.fullmatch(r"[-−]?\d+\.(\d{1,12})", text.strip())
    return (Fraction(1, 10 ** len(found[1])),) if found is not None else ()
