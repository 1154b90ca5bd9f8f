"""Live episodes: act, see, and end. The world is on the service; a lost connection loses nothing."""

from collections.abc import Mapping
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from heldout.models import Action, Observation, SessionStatus, StepResult, Tool, TranscriptStep

if TYPE_CHECKING:
    from heldout.aclient import AsyncClient
    from heldout.client import Client


class _State:
    """What is known of an episode, and how a reply changes it."""

    def __init__(self, status: SessionStatus) -> None:
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

    def _saw(self, result: StepResult) -> StepResult:
        self.taken = max(self.taken, result.number)
        self.observation, self.finish_reason, self.answer = result.observation, result.finish_reason, result.answer
        return result

    def _became(self, status: SessionStatus) -> SessionStatus:
        self.status, self.taken = status, status.steps
        self.observation = status.observation or self.observation
        self.finish_reason = status.finish_reason or self.finish_reason
        self.answer = status.answer
        return status


class Session(_State):
    """A live episode of a `Client`. In `with`, an episode that was left unfinished is cancelled."""

    def __init__(self, client: "Client", status: SessionStatus) -> None:
        super().__init__(status)
        self._client = client

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self.over:
            self.cancel()

    def step(self, action: Action | Mapping[str, Any] | str) -> StepResult:
        """Act: text in the benchmark's protocol, or {"name": tool, "arguments": {...}}.

        Sent again after a lost reply, an action is taken once. Raises Conflict when the episode is over.
        """
        return self._saw(self._client._run(self._client._calls.step(self.id, self.taken + 1, Action.of(action))))

    def finish(self, answer: str | None = None) -> SessionStatus:
        """End the episode, with the final answer where the task asks for one."""
        return self._became(self._client._run(self._client._calls.finish(self.id, answer)))

    def cancel(self) -> SessionStatus:
        """Give the episode up; within a submission it counts as not solved."""
        return self._became(self._client._run(self._client._calls.cancel(self.id)))

    def refresh(self) -> SessionStatus:
        """State and transcript as they are now."""
        return self._became(self._client._run(self._client._calls.session(self.id)))


class AsyncSession(_State):
    """A live episode of an `AsyncClient`; see `Session`."""

    def __init__(self, client: "AsyncClient", status: SessionStatus) -> None:
        super().__init__(status)
        self._client = client

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self.over:
            await self.cancel()

    async def step(self, action: Action | Mapping[str, Any] | str) -> StepResult:
        """Act; see `Session.step`."""
        flow = self._client._calls.step(self.id, self.taken + 1, Action.of(action))
        return self._saw(await self._client._run(flow))

    async def finish(self, answer: str | None = None) -> SessionStatus:
        """End the episode, with the final answer where the task asks for one."""
        return self._became(await self._client._run(self._client._calls.finish(self.id, answer)))

    async def cancel(self) -> SessionStatus:
        """Give the episode up; within a submission it counts as not solved."""
        return self._became(await self._client._run(self._client._calls.cancel(self.id)))

    async def refresh(self) -> SessionStatus:
        """State and transcript as they are now."""
        return self._became(await self._client._run(self._client._calls.session(self.id)))
