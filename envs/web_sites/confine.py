"""A site's process in bubblewrap: no network but its own loopback, no process but its own, and of the machine's files
the programs it needs, all read-only but the folder of its sessions.

Requests reach it over the socket in that folder. As root it has no capability, and a control group bounds its memory
and processes and leaves half of the machine's processors to others; for everybody else the kernel's own limits do. What
outgrows them dies, which is a fault and replayed. One that spins is ended, confined or not (see `watch`).
"""

import os
import shlex
from pathlib import Path

from envs.browser.confine import FILES, TREES, joining
from envs.sandbox.supervisor import cgroups
from envs.web_sites import install
from envs.web_sites.site import Site

MEMORY_BYTES = 2 << 30
PROCESSES = 300
SCRATCH_BYTES = 256 << 20


def confined(site: Site, interpreter: Path, folder: Path, command: list[str]) -> tuple[list[str], cgroups.Group | None]:
    """The command that starts `command` in bubblewrap, and its control group, if there is one.

    `folder` is the process's own; the one above it, which it shares with sites that work on the same data, can be
    written to.
    """
    processors = max(1.0, (os.cpu_count() or 1) / 2)
    group = cgroups.bounded(f"site-{folder.parent.name}-{folder.name}", MEMORY_BYTES, PROCESSES, processors)
    limits = joining(group) or [f"ulimit -d {MEMORY_BYTES // 1024}"]
    # The shell stays outside: the site outlives the service for as long as it takes to delete its folder, and dies with
    # the shell, whose number the service knows.
    script = "\n".join([*limits, shlex.join([*_bubblewrap(site, interpreter, folder), "--", *command]), "exit $?"])
    return ["/bin/sh", "-c", script], group


def _bases(interpreter: Path) -> list[Path]:
    """The folders of the Python that an environment's interpreter leads to, under each name by which it does."""
    found, link = [interpreter.resolve().parent.parent], interpreter
    while link.is_symlink():
        link = Path(os.path.normpath(link.parent / link.readlink()))
        found.append(link.parent.parent)
    return [base for base in dict.fromkeys(found) if base != Path("/")]


def _bubblewrap(site: Site, interpreter: Path, folder: Path) -> list[str]:
    line = ["bwrap", "--die-with-parent", "--new-session", "--unshare-net", "--unshare-pid", "--unshare-ipc"]
    line += ["--unshare-uts", "--cap-drop", "ALL"]
    for place in (*TREES, *FILES):
        line += ["--ro-bind-try", place, place]
    line += ["--proc", "/proc", "--dev", "/dev", "--perms", "1777", "--size", str(SCRATCH_BYTES), "--tmpfs", "/tmp"]  # noqa: S108
    for seen in (*_bases(interpreter), install.cache(), install.common(), site.folder):
        if not any(seen.is_relative_to(place) for place in TREES):
            line += ["--ro-bind", str(seen.resolve()), str(seen)]
    line += ["--bind", str(folder.parent), str(folder.parent)]
    return [*line, "--setenv", "TMPDIR", "/tmp", "--chdir", "/"]  # noqa: S108
