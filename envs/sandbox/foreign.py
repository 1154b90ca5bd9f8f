"""Archives that strangers send, unpacked without trusting a byte: a bundle of files, or an image.

A bundle is a tar of plain files; an image is what `docker save` writes, or an OCI layout. The kernel resolves every
path inside the target folder (openat2), so no link leads out of it. Devices, pipes, sockets, owners, setuid bits and
extended attributes are dropped; entries and bytes are counted as they come out, whatever headers promise.
`unpack_apart` does it in a process of its own with a limit on its memory and its time.
"""

import asyncio
import contextlib
import gzip
import io
import json
import os
import resource
import shutil
import stat
import sys
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal, cast

import zstandard
from pydantic import BaseModel, ConfigDict, Field

from envs.sandbox.supervisor import kernel

MANIFEST, INDEX, LAYOUT = "manifest.json", "index.json", "oci-layout"
_NO_MAGICLINKS, _IN_ROOT = 0x02, 0x10
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
_WHITEOUT, _OPAQUE = ".wh.", ".wh..wh..opq"
_PIECE = 1 << 20
_LARGEST_JSON = 4 << 20
_LONGEST_LINK = 4096
_DEEPEST = 100
_LAYERS = 500
# Mount points and homes of a sandbox: folders, whatever an image has there.
_FOLDERS = ("dev", "home", "proc", "root", "run", "sys", "tmp", "work")
_BROKEN = (tarfile.TarError, gzip.BadGzipFile, zlib.error, zstandard.ZstdError, EOFError, OSError, ValueError, KeyError)
_MEMORY = 1 << 30
_SECONDS = 600.0


class ForeignArchiveError(Exception):
    """The archive cannot be run; the message is for whoever sent it."""


class Bounds(BaseModel):
    """What an archive may hold once unpacked: entries, and bytes of files."""

    model_config = ConfigDict(frozen=True)

    entries: int = 200_000
    content: int = 4 << 30


class Unpacked(BaseModel):
    """What was unpacked. `command`, `environment` and `workdir` are an image's own, empty for a bundle."""

    model_config = ConfigDict(frozen=True)

    kind: Literal["bundle", "image"]
    command: list[str] = Field(default_factory=list)
    environment: dict[str, str] = Field(default_factory=dict)
    workdir: str = ""


async def unpack_apart(archive: Path, folder: Path, bounds: Bounds | None = None) -> Unpacked:
    """Unpack into the empty `folder`, in a process of its own. Raises ForeignArchiveError."""
    argv = [sys.executable, "-m", "envs.sandbox.foreign", str(archive), str(folder)]
    argv.append((bounds or Bounds()).model_dump_json())
    pipe, null = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(*argv, stdin=null, stdout=pipe, stderr=null, start_new_session=True)
    try:
        async with asyncio.timeout(_SECONDS):
            said, _ = await process.communicate()
    except TimeoutError:
        raise ForeignArchiveError(f"it was not unpacked in {_SECONDS:g} s") from None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode or not said:
        raise ForeignArchiveError("it cannot be unpacked: that takes too much memory")
    told = json.loads(said)
    if "refused" in told:
        raise ForeignArchiveError(str(told["refused"]))
    return Unpacked.model_validate(told)


def unpack(archive: Path, folder: Path, bounds: Bounds | None = None) -> Unpacked:
    """Unpack a bundle or an image into the empty `folder`. Raises ForeignArchiveError."""
    tree = _Tree.of(folder, bounds or Bounds())
    try:
        with archive.open("rb") as file, _opened(file, tree) as outer:
            first = {member.name.removeprefix("./"): member for member in _members(outer, tree)}
            if first.keys() & {MANIFEST, LAYOUT}:
                return _image(outer, first, tree)
            tree.anew()
            for member in first.values():
                if not (member.isreg() or member.isdir()):
                    raise ForeignArchiveError(f"'{_named(member.name)}' is no plain file; a bundle holds files alone")
                tree.put(member, outer)
        return Unpacked(kind="bundle")
    except _BROKEN as error:
        raise ForeignArchiveError(f"it cannot be unpacked ({type(error).__name__})") from None
    finally:
        tree.close()


