"""`make bench-cpu`: CPU a question, SDK and server together, against inspect-ai's `match()` over the same items.

inspect-ai runs with its mock model, so both sides only move and compare answers.
"""

import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import time

import psutil

import heldout
from api.cli.baselines.throwaway import Throwaway, throwaway, unlimited
from api.hosting.leases import LeaseRepository
from tests.support.service import choice_pack

ITEMS = 10_000
_STARTED_SECONDS = 120
# Of a second's processor time: heartbeats and polls of an idle service take a tenth of it.
_IDLE_SECONDS = 0.1

# It would fetch an encoding for counting tokens; words serve as well here, and cost less.
_INSPECT = """
import sys
import tiktoken
class Words:
    def encode(self, text, **_):
        return text.split()
tiktoken.get_encoding = tiktoken.encoding_for_model = lambda *_: Words()
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.scorer import match

count = int(sys.argv[1])
samples = [Sample(input=f"Which option is right in test-{n}?", target="ABCD"[n % 4]) for n in range(count)]
outputs = (ModelOutput.from_content("mockllm", "ANSWER: A") for _ in range(count))
model = get_model("mockllm/model", custom_outputs=outputs)
log = eval(Task(dataset=MemoryDataset(samples), scorer=match()), model=model, display="none", log_dir=sys.argv[2])[0]
print(log.status, log.results.scores[0].metrics["accuracy"].value)
"""


def _processes(running: Throwaway) -> list[psutil.Process]:
    owner = (running.settings.data_dir.absolute() / "postgres" / "cluster" / "postmaster.pid").read_text().split()[0]
    roots = [psutil.Process(child.pid) for child in running.instance.children.values()] + [psutil.Process(int(owner))]
    return [process for root in roots for process in (root, *root.children(recursive=True))]


def service_seconds(running: Throwaway) -> dict[int, float]:
    """Processor seconds of each process of the service, PostgreSQL's among them, until now."""
    return {process.pid: sum(process.cpu_times()[:2]) for process in _processes(running)}


def spent(running: Throwaway, before: dict[int, float]) -> float:
    """Processor seconds of the service since `before`."""
    return sum(seconds - before.get(process, 0.0) for process, seconds in service_seconds(running).items())


async def settled(running: Throwaway) -> None:
    """Wait until the service's processes have started: none of their imports is the measured work's. Raises
    TimeoutError."""
    async with asyncio.timeout(_STARTED_SECONDS):
        while True:
            before = service_seconds(running)
            await asyncio.sleep(1)
            async with running.database.session() as session:
                hosts = await LeaseRepository(session).hosts()
            if hosts and spent(running, before) < _IDLE_SECONDS:
                return


def _client(running: Throwaway) -> None:
    with heldout.Client(base_url=running.instance.address, api_key=running.key, benchmark=running.slug) as client:
        answers = {problem.id: "ANSWER: A" for problem in client.get_problems(split="test")}
        client.submit(answers, model="cpu", split="test").wait()


async def _ours() -> float:
    async with throwaway(unlimited(choice_pack(count=ITEMS))) as running:
        await settled(running)
        before = service_seconds(running)
        mine = time.process_time()
        await asyncio.to_thread(_client, running)
        mine = time.process_time() - mine
        return mine + spent(running, before)


def _inspect() -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", _INSPECT, str(ITEMS), folder]
        done = subprocess.run(command, check=True, capture_output=True, text=True, env=os.environ | {"HOME": folder})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    print("inspect-ai:", done.stdout.strip())
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Both, one after the other."""
    ours = asyncio.run(_ours())
    theirs = _inspect()
    print(f"CPU ms a question: ours {ours * 1000 / ITEMS:.2f}, inspect-ai {theirs * 1000 / ITEMS:.2f}")
    print(f"ratio {ours / theirs:.3f} (goal at most 1/15)")


if __name__ == "__main__":
    main()
