"""A scripted participant in live sessions: for oracles whose answer is what a command prints."""

import asyncio
import json
from typing import Any

import httpx2

from api.catalog.rehearse import OUTPUT, resolve
from api.commands.throwaway import Throwaway
from envs.base import Observation

_AT_ONCE = 4


def is_live(item: dict[str, Any]) -> bool:
    """Whether the item's actions depend on what is observed, so that it cannot be posted."""
    return OUTPUT in json.dumps(item.get("trajectory"))


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
        live = [(name, item["trajectory"]) for name, item in items.items() if is_live(item)]
        await asyncio.gather(*(self._play(self._aliases[name], made["id"], oracle) for name, oracle in live))
        await self._ask("POST", f"/v1/submissions/{made['id']}/finalize", {})
        return str(made["id"])

    async def _play(self, problem: str, submission: str, oracle: list[dict[str, Any]]) -> None:
        async with self._slots:
            await self.episode(problem, submission, oracle)

    async def episode(self, problem: str, submission: str, oracle: list[dict[str, Any]]) -> int:
        """Play one episode live, each action resolved against what was just seen; the number of steps."""
        told = await self._ask("POST", "/v1/sessions", {"problem": problem, "submission": submission})
        path = f"/v1/sessions/{told['id']}"
        for number, scripted in enumerate(oracle, start=1):
            seen = told["observation"]
            action = resolve(scripted, Observation(text=seen["text"], data=seen["data"]))
            body = {"number": number, "action": action.model_dump(mode="json", exclude_none=True)}
            told = await self._ask("POST", f"{path}/steps", body)
            if told["finish_reason"]:
                return number
        await self._ask("POST", f"{path}/finish", {})
        return len(oracle)

    async def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """One request; what asks to be sent again later is sent again later."""
        while True:
            response = await self._client.request(method, path, json=body)
            if response.status_code not in (429, 503) or "Retry-After" not in response.headers:
                return dict(response.raise_for_status().json())
            await asyncio.sleep(float(response.headers["Retry-After"]))


async def play(running: Throwaway, split: str, aliases: dict[str, str], items: dict[str, Any]) -> str:
    """Play a run with the instance's participant."""
    headers = {"Authorization": f"Bearer {running.key}"}
    async with httpx2.AsyncClient(base_url=running.instance.address, headers=headers, timeout=600) as client:
        return await Participant(client, aliases).run(running.slug, split, items)
