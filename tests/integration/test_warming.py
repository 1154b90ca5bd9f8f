"""A worker's first answer, and a web process's first submission, wait for nothing that a start could have done."""

import asyncio
import json
import sys

from api.cli.running import environment_of
from tests.support.service import OPEN, Service, choice_pack
from tests.support.sql import sql

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

_WEB = """
import asyncio, json, sys
import httpx2
from api.app import create_app
from api.core import query
from api.core.settings import Settings
from api.warming import warm

async def main():
    key, body = sys.argv[1:]
    app = create_app(Settings())
    async with app.router.lifespan_context(app):
        await warm(app)
        before, text, compiled = set(sys.modules), query.text, []
        query.text = lambda sql: compiled.append(sql) or text(sql)
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://web") as client:
            sent = await client.post("/v1/submissions", json=json.loads(body), headers={"Authorization": key})
        assert sent.status_code == 202, sent.text
    print(json.dumps([compiled, [name for name in sys.modules if name not in before and name.startswith("api.")]]))

asyncio.run(main())
"""


async def test_the_first_submission_compiles_nothing_and_warming_writes_nothing(service: Service) -> None:
    await service.publish(choice_pack(hidden=OPEN))
    reader = await service.reader()
    problems = await reader.problems("quiz", "test")
    items = [{"problem": problem["id"], "answer": "A"} for problem in problems]
    body = {"benchmark": "quiz", "split": "test", "model": {"name": "m"}, "items": items}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _WEB, f"Bearer {reader.key}", json.dumps(body)),
        env=environment_of(service.settings),
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await process.communicate()
    compiled, imported = json.loads(said.decode().splitlines()[-1])
    assert (compiled, imported) == ([], [])
    async with service.admin.session() as session:
        assert (await sql(session, "select count(*) from submission")).scalar_one() == 1
        assert (await sql(session, "select count(*) from grading_job")).scalar_one() == 1


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
