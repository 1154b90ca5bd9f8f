"""`Client.matches` and `AsyncClient.matches`, and a match as a session that any agent can play."""

from collections.abc import Mapping
from typing import Any

from heldout._flow import Flow
from heldout.errors import Conflict
from heldout.matches import Challenge, MatchStatus, RatingPage
from heldout.models import Action, Limits, Observation, SessionStatus, StepResult, Usage
from heldout.sessions import AsyncRunner, AsyncSession, Runner, Session, _State

# A side replies at most five times in each of its 64 turns of two.
_MOST_STEPS = 640


class _MatchState(_State):
    """What is known of one's side of a match. What an episode's calls do, those of a match do here."""

    match: MatchStatus

    @property
    def won(self) -> bool | None:
        """Whether this side won; None before the end, and where nobody came."""
        return self.match.won

    def _stepping(self, action: Action | Mapping[str, Any] | str) -> Flow[StepResult]:
        number = self.match.steps + 1
        try:
            self._now((yield from self._calls.step_match(self.id, number, Action.of(action))))
        except Conflict as error:
            if error.code != "match_over":
                raise
            self._now((yield from self._calls.match(self.id)))
        yield from self._waiting(None)
        self.taken = self.match.steps
        return StepResult(
            session=self.id, number=number, observation=self.observation, finish_reason=self.finish_reason
        )

    def _waiting(self, timeout: float | None) -> Flow[MatchStatus]:
        if self.match.state not in ("your_turn", "over"):
            self._now((yield from self._calls.awaited_match(self.id, timeout)))
        return self.match

    def _finishing(self, answer: str | None, usage: Usage | None, reason: str) -> Flow[SessionStatus]:
        del answer, usage, reason
        return self._cancelling()

    def _cancelling(self) -> Flow[SessionStatus]:
        return self._now((yield from self._calls.give_up_match(self.id)))

    def _refreshing(self) -> Flow[SessionStatus]:
        return self._now((yield from self._calls.match(self.id)))

    def _now(self, match: MatchStatus) -> SessionStatus:
        self.match = match
        return self._became(_as_session(match))


def _as_session(match: MatchStatus) -> SessionStatus:
    over = match.state == "over"
    return SessionStatus(
        id=match.id,
        problem="",
        benchmark=match.benchmark,
        split="",
        state="ended" if over else "running",
        tools=match.tools,
        limits=Limits(steps=_MOST_STEPS, seconds=_MOST_STEPS * match.seconds, idle_seconds=match.seconds),
        steps=match.steps,
        observation=match.observation or Observation(),
        finish_reason="completed" if over else None,
    )


class Match(_MatchState, Session):
    """Your side of a match, played like any session: `step` returns when it is your turn again, or the match is over.

    `finish` and `cancel` give it up, and so does leaving `with` before its end.
    """

    def __init__(self, client: Runner, match: MatchStatus) -> None:
        Session.__init__(self, client, _as_session(match))
        self.match = match

    def wait(self, timeout: float | None = None) -> MatchStatus:
        """Wait until it is your turn, or the match is over. Raises TimeoutError."""
        return self._run(self._waiting(timeout))


class AsyncMatch(_MatchState, AsyncSession):
    """As `Match`, to be awaited."""

    def __init__(self, client: AsyncRunner, match: MatchStatus) -> None:
        AsyncSession.__init__(self, client, _as_session(match))
        self.match = match

    async def wait(self, timeout: float | None = None) -> MatchStatus:
        """Wait until it is your turn, or the match is over. Raises TimeoutError."""
        return await self._run(self._waiting(timeout))


class Matches:
    """What a participant does with matches."""

    def __init__(self, client: Runner) -> None:
        self._client = client

    def open(
        self,
        model: str,
        *,
        benchmark: str | None = None,
        opponent: str | None = None,
        idempotency_key: str | None = None,
    ) -> Match:
        """Be paired with another organisation's entry for a ranked match (`model` has to be declared), or challenge the
        organisation `opponent`. `Match.wait` waits until there is something to do."""
        flow = self._client._calls.open_match(benchmark, model, opponent, idempotency_key)
        return Match(self._client, self._client._run(flow))

    def challenges(self) -> list[Challenge]:
        """Matches that wait for your organisation, newest first."""
        return list(self._client._run(self._client._calls.challenges()).items)

    def accept(self, challenge: str, model: str, *, idempotency_key: str | None = None) -> Match:
        """Take a challenge up."""
        flow = self._client._calls.accept_challenge(challenge, model, idempotency_key)
        return Match(self._client, self._client._run(flow))

    def get(self, match: str) -> Match:
        """Your side of a match by its id."""
        return Match(self._client, self._client._run(self._client._calls.match(match)))

    def all(self) -> list[MatchStatus]:
        """Your organisation's matches, newest first, without what is asked."""
        return list(self._client._run(self._client._calls.matches()).items)

    def ratings(self, benchmark: str | None = None) -> RatingPage:
        """How entries do against each other; needs no key."""
        return self._client._run(self._client._calls.ratings(benchmark))


class AsyncMatches:
    """As `Matches`, to be awaited."""

    def __init__(self, client: AsyncRunner) -> None:
        self._client = client

    async def open(
        self,
        model: str,
        *,
        benchmark: str | None = None,
        opponent: str | None = None,
        idempotency_key: str | None = None,
    ) -> AsyncMatch:
        """Be paired for a ranked match, or challenge an organisation; see `Matches.open`."""
        flow = self._client._calls.open_match(benchmark, model, opponent, idempotency_key)
        return AsyncMatch(self._client, await self._client._run(flow))

    async def challenges(self) -> list[Challenge]:
        """Matches that wait for your organisation, newest first."""
        return list((await self._client._run(self._client._calls.challenges())).items)

    async def accept(self, challenge: str, model: str, *, idempotency_key: str | None = None) -> AsyncMatch:
        """Take a challenge up."""
        flow = self._client._calls.accept_challenge(challenge, model, idempotency_key)
        return AsyncMatch(self._client, await self._client._run(flow))

    async def get(self, match: str) -> AsyncMatch:
        """Your side of a match by its id."""
        return AsyncMatch(self._client, await self._client._run(self._client._calls.match(match)))

    async def all(self) -> list[MatchStatus]:
        """Your organisation's matches, newest first, without what is asked."""
        return list((await self._client._run(self._client._calls.matches())).items)

    async def ratings(self, benchmark: str | None = None) -> RatingPage:
        """How entries do against each other; needs no key."""
        return await self._client._run(self._client._calls.ratings(benchmark))
