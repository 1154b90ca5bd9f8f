"""Episodes for tests: a pack of the echo environment, and a participant who plays it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from packs.benchmark import Benchmark
from packs.pack import Pack
from packs.problem import Problem, ReferenceLine
from tests.support.service import Caller


def echo_pack(slug: str = "parrot", count: int = 4, *, steps: int = 30, seconds: int = 900, **hidden: Any) -> Pack:
    """Echo episodes in `dev`, `test` and `private`: to solve number n is to end with `finish[n]`."""
    head: dict[str, Any] = {
        "slug": slug,
        "title": "Parrot",
        "version": "1.0.0",
        "owner": "owners",
        "licence": "CC0-1.0",
        "card": "Episodes.",
        "canary": "heldout-canary-0123456789abcdef",
        "splits": {
            "dev": {"visibility": "dev", "feedback": "full"},
            "test": {"visibility": "test", "feedback": "aggregate"} | hidden,
            "private": {"visibility": "private", "feedback": "aggregate"},
        },
    }
    problems, references = [], []
    for split in ("dev", "test", "private"):
        for number in range(count):
            name = f"{split}-{number}"
            problems.append(
                Problem.model_validate(
                    {
                        "id": name,
                        "split": split,
                        "type": "echo",
                        "subject": "talk",
                        "episode": True,
                        "statement": f"Say the number of {name}.",
                    }
                )
            )
            episode = {
                "environment": "echo",
                "spec": {"greeting": f"this is {name}"},
                "steps": steps,
                "seconds": seconds,
                "probes": [{"name": "log", "kind": "log"}],
            }
            reference = {"kind": "exact", "value": str(number)}
            references.append(
                ReferenceLine.model_validate(
                    {"id": name, "reference": reference, "gold": str(number), "episode": episode}
                )
            )
    return Pack(Path(), Benchmark.model_validate(head), tuple(problems), tuple(references), {})


@dataclass
class Player:
    """Plays episodes with one key."""

    caller: Caller

    async def episodes(self, split: str = "dev", slug: str = "parrot") -> list[str]:
        """The ids of a split's episodes."""
        told = await self.caller.get(f"/v1/benchmarks/{slug}/episodes", params={"split": split})
        return [item["id"] for item in told.raise_for_status().json()["items"]]

    async def open(self, problem: str, **body: Any) -> httpx2.Response:
        return await self.caller.post("/v1/sessions", json={"problem": problem, **body})

    async def opened(self, problem: str, **body: Any) -> dict[str, Any]:
        told = await self.open(problem, **body)
        assert told.status_code == 201, told.text
        return dict(told.json())

    async def say(self, session: str, number: int, text: str) -> httpx2.Response:
        body = {"number": number, "action": {"text": text}}
        return await self.caller.post(f"/v1/sessions/{session}/steps", json=body)

    async def said(self, session: str, number: int, text: str) -> dict[str, Any]:
        """A step that must succeed; what asks to be sent again is sent again."""
        for _ in range(20):
            told = await self.say(session, number, text)
            if told.status_code != 503:
                break
        assert told.status_code == 200, told.text
        return dict(told.json())

    async def finish(self, session: str, answer: str | None = None) -> httpx2.Response:
        return await self.caller.post(f"/v1/sessions/{session}/finish", json={"answer": answer})

    async def show(self, session: str) -> dict[str, Any]:
        return dict((await self.caller.get(f"/v1/sessions/{session}")).raise_for_status().json())
