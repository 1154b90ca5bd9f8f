"""Containers: what a participant has the service run, in a sandbox without network: `Client.containers`."""

import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from gzip import GzipFile
from pathlib import Path

from heldout._records import Received
from heldout.errors import Invalid


class Container(Received):
    """An uploaded container: an image (`docker save`, OCI layout) or a tar of files. `missing`: parts that have not
    come."""

    id: str
    name: str
    size: int
    sha256: str
    part_bytes: int
    parts: int
    missing: tuple[int, ...] = ()
    created_at: datetime


class ContainerPage(Received):
    """The newest containers of an organisation."""

    items: tuple[Container, ...] = ()


class ContainerReport(Received):
    """How a container's run went: how often it was started, and of the last time its seconds, its exit status (None: it
    was stopped) and how much it wrote. `log` has the end of that, on open splits alone;
    `tokens` and `cost` of the endpoint belong to no answer yet."""

    starts: int = 0
    seconds: int = 0
    status: int | None = None
    output_kib: int = 0
    log: str = ""
    tokens: int = 0
    cost: float = 0.0


@contextmanager
def bundled(path: Path) -> Iterator[Path]:
    """The archive at `path`, or one made of the folder's files. Raises Invalid for links, and for an empty folder.

    The same files give the same bytes, so that an upload that was interrupted goes on.
    """
    if path.is_file():
        yield path
        return
    files = sorted(file for file in path.rglob("*") if not file.is_dir() or file.is_symlink())
    if not files:
        raise Invalid(f"{path} holds no files", code="no_container", advice="name a folder of files, or an image's tar")
    if odd := [file for file in files if file.is_symlink() or not file.is_file()]:
        raise Invalid(f"{odd[0]} is no plain file", code="no_container", advice="leave links out, or send an image")
    with tempfile.TemporaryDirectory(prefix="heldout-") as folder:
        made = Path(folder) / f"{path.resolve().name}.tar.gz"
        with (
            made.open("wb") as out,
            GzipFile("", "wb", fileobj=out, mtime=0) as zipped,
            tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as archive,
        ):
            for file in files:
                info = tarfile.TarInfo(file.relative_to(path).as_posix())
                info.size, info.mode = file.stat().st_size, 0o755 if file.stat().st_mode & 0o100 else 0o644
                with file.open("rb") as content:
                    archive.addfile(info, content)
        yield made
