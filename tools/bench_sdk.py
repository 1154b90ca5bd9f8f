"""`make bench-sdk`: what an evaluation costs beside its model: questions and episodes by the SDK, bare, by Inspect.

A scripted endpoint answers each request after LATENCY seconds. The same requests are sent to it at the same concurrency
by `heldout.evaluate` (problems fetched, answers kept, submitted and finalised), by a bare asyncio loop that drops the
replies, and by Inspect over the same questions with its own scorer. Each side runs in a process of its own and counts
its seconds and its processor time from its first to its last request; the service's is that of its processes, which
have started before.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

import heldout
from api.cli.baselines.throwaway import Throwaway, throwaway, unlimited
from heldout.evaluation import ChatModel
from packs.pack import Pack
from tests.support.service import choice_pack
from tests.support.sessions import echo_pack
from tools.bench_api.cpu import service_seconds, settled, spent

_INSPECT = """
import json, sys, time
import tiktoken
class Words:
    def encode(self, text, **_):
        return text.split()
tiktoken.get_encoding = tiktoken.encoding_for_model = lambda *_: Words()
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import match

count, at_once, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
samples = [Sample(input=f"Which option is right in test-{n}?", target="ABCD"[n % 4]) for n in range(count)]
task = Task(dataset=MemoryDataset(samples), scorer=match())
began, cpu = time.monotonic(), time.process_time()
more = {"max_connections": at_once, "max_samples": at_once, "display": "none", "log_dir": folder}
log = eval(task, model="openai-api/local/m", **more)[0]
assert log.status == "success", log.error
print(json.dumps({"seconds": time.monotonic() - began, "cpu": time.process_time() - cpu}))
"""
_HEADER = f"{'':<26}{'seconds':>9}{'of bare':>9}{'client ms CPU':>15}{'service ms CPU':>16}"


@dataclass(frozen=True)
class Asked:
    """How much is done, how many at once, how long the endpoint thinks; `python` has Inspect, if any."""

    questions: int
    episodes: int
    at_once: int
    latency: float
    python: str


@dataclass(frozen=True)
class Cost:
    """Seconds of wall clock and of processor time of a client, and the service's processor time."""

    seconds: float
    cpu: float
    service: float = 0.0


