"""Virtual participants of four kinds. Each does its thing over and over, and knows what it must find afterwards."""

import asyncio
import contextlib
import itertools
import random
import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import httpx2

# A participant's own patience: faults last seconds, and whoever asks again gets the same answer.
_ATTEMPTS = 400
_PAUSE = 0.25
PAGE = 20


@dataclass
class Tally:
    """What was seen: seconds by operation, replies that were no success, what the service has accepted."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    refused: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    submissions: dict[str, int] = field(default_factory=dict)
    """Items by accepted submission."""
    sessions: dict[str, int] = field(default_factory=dict)
    """Acknowledged steps by finished session."""
    wrong: list[str] = field(default_factory=list)
    """Replies that contradict earlier ones: each is a fault."""


class Participant:
    """One of them. `call` asks the web processes in turn until there is an answer."""

    def __init__(self, clients: list[httpx2.AsyncClient], key: str, seed: int, tally: Tally) -> None:
        self._clients = itertools.cycle(clients[seed % len(clients) :] + clients[: seed % len(clients)])
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self.chance = random.Random(seed)
        self.tally = tally
        self.seed = seed

    async def call(self, what: str, method: str, path: str, body: Any = None, **headers: str) -> dict[str, Any]:
        """The reply's JSON (empty for a page). The time is from the first try to the answer."""
        began = time.perf_counter()
        for _ in range(_ATTEMPTS):
            client = next(self._clients)
            try:
                reply = await client.request(method, path, json=body, headers=self._headers | headers)
            except httpx2.HTTPError as error:
                self.tally.refused[type(error).__name__] += 1
            else:
                if reply.status_code < 300:
                    self.tally.seconds[what].append(time.perf_counter() - began)
                    return dict(reply.json()) if "json" in reply.headers.get("content-type", "") else {}
                self.tally.refused[f"{what} {reply.status_code}"] += 1
                if reply.status_code < 500 and reply.status_code != 429:
                    self.tally.wrong.append(f"{what}: {reply.status_code} {reply.text[:200]}")
                    raise asyncio.CancelledError
            await asyncio.sleep(_PAUSE)
        self.tally.wrong.append(f"{what}: no answer to {_ATTEMPTS} tries")
        raise asyncio.CancelledError


async def browse(who: Participant, ending: asyncio.Event) -> None:
    """Looks at boards and pages, without a key."""
    paths = ("/", "/b/quiz", "/v1/benchmarks", "/v1/benchmarks/quiz/leaderboard?split=test")
    while not ending.is_set():
        path = who.chance.choice(paths)
        await who.call("board" if "leaderboard" in path else "browse", "GET", path)
        await asyncio.sleep(who.chance.uniform(0.2, 1.0))


async def read(who: Participant, ending: asyncio.Event) -> None:
    """Reads problems page by page."""
    while not ending.is_set():
        page = await who.call("page", "GET", f"/v1/benchmarks/quiz/problems?split=test&limit={PAGE}")
        if len(page["items"]) != PAGE:
            who.tally.wrong.append(f"a page of {len(page['items'])} problems")
        await asyncio.sleep(who.chance.uniform(0.2, 1.0))


async def submit(who: Participant, ending: asyncio.Event) -> None:
    """Sends runs of a page of answers, each again under its key until it is accepted, and now and then once more."""
    problems = await who.call("page", "GET", f"/v1/benchmarks/quiz/problems?split=test&limit={PAGE}")
    items = [{"problem": problem["id"], "answer": "A"} for problem in problems["items"]]
    for number in itertools.count():
        if ending.is_set():
            return
        body = {"benchmark": "quiz", "split": "test", "model": {"name": f"m{who.seed}-{number}"}, "items": items}
        headers = {"Idempotency-Key": f"load-{who.seed}-{number}"}
        done = await who.call("submit", "POST", "/v1/submissions", body, **headers)
        if who.chance.random() < 0.2:
            again = await who.call("submit", "POST", "/v1/submissions", body, **headers)
            if again["id"] != done["id"]:
                who.tally.wrong.append("the same submission was taken twice")
        who.tally.submissions[done["id"]] = len(items)
        await asyncio.sleep(who.chance.uniform(0.5, 2.0))


async def step(who: Participant, ending: asyncio.Event) -> None:
    """Plays episodes of some steps; the world counts its own actions."""
    episodes = (await who.call("page", "GET", "/v1/benchmarks/parrot/episodes?split=dev"))["items"]
    while not ending.is_set():
        opened = await who.call("open", "POST", "/v1/sessions", {"problem": who.chance.choice(episodes)["id"]})
        path = f"/v1/sessions/{opened['id']}/steps"
        steps = who.chance.randint(5, 40)
        for number in range(1, steps + 1):
            body = {"number": number, "action": {"text": f"word {number}"}}
            reply = await who.call("step", "POST", path, body)
            if int(reply["observation"]["data"]["number"]) != number:
                who.tally.wrong.append(f"the world of {opened['id']} counts otherwise at step {number}")
            await asyncio.sleep(who.chance.uniform(0.05, 0.3))
        end = {"number": steps + 1, "action": {"text": "finish[0]"}}
        await who.call("step", "POST", path, end)
        who.tally.sessions[opened["id"]] = steps + 1


KINDS = {"browse": browse, "read": read, "submit": submit, "step": step}
"""What each kind does until `ending` is set."""


async def play(who: Participant, kind: str, ending: asyncio.Event) -> None:
    """One participant to its end; what ended it before is in the tally."""
    with contextlib.suppress(asyncio.CancelledError):
        await KINDS[kind](who, ending)
