"""Participants in live sessions: oracles that need what a command prints, and policies that act on what they see."""

import asyncio
from typing import Any

import httpx2

from api.admission.rehearse import Policy, has_places, resolve
from api.cli.throwaway import Throwaway
from envs.base import Action, Observation, Tool

_AT_ONCE = 4


def is_live(item: dict[str, Any]) -> bool:
    """Whether the item's actions depend on what is observed, so that it cannot be posted."""
    return "policy" in item or has_places(item.get("trajectory"))


def scripted(oracle: list[dict[str, Any]]) -> Policy:
    """Plays an oracle, each action resolved against what was just seen."""

    def act(seen: Observation, number: int) -> Action | None:
        return resolve(oracle[number], seen) if number < len(oracle) else None

    return act


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
        live = [
            (name, item.get("policy") or scripted(item["trajectory"])) for name, item in items.items() if is_live(item)
        ]
        await asyncio.gather(*(self._play(self._aliases[name], made["id"], policy) for name, policy in live))
        await self._ask("POST", f"/v1/submissions/{made['id']}/finalize", {})
        return str(made["id"])

    async def _play(self, problem: str, submission: str, policy: Policy) -> None:
        async with self._slots:
            await self.episode(problem, submission, policy)

    async def episode(self, problem: str, submission: str, policy: Policy) -> int:
        """Play one episode live until the policy or the episode ends; the number of steps."""
        told = await self._ask("POST", "/v1/sessions", {"problem": problem, "submission": submission})
        path = f"/v1/sessions/{told['id']}"
        tools = tuple(Tool.model_validate(tool) for tool in told["tools"])
        number = 0
        while (action := policy(_seen(told["observation"], tools), number)) is not None:
            number += 1
            body = {"number": number, "action": action.model_dump(mode="json", exclude_none=True)}
            told = await self._ask("POST", f"{path}/steps", body)
            if told["finish_reason"]:
                return number
        await self._ask("POST", f"{path}/finish", {})
        return number

    async def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """One request; what asks to be sent again later is sent again later."""
        while True:
            response = await self._client.request(method, path, json=body)
            if response.status_code not in (429, 503) or "Retry-After" not in response.headers:
                return dict(response.raise_for_status().json())
            await asyncio.sleep(float(response.headers["Retry-After"]))


def _seen(told: dict[str, Any], tools: tuple[Tool, ...]) -> Observation:
    return Observation(text=told["text"], data=told["data"], tools=tools)


async def play(running: Throwaway, split: str, aliases: dict[str, str], items: dict[str, Any]) -> str:
    """Play a run with the instance's participant."""
    headers = {"Authorization": f"Bearer {running.key}"}
    async with httpx2.AsyncClient(base_url=running.instance.address, headers=headers, timeout=600) as client:
        return await Participant(client, aliases).run(running.slug, split, items)
