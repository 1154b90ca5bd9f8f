"""Live episodes: act, see, and end. The environment is on the service; a lost connection loses nothing.

What an operation asks and how its reply changes what is known is written once, as flows of `_State`; `Session` and
`AsyncSession` only run them.
"""

from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType
from typing import Any, Literal, Protocol, Self, TypeVar

from heldout._calls import Calls
from heldout._channel import AsyncChannel, Channel
from heldout._flow import Flow, Lost, Reply, Request
from heldout.errors import Invalid
from heldout.models import Action, Observation, SessionStatus, StepResult, Tool, TranscriptStep, Usage, Verdict

T = TypeVar("T")
Mode = Literal["accessibility", "html", "screenshot"]
Reason = Literal["completed", "context_limit"]


class Runner(Protocol):
    """What an episode needs of a `Client`: the calls it makes, and how they are carried out."""

    _calls: Calls

    def _run(self, flow: Flow[T], send: Callable[[Request], Reply | Lost] | None = None) -> T: ...

    def _send(self, request: Request) -> Reply | Lost: ...


class AsyncRunner(Protocol):
    """What an episode needs of an `AsyncClient`."""

    _calls: Calls

    async def _run(self, flow: Flow[T], send: Callable[[Request], Awaitable[Reply | Lost]] | None = None) -> T: ...

    async def _send(self, request: Request) -> Reply | Lost: ...


