"""A worker's first answer waits for nothing that a start could have done."""

import asyncio
import sys

from api.cli.running import environment_of
from tests.support.service import OPEN, Service, choice_pack

_WORKER = """
import asyncio, sys
from api.core.settings import Settings
from api.worker.app import run
from api.worker.state import Worker
from api.worker.warming import warm

async def main():
    worker = Worker.build(Settings())
    await warm(worker)
    before = set(sys.modules)
    await run(worker, wait=False)
    await worker.close()
    ours = ("api.", "grading.", "packs.", "protection.")
    print([name for name in sys.modules if name not in before and name.startswith(ours)])

asyncio.run(main())
"""


async def test_the_first_answer_imports_nothing_and_warming_writes_nothing(service: Service) -> None:
    await service.publish(choice_pack(hidden=OPEN))
    reader = await service.reader()
    problems = await reader.problems("quiz", "test")
    sent = (await reader.submit("quiz", "test", {problem["id"]: "A" for problem in problems})).json()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _WORKER, env=environment_of(service.settings), stdout=asyncio.subprocess.PIPE
    )
    said, _ = await process.communicate()
    assert said.decode().splitlines()[-1:] == ["[]"]
    run = (await reader.get(f"/v1/submissions/{sent['id']}")).json()
    assert (run["state"], run["score"]) == ("graded", 0.25)