@asynccontextmanager
async def endpoint(latency: float) -> Any:
    """The address of the scripted endpoint, in a process of its own."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tools.bench_sdk", "serve", str(latency), stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout
    try:
        yield (await process.stdout.readline()).decode().strip()
    finally:
        process.terminate()
        await process.wait()


async def serve(latency: float) -> None:
    """Answer every request after `latency` seconds: `hello`, and in an episode's second turn its end."""

    async def one(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
                asked = json.loads(await reader.readexactly(int(length.partition(b":")[2])))
                await asyncio.sleep(latency)
                said = "finish[9]" if len(asked["messages"]) > 1 else "ANSWER: A"
                choice = {"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
                usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
                reply = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
                body = json.dumps(reply | {"choices": [choice], "usage": usage}).encode()
                kind = b"content-type: application/json\r\n"
                writer.write(b"HTTP/1.1 200 OK\r\n%scontent-length: %d\r\n\r\n" % (kind, len(body)) + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async with await asyncio.start_server(one, "127.0.0.1", 0, backlog=1024) as server:
        print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
        await server.serve_forever()


async def bare(address: str, tasks: int, turns: int, at_once: int) -> None:
    """The same requests and nothing else."""
    free = asyncio.Semaphore(at_once)
    limits = httpx2.Limits(max_connections=at_once, max_keepalive_connections=at_once)
    async with httpx2.AsyncClient(base_url=address, timeout=60, limits=limits) as client:

        async def task(number: int) -> None:
            messages = [{"role": "user", "content": f"Which option is right in test-{number}?"}]
            async with free:
                for _ in range(turns):
                    reply = await client.post("/chat/completions", json={"model": "m", "messages": messages})
                    messages += [reply.json()["choices"][0]["message"], {"role": "user", "content": "heard"}]

        await asyncio.gather(*(task(number) for number in range(tasks)))


def evaluated(address: str, slug: str, at_once: int, out: str) -> None:
    """The SDK's own way, by the configured service."""
    agent = ChatModel("m", url=address)
    done = heldout.evaluate(agent, benchmark=slug, split="test", model="bench", concurrency=at_once, out=out)
    if not done.complete:
        raise SystemExit(f"{done.done} of {done.tasks} done: {dict(done.errors)}")


async def _side(variables: dict[str, str], *command: str) -> Cost:
    process = await asyncio.create_subprocess_exec(*command, env=os.environ | variables, stdout=asyncio.subprocess.PIPE)
    said, _ = await process.communicate()
    if process.returncode:
        # Some tools say on their standard output what went wrong.
        raise SystemExit(
            f"{said.decode(errors='replace')}\n{' '.join(command[:3])[:80]} ... ended with {process.returncode}"
        )
    return Cost(**json.loads(said.splitlines()[-1]))


async def _ours(pack: Pack, address: str, asked: Asked) -> Cost:
    async with throwaway(unlimited(pack)) as running:
        await settled(running)
        return await _beside(running, address, asked)


async def _beside(running: Throwaway, address: str, asked: Asked) -> Cost:
    variables = {"HELDOUT_BASE_URL": running.instance.address, "HELDOUT_API_KEY": running.key}
    with tempfile.TemporaryDirectory() as folder:
        before = service_seconds(running)
        command = ("evaluate", address, running.slug, str(asked.at_once), folder)
        cost = await _side(variables, sys.executable, "-m", "tools.bench_sdk", *command)
        return Cost(cost.seconds, cost.cpu, spent(running, before))


async def _inspect(address: str, asked: Asked) -> Cost:
    with tempfile.TemporaryDirectory() as folder:
        # No service: its benchmarks, which the package heldout gives Inspect where it is installed, are not asked for.
        variables = {"LOCAL_API_KEY": "x", "LOCAL_BASE_URL": address, "HOME": folder, "HELDOUT_BASE_URL": ""}
        command = (asked.python, "-c", _INSPECT, str(asked.questions), str(asked.at_once), folder)
        return await _side(variables, *command)


async def compare(asked: Asked) -> None:
    """All sides one after the other, a line each."""
    async with endpoint(asked.latency) as address:
        print(_HEADER)
        for kind, count, turns, pack in (
            ("questions", asked.questions, 1, choice_pack(count=asked.questions)),
            ("episodes", asked.episodes, 2, echo_pack(count=asked.episodes)),
        ):
            command = ("bare", address, str(count), str(turns), str(asked.at_once))
            base = await _side({}, sys.executable, "-m", "tools.bench_sdk", *command)
            _show(f"{count} {kind}, bare loop", base, base, count)
            _show(f"{count} {kind}, heldout", await _ours(pack, address, asked), base, count)
            if asked.python and kind == "questions":
                _show(f"{count} {kind}, Inspect", await _inspect(address, asked), base, count)


def _show(name: str, cost: Cost, base: Cost, count: int) -> None:
    client, service = 1000 * cost.cpu / count, 1000 * cost.service / count
    print(
        f"{name:<26}{cost.seconds:>9.2f}{cost.seconds / base.seconds:>9.2f}{client:>15.2f}{service:>16.2f}", flush=True
    )


def _measured(work: Callable[[], None]) -> None:
    began, cpu = time.monotonic(), time.process_time()
    work()
    print(json.dumps({"seconds": time.monotonic() - began, "cpu": time.process_time() - cpu}))


def _run(work: Coroutine[Any, Any, None]) -> Callable[[], None]:
    return lambda: asyncio.run(work)


def main() -> None:
    """The comparison, or one side of it."""
    side, *rest = sys.argv[1:] or [""]
    if side == "serve":
        asyncio.run(serve(float(rest[0])))
    elif side == "bare":
        _measured(_run(bare(rest[0], int(rest[1]), int(rest[2]), int(rest[3]))))
    elif side == "evaluate":
        _measured(lambda: evaluated(rest[0], rest[1], int(rest[2]), str(Path(rest[3]))))
    else:
        parser = argparse.ArgumentParser(prog="python -m tools.bench_sdk", description=__doc__)
        parser.add_argument("--questions", type=int, default=1000)
        parser.add_argument("--episodes", type=int, default=200)
        parser.add_argument("--at-once", type=int, default=32)
        parser.add_argument("--latency", type=float, default=0.5, help="seconds that the endpoint thinks")
        parser.add_argument("--inspect", default="", help="a Python with inspect-ai and openai")
        given = parser.parse_args()
        asyncio.run(compare(Asked(given.questions, given.episodes, given.at_once, given.latency, given.inspect)))


if __name__ == "__main__":
    main()
