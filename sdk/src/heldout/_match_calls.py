"""The operations on matches of two participants; see `heldout._flow`."""

import time

from pydantic import TypeAdapter

from heldout._container_calls import ContainerCalls
from heldout._flow import Flow, Pause, Request
from heldout._session_calls import part_of, post
from heldout.matches import ChallengePage, MatchPage, MatchStatus, RatingPage
from heldout.models import Action

_MATCH = TypeAdapter(MatchStatus)
_MATCHES = TypeAdapter(MatchPage)
_CHALLENGES = TypeAdapter(ChallengePage)
_RATINGS = TypeAdapter(RatingPage)
_LONGEST_PAUSE = 2.0


class MatchCalls(ContainerCalls):
    """Operations of participants who play each other."""

    def open_match(self, benchmark: str | None, model: str, opponent: str | None, key: str | None) -> Flow[MatchStatus]:
        slug = yield from self.slug(benchmark)
        body = {"model": model} | ({"opponent": opponent} if opponent else {})
        return (yield from self._typed(post(f"/v1/benchmarks/{part_of(slug)}/matches", body, key), _MATCH))

    def challenges(self) -> Flow[ChallengePage]:
        return self._typed(Request("GET", "/v1/challenges"), _CHALLENGES)

    def accept_challenge(self, challenge: str, model: str, key: str | None) -> Flow[MatchStatus]:
        return self._typed(post(f"/v1/challenges/{part_of(challenge)}", {"model": model}, key), _MATCH)

    def matches(self) -> Flow[MatchPage]:
        return self._typed(Request("GET", "/v1/matches"), _MATCHES)

    def match(self, match: str) -> Flow[MatchStatus]:
        return self._typed(Request("GET", _path(match)), _MATCH)

    def awaited_match(self, match: str, timeout: float | None) -> Flow[MatchStatus]:
        """Ask until it is one's turn, or over; the pauses grow from 0.1 to 2 seconds."""
        end = time.monotonic() + timeout if timeout is not None else None
        seconds = 0.1
        while (status := (yield from self.match(match))).state not in ("your_turn", "over"):
            if end is not None and time.monotonic() + seconds > end:
                raise TimeoutError(f"{match} is {status.state} after {timeout} s; call wait() again, or give it up")
            yield Pause(seconds)
            seconds = min(_LONGEST_PAUSE, seconds * 1.5)
        return status

    def step_match(self, match: str, number: int, action: Action) -> Flow[MatchStatus]:
        body = {"number": number, "action": action.model_dump(mode="json", exclude_none=True)}
        return self._typed(post(f"{_path(match)}/steps", body), _MATCH)

    def give_up_match(self, match: str) -> Flow[MatchStatus]:
        return self._typed(Request("DELETE", _path(match)), _MATCH)

    def ratings(self, benchmark: str | None) -> Flow[RatingPage]:
        slug = yield from self.slug(benchmark)
        request = Request("GET", f"/v1/benchmarks/{part_of(slug)}/ratings", public=True)
        return (yield from self._typed(request, _RATINGS))


def _path(match: str) -> str:
    return f"/v1/matches/{part_of(match)}"