@dataclass
class _Tree:
    """The folder that is written, by a descriptor that no path leads out of, and what may still be written."""

    root: int
    bounds: Bounds
    entries: int = 0
    content: int = 0

    @classmethod
    def of(cls, folder: Path, bounds: Bounds) -> "_Tree":
        return cls(os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC), bounds)

    def close(self) -> None:
        os.close(self.root)

    def anew(self) -> None:
        """Count from the beginning: what was counted was only looked at."""
        self.entries = self.content = 0

    def entry(self) -> None:
        self.entries += 1
        if self.entries > self.bounds.entries:
            raise ForeignArchiveError(f"it has more than {self.bounds.entries} entries")

    def bytes(self, count: int) -> None:
        self.content += count
        if self.content > self.bounds.content:
            raise ForeignArchiveError(f"it has more than {self.bounds.content} bytes unpacked")

    def put(self, member: tarfile.TarInfo, archive: tarfile.TarFile) -> None:
        """Write one entry in the place of what was there. Devices, pipes and sockets are passed over."""
        parts = _parts(member.name)
        if not parts:
            return
        self.entry()
        with self._folder(parts[:-1]) as folder:
            name = parts[-1]
            if member.isdir():
                self._directory(folder, name, member.mode)
            elif member.isreg():
                self._clear(folder, name)
                self._file(folder, name, member, archive)
            elif member.issym():
                self._clear(folder, name)
                os.symlink(member.linkname[:_LONGEST_LINK], name, dir_fd=folder)
            elif member.islnk():
                self._link(folder, name, _parts(member.linkname))

    def whiteout(self, member: tarfile.TarInfo) -> bool:
        """Delete what a layer says is gone from those below; whether it said so."""
        parts = _parts(member.name)
        if not parts or not parts[-1].startswith(_WHITEOUT):
            return False
        self.entry()
        with self._folder(parts[:-1]) as folder:
            if parts[-1] == _OPAQUE:
                for name in os.listdir(folder):  # noqa: PTH208 - by its descriptor
                    self._clear(folder, name)
            else:
                self._clear(folder, parts[-1].removeprefix(_WHITEOUT))
        return True

    def require_folders(self) -> None:
        """Have a sandbox's mount points be folders, and not links that lead elsewhere."""
        for name in _FOLDERS:
            self._directory(self.root, name, 0o1777 if name == "tmp" else 0o755)

    def has(self, path: str) -> bool:
        """Whether there is such a file; links are followed inside."""
        try:
            os.close(kernel.openat2(self.root, path, os.O_PATH | os.O_CLOEXEC, 0, _IN_ROOT | _NO_MAGICLINKS))
        except OSError:
            return False
        return True

    @contextlib.contextmanager
    def _folder(self, parts: list[str]) -> Iterator[int]:
        """A descriptor of the folder, made where it is not there; links on the way are followed inside."""
        descriptor = self._open("/".join(parts) or ".")
        if descriptor is None:
            for depth in range(1, len(parts) + 1):
                with self._folder(parts[: depth - 1]) as above, contextlib.suppress(FileExistsError):
                    os.mkdir(parts[depth - 1], 0o755, dir_fd=above)
            descriptor = self._open("/".join(parts))
        if descriptor is None:
            raise ForeignArchiveError(f"'{_named('/'.join(parts))}' lies in no folder")
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def _open(self, path: str) -> int | None:
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
        try:
            return kernel.openat2(self.root, path, flags, 0, _IN_ROOT | _NO_MAGICLINKS)
        except OSError:
            return None

    def _clear(self, folder: int, name: str) -> None:
        try:
            found = os.lstat(name, dir_fd=folder)
        except FileNotFoundError:
            return
        if stat.S_ISDIR(found.st_mode):
            shutil.rmtree(name, dir_fd=folder)
        else:
            os.unlink(name, dir_fd=folder)

    def _directory(self, folder: int, name: str, mode: int) -> None:
        try:
            found = os.lstat(name, dir_fd=folder)
        except FileNotFoundError:
            found = None
        if found is not None and not stat.S_ISDIR(found.st_mode):
            os.unlink(name, dir_fd=folder)
            found = None
        if found is None:
            os.mkdir(name, 0o755, dir_fd=folder)
        os.chmod(name, mode & 0o1777 | 0o500, dir_fd=folder)

    def _file(self, folder: int, name: str, member: tarfile.TarInfo, archive: tarfile.TarFile) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        content = archive.extractfile(member)
        assert content
        with content, os.fdopen(os.open(name, flags, 0o600, dir_fd=folder), "wb") as out:
            while piece := content.read(_PIECE):
                self.bytes(len(piece))
                out.write(piece)
            os.fchmod(out.fileno(), member.mode & 0o777 | 0o400)

    def _link(self, folder: int, name: str, target: list[str]) -> None:
        if not target:
            return
        with self._folder(target[:-1]) as other:
            if not stat.S_ISREG(os.lstat(target[-1], dir_fd=other).st_mode):
                raise ForeignArchiveError(f"'{_named(name)}' is a hard link to what is no file")
            if os.path.samestat(os.fstat(other), os.fstat(folder)) and target[-1] == name:
                return
            self._clear(folder, name)
            os.link(target[-1], name, src_dir_fd=other, dst_dir_fd=folder, follow_symlinks=False)


