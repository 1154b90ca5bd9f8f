"""A step of an annotated task as a problem and its secret side; what the importer and the generator share."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from envs.web_browsing import protocol
from envs.web_browsing.dom import Page
from envs.web_browsing.protocol import Choice
from envs.web_browsing.spec import WebBrowsingSpec
from envs.web_browsing.tournament import Tournament
from packs.problem import Episode, Probe, Problem, ReferenceLine

SECONDS = 1800


@dataclass(frozen=True)
class Step:
    """What was to be done (`task`) and was done before, on which page, and what is right: one of the elements `right`,
    with `operation` (CLICK, SELECT, TYPE) and `value`."""

    task: str
    previous: tuple[str, ...]
    page: str
    right: tuple[str, ...]
    operation: str
    value: str

    @property
    def action(self) -> str:
        """The operation with its value, which a click has not."""
        return self.operation if self.operation == "CLICK" else f"{self.operation} {self.value}".strip()


def pool(first: Sequence[str], seed: str) -> tuple[str, ...]:
    """The candidates in the order in which they are asked about, so that their order says nothing of what is right."""
    drawn = sorted(first)
    random.Random(f"web browsing {seed}").shuffle(drawn)
    return tuple(drawn)


def oracle(spec: WebBrowsingSpec, step: Step) -> tuple[dict[str, object], ...]:
    """The replies of somebody who knows: what is right where it is shown, else none of them.

    As published, a candidate that is left alone is not asked about; where that would lose the right one, another is
    kept beside it. Empty where nothing leads there.
    """
    page = Page(spec.page)
    for keep in (False, True):
        played, script = Tournament(list(spec.candidates), lonely=spec.protocol == "fixed"), list[dict[str, object]]()
        while played.asked:
            letters = {id_: letter for letter, id_ in protocol.lettered(page.shown(played.asked)).items()}
            found = next((id_ for id_ in letters if id_ in step.right), None)
            if found is None and keep and len(script) == 0:
                found = next(iter(letters))
            played.reply(found, step.action)
            script.append(_said(Choice(letters[found], step.action) if found else Choice(protocol.NONE, "")))
        if played.prediction is not None and played.prediction[0] in step.right:
            return tuple(script)
    return ()


def _said(choice: Choice) -> dict[str, object]:
    """In the text protocol, unless the value has a line or a blank that it cannot say."""
    operation, _, value = choice.action.partition(" ")
    text = protocol.reply(choice, "The step that comes next.")
    if protocol.parse_published(text) == choice:
        return {"text": text}
    arguments = {"choice": choice.letter, "action": operation, "value": value}
    return {"tool": {"name": protocol.TOOL.name, "arguments": arguments}}


def drafted(
    id_: str, split: str, subject: str, group: str, spec: WebBrowsingSpec, step: Step
) -> tuple[Problem, ReferenceLine]:
    """The problem `id_` and its reference line; the steps of one task are one `group`."""
    problem = Problem(
        id=id_,
        split=split,
        type="web_browsing",
        subject=subject,
        statement=f"Say which element of a web page is used next, and how, to do this: {step.task}",
        group=group,
        episode=True,
    )
    episode = Episode(
        environment="web_browsing",
        spec=spec.model_dump(mode="json", exclude_defaults=True),
        probes=(Probe(name="prediction", kind="prediction"),),
        steps=spec.turns,
        seconds=SECONDS,
    )
    reference = {"kind": "element_action", "elements": list(step.right), "action": step.action}
    return problem, ReferenceLine.model_validate(
        {"id": id_, "reference": reference, "episode": episode, "oracle": list(oracle(spec, step))}
    )
