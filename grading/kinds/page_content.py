"""`page_content`: what pages hold after the episode."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from grading.answer import Answer
from grading.evidence import look, read
from grading.reference import Reference
from grading.registry import grader
from grading.tools import Tools
from grading.verdict import Verdict
from grading.webarena import contents
from grading.webarena.contents import PageEvidence, RequiredContents
from grading.webarena.defects import Defect


class Target(BaseModel):
    """What the page seen by the probe `evidence` must hold."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    evidence: str
    required: RequiredContents


class PageContentReference(Reference):
    """Every target must hold what it requires.

    Evidence of each target: `{"url": str, "content": str | null, "text": str | null, "sites": {"__SHOP__": "..."}}`:
    what the locator gave (without a locator the whole HTML), the visible text, which the strict mode prefers, and the
    addresses that placeholders in what is required stand for. A locator that found nothing gives content null or an
    `error` without `fault`, and counts as empty.
    """

    kind: Literal["page_content"] = "page_content"
    targets: Annotated[tuple[Target, ...], Field(min_length=1, max_length=50)]
    mode: Literal["classic", "strict"] = "strict"
    fixed: frozenset[Defect] = frozenset()


@grader(PageContentReference, version="2")
def page_content(answer: Answer, reference: PageContentReference, _tools: Tools) -> Verdict:
    """Correct when all targets hold; missing evidence leaves the episode unscored."""
    verdicts = [_judge(answer, target, reference) for target in reference.targets]
    undecided = next((verdict for verdict in verdicts if verdict.score is None), None)
    failed = [number for number, verdict in enumerate(verdicts, 1) if verdict.score == 0]
    if undecided is not None:
        return undecided
    if failed:
        return Verdict.incorrect(f"page {failed[0]} of {len(verdicts)}: {verdicts[failed[0] - 1].reason}")
    return Verdict.correct(f"all {len(verdicts)} pages hold what they should")


def _judge(answer: Answer, target: Target, reference: PageContentReference) -> Verdict:
    evidence = look(answer, target.evidence)
    if isinstance(evidence, Verdict):
        return evidence
    page = PageEvidence() if evidence.error is not None else read(answer, target.evidence, PageEvidence)
    if isinstance(page, Verdict):
        return page
    required = target.required.resolved(page.sites)
    if reference.mode == "classic":
        return contents.classic(page, required, reference.fixed)
    return contents.strict(page, required)
