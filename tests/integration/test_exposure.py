"""Randomised exposure, declared runs, what was told, canaries."""

import asyncio
import dataclasses
import json
from typing import Any

import pytest
from typer.testing import CliRunner

from api.accounts.models import MemberRole, Scope
from api.cli.canary import PREFIX, judge
from api.cli.main import built
from packs.benchmark import Benchmark
from packs.pack import Pack
from protection import canaries
from tests.support.service import Caller, Service, choice_pack
from tests.support.sql import sql

GOLD = "ABCD"


def sibling_pack(pairs: int) -> Pack:
    """Pairs of siblings on a split with randomised exposure."""
    pack = choice_pack(
        "pairs", 2 * pairs, hidden={"feedback": "sealed", "chance_level": 0.25, "randomised_exposure": True}
    )
    problems = tuple(
        p.model_copy(update={"group": f"g{int(p.id.rsplit('-', 1)[1]) // 2}"}) if p.split == "test" else p
        for p in pack.problems
    )
    return dataclasses.replace(pack, problems=problems, benchmark=Benchmark.model_validate(pack.benchmark.model_dump()))


async def _listed(caller: Caller, **query: Any) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    cursor = None
    while True:
        more: dict[str, str] = {"cursor": cursor} if cursor else {}
        page = (await caller.get("/v1/benchmarks/pairs/problems", params={"split": "test", **query, **more})).json()
        items += page["items"]
        cursor = page["next"]
        if cursor is None:
            return items


def _number(problem: dict[str, Any]) -> int:
    return int(problem["statement"].removesuffix("?").rsplit("-", 1)[1])


async def test_one_sibling_is_shown_and_a_model_that_memorised_it_is_found(service: Service) -> None:
    await service.publish(sibling_pack(16))
    ada, eve = await service.reader(), await service.reader("eve@example.org", "other")
    shown, held = await _listed(ada), await _listed(ada, held_back="true")
    assert sorted(_number(p) // 2 for p in shown) == list(range(16)) == sorted(_number(p) // 2 for p in held)
    assert not {_number(p) for p in shown} & {_number(p) for p in held}
    assert {_number(p) for p in await _listed(eve)} != {_number(p) for p in shown}
    assert await _listed(ada) == shown
    memorised = {p["id"]: GOLD[_number(p) % 4] for p in shown} | {p["id"]: GOLD[(_number(p) + 1) % 4] for p in held}
    await ada.submit("pairs", "test", memorised, model="memorised")
    hers = await _listed(eve) + await _listed(eve, held_back="true")
    honest = {p["id"]: GOLD[_number(p) % 4] if _number(p) // 2 % 2 else "A" for p in hers}
    await eve.submit("pairs", "test", honest, model="honest")
    await service.work()
    for organisation in ("lab", "other"):
        await service.verify(organisation)
    await service.release()
    board = (await service.client.get("/v1/benchmarks/pairs/leaderboard")).json()["items"]
    assert {row["model"]["name"]: row["contaminated"] for row in board} == {"memorised": True, "honest": False}
    assert all(row["contamination"] is None for row in board), "one bit is released, no gap and no p"
    assert "Contaminated" in (await service.client.get("/b/pairs")).text
    async with service.admin.session() as session:
        channels = (await sql(session, "select distinct channel from exposure")).scalars().all()
    assert set(channels) == {"api", "held_back"}


async def test_a_run_declared_before_carries_a_mark(service: Service) -> None:
    await service.publish(choice_pack())
    ada = await service.reader()
    problems = await ada.problems("quiz", "test")

    async def submit(model: str) -> None:
        answer = "A" if model == "declared" else "B"
        items = [{"problem": p["id"], "answer": answer} for p in problems]
        body = {"benchmark": "quiz", "split": "test", "model": {"name": model, "version": "0123abc"}, "items": items}
        assert (await ada.post("/v1/submissions", json=body)).status_code == 202

    run = {"split": "test", "model": "declared", "commit": "0123abc"}
    declared = await ada.post("/v1/benchmarks/quiz/declarations", json=run)
    assert declared.status_code == 201, declared.text
    await submit("declared")
    await submit("afterwards")
    assert (await ada.post("/v1/benchmarks/quiz/declarations", json=run | {"model": "afterwards"})).status_code == 201
    await service.work()
    board = (await service.client.get("/v1/benchmarks/quiz/leaderboard")).json()["items"]
    assert {row["model"]["name"]: row["declared"] for row in board} == {"declared": True, "afterwards": False}
    bad = await ada.post("/v1/benchmarks/quiz/declarations", json=run | {"commit": "no commit!"})
    assert bad.status_code == 422


def test_the_canary_test_needs_all_and_gives_an_exact_p() -> None:
    canary = canaries.draw(b"k", "quiz", "1.0.0", "data")
    nothing = dict.fromkeys(range(100), "I do not know")
    assert judge(canary, nothing)["p"] == 1.0
    known = nothing | {canary.used: canary.text[PREFIX:]}
    assert judge(canary, known)["p"] == 0.01


async def test_the_command_prints_canaries_and_reads_results(
    service: Service, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    await service.publish(choice_pack())
    monkeypatch.setenv("HELDOUT_DATA_DIR", str(service.settings.data_dir))
    monkeypatch.setenv("HELDOUT_DATABASE_NAME", service.settings.database_name)

    async def command(*arguments: str) -> list[str]:
        done = await asyncio.to_thread(CliRunner().invoke, built(), ["canaries", "--benchmark", "quiz", *arguments])
        assert done.exit_code == 0, done.output
        return list(done.output.strip().splitlines())

    used = dict(line.split("\t") for line in await command())
    assert set(used) == set(canaries.CHANNELS)
    prompts = [json.loads(line) for line in await command("--prompts", "--channel", "page")]
    assert len(prompts) == 100
    asked = {p["number"]: p["messages"][0]["content"].splitlines()[1] for p in prompts}
    page = used["page"]
    completions = [
        {"number": number, "completion": page[PREFIX:] if page.startswith(start) else "?"}
        for number, start in asked.items()
    ]
    results = tmp_path / "results.jsonl"
    results.write_text("\n".join(json.dumps(row) for row in completions))
    assert json.loads((await command("--results", str(results), "--channel", "page"))[-1])["p"] == 0.01


async def test_only_owners_read_the_ledger_and_members_the_rest(service: Service) -> None:
    await service.publish(choice_pack())
    reader = await service.reader()
    assert (await reader.get("/v1/benchmarks/quiz/ledger")).status_code == 403
    owner = await service.reader("o@example.org", "owners", scopes=[Scope.BENCHMARKS_WRITE], role=MemberRole.OWNER)
    assert (await owner.get("/v1/benchmarks/quiz/ledger")).status_code == 200
    assert (await owner.get("/v1/benchmarks/quiz/feedback")).status_code == 403


async def test_canaries_stand_on_the_page_and_with_the_problems(service: Service) -> None:
    await service.publish(choice_pack())
    ada = await service.reader()
    key = service.settings.secrets.raw("fingerprint")
    page = await service.client.get("/b/quiz")
    assert canaries.draw(key, "quiz", "1.0.0", "page").text in page.text
    served = await ada.get("/v1/benchmarks/quiz/problems", params={"split": "test"})
    assert served.headers["heldout-canary"] == canaries.draw(key, "quiz", "1.0.0", "api").text
