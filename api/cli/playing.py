"""Participants in live sessions: oracles that need what a command prints, and policies that act on what they see."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2

from api.admission.player import Policy, parse_trajectory, play_episode
from api.admission.policies import has_places, oracle_policy
from api.cli.throwaway import Throwaway
from envs.base import Action, FinishReason, Observation, Tool

_AT_ONCE = 4


def is_live(item: dict[str, Any]) -> bool:
    """Whether the item's actions depend on what is observed, so that it cannot be posted."""
    if "policy" in item:
        return True
    trajectory = item.get("trajectory")
    # What is no action cannot be sent in a session: posted, the episode ends where it stands.
    return has_places(trajectory) and parse_trajectory(trajectory or ()).reason is not FinishReason.INVALID_FORMAT


class Participant:
    """Plays episodes of one run over one split."""

    def __init__(self, client: httpx2.AsyncClient, aliases: dict[str, str]) -> None:
        self._client = client
        self._aliases = aliases
        self._slots = asyncio.Semaphore(_AT_ONCE)

    async def run(self, slug: str, split: str, items: dict[str, dict[str, Any]]) -> str:
        """Submit what can be posted, play the rest; the submission's id."""
        posted = [{"problem": self._aliases[name], **item} for name, item in items.items() if not is_live(item)]
        head = {"benchmark": slug, "split": split, "model": {"name": "baseline"}, "items": posted, "finalize": False}
        made = await self._ask("POST", "/v1/submissions", head)
        live = {name: item for name, item in items.items() if is_live(item)}
        await asyncio.gather(*(self._play(name, made["id"], item) for name, item in live.items()))
        await self._ask("POST", f"/v1/submissions/{made['id']}/finalize", {})
        return str(made["id"])

    async def _play(self, name: str, submission: str, item: dict[str, Any]) -> None:
        policy = item.get("policy") or oracle_policy(item["trajectory"])
        async with self._slots:
            await self.episode(self._aliases[name], submission, policy)

    async def episode(self, problem: str, submission: str, policy: Policy) -> int:
        """Play one episode live until the policy or the episode ends; the number of steps."""
        stage = _Session(self._ask, problem, submission)
        await play_episode(stage, policy)
        return stage.steps

    async def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """One request; what asks to be sent again later is sent again later."""
        while True:
            response = await self._client.request(method, path, json=body)
            if response.status_code not in (429, 503) or "Retry-After" not in response.headers:
                return dict(response.raise_for_status().json())
            await asyncio.sleep(float(response.headers["Retry-After"]))


class _Session:
    """A session over the API as a stage of the player."""

    def __init__(self, ask: Callable[..., Awaitable[dict[str, Any]]], problem: str, submission: str) -> None:
        self._ask = ask
        self._asked = {"problem": problem, "submission": submission}
        self._path = ""
        self._tools: tuple[Tool, ...] = ()
        self.over = False
        self.steps = 0

    async def begin(self) -> Observation:
        opened = await self._ask("POST", "/v1/sessions", self._asked)
        self._path = f"/v1/sessions/{opened['id']}"
        self._tools = tuple(Tool.model_validate(tool) for tool in opened["tools"])
        return self._seen(opened)

    async def step(self, action: Action) -> Observation:
        self.steps += 1
        body = {"number": self.steps, "action": action.model_dump(mode="json", exclude_none=True)}
        played = await self._ask("POST", f"{self._path}/steps", body)
        self.over = bool(played["finish_reason"])
        return self._seen(played)

    async def end(self, reason: FinishReason) -> None:
        del reason  # over the API a participant ends an episode as completed, or its own actions have ended it
        if not self.over:
            await self._ask("POST", f"{self._path}/finish", {})

    def _seen(self, reply: dict[str, Any]) -> Observation:
        shown = reply["observation"]
        return Observation(text=shown["text"], data=shown["data"], tools=self._tools)


async def play(running: Throwaway, split: str, aliases: dict[str, str], items: dict[str, Any]) -> str:
    """Play a run with the instance's participant."""
    headers = {"Authorization": f"Bearer {running.key}"}
    async with httpx2.AsyncClient(base_url=running.instance.address, headers=headers, timeout=600) as client:
        return await Participant(client, aliases).run(running.slug, split, items)
