"""Write docs/sandboxes.md: what each backend of this machine refuses, contains and leaves open, as measured now."""

import asyncio
import platform
import sys
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

from envs.sandbox.checks.rows import Outcome, Row
from envs.sandbox.doctor import Finding, examine

NAMES = {
    "bubblewrap": "bubblewrap, root",
    "bubblewrap-user": "bubblewrap, ordinary user",
    "docker": "Docker",
    "docker-runsc": "Docker with gVisor",
}
HEAD = """# Sandboxes

Where live environments run what nobody has looked at. Two ways to make one: Docker Engine (with gVisor's `runsc` where
installed), and bubblewrap where there is no engine. Both are put through the same suite, `self_check(sandbox)`; this
page is what `make sandbox-table` measured. `heldout-server doctor` runs the suite on your machine.

*refused*: the kernel said no. *contained*: it happened, within the limits or within the sandbox. **open**: it worked;
do not run strangers' code there. *works*, **broken**: a word of the protocol does, or does not, what it says.

As root, bubblewrap gives each sandbox 65536 user ids that nothing else on the machine has, control groups, a writable
root with a cap on bytes and on files, no network, no capability that reaches the machine, and a filter of system
calls. As an ordinary user there is one id and there are no control groups: the processes' memory together and their
CPU time are not capped, and rows below say so. A full sandbox still shares the machine's kernel; gVisor puts its own
kernel between, several times slower.

What stays open, and why: an ordinary user can make no control group, so nothing caps the memory of all processes
together but the machine's (give the service a memory limit there); and gVisor's tmpfs does not count files, whose
memory is within the sandbox's limit all the same. Database episodes run on Docker without gVisor, and on bubblewrap:
the service speaks to the server over its unix socket, and a socket made inside gVisor exists in gVisor's kernel alone
(`--host-uds=create` would put it into a folder of the machine's). Only a participant's [container](containers.md) is
given such a folder, read-only, with the one socket that the service listens on in it.

The Docker columns were measured on the private engine of `infra/engine.sh`, which shifts user ids (userns-remap);
an engine that does not is named weaker by the doctor. On a busy machine the CPU row shows less than was possible.
"""


def page(findings: list[Finding]) -> str:
    """The whole page."""
    usable = [finding for finding in findings if finding.usable]
    lines = [HEAD, f"Measured {datetime.now(UTC):%Y-%m-%d} on kernel {platform.release()}, {platform.machine()}.", ""]
    for finding in findings:
        if not finding.usable:
            lines.append(f"- {NAMES[finding.name]}: not measured: {finding.reason}")
        else:
            counts = Counter(row.outcome for row in finding.rows)
            said = ", ".join(f"{counts[outcome]} {outcome.value}" for outcome in Outcome if counts[outcome])
            lines.append(f"- {NAMES[finding.name]}: {said}")
            lines += [f"    - weaker: {weakness}" for weakness in finding.weaknesses]
    for group, names in _groups(usable).items():
        lines += ["", f"## {group[0].upper()}{group[1:]}", ""]
        lines.append("| tried | " + " | ".join(NAMES[finding.name] for finding in usable) + " |")
        lines.append("| --- |" + " --- |" * len(usable))
        for name in names:
            lines.append(f"| {name} | " + " | ".join(_cell(finding, group, name) for finding in usable) + " |")
    return "\n".join([*lines, ""])


def _groups(findings: list[Finding]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for finding in findings:
        for row in finding.rows:
            names = groups.setdefault(row.group, [])
            if row.name not in names:
                names.append(row.name)
    return groups


def _cell(finding: Finding, group: str, name: str) -> str:
    rows = [row for row in finding.rows if (row.group, row.name) == (group, name)]
    return _words(rows[0]) if rows else "–"


def _words(row: Row) -> str:
    outcome = f"**{row.outcome.value}**" if row.bad else row.outcome.value
    detail = row.detail.replace("|", "/").replace("\n", " ")
    return f"{outcome}: {detail}" if detail and row.outcome is not Outcome.REFUSED else outcome


def main() -> None:
    """Examine every backend and write the page."""
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("docs/sandboxes.md")
    findings = asyncio.run(examine(tuple(NAMES)))
    target.write_text(page(findings))
    print(f"{target}: {sum(finding.usable for finding in findings)} of {len(findings)} backends measured")


if __name__ == "__main__":
    main()
