"""`webarena`: one task's whole evaluation, the product of its evaluators as WebArena defines it."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from grading.answer import Answer
from grading.kinds.fuzzy import FuzzyReference, fuzzy
from grading.kinds.page_content import PageContentReference, Target, page_content
from grading.kinds.url_match import UrlReference, url_match
from grading.registry import Reference, grader
from grading.tools import Tools
from grading.verdict import Verdict
from grading.webarena.contents import RequiredContents
from grading.webarena.defects import Defect
from grading.webarena.strings import ReferenceAnswers, product

Evaluator = Literal["string_match", "url_match", "program_html"]


class HtmlTarget(BaseModel):
    """One entry of the file's `program_html`; `url`, `locator` and `prep_actions` are the probe's matter."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    required_contents: RequiredContents
    url: str = ""
    locator: str = ""
    prep_actions: tuple[str, ...] = ()


class WebArenaReference(Reference):
    """The file's `eval` block, its intent as `question` and its `string_note` as `note`.

    Evidence: "page" = `{"url": str, "sites": {"__SHOP__": "http://..."}}` for url_match; "target_0", "target_1", ... =
    `{"url", "content", "text"}` for the entries of `program_html` in order (see the kinds `url_match`, `page_content`).
    The answer is the text of the agent's last action; an agent that stopped without one has answered "".
    """

    kind: Literal["webarena"] = "webarena"
    mode: Literal["classic", "strict"] = "strict"
    fixed: frozenset[Defect] = frozenset()
    eval_types: Annotated[tuple[Evaluator, ...], Field(min_length=1)]
    reference_answers: ReferenceAnswers | None = None
    reference_url: str = ""
    program_html: tuple[HtmlTarget, ...] = ()

    @model_validator(mode="after")
    def _complete(self) -> Self:
        needs = {
            "string_match": self.reference_answers is not None,
            "url_match": bool(self.reference_url),
            "program_html": bool(self.program_html),
        }
        for name in self.eval_types:
            if not needs[name]:
                raise ValueError(f"'{name}' needs its reference (reference_answers, reference_url, program_html)")
        return self


@grader(WebArenaReference, version="2")
def webarena(answer: Answer, reference: WebArenaReference, tools: Tools) -> Verdict:
    """The product of the evaluators; each is 0 or 1, so the score is binary."""
    verdicts = {name: _evaluate(name, answer, reference, tools) for name in reference.eval_types}
    detail = {"evaluators": {name: verdict.score for name, verdict in verdicts.items()}}
    whole = product(verdicts.values())
    return whole.model_copy(update={"detail": whole.detail | detail})


def _evaluate(name: Evaluator, answer: Answer, reference: WebArenaReference, tools: Tools) -> Verdict:
    mode, fixed = reference.mode, reference.fixed
    if name == "string_match" and reference.reference_answers is not None:
        given = answer if answer.text is not None or answer.data is not None else answer.model_copy(update={"text": ""})
        return fuzzy(given, FuzzyReference(answers=reference.reference_answers, mode=mode, fixed=fixed), tools)
    if name == "url_match":
        return url_match(answer, UrlReference(url=reference.reference_url, mode=mode, fixed=fixed), tools)
    targets = tuple(
        Target(evidence=f"target_{place}", required=entry.required_contents)
        for place, entry in enumerate(reference.program_html)
    )
    return page_content(answer, PageContentReference(targets=targets, mode=mode, fixed=fixed), tools)
