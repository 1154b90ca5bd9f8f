"""`url_match`: the address at which the agent ended."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from grading.answer import Answer
from grading.evidence import read
from grading.reference import Reference
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict
from grading.webarena import urls
from grading.webarena.defects import Defect


class LastPage(BaseModel):
    """Evidence of the page the agent left. `sites` gives this session's address for each placeholder."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    url: str
    sites: dict[str, str] = Field(default_factory=dict)


class UrlReference(Reference):
    """`url` may hold placeholders such as `__SHOP__` and alternatives joined by " |OR| ".

    Evidence (default "page"): `{"url": str, "sites": {"__SHOP__": "http://..."}}`. `exact_query` (strict) refuses
    further query pairs.
    """

    kind: Literal["url_match"] = "url_match"
    url: str = Field(min_length=1)
    mode: Literal["classic", "strict"] = "strict"
    fixed: frozenset[Defect] = frozenset()
    exact_query: bool = False
    evidence: str = "page"


@grader(UrlReference, version="3")
def url_match(answer: Answer, reference: UrlReference, _tools: Tools) -> Verdict:
    """Correct when the agent ended at one of the addresses."""
    page = read(answer, reference.evidence, LastPage)
    if isinstance(page, Verdict):
        return page
    expected = urls.resolve(reference.url, page.sites)
    if reference.mode == "classic":
        same: bool | None = urls.classic(page.url, expected, reference.fixed)
    else:
        same = urls.strict(page.url, expected, exact_query=reference.exact_query)
    if same is None:
        return Verdict.unscored("the reference's address cannot be read; is a site's placeholder unknown?")
    return Verdict.correct("the right address") if same else Verdict.incorrect("another address", given=page.url[:500])
