"""A participant that plays one run over the public API: what can be posted is posted, the rest is played live."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx2

from api.admission.baselines import Item
from api.admission.player import Policy, play_episode
from envs.base import Action, FinishReason, Observation, Tool

_AT_ONCE = 4


@dataclass(frozen=True)
class Run:
    """A submission, and the problems whose episodes could not be played, by name with what the service said."""

    submission: str
    unplayed: dict[str, str]


class Participant:
    """Plays episodes of one run over one split."""

    def __init__(self, client: httpx2.AsyncClient, aliases: Mapping[str, str]) -> None:
        self._client = client
        self._aliases = aliases
        self._slots = asyncio.Semaphore(_AT_ONCE)

    async def run(self, slug: str, split: str, items: Mapping[str, Item]) -> Run:
        """Submit what can be posted, play the rest. An episode that cannot be played does not end the run."""
        live = {name: policy for name, item in items.items() if (policy := item.live) is not None}
        posted = [{"problem": self._aliases[name], **item.posted()} for name, item in items.items() if name not in live]
        head = {"benchmark": slug, "split": split, "model": {"name": "baseline"}, "items": posted, "finalize": False}
        submission = str((await self._ask("POST", "/v1/submissions", head))["id"])
        failures = await asyncio.gather(*(self._play(name, submission, policy) for name, policy in live.items()))
        await self._ask("POST", f"/v1/submissions/{submission}/finalize", {})
        return Run(submission, {name: why for name, why in zip(live, failures, strict=True) if why})

    async def _play(self, name: str, submission: str, policy: Policy) -> str | None:
        """Why the episode could not be played; None when it was."""
        async with self._slots:
            stage = _Session(self._ask, self._aliases[name], submission)
            try:
                await play_episode(stage, policy)
            except httpx2.HTTPStatusError as error:
                await stage.cancel()
                return _said(error.response)
        return None

    async def episode(self, problem: str, submission: str, policy: Policy) -> int:
        """Play one episode until the policy or the episode ends; the number of steps. Raises HTTPStatusError."""
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


def _said(response: httpx2.Response) -> str:
    """A problem document in a line."""
    try:
        document = response.json()
        return f"{document['title']}: {document['detail']}"
    except (ValueError, KeyError, TypeError):
        return f"the service answered {response.status_code}"


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
        self.over = bool(opened["finish_reason"])  # one that cannot be built is over at once
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

    async def cancel(self) -> None:
        """Give an opened episode up, so that its run can end."""
        if self._path:
            await self._ask("DELETE", self._path)

    def _seen(self, reply: dict[str, Any]) -> Observation:
        shown = reply["observation"] or {"text": "", "data": {}}
        return Observation(text=shown["text"], data=shown["data"], tools=self._tools)
