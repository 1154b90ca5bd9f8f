"""Files of a sandbox, opened from outside: links resolve inside its root, and nothing odd is ever opened.

An absolute link in /proc/PID/root would lead into the machine: openat2 with RESOLVE_IN_ROOT keeps it inside.
"""

import contextlib
import errno
import os
import stat
from pathlib import PurePosixPath

from envs.sandbox.base import FileRefusedError
from envs.sandbox.supervisor import kernel

_NO_MAGICLINKS, _IN_ROOT = 0x02, 0x10
_FLAGS = os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_CHUNK = 1 << 20


def open_in(root: int, path: str, flags: int, mode: int = 0) -> int:
    """A descriptor for `path` under the root descriptor. Raises FileRefusedError."""
    if "\0" in path:
        raise FileRefusedError(errno.EINVAL, "a path contains a NUL byte", path)
    try:
        relative = path.lstrip("/") or "."
        return kernel.openat2(
            root, relative, flags if flags & os.O_PATH else flags | _FLAGS, mode, _IN_ROOT | _NO_MAGICLINKS
        )
    except OSError as error:
        raise FileRefusedError(error.errno, os.strerror(error.errno or 0), path) from None


def locate(root: int, path: str) -> int:
    """An O_PATH descriptor of anything that is not a link. Raises FileRefusedError."""
    return open_in(root, path, os.O_PATH | os.O_CLOEXEC)


def read(root: int, path: str, limit: int) -> bytes:
    """A regular file's content, if it has at most `limit` bytes. Raises FileRefusedError."""
    descriptor = open_in(root, path, os.O_RDONLY)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise FileRefusedError(errno.EINVAL, "not a regular file", path)
        if found.st_size > limit:
            raise FileRefusedError(errno.EFBIG, f"{found.st_size} bytes, more than the {limit} allowed", path)
        return _read(descriptor, limit)
    finally:
        os.close(descriptor)


def _read(descriptor: int, limit: int) -> bytes:
    data = bytearray()
    while len(data) < limit:
        chunk = os.read(descriptor, min(_CHUNK, limit - len(data)))
        if not chunk:
            break
        data += chunk
    return bytes(data)


def write(root: int, path: str, content: bytes, mode: int, owner: int) -> None:
    """Write a regular file and make its folders, all owned by the machine's id `owner`. Raises FileRefusedError."""
    _make_folders(root, str(PurePosixPath(path).parent), owner)
    descriptor = open_in(root, path, os.O_WRONLY | os.O_CREAT, mode)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise FileRefusedError(errno.EINVAL, "not a regular file", path)
        os.ftruncate(descriptor, 0)
        view = memoryview(content)
        while view:
            view = view[os.write(descriptor, view) :]
        os.fchown(descriptor, owner, owner)
        os.fchmod(descriptor, mode)
    except OSError as error:
        raise FileRefusedError(error.errno, os.strerror(error.errno or 0), path) from None
    finally:
        os.close(descriptor)


def _make_folders(root: int, folder: str, owner: int) -> None:
    so_far = ""
    for part in PurePosixPath(folder).parts:
        if part == "/":
            continue
        parent = open_in(root, so_far or "/", os.O_RDONLY | os.O_DIRECTORY)
        try:
            if part not in (".", ".."):
                with contextlib.suppress(FileExistsError):
                    os.mkdir(part, 0o755, dir_fd=parent)
                    os.chown(part, owner, owner, dir_fd=parent, follow_symlinks=False)
        except OSError as error:
            raise FileRefusedError(error.errno, os.strerror(error.errno or 0), folder) from None
        finally:
            os.close(parent)
        so_far = f"{so_far}/{part}"
