"""What a backup and the disk of a running service hold of a hidden split: no gold, no answer, no word on either."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from api.accounts.models import MemberRole, Scope
from api.core.localpg import binaries
from packs.benchmark import Benchmark
from packs.pack import Pack
from packs.problem import Problem, ReferenceLine
from tests.support.service import Service
from tests.support.sql import sql

NUMBER = "7351930427"
REFERENCES: dict[str, dict[str, Any]] = {
    "numeric": {"kind": "numeric", "value": NUMBER},
    "exact": {"kind": "exact", "value": "MARK-gold-exact"},
    "includes": {"kind": "includes", "values": ["MARK-gold-includes"]},
    "judged": {"kind": "rubric", "solution": "MARK-gold-rubric", "rubric": {"criteria": []}},
}
SECRETS = (b"MARK-gold", NUMBER.encode(), b"7.35193e+9", b"is not 7", b"incorrect", b"MARK-said")
ANSWERED = (b"Wrong words", b"MARK-remark", b"MARK-action")
SHOWN = b"Say exact."
"""Of a problem's public text: it is in all that is searched, so the search can see."""


def _pack() -> Pack:
    head = {
        "slug": "resting",
        "title": "Resting",
        "version": "1.0.0",
        "owner": "owners",
        "licence": "CC0-1.0",
        "card": "A card.",
        "canary": "heldout-canary-0123456789abcdef",
        "splits": {"test": {"visibility": "test", "feedback": "aggregate"}},
    }
    problems = [Problem(id=k, split="test", type=k, subject="s", statement=f"Say {k}.") for k in REFERENCES]
    criterion = {"id": "a", "points": 10, "text": "t", "full": "MARK-gold-full", "half": "h", "none": "n"}
    REFERENCES["judged"]["rubric"]["criteria"] = [criterion]
    references = [ReferenceLine(id=k, reference=value, gold="MARK-gold") for k, value in REFERENCES.items()]
    return Pack(Path(), Benchmark.model_validate(head), tuple(problems), tuple(references), {})


async def _answered(service: Service) -> None:
    await service.publish(_pack())
    ada = await service.reader()
    for answer in ("1111", "Wrong words"):
        answers = {problem["id"]: answer for problem in await ada.problems("resting", "test")}
        (await ada.submit("resting", "test", answers)).raise_for_status()
    trajectory = [{"tool": "say", "text": "MARK-action"}]
    item = {"problem": (await ada.problems("resting", "test"))[0]["id"], "trajectory": trajectory}
    body = {"benchmark": "resting", "split": "test", "model": {"name": "m"}, "items": [item], "finalize": False}
    (await ada.post("/v1/submissions", json=body)).raise_for_status()
    await service.work()
    await _reviewed(service)
    async with service.admin.session() as session:
        sealed = (await sql(session, "select count(*) from vault.verdict")).scalar_one()
        graded = (await sql(session, "select count(graded_at) from submission_item")).scalar_one()
    assert sealed == graded == 2 * len(REFERENCES)


async def _reviewed(service: Service) -> None:
    """Two people settle what no program can grade."""
    for name in ("one", "two"):
        scopes = [Scope.REVIEWS_WRITE]
        reviewer = await service.reader(f"{name}@example.org", "owners", scopes=scopes, role=MemberRole.MEMBER)
        while task := (await reviewer.post("/v1/reviews/claim", json={"benchmark": "resting"})).json()["task"]:
            body = {"credits": {"a": 0.5}, "comment": "MARK-remark"}
            (await reviewer.post(f"/v1/reviews/{task['id']}/vote", json=body)).raise_for_status()
        await service.work()
    async with service.admin.session() as session:
        assert (await sql(session, "select count(settled_at) from review")).scalar_one() == 2


async def test_a_backup_holds_no_gold_no_answer_and_no_verdict(service: Service) -> None:
    await _answered(service)
    url = service.admin.url.set(drivername="postgresql").render_as_string(hide_password=False)
    dumping = await asyncio.create_subprocess_exec(
        str(binaries(for_others=False) / "pg_dump"),
        "--inserts",
        url,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    dump, errors = await dumping.communicate()
    assert dumping.returncode == 0, errors.decode()
    assert SHOWN in dump
    assert [secret for secret in SECRETS + ANSWERED if secret in dump] == []


def _content(path: Path) -> bytes:
    """A file's bytes; PostgreSQL takes some of its own away while they are listed."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return b""


async def test_neither_disk_nor_log_holds_a_gold_or_an_answer(
    service: Service, capfd: pytest.CaptureFixture[str]
) -> None:
    await _answered(service)
    async with service.admin.session() as session:
        await sql(session, "checkpoint")
    folder = service.settings.data_dir
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    assert len(files) > 100
    own = [path for path in files if "pginstall" not in path.parts]
    found = {(path, secret) for path in own for secret in SECRETS[:3] + ANSWERED if secret in _content(path)}
    assert found == set()
    out = capfd.readouterr()
    assert [secret for secret in SECRETS + ANSWERED if secret.decode() in out.out + out.err] == []
    assert any(SHOWN in _content(path) for path in own)


async def test_jobs_carry_ids_alone(service: Service) -> None:
    await service.publish(_pack())
    ada = await service.reader()
    answers = {problem["id"]: "Wrong words" for problem in await ada.problems("resting", "test")}
    (await ada.submit("resting", "test", answers)).raise_for_status()
    async with service.admin.session() as session:
        rows = (await sql(session, "select to_jsonb(j)::text as whole from grading_job j")).all()
    assert rows
    assert not any(secret.decode() in row.whole for row in rows for secret in SECRETS + ANSWERED)
