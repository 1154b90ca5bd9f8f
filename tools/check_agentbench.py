"""Convert AgentBench's public samples, play them, and say what is sound.

`python -m tools.check_agentbench DATA [SOURCE...] [MODE...]`; a run that was stopped goes on with what is named.

In mode "fixed" the gold of every kept sample must pass, and the null participant and the one that repeats what it is
shown must score nothing. Exit status 1 where that fails.
"""

import asyncio
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from api.admission import policies, simulation, soundness
from api.admission.player import Policy
from envs import engine, registry
from grading.verdict import Outcome
from packs.problem import ReferenceLine
from packs.read import read_pack

MODES = ["fixed", "published"]
SOURCES = (
    ("os_interaction/dev.json", "agentbench-os"),
    ("os_interaction/group7.json", "agentbench-os"),
    ("dbbench/dev.jsonl", "agentbench-db"),
    ("dbbench/standard_half.jsonl", "agentbench-db"),
)


PARTICIPANTS: dict[str, Callable[[ReferenceLine], Policy]] = {
    "gold": policies.gold,
    "null": lambda _: policies.null,
    "repeat": lambda _: policies.echo,
}


async def _scores(name: str, lines: Sequence[ReferenceLine]) -> dict[str, int]:
    scores = {}
    try:
        for who, policy in PARTICIPANTS.items():
            begun = time.monotonic()
            played = await simulation.simulate_episodes(lines, policy, seed=3)
            scores[who] = sum(item.verdict.outcome is Outcome.CORRECT for item in played)
            seconds = time.monotonic() - begun
            _print([f"fixed: {name}: {who} {scores[who]}/{len(lines)} ({seconds:.0f} s)", *_missed(who, played)])
    finally:
        await engine.close()
    return scores


def _missed(who: str, played: Sequence[simulation.Simulation]) -> list[str]:
    """What went otherwise than it should, each with its cause."""
    wanted = who == "gold"
    wrong = [item for item in played if (item.verdict.outcome is Outcome.CORRECT) is not wanted]
    return [f"  {item.id}: {item.error or f'{item.verdict.outcome}: {item.verdict.reason}'}" for item in wrong]


def check(name: str, importer: str, data: Path, mode: str) -> bool:
    """Convert and, in mode "fixed", play; printed as it goes. Whether all is as it should be."""
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "pack"
        report = soundness.convert(importer, data / name, out, {"mode": mode}, check=True)
        _print([f"{mode}: {line}" for line in report.lines()])
        lines = read_pack(out, registry).references
        scores: dict[str, Any] = asyncio.run(_scores(name, lines)) if mode == "fixed" else {}
    right = not scores or scores == {"gold": report.kept, "null": 0, "repeat": 0}
    said = "as it should be" if right else "NOT AS IT SHOULD BE"
    _print([f"{mode}: {name}: {said} ({time.monotonic() - begun:.0f} s)"])
    return right


def _print(lines: Sequence[str]) -> None:
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def main(arguments: Sequence[str]) -> int:
    """Check every source that is there, in both modes, or those that are named after the folder."""
    data = Path(arguments[0]) if arguments else Path("../shared/data")
    data = data / "agentbench" if (data / "agentbench").is_dir() else data
    modes = [word for word in arguments[1:] if word in MODES] or MODES
    named = [word for word in arguments[1:] if word not in MODES]
    if unknown := sorted(set(named) - {name for name, _ in SOURCES}):
        sys.stderr.write(f"no such source: {', '.join(unknown)}; known: {', '.join(name for name, _ in SOURCES)}\n")
        return 2
    sources = [(name, importer) for name, importer in SOURCES if (data / name).is_file() and name in (named or [name])]
    if not sources:
        sys.stderr.write(f"no AgentBench samples at {data}: name the folder that holds os_interaction and dbbench\n")
        return 2
    right = [check(name, importer, data, mode) for mode in modes for name, importer in sources]
    return 0 if all(right) else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
