"""The live part of `demo`: an episode each in a shell, in a database, on a form and on a site; a posted trajectory."""

import asyncio
import shutil
from typing import Any
from uuid import UUID

import httpx2

from api.admission.baselines import SolvedProblem
from api.admission.policies import oracle_policy
from api.cli.baselines.participant import Participant
from api.cli.common import console
from api.core.db import Database
from api.core.settings import Settings
from api.worker.answer_key import answer_key
from envs.sandbox.backends import default_backend
from envs.sandbox.base import SandboxError
from envs.web_sites import install
from envs.web_sites.site import site

_WORKING = ("open", "queued", "grading")
_BROWSER = ("chromium-headless-shell", "chromium")
_NEEDS = {"live-db": ("mariadbd",), "demo-forms": _BROWSER, "demo-web": _BROWSER}
# This one needs the shop alone, which `make demo` has installed.
_CHOSEN = {"demo-web": ("shop", "into-the-cart-1")}


async def play_episodes(settings: Settings, database: Database, address: str, key: str, organisation: UUID) -> None:
    """Play the oracle of one episode of each live pack; post one trajectory, which is replayed and graded here."""
    headers = {"Authorization": f"Bearer {key}"}
    console.print(f"  sandboxes: {await _sandboxes(settings)}")
    async with httpx2.AsyncClient(base_url=address, headers=headers, timeout=300) as client:
        for slug in ("live-os", "live-db", "demo-forms", "demo-web"):
            programs = _NEEDS.get(slug, ())
            if programs and not any(map(_installed, programs)):
                console.print(f"  {slug}: left out, {programs[0]} is not installed (make setup installs it)")
                continue
            needed, name = _CHOSEN.get(slug, ("", ""))
            if needed and not install.installed(site(needed)):
                why = f"the site '{needed}' is not installed (python -m envs.web_sites.prepare {needed} says why)"
                console.print(f"  {slug}: left out, {why}")
                continue
            async with database.session() as session:
                known = await answer_key(session, settings, slug, organisation)
            dev = [item for item in known.values() if item.split == "dev" and item.oracle]
            await _live(client, slug, known[name] if name else dev[0])
            if slug == "live-os":
                # Not the one that makes accounts: an ordinary user's sandboxes have one user id.
                await _posted(client, slug, dev[2])


def _installed(program: str) -> bool:
    return shutil.which(program, path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin") is not None


async def _sandboxes(settings: Settings) -> str:
    """Which kind the host takes, chosen here in the same way; none is started."""
    try:
        async with await default_backend(prefer=settings.sandbox) as backend:
            traits = backend.traits
    except SandboxError as error:
        return f"none: {error}"
    return f"{traits.name} (weaker: {'; '.join(traits.weaknesses)})" if traits.weaknesses else traits.name


async def _live(client: httpx2.AsyncClient, slug: str, problem: SolvedProblem) -> None:
    run = await _post(client, "/v1/submissions", _head(slug, []))
    participant = Participant(client, {problem.name: problem.alias})
    steps = await participant.episode(problem.alias, run["id"], oracle_policy(problem.oracle))
    await _post(client, f"/v1/submissions/{run['id']}/finalize", {})
    await _tell(client, run["id"], f"{slug}: live episode of {steps} step(s)")


async def _posted(client: httpx2.AsyncClient, slug: str, problem: SolvedProblem) -> None:
    item = {"problem": problem.alias, "trajectory": problem.oracle}
    run = await _post(client, "/v1/submissions", _head(slug, [item]) | {"finalize": True})
    await _tell(client, run["id"], f"{slug}: posted trajectory of {len(problem.oracle)} action(s), replayed")


def _head(slug: str, items: list[dict[str, Any]]) -> dict[str, Any]:
    return {"benchmark": slug, "split": "dev", "model": {"name": "oracle"}, "items": items, "finalize": False}


async def _post(client: httpx2.AsyncClient, path: str, body: dict[str, Any]) -> dict[str, Any]:
    return dict((await client.post(path, json=body)).raise_for_status().json())


async def _tell(client: httpx2.AsyncClient, submission: str, what: str) -> None:
    status = (await client.get(f"/v1/submissions/{submission}")).json()
    while status["state"] in _WORKING:
        await asyncio.sleep(0.5)
        status = (await client.get(f"/v1/submissions/{submission}")).json()
    verdicts = ", ".join(f"{item['outcome']} ({item['reason']})" for item in status["items"] or [])
    console.print(f"  {what}: {verdicts or status['state']}", highlight=False)
