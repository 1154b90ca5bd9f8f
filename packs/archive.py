"""A pack as one archive (zip, or tar as it is or under gzip or Zstandard), unpacked without trusting a byte of it.

Nothing of the archive's own modes, owners or links reaches the disk: the files that a pack has are written as new plain
files below a folder of the caller's, and whatever else lies in the archive is passed over or is a fault.
"""

import gzip
import io
import posixpath
import re
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, cast

import zstandard

from packs.assets import printable
from packs.faults import Fault, PackError
from packs.pack import ASSETS_FOLDER, BENCHMARK_FILE, PROBLEMS_FILE, REFERENCES_FILE

_HEADS = (BENCHMARK_FILE, PROBLEMS_FILE, REFERENCES_FILE)
_PIECE = 1 << 20
_NAME_LENGTH = 600
_ASSET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,500}")
_ZIP, _GZIP, _ZSTD = b"PK\x03\x04", b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
# A pack's archive may be made of its folder: then everything lies one folder deeper.
_REMEDY = "pack the folder's files: benchmark.toml, problems.jsonl, references.jsonl and assets/"
_BROKEN = (
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
    gzip.BadGzipFile,
    zstandard.ZstdError,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    MemoryError,
)


@dataclass(frozen=True)
class Limits:
    """What an archive may hold: entries of any sort, and bytes once unpacked (headers of a tar included)."""

    entries: int = 100_000
    unpacked_bytes: int = 2 * 2**30


class _TooMuchError(Exception):
    """The archive holds more than it may."""


@dataclass
class _Counted(io.RawIOBase):
    """A stream that ends in an error after so many bytes, whatever its headers promised."""

    source: IO[bytes]
    left: int

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]
        piece = self.source.read(len(buffer))
        self.left -= len(piece)
        if self.left < 0:
            raise _TooMuchError
        buffer[: len(piece)] = piece
        return len(piece)


@dataclass(frozen=True)
class _Entry:
    """One entry: its name as it stands in the archive, what is wrong with its sort, and its content."""

    name: str
    fault: str | None
    content: IO[bytes] | None


@dataclass
class _Target:
    """The folder that is written, and what was written and refused so far."""

    folder: Path
    limits: Limits
    faults: list[Fault] = field(default_factory=list)
    top: str | None = None
    names: dict[str, str] = field(default_factory=dict)
    entries: int = 0
    written: int = 0

    def take(self, entry: _Entry) -> None:
        self.entries += 1
        if self.entries > self.limits.entries:
            raise _TooMuchError
        name = entry.name.rstrip("/") if entry.content is None else entry.name
        problem = entry.fault or _unsafe(name)
        if problem is not None:
            self._fault(name, problem)
        elif entry.content is not None and (path := self._path(name)) is not None:
            self._write(path, entry.content)

    def _path(self, name: str) -> str | None:
        """Where a file of the pack belongs; None for a file that is none of it."""
        name = posixpath.normpath(name)
        first, _, rest = name.partition("/")
        if name not in _HEADS and first != ASSETS_FOLDER and rest:
            self.top = self.top or first
            if first != self.top:
                return None
            name = rest
        if name in _HEADS:
            pass
        elif not name.startswith(f"{ASSETS_FOLDER}/"):
            return None
        elif not _ASSET.fullmatch(name.removeprefix(f"{ASSETS_FOLDER}/")):
            self._fault(name, "the name cannot be named in a problem")
            return None
        # Under names that differ in case alone a pack would be another on another machine.
        earlier = self.names.setdefault(name.casefold(), name)
        if earlier != name:
            self._fault(name, f"differs from '{earlier}' in case alone")
            return None
        return name

    def _write(self, name: str, content: IO[bytes]) -> None:
        path = self.folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as file:
                while piece := content.read(_PIECE):
                    self.written += len(piece)
                    if self.written > self.limits.unpacked_bytes:
                        raise _TooMuchError
                    file.write(piece)
        except (FileExistsError, NotADirectoryError):
            self._fault(name, "stands in the archive twice")

    def _fault(self, name: str, problem: str) -> None:
        if len(self.faults) < 100:
            self.faults.append(Fault(printable(name[:200]) or "archive", 0, "", problem, _REMEDY))


def unpack(archive: Path, folder: Path, limits: Limits | None = None) -> None:
    """Write the pack in `archive` into the empty folder `folder`. Raises PackError with everything that is wrong."""
    target = _Target(folder, limits or Limits())
    try:
        with archive.open("rb") as file, _entries(file, target.limits) as entries:
            for entry in entries:
                target.take(entry)
    except _TooMuchError:
        most = f"more than {target.limits.entries} entries or {target.limits.unpacked_bytes} bytes unpacked"
        target.faults.append(Fault("archive", 0, "", most, "leave out what the pack does not need, or split it"))
    except _BROKEN as error:
        problem = f"cannot be unpacked ({type(error).__name__})"
        target.faults.append(Fault("archive", 0, "", problem, "make a zip, tar, tar.gz or tar.zst of the pack"))
    if target.faults:
        raise PackError(target.faults)


def _unsafe(name: str) -> str | None:
    if len(name) > _NAME_LENGTH:
        return f"a name of {len(name)} characters"
    if name.startswith("/") or "\\" in name or ".." in name.split("/") or re.match(r"[A-Za-z]:", name):
        return "a path that leads out of the folder"
    if any(ord(character) < 32 for character in name):
        return "a name with control characters"
    return None


@contextmanager
def _entries(file: IO[bytes], limits: Limits) -> Iterator[Iterator[_Entry]]:
    head = file.read(8)
    file.seek(0)
    if head.startswith(_ZIP):
        with zipfile.ZipFile(file) as opened:
            yield _of_zip(opened)
        return
    plain: IO[bytes] = file
    if head.startswith(_GZIP):
        plain = cast("IO[bytes]", gzip.GzipFile(fileobj=file))
    elif head.startswith(_ZSTD):
        # A window of at most 128 MiB, what `zstd --long` writes; more would be memory for whoever asks.
        plain = zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(file, read_across_frames=True)
    counted = _Counted(plain, limits.unpacked_bytes + limits.entries * 1024)
    with tarfile.open(fileobj=io.BufferedReader(counted), mode="r|", errorlevel=2) as archive:
        yield _of_tar(archive)


def _of_zip(archive: zipfile.ZipFile) -> Iterator[_Entry]:
    for info in archive.infolist():
        kind = stat.S_IFMT(info.external_attr >> 16)
        if info.is_dir():
            yield _Entry(info.filename, None, None)
        elif kind not in (0, stat.S_IFREG):
            yield _Entry(info.filename, "neither a file nor a folder", None)
        elif info.flag_bits & 1:
            yield _Entry(info.filename, "encrypted", None)
        else:
            with archive.open(info) as content:
                yield _Entry(info.filename, None, content)


def _of_tar(archive: tarfile.TarFile) -> Iterator[_Entry]:
    for member in archive:
        if member.isdir():
            yield _Entry(member.name, None, None)
        elif not member.isreg() or member.issparse():
            yield _Entry(member.name, "a link, a device or another thing that is no plain file", None)
        else:
            yield _Entry(member.name, None, archive.extractfile(member))
