"""`webarena`: one task's whole evaluation, the product of its evaluators as WebArena defines it."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from grading.answer import Answer
from grading.inner import grade_inner
from grading.kinds.fuzzy import FuzzyReference
from grading.kinds.page_content import PageContentReference, Target
from grading.kinds.url_match import UrlReference
from grading.reference import Reference
from grading.registry import grader
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
    `{"url", "content", "text", "sites"}` for the entries of `program_html` in order (see the kinds `url_match` and
    `page_content`).
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

    def parts(self) -> dict[str, Reference]:
        """The evaluators as references of their own kinds."""
        return {name: self._evaluator(name) for name in self.eval_types}

    def _evaluator(self, name: Evaluator) -> Reference:
        mode, fixed = self.mode, self.fixed
        if name == "string_match" and self.reference_answers is not None:
            return FuzzyReference(answers=self.reference_answers, mode=mode, fixed=fixed)
        if name == "url_match":
            return UrlReference(url=self.reference_url, mode=mode, fixed=fixed)
        targets = tuple(
            Target(evidence=f"target_{index}", required=entry.required_contents)
            for index, entry in enumerate(self.program_html)
        )
        return PageContentReference(targets=targets, mode=mode, fixed=fixed)


@grader(WebArenaReference, version="3")
def webarena(answer: Answer, reference: WebArenaReference, tools: Tools) -> Verdict:
    """The product of the evaluators; each is 0 or 1, so the score is binary."""
    # An agent that stopped without a word has answered "".
    silent = answer.text is None and answer.data is None
    given = answer.model_copy(update={"text": ""}) if silent else answer
    verdicts = {name: grade_inner(given, part, tools) for name, part in reference.parts().items()}
    detail = {"evaluators": {name: verdict.score for name, verdict in verdicts.items()}}
    whole = product(verdicts.values())
    return whole.model_copy(update={"detail": whole.detail | detail})
