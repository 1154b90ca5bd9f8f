"""The web browsing environment: questions about a page until one element is left."""

from typing import Any

from pydantic import JsonValue

from envs.base import (
    Action,
    Evidence,
    FinishReason,
    InfrastructureError,
    Observation,
    Probe,
    SpecError,
    StepResult,
    parse_probe,
    parse_spec,
)
from envs.turns import as_text, messages
from envs.web_browsing import protocol
from envs.web_browsing.dom import Page, Shown
from envs.web_browsing.spec import PROBES, WebBrowsingSpec
from envs.web_browsing.tournament import Tournament

NOTHING = "Nothing is asked about this page: none of its elements is a candidate. Any reply ends it."


class WebBrowsing:
    """One step of a task. Nothing is drawn: the same replies give the same questions under every seed.

    Every observation is a whole conversation (`data.messages`): as published, a question knows nothing of the one
    before it.
    """

    def __init__(self) -> None:
        self._spec: WebBrowsingSpec | None = None
        self._page: Page | None = None
        self._tournament = Tournament([], lonely=True)
        self._shown = Shown("", ())
        self._replies = 0

    async def reset(self, spec: dict[str, Any], seed: int) -> Observation:
        """The first question. Raises SpecError, also for a page that cannot be read and for unknown candidates."""
        del seed
        read = parse_spec(WebBrowsingSpec, spec)
        try:
            self._page = Page(read.page)
            for candidate in read.candidates:
                self._page.node(candidate)
        except ValueError as error:
            raise SpecError(f"the specification: {error}") from None
        self._spec = read
        self._tournament = Tournament(list(read.candidates), lonely=read.protocol == "fixed")
        return self._ask(read, self._page).model_copy(update={"tools": (protocol.TOOL,)})

    async def step(self, action: Action) -> StepResult:
        """Answer the question. Under "published" what cannot be read means A; under "fixed" it is asked again."""
        spec, page = self._open()
        self._replies += 1
        if self._tournament.asked:
            choice = protocol.parse(action, spec.protocol)
            letters = protocol.lettered(self._shown)
            known = choice is not None and (choice.letter in letters or choice.letter == protocol.NONE)
            if choice is not None and (known or spec.protocol == "published"):
                self._tournament.reply(letters.get(choice.letter), choice.action)
            else:
                limit = FinishReason.TASK_LIMIT if self._replies >= spec.turns else None
                return StepResult(observation=self._seen(spec, protocol.UNREADABLE), finish=limit)
        if not self._tournament.asked:
            return self._ended(bool(spec.candidates))
        limit = FinishReason.TASK_LIMIT if self._replies >= spec.turns else None
        return StepResult(observation=self._ask(spec, page), finish=limit)

    async def probe(self, probes: list[Probe]) -> list[Evidence]:
        """Evidence, in the order of `probes`. Type "prediction" gives `{"element": str | null, "action": str}`: the
        element that was chosen and what is done with it ("SELECT Two adults"), null where none is left."""
        return [self._see(probe) for probe in probes]

    async def close(self) -> None:
        """Nothing is held."""
        self._page = None

    def _ask(self, spec: WebBrowsingSpec, page: Page) -> Observation:
        if not self._tournament.asked:
            return Observation(text=NOTHING)
        self._shown = page.shown(self._tournament.asked)
        return self._seen(spec)

    def _seen(self, spec: WebBrowsingSpec, lead: str = "") -> Observation:
        asked = protocol.question(spec, self._shown)
        turns = [*(spec.shots or protocol.SHOTS), f"{lead}\n\n{asked}" if lead else asked]
        choices: list[JsonValue] = [text for _, text in self._shown.choices]
        data: dict[str, JsonValue] = {"messages": messages(turns), "choices": choices}
        return Observation(text=as_text(turns), data=data)

    def _ended(self, was_asked: bool) -> StepResult:
        prediction = self._tournament.prediction
        if prediction is None:
            reason = FinishReason.INVALID_ACTION if was_asked else FinishReason.COMPLETED
            return StepResult(observation=Observation(), finish=reason, error="no element was chosen")
        return StepResult(observation=Observation(), finish=FinishReason.COMPLETED, answer=" ".join(prediction))

    def _see(self, probe: Probe) -> Evidence:
        self._open()
        try:
            parse_probe(PROBES, probe)
        except SpecError as error:
            return Evidence(name=probe.name, error=str(error), fault=True)
        over = not self._tournament.asked
        element, action = (self._tournament.prediction if over else None) or (None, "")
        return Evidence(name=probe.name, value={"element": element, "action": action})

    def _open(self) -> tuple[WebBrowsingSpec, Page]:
        if self._spec is None or self._page is None:
            raise InfrastructureError("the episode has not begun, or is closed")
        return self._spec, self._page
