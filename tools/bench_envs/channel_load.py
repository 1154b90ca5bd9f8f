"""Steps echo sessions over WebSockets, one connection a session, and prints the milliseconds of every step as JSON.

`channel_load.py heldout PORT STEPS` reads the key and the sessions' ids as JSON from standard input;
`channel_load.py openenv PORT STEPS` reads how many sessions. One client for both, in a process and an environment of
its own that needs `websockets` and nothing else.
"""

import asyncio
import json
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

Words = Callable[[int], dict[str, Any]]
StepNumber = Callable[[dict[str, Any]], int]


async def _play(
    line: ClientConnection, gate: asyncio.Barrier, steps: int, words: Words, step_number: StepNumber
) -> list[float]:
    await gate.wait()
    times = []
    for number in range(1, steps + 1):
        begun = time.perf_counter()
        await line.send(json.dumps(words(number)))
        heard = json.loads(await line.recv())
        times.append((time.perf_counter() - begun) * 1000)
        if step_number(heard) != number:
            raise RuntimeError(f"a wrong reply: {heard}")
    # Nobody hangs up while others still step: what a server does then is no step.
    await gate.wait()
    return times


async def _heldout(port: int, steps: int, asked: dict[str, Any], gate: asyncio.Barrier, session: str) -> list[float]:
    address = f"ws://127.0.0.1:{port}/v1/sessions/{session}/steps"
    headers = {"Authorization": f"Bearer {asked['key']}"}
    async with connect(address, additional_headers=headers, open_timeout=120) as line:
        return await _play(
            line,
            gate,
            steps,
            lambda number: {"number": number, "action": {"text": f"word {number}"}},
            lambda heard: int(heard["observation"]["data"]["number"]),
        )


async def _openenv(port: int, steps: int, gate: asyncio.Barrier) -> list[float]:
    async with connect(f"ws://127.0.0.1:{port}/ws", open_timeout=120) as line:
        await line.send(json.dumps({"type": "reset", "data": {}}))
        await line.recv()
        return await _play(
            line,
            gate,
            steps,
            lambda number: {"type": "step", "data": {"text": f"word {number}"}},
            lambda heard: int(heard["data"]["observation"]["number"]),
        )


async def main(side: str, port: int, steps: int) -> None:
    """Connect all, then step all at once: seconds and CPU count from there."""
    asked = json.loads(sys.stdin.read())
    sessions = asked["sessions"] if side == "heldout" else [""] * asked["sessions"]
    gate = asyncio.Barrier(len(sessions) + 1)
    played = [
        asyncio.create_task(
            _heldout(port, steps, asked, gate, session) if side == "heldout" else _openenv(port, steps, gate)
        )
        for session in sessions
    ]
    # Whoever measures reads the servers' CPU time between these two lines.
    while gate.n_waiting < len(sessions):
        await asyncio.sleep(0.01)
        for task in played:
            if task.done():
                task.result()
    print("ready", flush=True)
    await asyncio.get_running_loop().run_in_executor(None, time.sleep, 0.2)
    begun, used = time.perf_counter(), _cpu()
    await gate.wait()
    await gate.wait()
    seconds, spent = time.perf_counter() - begun, _cpu() - used
    times = [one for task in played for one in await task]
    print(json.dumps({"milliseconds": times, "seconds": seconds, "client_cpu": spent}))


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
