"""A host whose sandboxes have one user id plays no task that needs accounts: nothing of it is scored."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from api.admission import policies
from api.admission.simulation import simulate_episodes
from api.core.settings import Settings
from api.hosting.server import Host
from envs import engine, registry
from envs.base import Probe, parse_probe
from envs.operating_system.spec import PROBES, OperatingSystemSpec, needs_accounts
from envs.sandbox.backends import default_backend
from envs.sandbox.base import Backend, Image, Limits, SandboxError
from packs.pack import Pack
from packs.problem import ReferenceLine
from packs.read import read_pack
from tests.support.service import Service
from tests.support.sessions import Player
from tests.support.sql import sql

PACK = Path(__file__).parents[3] / "benchmarks" / "live-os"
ONE_ID = "bubblewrap-user"


def two_tasks() -> Pack:
    """One task that makes an account and one that counts processes, in this order."""
    pack = read_pack(PACK, registry)
    lines = {line.id: line for line in pack.references}
    words = ("Create a user", "How many processes called")
    kept = [next(one for one in pack.problems if one.split == "dev" and _asks(lines[one.id], word)) for word in words]
    return replace(pack, problems=tuple(kept), references=tuple(lines[problem.id] for problem in kept))


def _asks(line: ReferenceLine, word: str) -> bool:
    return word in str(line.episode.spec["problem"]) if line.episode else False


@pytest.fixture
async def one_id() -> AsyncIterator[Backend]:
    """A backend whose sandboxes have one user id, or a skip with the reason."""
    try:
        backend = await default_backend(prefer=ONE_ID)
        await (await backend.start(Image(user="root"), Limits())).destroy()
    except SandboxError as error:
        pytest.skip(f"sandboxes of an ordinary user do not work here: {error}")
    async with backend:
        yield backend


@pytest.mark.usefixtures("one_id")
async def test_a_task_that_makes_accounts_is_refused_and_never_scored(settings: Settings, service: Service) -> None:
    pack = two_tasks()
    await service.publish(pack)
    player = Player(await service.reader())
    async with Host.running(settings.model_copy(update={"sandbox": ONE_ID})):
        accounts, count = await player.episodes(slug=pack.benchmark.slug)
        refused = await player.open(accounts)
        assert (refused.status_code, refused.json()["code"]) == (503, "sandbox_unfit")
        items = [{"problem": accounts, "trajectory": [{"text": "Act: finish"}]}]
        body = {"benchmark": pack.benchmark.slug, "split": "dev", "model": {"name": "m"}, "items": items}
        posted = await player.caller.post("/v1/submissions", json=body)
        await service.work()
        await service.work()
        told = (await player.caller.get(posted.headers["location"])).json()
        assert (told["state"], told["score"]) == ("grading", None)
        await player.opened(count)
        async with service.admin.session() as database:
            graded = await sql(database, "select count(*) from live_session where outcome is not null")
            assert graded.scalar_one() == 0


async def test_its_gold_is_not_called_wrong_by_such_a_machine(one_id: Backend, monkeypatch: pytest.MonkeyPatch) -> None:
    async def shared() -> Backend:
        return one_id

    monkeypatch.setattr(engine, "backend", shared)
    accounts, count = await simulate_episodes(two_tasks().references, policies.gold)
    assert accounts.verdict.score is None
    assert "user ids" in (accounts.error or "")
    assert count.verdict.score == 1.0


@pytest.mark.parametrize(
    ("init", "kind", "looks", "needed"),
    [
        ("mkdir /srv/in", "gold", "wc -l < /etc/passwd", False),
        ("mkdir /srv/in", "check", "grep -q '^anna:' /etc/passwd", True),
        ("mkdir /srv/in", "check", "[ $(id -u anna) = 1001 ]", True),
        ("mkdir /srv/in", "check", "grep -q 'user id anna' /srv/in/list", False),
        ("chown 7 /srv", "gold", "ls /srv", True),
        ("touch /srv/su /srv/passwd", "check", "ls /srv/su | grep passwd", False),
        ("true; su anna -c id", "gold", "ls /srv", True),
        ("mkdir /srv/in", "check", "stat -c %U /srv/in | grep -q anna", True),
        ("mkdir /srv/in", "check", "stat -c %a /srv/in | grep -q 750", False),
    ],
)
def test_what_needs_accounts(init: str, kind: str, looks: str, needed: bool) -> None:
    spec = OperatingSystemSpec.model_validate({"problem": "?", "init": [{"code": init}]})
    probe = Probe(name="seen", type=kind, arguments={"script": {"code": looks}})
    asked = [(probe.name, parse_probe(PROBES, probe))]
    assert needs_accounts(spec, asked) is needed
    assert needs_accounts(spec.model_copy(update={"accounts": not needed}), asked) is not needed
