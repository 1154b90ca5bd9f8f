"""The life of a benchmark by its owner, in Python alone: every operation of `heldout.Client`."""

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from api.accounts.models import Scope
from heldout import Client
from packs.pack import Pack
from packs.write import write_pack
from tests.integration.test_corrections import mended
from tests.support.listening import listening
from tests.support.service import Caller, Service, choice_pack

RANKED = {"feedback": "sealed", "chance_level": 0.25, "rankings_per_year": 2}


async def working(service: Service, doing: Callable[[], None]) -> None:
    """Do it in a thread of its own, while a worker does what is due."""
    ending = asyncio.create_task(asyncio.to_thread(doing))
    while not ending.done():
        await service.work()
        await asyncio.wait([ending], timeout=0.2)
    await ending


def written(pack: Pack, folder: Path) -> Path:
    write_pack(folder, pack.benchmark, pack.problems, pack.references)
    return folder


def brought(client: Client, folder: Path) -> str:
    """Upload a pack, publish it, and return its id."""
    pack = client.packs.wait(client.packs.upload(folder).id)
    assert (pack.state, pack.faults, pack.admissible) == ("checked", (), True)
    client.packs.publish(pack.id)
    assert client.packs.wait(pack.id).state == "published"
    return pack.id


async def requested(service: Service) -> Caller:
    """Somebody who asks for access."""
    ada = await service.reader()
    (await ada.post("/v1/benchmarks/quiz/agreement", json={"name": "Ada Lovelace"})).raise_for_status()
    return ada


async def takes_part(service: Service, ada: Caller) -> None:
    problems = {problem["id"]: "A" for problem in await ada.problems("quiz", "dev")}
    (await ada.submit("quiz", "dev", problems, model="a-model")).raise_for_status()
    hidden = (await ada.problems("quiz", "test"))[0]["id"]
    dispute = {"reason": "The first option is the right one, as the text says."}
    (await ada.post(f"/v1/problems/{hidden}/disputes", json=dispute)).raise_for_status()
    await service.work()


@pytest.mark.timeout(1800)
async def test_the_life_of_a_benchmark_in_python(service: Service, tmp_path: Path) -> None:
    whole = choice_pack("quiz", count=8, agreement=True, approval=True, hidden=RANKED)
    first = written(whole, tmp_path / "first")
    better = choice_pack("quiz", count=8, version="1.0.1", agreement=True, approval=True, hidden=RANKED)
    second = written(mended(better), tmp_path / "second")
    key = await service.key("o@example.org", "owners", scopes=[Scope.BENCHMARKS_WRITE, Scope.PROBLEMS_READ])
    async with listening(service.app) as port:
        client = Client(base_url=f"http://127.0.0.1:{port}", api_key=key)
        quiz = client.owned("quiz")

        def brings() -> None:
            pack = brought(client, first)
            assert client.packs.get(pack).benchmark == "quiz"
            shutil.copytree(first, tmp_path / "never")
            dropped = client.packs.wait(client.packs.upload(tmp_path / "never").id)
            assert client.packs.preview(dropped.id).items[0].statement == "Which option is right in dev-0?"
            client.packs.delete(dropped.id)
            assert [one.id for one in client.packs.all()] == [pack]

        def lets_in() -> None:
            [asked] = client.access("quiz")
            client.decide_access(asked.id, "accepted", benchmark="quiz")
            assert [one.state for one in client.access("quiz")] == ["accepted"]

        def looks_after() -> None:
            [entry] = quiz.entries("dev")
            quiz.change_entry(entry.submission, hidden=True)
            assert [one.submission for one in quiz.entries("dev", hidden=True)] == [entry.submission]
            quiz.change_entry(entry.submission, hidden=False, verified=True)
            assert [one.verified for one in quiz.entries("dev", hidden=False)] == [True]
            quiz.add_reviewer("rita@example.org")
            assert quiz.reviewers() == ["rita@example.org"]
            quiz.remove_reviewer("rita@example.org")
            assert quiz.reviewers() == []
            assert quiz.calibration().benchmark == "quiz"
            assert quiz.calibration_table().startswith(b"judge,review")
            assert {one.organisation for one in quiz.exposure(split="dev")} == {"lab"}
            assert quiz.check_ledger().holds
            assert "sealed" in {one.preset for one in quiz.preset_costs("test").items}
            left = quiz.releases("test").calls_left
            assert quiz.call_release("test").calls_left == left - 1
            [dispute] = quiz.disputes()
            assert quiz.decide_dispute(dispute.id, "rejected", "The text says another thing.").state == "rejected"

        def corrects() -> None:
            brought(client, second)
            assert quiz.measure_items("dev").submissions == quiz.items("dev").statistics.submissions == 1
            assert [(one.version, one.corrects) for one in quiz.versions()] == [("1.0.1", "1.0.0"), ("1.0.0", None)]
            assert [one.name for one in quiz.diff("1.0.0", "1.0.1").items] == ["test-0"]
            assert quiz.preview_regrade().version == "1.0.1"
            begun = quiz.regrade("The gold of test-0 was wrong.")
            assert [one.id for one in quiz.regrades()] == [begun]

        def ends() -> None:
            assert quiz.export(tmp_path / "out", references=second / "references.jsonl").problems == 10
            assert quiz.retire("test", "2.0.0", everything=True, anyway=True).problems == 10
            assert quiz.delete("Another benchmark took its place.", confirm="quiz").releases == 3

        await working(service, brings)
        ada = await requested(service)
        await working(service, lets_in)
        await takes_part(service, ada)
        await working(service, looks_after)
        await working(service, corrects)
        await working(service, ends)
        assert (await service.client.get("/v1/benchmarks/quiz")).status_code == 410
        client.close()
