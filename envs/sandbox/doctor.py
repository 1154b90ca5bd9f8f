"""What this machine can and cannot isolate, in plain words. `report()` is what `heldout-server doctor` prints."""

import asyncio
import platform
import shutil
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from envs.sandbox.backends import KNOWN, default_backend
from envs.sandbox.base import Backend, Image, SandboxError
from envs.sandbox.checks.rows import Outcome, Row
from envs.sandbox.checks.suite import LIMITS, check_backend
from envs.sandbox.supervisor import cgroups

TOOLS = {
    "bwrap": "bubblewrap: sandboxes without a container engine",
    "docker": "Docker's client (the engine is asked separately)",
    "mmdebstrap": "builds images where no registry is reachable",
    "runsc": "gVisor: a kernel of its own for each sandbox",
}


@dataclass
class Finding:
    """What was found about one backend. `rows` is empty where it cannot run or was not put through the suite."""

    name: str
    usable: bool
    reason: str = ""
    weaknesses: tuple[str, ...] = ()
    rows: list[Row] = field(default_factory=list)

    @property
    def open_rows(self) -> list[Row]:
        """What an operator has to know."""
        return [row for row in self.rows if row.bad]


async def examine(names: tuple[str, ...] = KNOWN, *, attacks: bool = True, image: str = "host") -> list[Finding]:
    """Try each backend; with `attacks` put it through the suite (about half a minute each). Raises nothing."""
    return [await _examine(name, attacks=attacks, image=image) for name in names]


async def _examine(name: str, *, attacks: bool, image: str) -> Finding:
    try:
        backend = await default_backend(prefer=name)
    except SandboxError as error:
        return Finding(name, usable=False, reason=str(error))
    try:
        async with backend:
            chosen = image_for(name, image)
            await _answers(backend, chosen)
            rows = await check_backend(backend, chosen) if attacks else []
            return Finding(name, True, weaknesses=backend.traits.weaknesses, rows=rows)
    except (SandboxError, OSError) as error:
        return Finding(name, usable=False, reason=str(error))


def image_for(name: str, image: str) -> str:
    """Docker has no "host" image: there the task image of `make images` stands for it."""
    return "heldout/task" if name.startswith("docker") and image == "host" else image


async def _answers(backend: Backend, image: str) -> None:
    sandbox = await backend.start(Image(name=image), LIMITS)
    try:
        result = await sandbox.run(["true"], timeout=60)
        if result.status != 0:
            raise SandboxError(f"a first command ended with {result.status}")
    finally:
        await sandbox.destroy()


def report(findings: list[Finding]) -> list[str]:
    """Plain lines: the machine, each backend, and what to do."""
    version = cgroups.version() if Path("/sys/fs/cgroup").exists() else None
    groups = f"control groups version {version}" if version else "no control groups that this user may make"
    lines = [f"Kernel {platform.release()} on {platform.machine()}, {groups}."]
    for tool, what in TOOLS.items():
        lines.append(f"  {tool:<11} {'found' if shutil.which(tool) else 'not found'}: {what}")
    for finding in findings:
        lines += ["", *_backend_lines(finding)]
    lines += ["", _verdict(findings)]
    return lines


def _backend_lines(finding: Finding) -> list[str]:
    if not finding.usable:
        return [f"{finding.name}: cannot be used here: {finding.reason}"]
    lines = [f"{finding.name}: works."]
    lines += [f"  weaker: {weakness}" for weakness in finding.weaknesses]
    if finding.rows:
        counts = Counter(row.outcome for row in finding.rows)
        lines.append("  " + ", ".join(f"{counts[outcome]} {outcome.value}" for outcome in Outcome if counts[outcome]))
    lines += [f"  {row.outcome.value.upper()}: {row.name}: {row.detail}" for row in finding.open_rows]
    return lines


def _verdict(findings: list[Finding]) -> str:
    usable = [finding for finding in findings if finding.usable]
    if not usable:
        return "This machine cannot isolate anything: live environments stay off. Run infra/setup.sh as root."
    if not any(finding.rows for finding in usable):
        return f"These start: {', '.join(finding.name for finding in usable)}. The attacks were not tried."
    full = [finding for finding in usable if not finding.weaknesses and not finding.open_rows]
    if full:
        names = " or ".join(finding.name for finding in full)
        return f"Safe for agents nobody has looked at: {names}, as far as one shared kernel is safe."
    return "Only weaker isolation works here: good for agents you trust, not for strangers."


def main() -> None:
    """Print the report."""
    print("\n".join(report(asyncio.run(examine()))))


if __name__ == "__main__":
    main()