class _State:
    """What is known of an episode, and how a reply changes it."""

    def __init__(self, calls: Calls, status: SessionStatus) -> None:
        self._calls = calls
        self.status = status
        self.observation = status.observation or Observation()
        self.taken = status.steps
        self.finish_reason = status.finish_reason
        self.answer = status.answer

    @property
    def id(self) -> str:
        """The session's id."""
        return self.status.id

    @property
    def instruction(self) -> str:
        """What the episode asks."""
        return self.status.instruction

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Tools that may be called."""
        return self.status.tools

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return self.finish_reason is not None or self.status.state not in {"opening", "running"}

    @property
    def history(self) -> tuple[TranscriptStep, ...]:
        """The transcript as of the last `refresh`."""
        return self.status.transcript or ()

    def _stepping(self, action: Action | Mapping[str, Any] | str) -> Flow[StepResult]:
        result = yield from self._calls.step(self.id, self.taken + 1, Action.of(action))
        self.taken = max(self.taken, result.number)
        self.observation, self.finish_reason, self.answer = result.observation, result.finish_reason, result.answer
        return result

    def _finishing(self, answer: str | None, usage: Usage | None, reason: str) -> Flow[SessionStatus]:
        return self._became((yield from self._calls.finish(self.id, answer, usage, reason)))

    def _cancelling(self) -> Flow[SessionStatus]:
        return self._became((yield from self._calls.cancel(self.id)))

    def _refreshing(self) -> Flow[SessionStatus]:
        return self._became((yield from self._calls.session(self.id)))

    def _judging(self, timeout: float | None) -> Flow[Verdict | None]:
        if not self.over:
            raise Invalid(f"{self.id} is still running", code="not_finished", advice="call finish() first")
        return self._became((yield from self._calls.judged(self.id, timeout))).verdict

    def _became(self, status: SessionStatus) -> SessionStatus:
        self.status, self.taken = status, status.steps
        self.observation = status.observation or self.observation
        self.finish_reason = status.finish_reason or self.finish_reason
        self.answer = status.answer
        return status


class Session(_State):
    """A live episode of a `Client`. In `with`, an episode that was left unfinished is cancelled."""

    def __init__(self, client: Runner, status: SessionStatus, channel: Channel | None = None) -> None:
        super().__init__(client._calls, status)
        self._run = client._run
        self._post = client._send
        self._channel = channel

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._hang_up()
        if not self.over:
            self.cancel()

    def step(self, action: Action | Mapping[str, Any] | str) -> StepResult:
        """Act: text in the benchmark's protocol, or {"name": tool, "arguments": {...}}.

        Sent again after a lost reply, an action is taken once. Raises Conflict when the episode is over.
        """
        return self._run(self._stepping(action), self._send_step)

    def _send_step(self, request: Request) -> Reply | Lost:
        reply = self._channel.send(request) if self._channel else None
        return reply if reply is not None else self._post(request)

    def _hang_up(self) -> None:
        if self._channel:
            self._channel.close()

    def observe(self, mode: Mode = "accessibility", *, whole_page: bool = False, marks: bool = False) -> Observation:
        """Look at a browser's page in another mode. It is no step and changes nothing.

        `whole_page`: not only the window. `marks`: element ids drawn on the screenshot, whose bytes are
        `observation.picture()`. Raises Conflict where an environment has no other view, or the episode is over.
        """
        return self._run(self._calls.observe(self.id, mode, whole_page, marks))

    def finish(
        self, answer: str | None = None, *, usage: Usage | None = None, reason: Reason = "completed"
    ) -> SessionStatus:
        """End the episode, with the final answer where the task asks for one.

        `usage` is what the whole episode cost; once it is over, this call only reports it. `reason="context_limit"`
        says that the model's context was full.
        """
        self._hang_up()
        return self._run(self._finishing(answer, usage, reason))

    def keep_alive(self) -> None:
        """Say that the next action is being thought about, so that the episode does not end as idle; its time goes on.

        Raises Conflict when the episode is over.
        """
        self._run(self._calls.keep_alive(self.id))

    def cancel(self) -> SessionStatus:
        """Give the episode up; within a submission it counts as not solved."""
        self._hang_up()
        return self._run(self._cancelling())

    def refresh(self) -> SessionStatus:
        """State and transcript as they are now."""
        return self._run(self._refreshing())

    def judged(self, timeout: float | None = 120.0) -> Verdict | None:
        """How the episode was judged, waited for up to `timeout` seconds (None: without end).

        None on a split that does not tell it. Raises Invalid before the end of the episode, and TimeoutError: a verdict
        that is late is no verdict of 0.
        """
        return self._run(self._judging(timeout))


class AsyncSession(_State):
    """A live episode of an `AsyncClient`; see `Session`."""

    def __init__(self, client: AsyncRunner, status: SessionStatus, channel: AsyncChannel | None = None) -> None:
        super().__init__(client._calls, status)
        self._run = client._run
        self._post = client._send
        self._channel = channel

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._hang_up()
        if not self.over:
            await self.cancel()

    async def step(self, action: Action | Mapping[str, Any] | str) -> StepResult:
        """Act; see `Session.step`."""
        return await self._run(self._stepping(action), self._send_step)

    async def _send_step(self, request: Request) -> Reply | Lost:
        reply = await self._channel.send(request) if self._channel else None
        return reply if reply is not None else await self._post(request)

    async def _hang_up(self) -> None:
        if self._channel:
            await self._channel.close()

    async def observe(
        self, mode: Mode = "accessibility", *, whole_page: bool = False, marks: bool = False
    ) -> Observation:
        """Look; see `Session.observe`."""
        return await self._run(self._calls.observe(self.id, mode, whole_page, marks))

    async def finish(
        self, answer: str | None = None, *, usage: Usage | None = None, reason: Reason = "completed"
    ) -> SessionStatus:
        """End the episode, with the final answer where the task asks for one.

        `usage` is what the whole episode cost; once it is over, this call only reports it. `reason="context_limit"`
        says that the model's context was full.
        """
        await self._hang_up()
        return await self._run(self._finishing(answer, usage, reason))

    async def keep_alive(self) -> None:
        """Say that the next action is being thought about; see `Session.keep_alive`."""
        await self._run(self._calls.keep_alive(self.id))

    async def cancel(self) -> SessionStatus:
        """Give the episode up; within a submission it counts as not solved."""
        await self._hang_up()
        return await self._run(self._cancelling())

    async def refresh(self) -> SessionStatus:
        """State and transcript as they are now."""
        return await self._run(self._refreshing())

    async def judged(self, timeout: float | None = 120.0) -> Verdict | None:
        """How the episode was judged, waited for; see `Session.judged`."""
        return await self._run(self._judging(timeout))


class EpisodePlayer:
    """What plays one episode after another: a harness's environment."""

    session: Session | None = None

    def close(self) -> None:
        """Give up an episode that is still running."""
        session, self.session = self.session, None
        if session is not None and not session.over:
            session.cancel()

    def _opened(self) -> Session:
        if self.session is None:
            raise RuntimeError("no episode is open: call reset() first")
        return self.session
