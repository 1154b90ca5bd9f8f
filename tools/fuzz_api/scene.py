"""What the fuzzer finds on the service: benchmarks, people with keys of every kind, and ids that mean something."""

import asyncio
import hashlib
import io
import tarfile
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from api.accounts.models import MemberRole, Scope
from packs.pack import Pack
from packs.problem import ReferenceLine
from packs.write import write_pack
from tests.support.service import Caller, Service, choice_pack
from tests.support.sessions import echo_pack
from tests.support.sql import sql
from tests.support.visitor import Visitor, enter

EVERYTHING = [scope for scope in Scope if scope is not Scope.ADMIN]
# Endpoints that nobody answers at, and addresses that are hardly any.
ENDPOINT = "http://127.0.0.1:9/v1"
URLS = (
    ENDPOINT,
    "https://a..b/v1",
    f"https://{'a' * 70}.example/",
    "https://[::1]/",
    "https://é..x/",
    "https://h:99999/",
)
# Whoever is the last owner cannot leave, and lose the key with that.
PEOPLE: dict[str, dict[str, Any]] = {
    "participant": {"email": "ada@example.org", "organisation": "lab", "role": MemberRole.OWNER},
    "other": {"email": "eve@example.org", "organisation": "other"},
    "owner": {"email": "olga@example.org", "organisation": "owners", "scopes": EVERYTHING, "role": MemberRole.OWNER},
    "operator": {
        "email": "oto@example.org",
        "organisation": "ops",
        "scopes": list(Scope),
        "operator": True,
        "role": MemberRole.OWNER,
    },
}


