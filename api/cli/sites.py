"""`sites`: sites of an owner's own deployment, tried before a pack is served on them."""

import asyncio
import json
import os
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from api.admission import opening
from api.admission.opening import Opened
from api.cli.common import console, fail, run
from envs import registry
from envs.base import InfrastructureError, SpecError
from envs.web_sites import install
from envs.web_sites.external import checking
from envs.web_sites.external.registry import VARIABLE, external_sites, using
from envs.web_sites.external.spec import ExternalSite, read
from envs.web_sites.generator import SEED as DEMO_SEED
from envs.web_sites.listening import serving
from envs.web_sites.site import Site
from envs.web_sites.site import names as own_names
from envs.web_sites.site import site as own_site
from envs.web_sites.stand_ins import StandIns, stand_ins
from packs.read import read_pack

SitesOption = Annotated[
    Path | None, typer.Option("--sites", help=f"the file that describes the sites; else what {VARIABLE} names")
]

ROW = "{:18} {:10} {:>6} {:>7} {:>8} {:>7} {:>8} {:>7}"


def register(app: typer.Typer) -> None:
    """Add the command's parts."""
    sites = typer.Typer(no_args_is_help=True, help="Sites, ours and those that their owner runs (docs/sites.md).")
    sites.command("check")(check)
    sites.command("open")(open_)
    sites.command("serve")(serve)
    app.add_typer(sites, name="sites")


def check(
    sites: SitesOption = None,
    reset: Annotated[bool, typer.Option("--reset", help="also put each site back; what it holds is lost")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="the last line is one JSON object")] = False,
) -> None:
    """What works of each site: its address, signing in, reading its state, and putting it back."""
    described = _described(sites)
    if not described:
        fail(f"no sites: name a file with --sites or in {VARIABLE}")

    async def work() -> list[checking.Checked]:
        try:
            return [await checking.check(site, reset=reset) for site in described.values()]
        finally:
            await registry.close()
            await checking.close()

    found = run(work())
    for one in found:
        for part, problem in one.parts.items():
            _say(f"{one.site:16} {part:24} {problem or 'works'}")
    if as_json:
        typer.echo(json.dumps({"sites": {one.site: one.parts for one in found}, "works": all(o.works for o in found)}))
    if not all(one.works for one in found):
        raise typer.Exit(1)


def open_(
    pack: Annotated[Path, typer.Option(help="folder of the pack")],
    sites: SitesOption = None,
    at_once: Annotated[int, typer.Option(min=1, max=64, help="tasks at a time")] = 4,
    only: Annotated[str, typer.Option(help="tasks whose id holds this")] = "",
    limit: Annotated[int | None, typer.Option(min=1, help="so many tasks, drawn evenly from all")] = None,
    out: Annotated[Path | None, typer.Option(help="a file of lines: each task, and what stand-ins were asked")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="the last line is one JSON object")] = False,
) -> None:
    """Open every task on sites, take a step, judge it unfinished. Without --sites what is not ours is a stand-in."""
    described = _described(sites)
    checked = run(_read(pack))
    lines = [line for line in opening.tasks(checked) if only in line.id]
    lines = lines if limit is None else lines[:: max(1, len(lines) // limit)][:limit]
    found: list[Opened] = []

    def report(one: Opened) -> None:
        found.append(one)
        if not one.judged:
            _say(f"{one.id}: {'stepped' if one.stepped else 'opened' if one.opened else 'not opened'}: {one.why}")
        elif len(found) % 50 == 0:
            _say(f"{len(found)} of {len(lines)} tasks")

    async def work() -> StandIns:
        try:
            with using(described):
                async with _served(lines, stand_in=not described) as served:
                    await opening.open_all(checked, lines, at_once, report)
                return served
        finally:
            await registry.close()

    served = run(work())
    _show(found, served, described)
    if out:
        _write(out, found, served)
    summary = opening.summary(found)
    if as_json:
        typer.echo(json.dumps(summary))
    if summary["judged"] < summary["tasks"]:
        raise typer.Exit(1)


def serve(
    name: Annotated[str, typer.Argument(help=f"one of our own sites: {', '.join(own_names())}")],
    role: Annotated[str | None, typer.Option(help="who is signed in; the site's first role without it")] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one")] = 8700,
    seed: Annotated[int, typer.Option(min=0, help="of its content; demo-web's without it")] = DEMO_SEED,
    size: Annotated[str, typer.Option(help=" or ".join(install.SIZES))] = "full",
) -> None:
    """Open one of our own sites for a person's browser, on a fresh copy of its content, until Ctrl+C."""
    if size not in install.SIZES:
        fail(f"--size {size!r}: write {' or '.join(install.SIZES)}")
    try:
        site = own_site(name)
        run(_serve(site, role or next(iter(site.roles), None), port, seed, size))
    except (SpecError, InfrastructureError) as error:
        fail(str(error))
    except OSError as error:
        fail(f"port {port}: {error.strerror or error}")
    except KeyboardInterrupt:
        _say("closed")


async def _serve(site: Site, role: str | None, port: int, seed: int, size: str) -> None:
    async with serving(site, role, port, seed, size) as address:
        roles = ", ".join(site.roles)
        _say(f"{site.title} is at {address}/ with {role or 'nobody'} signed in (--role: {roles}). Ctrl+C ends it.")
        await asyncio.Event().wait()


async def _read(pack: Path) -> Any:
    return read_pack(pack, registry, grade_gold=False)


def _described(sites: Path | None) -> dict[str, ExternalSite]:
    try:
        return read(sites) if sites else dict(external_sites())
    except SpecError as error:
        fail(str(error))


@asynccontextmanager
async def _served(lines: list[Any], *, stand_in: bool) -> AsyncIterator[StandIns]:
    if not stand_in:
        yield StandIns()
        return
    async with stand_ins(opening.needs(lines)) as made:
        yield made


def _show(found: list[Opened], served: StandIns, described: dict[str, ExternalSite]) -> None:
    _say(ROW.format("site", "served by", "tasks", "opened", "stepped", "judged", "waiting", "asked"))
    for name, counts in opening.summary(found)["by_site"].items():
        by = "stand-in" if name in served.servers else "its owner" if name in described else "us"
        asked = len(served.servers[name].log) if name in served.servers else "-"
        numbers = [counts[key] for key in ("tasks", "opened", "stepped", "judged", "waits_for_a_judge")]
        _say(ROW.format(name, by, *numbers, asked))


def _write(out: Path, found: list[Opened], served: StandIns) -> None:
    lines: list[dict[str, Any]] = [asdict(one) for one in sorted(found, key=lambda one: one.id)]
    for name, server in served.servers.items():
        counted = Counter((method, path, status) for method, path, status in server.log)
        lines += [
            {"site": name, "method": method, "path": path, "status": status, "times": times}
            for (method, path, status), times in sorted(counted.items())
        ]
    out.write_text("".join(json.dumps(line) + os.linesep for line in lines), encoding="utf-8")


def _say(text: str) -> None:
    console.print(text, highlight=False, markup=False, soft_wrap=True)
