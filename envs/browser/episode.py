"""An episode in a browser: actions in, observations out. The environments of pages and sites build on it."""

import contextlib
import hashlib
from abc import ABC, abstractmethod
from typing import Any

from pydantic import JsonValue

from envs.base import (
    Action,
    Evidence,
    FinishReason,
    InfrastructureError,
    Observation,
    Probe,
    StepResult,
    View,
)
from envs.browser.actions import ActionSyntaxError, parse
from envs.browser.errors import ActionFailed, PageFault
from envs.browser.observe import observe
from envs.browser.perform import perform
from envs.browser.rules import Referee, Rules
from envs.browser.session import BrowserSession
from envs.browser.spec import BrowserSpec
from envs.browser.verbs import Command

MAX_FAULTS = 1000
_FAULTS: dict[str, None] = {}
CRASHED = "the page crashed and was closed"
LOOKING = frozenset({"observe", "get_html"})


class BrowserEpisode(ABC):
    """One episode. A subclass starts the session, says when the work is done, and looks at what is left."""

    session: BrowserSession
    spec: BrowserSpec

    def __init__(self) -> None:
        self._referee = Referee(Rules())
        self._acts: list[str] = []
        self._session: BrowserSession | None = None
        self._finished = False
        self._shown: Observation | None = None

    @abstractmethod
    async def start(self, spec: dict[str, Any], seed: int) -> tuple[BrowserSpec, BrowserSession]:
        """The checked specification and an open session with the first page in front. Raises SpecError."""

    @abstractmethod
    async def done(self, command: Command | None) -> bool:
        """Whether the last action has finished the task."""

    @abstractmethod
    async def look(self, probe: Probe) -> Evidence:
        """What one probe sees."""

    async def facts(self) -> dict[str, JsonValue]:
        """Further `data` of an observation that was asked for, and of the first one."""
        return {}

    @abstractmethod
    def opening(self, observation: Observation) -> Observation:
        """The first observation, with the tools."""

    async def reset(self, spec: dict[str, Any], seed: int) -> Observation:
        """Open the browser on the first page. Raises SpecError and InfrastructureError."""
        self.spec, self._session = await self.start(spec, seed)
        self.session = self._session
        self._referee = Referee(self.spec.rules())
        self._shown = await self._see(None)
        return self.opening(self._shown)

    async def step(self, action: Action) -> StepResult:
        """One action. A bad one changes nothing, and the result says why. Raises InfrastructureError."""
        if self._finished or self._session is None:
            raise InfrastructureError("the episode is not running")
        self._acts.append(action.model_dump_json())
        try:
            command: Command | None = parse(action)
            error = None
        except ActionSyntaxError as problem:
            command, error = None, str(problem)
        try:
            if command:
                error = await self._attempt(command)
            result = await self._judge(command, error)
        except InfrastructureError as problem:
            if not await self._same_before(problem):
                raise
            result = await self._judge(command, str(problem) if isinstance(problem, PageFault) else CRASHED)
        self._finished, self._shown = result.finish is not None, result.observation
        return result

    async def _same_before(self, problem: InfrastructureError) -> bool:
        """Whether a page, and only that, has failed after these very actions twice: then it is the page's doing.

        The first time it may be the machine's, and the episode is replayed.
        """
        history = hashlib.sha256("\n".join([self.spec.model_dump_json(), *self._acts]).encode()).hexdigest()
        if not (self.session.crashed or isinstance(problem, PageFault)) or history not in _FAULTS:
            _FAULTS[history] = None
            if len(_FAULTS) > MAX_FAULTS:
                del _FAULTS[next(iter(_FAULTS))]
            return False
        return await self.session.close_crashed_tabs() if self.session.crashed else self.session.alive()

    async def _attempt(self, command: Command) -> str | None:
        try:
            await perform(self.session, command)
        except ActionFailed as problem:
            return str(problem)
        return None

    async def _judge(self, command: Command | None, error: str | None) -> StepResult:
        finish, answer = None, None
        # An action whose page crashed is judged once more, and counted once.
        ended = self._referee.after(command) if self._referee.steps < len(self._acts) else None
        if command and command.verb == "stop":
            finish, answer = FinishReason.COMPLETED, command.text("answer")
            if self._shown:
                # Nobody acts on it any more, and to stop changes nothing.
                return StepResult(observation=self._shown, finish=finish, answer=answer, error=error)
        elif await self.done(command):
            finish = FinishReason.COMPLETED
        elif ended:
            finish = ended[0]
            error = "; ".join(filter(None, [error, f"the episode ends: {ended[1]}"]))
        return StepResult(observation=await self._see(command), finish=finish, answer=answer, error=error)

    async def _see(self, command: Command | None) -> Observation:
        mode, whole, marked = self.spec.mode, self.spec.whole_page, self.spec.marks
        if command and command.verb == "observe":
            mode, whole, marked = command.text("mode"), command.flag("whole_page"), command.flag("marks")
        elif command and command.verb in ("get_html", "capture_screen"):
            mode, whole = ("html", True) if command.verb == "get_html" else ("screenshot", False)
        try:
            seen = await observe(self.session, mode, whole, marked, self.spec.characters)
            more = await self.facts() if command is None or command.verb in LOOKING else {}
            return seen.model_copy(update={"data": {**seen.data, **more}})
        except (ActionFailed, PageFault) as problem:
            if isinstance(problem, PageFault) and not await self._same_before(problem):
                raise
            # The tab hung and was replaced: what is in front now is told instead.
            self.session.notes.append(str(problem))
            return await self._see_again()

    async def _see_again(self) -> Observation:
        try:
            return await observe(self.session, "accessibility", limit=self.spec.characters)
        except ActionFailed as problem:
            raise InfrastructureError(f"no page can be observed: {problem}") from problem

    async def view(self, view: View) -> Observation:
        """Another look, which changes nothing. Raises InfrastructureError, also for a page that does not answer."""
        if self._session is None:
            raise InfrastructureError("the episode is not running")
        try:
            return await observe(
                self._session, view.mode, view.whole_page, view.marks, self.spec.characters, aside=True
            )
        except ActionFailed as problem:
            # The tab was closed, which the log knows nothing of: the world has to be built again.
            raise InfrastructureError(f"the page did not answer: {problem}") from problem

    async def probe(self, probes: list[Probe]) -> list[Evidence]:
        """What each probe sees, in order. A page that cannot be read any more is evidence, a dead browser a fault."""
        if self._session is None:
            raise InfrastructureError("the episode was never started")
        return [await self._look(probe) for probe in probes]

    async def _look(self, probe: Probe) -> Evidence:
        try:
            return await self.look(probe)
        except ActionFailed as problem:
            return Evidence(name=probe.name, error=str(problem))
        except PageFault as problem:
            if not await self._same_before(problem):
                raise
            return Evidence(name=probe.name, error=str(problem))
        except InfrastructureError as problem:
            return Evidence(name=probe.name, error=str(problem), fault=True)

    async def close(self) -> None:
        """Give the browser back; never raises."""
        session, self._session = self._session, None
        if session:
            with contextlib.suppress(InfrastructureError):
                await session.close()
