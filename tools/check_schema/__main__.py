"""`make check-schema`: schemathesis with an owner's, a participant's and an operator's key; exit 1 where it finds."""

import argparse
import asyncio
import json
import os
import tempfile
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import httpx2

from api.core import migrate
from api.core.db import local_server
from api.core.settings import Settings
from api.hosting.server import Host
from tests.support.listening import listening
from tests.support.service import Service
from tools.check_schema.clock import Standstills, Timed
from tools.fuzz_api.scene import Scene

WHO = ("owner", "participant", "operator")
HERE = Path(__file__).parent
_PAUSE = 30.0
_SLOW = 120.0
"""Seconds of a running process that no request may take."""
_GIVEN_UP = "900"
"""Seconds until schemathesis gives up on a request: a machine that stands still meanwhile is no slow route."""


@dataclass(frozen=True)
class Wish:
    """How long, how many cases of an operation at most (0: as many as the time holds), from which seed."""

    program: str
    minutes: float
    cases: int
    seed: int
    only: str
    out: Path | None


async def run(wish: Wish) -> int:
    """Serve, ask with all keys at once, and say what was found.

    Returns the number of keys whose run found anything, and of requests that took two minutes though the process ran.
    """
    with tempfile.TemporaryDirectory(prefix="hlds", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        settings = Settings(
            data_dir=Path(folder),
            rate_limits_enabled=False,
            port=0,
            pool_ready=0,
            declaration_lead_seconds=0,
            endpoint_networks=(ip_network("127.0.0.0/8"),),
        )
        migrate.prepare(settings)
        server = local_server(settings)
        try:
            async with Service.running(settings) as service, Host.running(settings):
                scene = await Scene.made(service, "http://127.0.0.1:9/v1")
                with Standstills() as standstills:
                    timed = Timed(service.app, standstills)
                    async with listening(timed) as port:
                        bad = await _asked(scene, port, wish, Path(folder))
                slow = timed.slower_than(_SLOW)
                print(f"== the slowest requests\n{timed}", flush=True)
                return bad + len(slow)
        finally:
            if server:
                server.stop()


async def _asked(scene: Scene, port: int, wish: Wish, folder: Path) -> int:
    known = folder / "known.json"
    _write(known, scene)
    scene.service.app.openapi()  # made once: the program waits ten seconds for it
    runs = [asyncio.create_task(_one(scene, who, port, wish, known)) for who in WHO]
    while not all(one.done() for one in runs):
        await asyncio.wait(runs, timeout=_PAUSE)
        await scene.service.work(may_fail=True)
        await scene.look()
        _write(known, scene)
    codes = [one.result() for one in runs]
    return sum(code != 0 for code in codes)


def _write(path: Path, scene: Scene) -> None:
    """Real ids, whole at once: it is read meanwhile."""
    values = {name: [value for value in found if isinstance(value, str | int)] for name, found in scene.known.items()}
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps(values), encoding="utf-8")
    fresh.replace(path)


async def _one(scene: Scene, who: str, port: int, wish: Wish, known: Path) -> int:
    caller = scene.callers[who]
    rights = _rights(await caller.get("/v1/me"))
    key, own = caller.key, rights["key"]
    arguments = [
        wish.program,
        "--config-file",
        str(HERE / "schemathesis.toml"),
        "run",
        f"http://127.0.0.1:{port}/v1/openapi.json",
        "--no-color",
    ]
    arguments += ["--header", f"Authorization: Bearer {key}", "--seed", str(wish.seed), "--continue-on-failure"]
    arguments += ["--suppress-health-check", "all", "--request-timeout", _GIVEN_UP, "--workers", "1"]
    if wish.minutes:
        arguments += ["--max-time", str(int(wish.minutes * 60))]
    arguments += ["--max-examples", str(wish.cases or 1_000_000)]
    if wish.only:
        arguments += ["--include-operation-id-regex", wish.only]
    variables = {
        "SCHEMATHESIS_HOOKS": "tools.check_schema.hooks",
        "CHECK_SCHEMA_KNOWN": str(known),
        "CHECK_SCHEMA_SEED": str(wish.seed),
        "CHECK_SCHEMA_KEY": own,
        "PYTHONPATH": str(HERE.parents[1]),
    }
    process = await asyncio.create_subprocess_exec(
        *arguments, env=os.environ | variables, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    said = (await process.communicate())[0].decode(errors="replace").replace(key, "KEY")
    if wish.out is not None:
        (wish.out / f"{who}.txt").write_text(said, encoding="utf-8")
    print(f"== {who}\n{said[said.rfind('= SUMMARY =') :] if '= SUMMARY =' in said else said[-4000:]}", flush=True)
    if (now := _rights(await caller.get("/v1/me"))) != rights:
        print(f"== {who}: the key had {rights} and has {now}, so that the run says little", flush=True)
        return 1
    return process.returncode or 0


def _rights(me: httpx2.Response) -> dict[str, Any]:
    """What a key may do, and for whom; nothing where it does not hold."""
    if me.status_code != 200:
        return {}
    said = me.json()
    return {"key": said["key"]["id"]} | {name: said[name] for name in ("organisation", "operator", "scopes")}


def main() -> None:
    """Read the arguments; exit 1 where a run found anything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default="st", help="schemathesis' program")
    parser.add_argument("--minutes", type=float, default=0.0, help="how long; 0: until the cases are done")
    parser.add_argument("--cases", type=int, default=0, help="at most so many cases of an operation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="a regular expression of operation ids")
    parser.add_argument("--out", type=Path, help="a folder for all that it said")
    chosen = parser.parse_args()
    if chosen.out is not None:
        chosen.out.mkdir(parents=True, exist_ok=True)
    raise SystemExit(1 if asyncio.run(run(Wish(**vars(chosen)))) else 0)


if __name__ == "__main__":
    main()
