"""Convert AgentBench's public samples, play them, and say what is sound: `python -m api.catalog.check_agentbench DATA`.

In mode "fixed" the gold of every kept sample must pass, and the null participant and the one that repeats what it is
shown must score nothing. Exit status 1 where that fails.
"""

import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from api.catalog import rehearse
from api.catalog.importers import agentbench_db, agentbench_os, health
from api.catalog.importers.report import Report
from api.catalog.packs.format import ReferenceLine
from api.catalog.packs.read import read_pack
from envs import engine

SOURCES: tuple[tuple[str, Callable[..., Report]], ...] = (
    ("os_interaction/dev.json", agentbench_os.convert),
    ("os_interaction/group7.json", agentbench_os.convert),
    ("dbbench/dev.jsonl", agentbench_db.convert),
    ("dbbench/standard_half.jsonl", agentbench_db.convert),
)


async def _scores(lines: Sequence[ReferenceLine]) -> dict[str, int]:
    try:
        gold = await rehearse.rehearse_all(lines, rehearse.gold, seed=3)
        null = await rehearse.rehearse_all(lines, lambda _: rehearse.null, seed=3)
        parrot = await rehearse.rehearse_all(lines, lambda _: rehearse.parrot, seed=3)
    finally:
        await engine.close()
    return {name: rehearse.passed(played) for name, played in (("gold", gold), ("null", null), ("parrot", parrot))}


def check(name: str, convert: Callable[..., Report], data: Path, mode: str) -> tuple[list[str], bool]:
    """The lines of the report, and whether all is as it should be."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "pack"
        report = partial(convert, mode=mode, check=True)(data / name, out)
        lines = read_pack(out).references
        scores: dict[str, Any] = health.run(_scores(lines)) if mode == "fixed" else {}
    told = [f"{mode}: {line}" for line in report.lines()]
    if not scores:
        return [*told, f"{mode}: {time.monotonic() - begun:.0f} s"], True
    right = scores == {"gold": report.kept, "null": 0, "parrot": 0}
    played = ", ".join(f"{who} {count}/{report.kept}" for who, count in scores.items())
    return [*told, f"{mode}: {name}: {played} ({time.monotonic() - begun:.0f} s)"], right


def main(arguments: Sequence[str]) -> int:
    """Check every source that is there, in both modes."""
    data = Path(arguments[0]) if arguments else Path("../shared/data")
    data = data / "agentbench" if (data / "agentbench").is_dir() else data
    modes = arguments[1:] or ["fixed", "published"]
    sources = [(name, convert) for name, convert in SOURCES if (data / name).is_file()]
    if not sources:
        sys.stderr.write(f"no AgentBench samples at {data}: name the folder that holds os_interaction and dbbench\n")
        return 2
    wrong = 0
    for name, convert in sources:
        for mode in modes:
            lines, right = check(name, convert, data, mode)
            sys.stdout.write("\n".join(lines) + ("\n" if right else "\nNOT AS IT SHOULD BE\n"))
            sys.stdout.flush()
            wrong += not right
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
