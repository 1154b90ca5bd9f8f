"""Episodes by OpenEnv's protocol (`pip install 'heldout[openenv]'`): an OpenEnv server whose environments are episodes
of the service, and a typed client of it. Any client of OpenEnv plays them.

    python -m heldout.harnesses.openenv --benchmark live-os --split dev --port 8000

One connection is one episode at a time. `reset(episode_id="prb_...")` opens that problem, `reset(seed=7)` the one that
follows from the seed, `reset()` the next. The reward comes with the last step, where the split tells verdicts.
"""

import argparse
import itertools
import random
from collections.abc import Sequence
from typing import Any

from openenv.core.client_types import StepResult
from openenv.core.env_client import EnvClient
from openenv.core.env_server import Action, Environment, Observation, State, create_fastapi_app
from pydantic import Field

from heldout.client import Client
from heldout.errors import Invalid
from heldout.models import Observation as Seen
from heldout.sessions import Session


class EpisodeAction(Action):
    """Text in the world's protocol, or a call of one of its tools: `{"name": ..., "arguments": {...}}`."""

    text: str | None = None
    tool: dict[str, Any] | None = None


class EpisodeObservation(Observation):
    """What an episode shows; `instruction` and `tools` come with the first. `finish_reason` says how it ended."""

    text: str = ""
    data: dict[str, Any] = Field(default_factory=dict)
    images: dict[str, str] = Field(default_factory=dict)
    instruction: str = ""
    tools: list[dict[str, Any]] = Field(default_factory=list)
    finish_reason: str | None = None
    error: str | None = None


class EpisodeState(State):
    """The session that is played; `episode_id` is the problem."""

    session: str = ""


class Episodes(Environment[EpisodeAction, EpisodeObservation, EpisodeState]):
    """One episode after another; `submission` takes their verdicts in."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, client: Client, problems: Sequence[str], submission: str | None, judging: float = 60.0) -> None:
        super().__init__()
        self._client, self._problems, self._submission = client, problems, submission
        self._judging = judging
        self._next = itertools.cycle(problems)
        self._session: Session | None = None

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> EpisodeObservation:
        """Open an episode; the one before is given up if it is not over."""
        self.close()
        seeded = None if seed is None else random.Random(seed).choice(self._problems)
        session = self._client.open_session(episode_id or seeded or next(self._next), submission=self._submission)
        self._session = session
        tools = [tool.model_dump(mode="json") for tool in session.tools]
        return _shown(session.observation, instruction=session.instruction, tools=tools)

    def step(self, action: EpisodeAction, timeout_s: float | None = None, **_: Any) -> EpisodeObservation:
        """Act. Raises RuntimeError before `reset`, Conflict when the episode is over."""
        del timeout_s
        if self._session is None:
            raise RuntimeError("no episode is open: call reset first")
        result = self._session.step(action.tool if action.tool is not None else action.text or "")
        reward = self._reward(self._session) if result.finish_reason else None
        more = {"finish_reason": result.finish_reason, "error": result.error}
        return _shown(result.observation, done=result.finish_reason is not None, reward=reward, **more)

    def _reward(self, session: Session) -> float | None:
        try:
            verdict = session.judged(self._judging)
        except TimeoutError:
            return None
        return verdict.score if verdict else None

    @property
    def state(self) -> EpisodeState:
        """Where the episode is."""
        session = self._session
        if session is None:
            return EpisodeState()
        return EpisodeState(episode_id=session.status.problem, step_count=session.taken, session=session.id)

    def close(self) -> None:
        """Give an episode up that is not over."""
        if self._session is not None and not self._session.over:
            self._session.cancel()
        self._session = None


def _shown(seen: Seen, **more: Any) -> EpisodeObservation:
    return EpisodeObservation(text=seen.text, data=seen.data, images=seen.images, **more)


def app(
    client: Client, benchmark: str, split: str = "test", *, submission: str | None = None, at_once: int = 64
) -> Any:
    """The server as an ASGI application. Raises Invalid where the split has no episodes, and HeldoutError."""
    problems = [episode.id for episode in client.episodes(split, benchmark=benchmark)]
    if not problems:
        raise Invalid(
            f"the split '{split}' of '{benchmark}' has no episodes", code="no_episodes", advice="name another"
        )
    return create_fastapi_app(
        lambda: Episodes(client, problems, submission),
        EpisodeAction,
        EpisodeObservation,
        max_concurrent_envs=at_once,
    )


class EpisodeClient(EnvClient[EpisodeAction, EpisodeObservation, EpisodeState]):
    """A typed client of such a server."""

    def _step_payload(self, action: EpisodeAction) -> dict[str, Any]:
        return action.model_dump(mode="json")

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[EpisodeObservation]:
        told = {"done": payload.get("done", False), "reward": payload.get("reward")}
        seen = EpisodeObservation.model_validate(payload.get("observation", {}) | told)
        return StepResult(observation=seen, reward=payload.get("reward"), done=bool(payload.get("done")))

    def _parse_state(self, payload: dict[str, Any]) -> EpisodeState:
        return EpisodeState.model_validate(payload)


def main() -> None:
    """Serve until interrupted."""
    import uvicorn

    parser = argparse.ArgumentParser(prog="python -m heldout.harnesses.openenv", description=__doc__)
    parser.add_argument("--benchmark", required=True)
    parser.add_argument("--split", default="test")
    parser.add_argument("--submission", help="an open submission that takes the verdicts in")
    parser.add_argument("--port", type=int, default=8000)
    given = parser.parse_args()
    served = app(Client(), given.benchmark, given.split, submission=given.submission)
    uvicorn.run(served, host="127.0.0.1", port=given.port, log_level="warning")


if __name__ == "__main__":
    main()