def _parts(name: str) -> list[str]:
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if ".." in parts or len(parts) > _DEEPEST or "\0" in name:
        raise ForeignArchiveError(f"'{_named(name)}' leads out of the archive's folder, or too deep")
    return parts


def _named(name: str) -> str:
    return "".join(character if character.isprintable() else "?" for character in name[:200])


@dataclass
class _Counted(io.RawIOBase):
    """A stream that ends in an error once more has come out of it than a tree may hold with its headers."""

    source: IO[bytes]
    left: int

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview") -> int:  # type: ignore[override]
        piece = self.source.read(len(buffer))
        self.left -= len(piece)
        if self.left < 0:
            raise ForeignArchiveError("it swells to more than it may hold")
        buffer[: len(piece)] = piece
        return len(piece)


@contextlib.contextmanager
def _opened(file: IO[bytes], tree: _Tree) -> Iterator[tarfile.TarFile]:
    """A tar, as it is or compressed. A compressed one is written out, for it is read more than once."""
    plain = _plain(file, tree.bounds)
    if plain is file:
        with tarfile.open(fileobj=file, mode="r:") as archive:
            yield archive
        return
    with tempfile.TemporaryFile() as out:
        shutil.copyfileobj(plain, out, _PIECE)
        out.seek(0)
        with tarfile.open(fileobj=out, mode="r:") as archive:
            yield archive


def _plain(file: IO[bytes], bounds: Bounds) -> IO[bytes]:
    head = file.read(4)
    file.seek(-len(head), os.SEEK_CUR)
    most = bounds.content + bounds.entries * 1024
    if head.startswith(_GZIP):
        return io.BufferedReader(_Counted(cast("IO[bytes]", gzip.GzipFile(fileobj=file)), most))
    if head.startswith(_ZSTD):
        # A window of at most 128 MiB; more would be memory for whoever asks.
        reader = zstandard.ZstdDecompressor(max_window_size=2**27).stream_reader(file, read_across_frames=True)
        return io.BufferedReader(_Counted(cast("IO[bytes]", reader), most))
    return file


def _members(archive: tarfile.TarFile, tree: _Tree) -> Iterator[tarfile.TarInfo]:
    for member in archive:
        tree.entry()
        if member.issparse():
            raise ForeignArchiveError(f"'{_named(member.name)}' is a sparse file")
        yield member


