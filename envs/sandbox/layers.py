"""Keep what a sandbox wrote as a layer that another sandbox can start from."""

import os
import shutil
import subprocess
from pathlib import Path

from envs.sandbox.base import SandboxError

# Made anew for each sandbox, or mount points: not content.
LEFT_OUT = ("dev", "proc", "sys")


def save_layer(folder: Path, uppers: dict[str, int], base: int | None, width: int) -> None:
    """Copy upper folders (descriptors by name) to `folder`, with ids as they are inside. Raises SandboxError.

    Whiteouts and the overlay's own attributes are kept, so that a deleted file stays deleted.
    """
    if folder.exists():
        raise SandboxError(f"{folder} exists already")
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    for name, descriptor in uppers.items():
        target = partial / name
        target.mkdir(parents=True)
        argv = ["cp", "-a", "--sparse=always", f"/proc/self/fd/{descriptor}/.", str(target)]
        done = subprocess.run(argv, pass_fds=(descriptor,), capture_output=True, timeout=600, check=False)
        if done.returncode != 0:
            shutil.rmtree(partial, ignore_errors=True)
            raise SandboxError(f"a snapshot failed: {done.stderr.decode('utf-8', 'replace')[:500]}")
    for name in LEFT_OUT:
        shutil.rmtree(partial / "root" / name, ignore_errors=True)
    if base is not None:
        _shift(partial, base, width)
    partial.rename(folder)


def _shift(top: Path, base: int, width: int) -> None:
    for parent, folders, names in os.walk(top):
        for name in (*folders, *names):
            path = os.path.join(parent, name)  # noqa: PTH118 - a hot loop
            found = os.lstat(path)
            uid, gid = (value - base if base <= value < base + width else 0 for value in (found.st_uid, found.st_gid))
            os.lchown(path, uid, gid)
            if not os.path.islink(path):  # noqa: PTH114
                os.chmod(path, found.st_mode & 0o7777)  # noqa: PTH101 - lchown cleared the setuid bits
