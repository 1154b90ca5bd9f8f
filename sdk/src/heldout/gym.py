"""Live episodes as a Gymnasium environment (`pip install 'heldout[gymnasium]'`).

    heldout.gym.register()                              # the configured service's benchmarks, by their slugs
    env = gymnasium.make("heldout/web-sites", split="dev")

Actions are texts: the benchmark's own protocol, or BrowserGym's spelling. The world, its seed and its verdict are on
the service; a hidden split tells no verdict, and its reward is 0.
"""

import io
from collections.abc import Callable, Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from PIL import Image

from heldout.browsergym import NotTranslatedError, translate
from heldout.client import Client
from heldout.models import Action, Episode, Observation, Problem
from heldout.sessions import EpisodePlayer, Session

UNDECIDED = frozenset({"task_limit", "context_limit", "cancelled", "infrastructure_error"})
Pixels = NDArray[np.uint8]


class AnyText(spaces.Space[str]):  # type: ignore[misc]
    """Every text. Gymnasium's own space of texts knows only listed characters."""

    def contains(self, x: Any) -> bool:
        """Whether it is a text."""
        return isinstance(x, str)

    def sample(self, mask: Any = None, probability: Any = None) -> str:  # noqa: ARG002 - Gymnasium's signature
        """A short text of small letters."""
        return "".join(self.np_random.choice(list("abcdefghij"), size=8))


class EpisodeEnv(EpisodePlayer, gymnasium.Env[dict[str, Any], str]):  # type: ignore[misc]
    """One of `problems` after another, a new session at each `reset`.

    An observation is `{"text": str}`, with `screenshot=True` also `"screenshot"`: height x width x 3 bytes. `step`
    gives (observation, reward, terminated, truncated, info); the reward comes with the end: the verdict's score where
    the split tells it within `timeout` seconds, else 0 (`info["scored"]` says which). An action that cannot be done
    is told in `info["error"]`. Errors of the service are raised as `heldout.HeldoutError`.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 1}  # noqa: RUF012 - Gymnasium's own form

    def __init__(
        self,
        client: Client,
        problems: Sequence[Problem | Episode | str],
        *,
        submission: str | None = None,
        actions: Literal["protocol", "browsergym"] = "protocol",
        render_mode: Literal["rgb_array"] | None = None,
        screenshot: bool = False,
        size: tuple[int, int] = (1280, 720),
        timeout: float = 60.0,
    ) -> None:
        self.render_mode = render_mode or ("rgb_array" if screenshot else None)
        self._client, self._problems, self._submission = client, list(problems), submission
        self._translated, self._screenshot = actions == "browsergym", screenshot
        self._timeout, self._next = timeout, 0
        shown: dict[str, spaces.Space[Any]] = {"text": AnyText()}
        if screenshot:
            shown["screenshot"] = spaces.Box(0, 255, (size[1], size[0], 3), np.uint8)
        self.observation_space = spaces.Dict(shown)
        self.action_space = AnyText()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Open the next problem, or `options["problem"]`; with a `seed` the one that follows from it, then those after
        it. The world's own seed is the service's."""
        super().reset(seed=seed)
        self.close()
        problem = (options or {}).get("problem")
        if seed is not None:
            self._next = int(self.np_random.integers(len(self._problems)))
        if problem is None:
            problem = self._problems[self._next % len(self._problems)]
            self._next += 1
        self.session = self._client.open_session(problem, submission=self._submission)
        info = {"instruction": self.session.instruction, "session": self.session.id, "tools": self.session.tools}
        return self._shown(self.session.observation), info

    def step(self, action: str) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Act. See the class for what comes back. Raises RuntimeError before `reset`."""
        session = self._opened()
        result = session.step(self._action(action))
        info: dict[str, Any] = {
            "error": result.error,
            "finish_reason": result.finish_reason,
            "data": result.observation.data,
        }
        over = result.finish_reason is not None
        score = self._score(session) if over else None
        truncated = result.finish_reason in UNDECIDED
        info["scored"] = score is not None
        return self._shown(result.observation), score or 0.0, over and not truncated, truncated, info

    def render(self) -> Any:
        """The page as it is now: height x width x 3 bytes."""
        return _pixels(self._opened().observe("screenshot"))

    def _action(self, text: str) -> Action | str:
        if not self._translated:
            return text
        try:
            return translate(text)
        except NotTranslatedError:
            # The service counts it and says what is wrong, as it does for everybody.
            return text

    def _shown(self, seen: Observation) -> dict[str, Any]:
        shown: dict[str, Any] = {"text": seen.text}
        if self._screenshot:
            session = self._opened()
            pictured = seen if "screenshot" in seen.images or session.over else session.observe("screenshot")
            space = self.observation_space["screenshot"]
            shown["screenshot"] = _pixels(pictured) if pictured.images else np.zeros(space.shape or (), np.uint8)
        return shown

    def _score(self, session: Session) -> float | None:
        try:
            verdict = session.judged(self._timeout)
        except TimeoutError:
            return None
        return verdict.score if verdict else None


def make(benchmark: str, split: str = "test", client: Callable[[], Client] | None = None, **options: Any) -> EpisodeEnv:
    """The episodes of a benchmark's split; `options` as `EpisodeEnv` takes them. Raises HeldoutError and ValueError."""
    made = client() if client else Client(benchmark=benchmark)
    problems = made.episodes(split, benchmark=benchmark).all()
    if not problems:
        raise ValueError(f"the split '{split}' of '{benchmark}' has no episodes")
    return EpisodeEnv(made, problems, **options)


def register(client: Callable[[], Client] = Client) -> list[str]:
    """Make `gymnasium.make("heldout/<benchmark>", split=..., ...)` work for every benchmark of the service; the ids.

    `client` makes the clients that ask it. Sessions of one problem differ in the names of their hosts, so that the
    environments call themselves not deterministic. Raises HeldoutError.
    """
    with client() as asked:
        slugs = [item.slug for item in asked.benchmarks()]
    for slug in slugs:
        gymnasium.registry.pop(f"heldout/{slug}", None)
        gymnasium.register(
            id=f"heldout/{slug}",
            entry_point="heldout.gym:make",
            kwargs={"benchmark": slug, "client": client},
            nondeterministic=True,
            order_enforce=False,
        )
    return [f"heldout/{slug}" for slug in slugs]


def _pixels(seen: Observation) -> Pixels:
    return np.asarray(Image.open(io.BytesIO(seen.picture())).convert("RGB"), dtype=np.uint8)
