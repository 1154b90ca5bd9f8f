"""What this machine can do for browsers, in plain words: a part of `heldout-server doctor`."""

import os

from envs.browser import confine
from envs.browser.chromium import NETWORK, OWN, SHARED, executable
from envs.sandbox.supervisor import cgroups


def report() -> list[str]:
    """Lines: which Chromium, what network it gets, whether its memory is bounded."""
    program = executable()
    if program is None:
        return ["Browser: none found; install chromium-headless-shell. Web environments stay off."]
    lines = [f"Browser: {program}."]
    found, wanted = confine.obstacle(), os.environ.get(NETWORK, "")
    if wanted == SHARED:
        lines.append(
            f"  weaker: {NETWORK}={SHARED}: only the proxy and its rules keep pages from this machine's network"
        )
    elif found is None:
        lines.append("  has a network of its own, where only the sessions' sites can be reached")
    elif wanted == OWN:
        lines.append(f"  off: {NETWORK}={OWN}, and it cannot have a network of its own: {found}")
    else:
        lines.append(f"  weaker: only the proxy and its rules keep pages from this machine's network: {found}")
    if found is None and wanted != SHARED and os.geteuid() == 0 and cgroups.version():
        lines.append(f"  its memory is bounded at {confine.MEMORY_BYTES >> 30} GB by a control group")
    else:
        lines.append("  weaker: only scripts' memory is bounded (512 MB a page), not pictures and buffers")
    return lines