@dataclass
class Scene:
    """People with keys and browsers by name, and real ids by the name of the parameter or field that takes them."""

    service: Service
    callers: dict[str, Caller] = field(default_factory=dict)
    known: dict[str, Sequence[Any]] = field(default_factory=dict)
    visitors: dict[str, Visitor] = field(default_factory=dict)
    archive: bytes = b""
    endpoint: str = ""
    _renewing: asyncio.Lock = field(default_factory=asyncio.Lock)

    @classmethod
    async def made(cls, service: Service, endpoint: str) -> "Scene":
        """Publish, sign everybody up, submit and play a little. `endpoint`: one that refuses all keys."""
        scene = cls(service, endpoint=endpoint)
        await service.publish(choice_pack(count=30, hidden={"chance_level": 0.25, "feedback": "sealed"}))
        await service.publish(choice_pack("signed", agreement=True, approval=True))
        await service.publish(echo_pack(count=8))
        await service.publish(_worked())
        # Nor does the account of an organisation's last owner end while it has a benchmark.
        for person in ("participant", "operator"):
            await service.publish(_owned(PEOPLE[person]["organisation"]))
        for name in PEOPLE:
            await scene.renew(name)
        # Lists the problems that could have a rubric; nothing is drafted without a judge.
        await scene.callers["owner"].post("/v1/benchmarks/worked/jobs", json={"job": "draft_rubrics"})
        await service.work(may_fail=True)
        scene.archive = _archive()
        await scene.look()
        return scene

    async def renew(self, name: str, instead_of: Caller | None = None) -> None:
        """A new key and web session: the last may be revoked or ended, and their owner gone."""
        async with self._renewing:
            if instead_of is not None and self.callers[name] is not instead_of:
                return
            person = dict(PEOPLE[name])
            visitor = await enter(self.service, person["email"])
            await visitor.get("/account/keys")
            self.visitors[name] = visitor
            self.callers[name] = await self.service.reader(person.pop("email"), person.pop("organisation"), **person)

    async def look(self, *, whole: bool = True) -> None:
        """Collect ids that this moment has; `whole`: after a pack was checked, which takes a process of its own."""
        ada, owner = self.callers["participant"], self.callers["owner"]
        problems = await _items(ada, "/v1/benchmarks/quiz/problems", {"split": "dev"})
        hidden = await _items(ada, "/v1/benchmarks/quiz/problems", {"split": "test", "limit": "5"})
        episodes = await _items(ada, "/v1/benchmarks/parrot/episodes", {"split": "dev"})
        aliases = [problem["id"] for problem in [*problems, *hidden, *episodes]]
        await ada.submit("quiz", "test", {problem["id"]: "A" for problem in hidden})
        opening = {"benchmark": "quiz", "split": "dev", "model": {"name": "m"}, "finalize": False}
        await ada.post("/v1/submissions", json=opening)
        for episode in episodes[:2]:
            await ada.post("/v1/sessions", json={"problem": episode["id"]})
        asked = opening | {"url": self.endpoint, "endpoint_model": "m", "key": "k"}
        await ada.post("/v1/endpoint-runs", json={name: asked[name] for name in asked if name != "finalize"})
        submissions = await _items(ada, "/v1/submissions", {})
        keys = await _items(ada, "/v1/keys", {})
        traces = await owner.post("/v1/benchmarks/quiz/leaks", json={"text": "Which option is right?"})
        trace = [traces.json()["id"]] if traces.status_code < 300 else []
        ids = [item["id"] for item in submissions]
        packs = await self._packs(owner, whole=whole)
        self.known = {
            name: values
            for name, values in {
                "slug": ["quiz", "signed", "parrot", "worked"],
                "benchmark": ["quiz", "signed", "parrot"],
                "split": ["dev", "test", "private"],
                "alias": aliases,
                "problem": aliases,
                "submission": ids,
                "entry": ids,
                "session": await self._ids("ses", "live_session"),
                "key_id": [item["id"] for item in keys[5:]],
                "trace": trace,
                "version": ["1.0.0"],
                "name": ["agentbench", "m", "A name"],
                "organisation": ["lab", "other"],
                "number": [1, 2, 3],
                "role": ["owner", "member", "remove"],
                "decision": ["verify", "approve", "decline"],
                "agree": ["yes"],
                "scopes": ["problems:read", "submissions:write"],
                "days": ["30", ""],
                "member": await self._ids("usr", "account"),
                "invitation": await self._ids("inv", "invitation"),
                "review": await self._ids("rev", "review"),
                "request": await self._ids("agr", "agreement_acceptance"),
                "pack": packs,
                "job": await self._ids("job", "owner_job"),
                "rubric": await self._ids("rub", "rubric"),
                "dispute": await self._ids("dsp", "gold_dispute"),
                "run": [item["id"] for item in await _items(ada, "/v1/endpoint-runs", {})],
                "url": [self.endpoint] * len(URLS) + [*URLS],
                "content": [self.archive],
                "cursor": self.known.get("cursor"),
            }.items()
            if values
        }

    async def _packs(self, owner: Caller, *, whole: bool) -> list[str]:
        """Uploads of every state: a checked one, and one whose only part has not come."""
        digest = hashlib.sha256(self.archive).hexdigest()
        body = {"name": "fuzzed.tar", "size": len(self.archive), "sha256": digest}
        for complete in (True, False) if whole else ():
            begun = await owner.post("/v1/packs", json=body)
            if complete and begun.status_code == 201:
                path = f"/v1/packs/{begun.json()['id']}"
                headers = {"Content-Type": "application/octet-stream"}
                await owner.call("PUT", f"{path}/parts/0", content=self.archive, headers=headers)
                await owner.post(f"{path}/check")
        await self.service.work(may_fail=True)
        return [item["id"] for item in await _items(owner, "/v1/packs", {})]

    async def _ids(self, prefix: str, table: str) -> list[str]:
        """The public ids of a table's newest rows."""
        async with self.service.admin.session() as session:
            newest = f"select id from {table} order by id desc limit 8"
            return [f"{prefix}_{row.hex}" for row in (await sql(session, newest)).scalars()]


def _owned(organisation: str) -> Pack:
    """A benchmark of somebody's own."""
    pack = choice_pack(f"of-{organisation}", count=2)
    return replace(pack, benchmark=pack.benchmark.model_copy(update={"owner": organisation}))


def _worked() -> Pack:
    """Open problems with worked solutions, which may get rubrics."""
    base = choice_pack("worked", count=4)
    problems = [
        problem.model_copy(update={"type": "open", "choices": ()}) if problem.split == "test" else problem
        for problem in base.problems
    ]
    lines = [
        ReferenceLine(id=line.id, reference={"kind": "numeric", "value": "12"}, solution="Twice six.")
        if line.id.startswith("test")
        else line
        for line in base.references
    ]
    return replace(base, problems=tuple(problems), references=tuple(lines))


def _archive() -> bytes:
    """A small right pack, as it is uploaded."""
    pack = choice_pack("fuzzed", count=2)
    out = io.BytesIO()
    with tempfile.TemporaryDirectory() as folder, tarfile.open(fileobj=out, mode="w") as made:
        write_pack(Path(folder) / "pack", pack.benchmark, pack.problems, pack.references)
        made.add(Path(folder) / "pack", ".")
    return out.getvalue()


async def _items(caller: Caller, path: str, query: dict[str, str]) -> Sequence[dict[str, Any]]:
    response = await caller.get(path, params=query)
    return list(response.json()["items"]) if response.status_code == 200 else []
