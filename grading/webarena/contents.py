"""program_html: what pages hold at the end."""

import html
import re
from decimal import Decimal

from pydantic import BaseModel, ConfigDict, Field

from grading.matching.quantities import number
from grading.verdict import Verdict
from grading.webarena.matching import ALTERNATIVES, Fixed, clean, exact, holds_tokens, include_in_page, same_strictly
from grading.webarena.urls import resolve

_INEQUALITY = re.compile(r"\s*(>=|<=|==|>|<)?\s*(-?[\d.,]+)\s*")


class RequiredContents(BaseModel):
    """What one target must hold: the file's `required_contents`, with VisualWebArena's additions."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    exact_match: str | None = None
    must_include: tuple[str, ...] | None = None
    must_exclude: tuple[str, ...] | None = None
    required_values: tuple[str, ...] | None = None

    def resolved(self, sites: dict[str, str]) -> "RequiredContents":
        """The same with this session's addresses for placeholders such as `__GITLAB__`."""

        def each(texts: tuple[str, ...] | None) -> tuple[str, ...] | None:
            return None if texts is None else tuple(resolve(text, sites) for text in texts)

        return RequiredContents(
            exact_match=None if self.exact_match is None else resolve(self.exact_match, sites),
            must_include=each(self.must_include),
            must_exclude=each(self.must_exclude),
            required_values=self.required_values,
        )


class PageEvidence(BaseModel):
    """Evidence of one target: `content` is what its locator gave (whole HTML without one), `text` the visible text,
    `sites` this session's address for each placeholder."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    url: str = ""
    content: str | None = None
    text: str | None = None
    sites: dict[str, str] = Field(default_factory=dict)


def satisfies(value: str, inequality: str) -> bool:
    """Whether a number meets one of the alternatives such as ">= 3" or "5"."""
    found = number(value)
    return found is not None and any(_holds(found, option) for option in inequality.split(ALTERNATIVES))


def _holds(value: Decimal, inequality: str) -> bool:
    match = _INEQUALITY.fullmatch(inequality)
    bound = number(match[2]) if match else None
    if match is None or bound is None:
        return False
    tests = {">=": value >= bound, "<=": value <= bound, ">": value > bound, "<": value < bound}
    return tests.get(match[1] or "==", value == bound)


def classic(page: PageEvidence, expected: RequiredContents, fixed: Fixed) -> Verdict:
    """As published: exact_match if given, else must_include by substring in the raw content.

    With D10 fixed in the visible text, where the evidence has it.
    """
    visible = page.text if "D10" in fixed else None
    content = html.unescape(visible if visible is not None else page.content or "")
    if expected.exact_match is not None:
        return _flag(exact(content, expected.exact_match, fixed), "exact_match")
    held = all(include_in_page(content, text, fixed) for text in expected.must_include or ())
    excluded = not any(clean(text) in clean(content) for text in expected.must_exclude or ())
    values = all(satisfies(content, text) for text in expected.required_values or ())
    return _flag(held and excluded and values, "the page's content")


def strict(page: PageEvidence, expected: RequiredContents) -> Verdict:
    """All conditions, on the visible text where the evidence has it: typed equality and whole tokens."""
    content = html.unescape(page.text if page.text is not None else page.content or "")
    if expected.exact_match is not None and not any(
        same_strictly(content, option) for option in expected.exact_match.split(ALTERNATIVES)
    ):
        return _flag(False, "exact_match")
    for text in expected.must_include or ():
        if not any(holds_tokens(content, option) for option in text.split(ALTERNATIVES)):
            return _flag(False, "must_include")
    if any(holds_tokens(content, text) for text in expected.must_exclude or ()):
        return _flag(False, "must_exclude")
    return _flag(all(satisfies(content, text) for text in expected.required_values or ()), "the page's content")


def _flag(holds: bool, what: str) -> Verdict:
    return Verdict.correct(f"{what} holds") if holds else Verdict.incorrect(f"{what} fails")