def _image(outer: tarfile.TarFile, found: dict[str, tarfile.TarInfo], tree: _Tree) -> Unpacked:
    config, layers = _saved(outer, found) if MANIFEST in found else _laid_out(outer, found)
    if len(layers) > _LAYERS:
        raise ForeignArchiveError(f"it has more than {_LAYERS} layers")
    tree.anew()
    for name in layers:
        with _content(outer, found, name) as blob:
            plain = _plain(blob, tree.bounds)
            with tarfile.open(fileobj=plain, mode="r|") as layer:
                for member in _members(layer, tree):
                    if not tree.whiteout(member):
                        tree.put(member, layer)
    tree.require_folders()
    if not tree.has("bin/bash"):
        raise ForeignArchiveError("the image has no /bin/bash, which starts and ends what runs in it")
    settings = config.get("config") or {}
    environment = dict(pair.split("=", 1) for pair in settings.get("Env") or () if "=" in pair)
    command = [*(settings.get("Entrypoint") or ()), *(settings.get("Cmd") or ())]
    return Unpacked(
        kind="image", command=command, environment=environment, workdir=str(settings.get("WorkingDir") or "/")
    )


def _saved(outer: tarfile.TarFile, found: dict[str, tarfile.TarInfo]) -> tuple[dict[str, Any], list[str]]:
    """What `docker save` wrote: the settings, and its layers from the lowest up."""
    images = _json(outer, found, MANIFEST)
    if not isinstance(images, list) or len(images) != 1:
        raise ForeignArchiveError("it holds several images, or none; save one")
    return _json(outer, found, str(images[0]["Config"])), [str(name) for name in images[0]["Layers"]]


def _laid_out(outer: tarfile.TarFile, found: dict[str, tarfile.TarInfo]) -> tuple[dict[str, Any], list[str]]:
    """An OCI layout: the settings, and its layers from the lowest up."""
    told = _json(outer, found, INDEX)
    for _ in range(3):
        if "layers" in told:
            return _json(outer, found, _blob(told["config"])), [_blob(layer) for layer in told["layers"]]
        if len(told["manifests"]) != 1:
            raise ForeignArchiveError("it holds images for several platforms; export one")
        told = _json(outer, found, _blob(told["manifests"][0]))
    raise ForeignArchiveError("its index leads to no image")


def _blob(descriptor: dict[str, Any]) -> str:
    return "blobs/" + str(descriptor["digest"]).replace(":", "/")


@contextlib.contextmanager
def _content(outer: tarfile.TarFile, found: dict[str, tarfile.TarInfo], name: str) -> Iterator[IO[bytes]]:
    member = found.get(name)
    if member is not None and member.issym():
        # Older versions of `docker save` link equal layers to each other.
        member = found.get(os.path.normpath(os.path.join(os.path.dirname(name), member.linkname)))  # noqa: PTH118, PTH120
    content = outer.extractfile(member) if member is not None and member.isreg() else None
    if content is None:
        raise ForeignArchiveError(f"it names '{_named(name)}' and does not hold it")
    with content:
        yield content


def _json(outer: tarfile.TarFile, found: dict[str, tarfile.TarInfo], name: str) -> Any:
    with _content(outer, found, name) as content:
        return json.loads(content.read(_LARGEST_JSON))


def main() -> None:
    """`python -m envs.sandbox.foreign ARCHIVE FOLDER BOUNDS`: the result, or `refused`, as JSON."""
    archive, folder, bounds = sys.argv[1:]
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        told = unpack(Path(archive), Path(folder), Bounds.model_validate_json(bounds)).model_dump_json()
    except ForeignArchiveError as error:
        told = json.dumps({"refused": str(error)})
    except (MemoryError, RecursionError):
        told = json.dumps({"refused": "it cannot be unpacked: that takes too much memory"})
    sys.stdout.write(told)


if __name__ == "__main__":
    main()
