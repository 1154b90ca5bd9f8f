"""`make load`: virtual participants of mixed kinds against several processes; latencies, and what was lost or doubled.

With FAULTS, something goes wrong every so many seconds, in turn (`tools.load.faults`). SIGTERM ends all of it.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from contextlib import AsyncExitStack, nullcontext
from pathlib import Path

import httpx2
import psutil
import typer

from api.cli.baselines.throwaway import enrol, unlimited
from api.cli.common import run
from api.core.db import Database, Role
from api.core.ids import parse_id
from api.core.settings import Settings
from api.worker.importing import import_pack
from tests.support.service import choice_pack
from tests.support.sessions import echo_pack
from tests.support.sql import sql
from tools.load.faults import Machine, inflict
from tools.load.fleet import Fleet
from tools.load.memory import Watch, processes
from tools.load.participants import Participant, Tally, play

# Of ten participants.
MIX = ("browse", "browse", "browse", "read", "read", "submit", "submit", "step", "step", "step")
ORGANISATIONS = 10
GRADED_SECONDS = 600


async def main(options: argparse.Namespace) -> int:
    """Play, settle, count. 0 when nothing was lost, doubled or contradicted, and memory is flat."""
    with tempfile.TemporaryDirectory(prefix="hld", dir="/tmp", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        chosen = {"rate_limits_enabled": False, "session_share": 1.0, "host_slots": max(64, options.participants)}
        settings = Settings.model_validate({"data_dir": Path(folder), "log_level": "critical"} | chosen)
        counts = {"serve": options.serve, "worker": options.workers, "host": options.hosts}
        with (
            Machine.prepared(Path(folder), settings.data_dir / "postgres")
            if options.faults
            else nullcontext(Machine()) as machine
        ):
            async with Fleet(settings, counts, kept=True) as fleet:
                database = Database.of(settings, Role.ADMIN)
                try:
                    return await _run(fleet, machine, database, options)
                finally:
                    await database.close()


async def _run(fleet: Fleet, machine: Machine, database: Database, options: argparse.Namespace) -> int:
    keys, tally, ending = await _prepared(fleet, database), Tally(), asyncio.Event()
    began, before = time.monotonic(), _used(fleet)
    watch = Watch(fleet, options.look)
    async with AsyncExitStack() as stack, asyncio.TaskGroup() as group:
        limits = httpx2.Limits(max_connections=options.participants)
        clients = [
            await stack.enter_async_context(httpx2.AsyncClient(base_url=address, timeout=60, limits=limits))
            for address in fleet.addresses
        ]
        for number in range(options.participants):
            kind = options.mix[number % len(options.mix)]
            key = "" if kind == "browse" else keys[number % len(keys)]
            group.create_task(play(Participant(clients, key, number, tally), kind, ending))
        group.create_task(watch.until(ending))
        faults = group.create_task(inflict(fleet, machine, options.faults, ending))
        await asyncio.sleep(options.seconds)
        ending.set()
    seconds = time.monotonic() - began
    lost = await lost_or_doubled(database, tally)
    after = _used(fleet)
    for line in _report(tally, seconds):
        print(json.dumps(line))
    summary = {
        "participants": options.participants,
        "processes": len(fleet.ports),
        "seconds": round(seconds),
        "faults": dict(faults.result()),
        "faults left out": machine.missing,
        "submissions": len(tally.submissions),
        "sessions": len(tally.sessions),
        "not answered at once": dict(tally.refused),
        "memory": watch.report(),
        # Of a process that was killed meanwhile what it had used is not known.
        "processor seconds": {kind: round(used - before[kind], 2) for kind, used in after.items() if kind in before},
        "lost or doubled": lost,
        "contradictions": tally.wrong[:10],
    }
    print(json.dumps(summary))
    return 1 if lost or tally.wrong or watch.growing() else 0


async def _prepared(fleet: Fleet, database: Database) -> list[str]:
    """Two benchmarks, and a key for each of some organisations."""
    async with database.session() as session:
        await import_pack(session, fleet.settings, unlimited(choice_pack(count=50)))
        await import_pack(session, fleet.settings, unlimited(echo_pack(count=20, steps=100, seconds=3600)))
        return [(await enrol(session, fleet.settings, f"load-{n}"))[1] for n in range(ORGANISATIONS)]


async def lost_or_doubled(database: Database, tally: Tally) -> list[str]:
    """What differs between what was acknowledged and what is there, once everything accepted is graded."""
    asked = {parse_id("sub", name): items for name, items in tally.submissions.items()}
    count = """select id, state, (select count(*) from submission_item i where i.submission_id = s.id) as n,
                 (select count(graded_at) from submission_item i where i.submission_id = s.id) as graded
               from submission s"""
    deadline = time.monotonic() + GRADED_SECONDS
    while True:
        async with database.session() as session:
            rows = {row.id: row for row in (await sql(session, count)).all()}
        waiting = [row for row in rows.values() if row.state != "graded"]
        if not waiting or time.monotonic() > deadline:
            break
        await asyncio.sleep(1.0)
    faults = [f"submission {name} is not there" for name in asked.keys() - rows.keys()]
    faults += [f"submission {name} was never acknowledged" for name in rows.keys() - asked.keys()]
    faults += [f"{row.id} is {row.state} with {row.graded} of {row.n} graded" for row in waiting]
    faults += [
        f"{name} has {rows[name].n} items, not {n}" for name, n in asked.items() if name in rows and rows[name].n != n
    ]
    async with database.session() as session:
        found = (await sql(session, "select id, steps, state from live_session where state <> 'failed'")).all()
    steps = {row.id: row for row in found}
    for public, acknowledged in tally.sessions.items():
        row = steps.get(parse_id("ses", public))
        if row is None or row.steps != acknowledged:
            faults.append(f"{public} has {row.steps if row else 'no'} steps, not {acknowledged}")
    return faults


def _report(tally: Tally, seconds: float) -> list[dict[str, object]]:
    """One line an operation: rate and percentiles in milliseconds."""
    lines: list[dict[str, object]] = []
    for what, found in sorted(tally.seconds.items()):
        if len(found) < 2:
            continue
        cuts = statistics.quantiles(found, n=1000, method="inclusive")
        shown = {f"p{name} ms": round(cuts[at] * 1000, 1) for name, at in (("50", 499), ("95", 949), ("99", 989))}
        lines.append({"operation": what, "count": len(found), "a second": round(len(found) / seconds, 1)} | shown)
    return lines


def _used(fleet: Fleet) -> dict[str, float]:
    """Seconds of a processor by kind of process, and of PostgreSQL, with their children."""
    found: dict[str, float] = {}
    for name, pid in processes(fleet):
        try:
            known = psutil.Process(pid)
            tree = [known, *known.children(recursive=True)]
            seconds = sum(sum(one.cpu_times()[:4]) for one in tree)
        except psutil.NoSuchProcess:
            continue
        kind = name.partition("-")[0]
        found[kind] = found.get(kind, 0.0) + seconds
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--participants", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--serve", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--hosts", type=int, default=2)
    parser.add_argument("--mix", type=lambda text: tuple(text.split(",")), default=MIX, help="kinds, with commas")
    parser.add_argument("--faults", type=float, default=0, help="seconds between two faults; 0: none")
    parser.add_argument("--look", type=float, default=60, help="seconds between two looks at the memory")
    try:
        sys.exit(run(main(parser.parse_args())))
    except typer.Exit as ended:
        sys.exit(ended.exit_code)
