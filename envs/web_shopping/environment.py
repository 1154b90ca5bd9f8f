"""The shopping environment: a participant's replies become searches and clicks of a `pages.Visit`."""

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
from envs.web_shopping import catalogue, protocol
from envs.web_shopping.pages import Visit
from envs.web_shopping.spec import PROBES, WebShoppingSpec


class WebShopping:
    """One episode. Nothing in it is drawn: the same actions give the same observations under every seed."""

    def __init__(self) -> None:
        self._spec: WebShoppingSpec | None = None
        self._visit: Visit | None = None
        self._turns = 0
        self._log: list[JsonValue] = []

    async def reset(self, spec: dict[str, Any], seed: int) -> Observation:
        """The rules, an example and the first page. The catalogue is made, where it has to be, and shared by all
        episodes of this process. Raises SpecError, and InfrastructureError where an imported catalogue is not here."""
        del seed
        self._spec = parse_spec(WebShoppingSpec, spec)
        shop = await catalogue.opened(self._spec.catalogue)
        self._visit = Visit(shop, self._spec.instruction)
        turns = [*(self._spec.opening or protocol.OPENING), protocol.observed(self._visit.page())]
        data = self._state(self._spec, self._visit) | {"messages": messages(turns)}
        return Observation(text=as_text(turns), data=data, tools=protocol.TOOLS)

    async def step(self, action: Action) -> StepResult:
        """Search or click, as published: a text without an action ends the episode and is worth nothing, what is not
        possible changes nothing. A call that names no action costs a turn."""
        spec, visit = self._open()
        request = protocol.parse(action)
        if request is None and action.text is not None:
            return StepResult(observation=Observation(), finish=FinishReason.INVALID_FORMAT, error=protocol.UNREADABLE)
        self._turns += 1
        lead = ""
        if request is None:
            lead = protocol.NUDGE + "\n"
        elif request.kind == "search":
            visit.search(request.argument)
            self._log.append(f"search[{request.argument}]")
        elif request.kind == "click" and visit.click(request.argument):
            self._log.append(f"click[{request.argument}]")
        seen = Observation(text=lead + protocol.observed(visit.page()), data=self._state(spec, visit))
        if visit.bought is not None:
            return StepResult(observation=seen, finish=FinishReason.COMPLETED, answer=visit.bought.asin)
        limit = FinishReason.TASK_LIMIT if self._turns >= spec.turns else None
        return StepResult(observation=seen, finish=limit)

    async def probe(self, probes: list[Probe]) -> list[Evidence]:
        """Evidence, in the order of `probes`. Type "purchase" gives `{"product": {...}}`, what was bought with the
        options chosen (by name), or None there; "log" gives `{"actions": [str], "turns": int}`, what had an effect."""
        return [self._see(probe) for probe in probes]

    async def close(self) -> None:
        """Nothing is held: the catalogue is everybody's."""
        self._visit = None

    def _see(self, probe: Probe) -> Evidence:
        _, visit = self._open()
        try:
            parse_probe(PROBES, probe)
        except SpecError as error:
            return Evidence(name=probe.name, error=str(error), fault=True)
        if probe.type == "log":
            return Evidence(name=probe.name, value={"actions": list(self._log), "turns": self._turns})
        bought = visit.bought
        return Evidence(name=probe.name, value={"product": bought.bought(visit.options) if bought else None})

    def _state(self, spec: WebShoppingSpec, visit: Visit) -> dict[str, JsonValue]:
        page = visit.page()
        return {
            "page": visit.name,
            "has_search_bar": page.has_search_bar,
            "clickables": list(page.clickables),
            "turns": spec.turns - self._turns,
        }

    def _open(self) -> tuple[WebShoppingSpec, Visit]:
        if self._spec is None or self._visit is None:
            raise InfrastructureError("the episode has not begun, or is closed")
        return self._spec, self._visit
