"""Packs: what an owner uploads, has checked and publishes. `Client.packs` and `AsyncClient.packs` are the way in."""

import hashlib
import io
import json
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from gzip import GzipFile
from pathlib import Path, PurePosixPath

from heldout._records import Received
from heldout.errors import Invalid

FILES = ("benchmark.toml", "problems.jsonl", "references.jsonl")
ASSETS = "assets"
Watch = Callable[["Pack"], None]


class PackFault(Received):
    """One fault: where (`line` 0 means the whole file), what is wrong, what would be right."""

    file: str
    line: int
    field: str
    problem: str
    remedy: str

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{where}: {self.field + ': ' if self.field else ''}{self.problem}; {self.remedy}"


class SplitCount(Received):
    """A split of a pack, and how many problems it has."""

    name: str
    visibility: str
    problems: int


class Pack(Received):
    """An uploaded pack.

    `state`: uploading, checking, refused (read `faults`), checked, publishing, published. While it is checked, `stage`
    says with what, `done` of `total` how far. `admissible`: whether participants that know nothing fail on it;
    `refusals` say where they do not. `rubrics_required`: problems whose rubric you approve before it is published, of
    `rubrics_possible` that have one or could have one.
    """

    id: str
    name: str
    size: int
    sha256: str
    state: str
    stage: str = ""
    done: int = 0
    total: int = 0
    part_bytes: int
    parts: int
    missing: tuple[int, ...] = ()
    benchmark: str | None = None
    version: str | None = None
    admissible: bool | None = None
    faults: tuple[PackFault, ...] = ()
    faults_left_out: int = 0
    refusals: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    rubrics_required: tuple[str, ...] = ()
    rubrics_possible: int = 0
    splits: tuple[SplitCount, ...] = ()
    created_at: datetime
    changed_at: datetime

    @property
    def settled(self) -> bool:
        """Whether it waits for its owner and not for the service."""
        return self.state not in ("checking", "publishing")


class PreviewImage(Received):
    """A picture of a problem, by its path below `assets/`; `data`: itself, as a data URI, if it is not too large."""

    path: str
    alt: str = ""
    data: str | None = None


class PreviewProblem(Received):
    """A problem as a participant will see it; gold and solution are there on dev splits alone."""

    name: str
    split: str
    type: str
    subject: str
    statement: str
    choices: tuple[dict[str, str], ...] = ()
    answer_format: str = ""
    images: tuple[PreviewImage, ...] = ()
    episode: bool = False
    gold: str | None = None
    solution: str | None = None


class PackPreview(Received):
    """The first problems of each split."""

    benchmark: str | None = None
    version: str | None = None
    items: tuple[PreviewProblem, ...] = ()


class PackPage(Received):
    """The newest packs of an organisation."""

    items: tuple[Pack, ...] = ()


@contextmanager
def archived(path: Path) -> Iterator[Path]:
    """The archive at `path`, or one made of the folder. Raises Invalid where it is neither.

    The same files give the same bytes, so that an upload that was interrupted goes on.
    """
    if path.is_file():
        yield path
        return
    if not (path / FILES[0]).is_file():
        raise Invalid(f"{path} holds no {FILES[0]}", code="no_pack", advice="name the folder of a pack or its archive")
    with tempfile.TemporaryDirectory(prefix="heldout-") as folder:
        made = Path(folder) / f"{path.resolve().name}.tar.gz"
        with made.open("wb") as file, GzipFile("", "wb", fileobj=file, mtime=0) as zipped:
            _write(path, zipped)
        yield made


def _write(folder: Path, out: GzipFile) -> None:
    files: Sequence[Path] = [folder / name for name in FILES if (folder / name).is_file()]
    pictures = sorted(path for path in (folder / ASSETS).rglob("*") if path.is_file())
    with tarfile.open(fileobj=out, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in [*files, *pictures]:
            info = tarfile.TarInfo(path.relative_to(folder).as_posix())
            info.size = path.stat().st_size
            with path.open("rb") as content:
                archive.addfile(info, content)


def unpacked(content: bytes, folder: Path, references: Path | None = None) -> None:
    """Write an exported pack into the new `folder`, with those of your own `references` that it lacks.

    Raises FileExistsError, and Invalid for an archive that is no pack's or a line of `references` that is no JSON.
    """
    folder.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(content), mode="r:gz") as archive:
        for member in archive:
            content_of = archive.extractfile(member)
            if content_of is None:
                continue
            name = PurePosixPath(*PurePosixPath(member.name).parts[1:])
            if ".." in name.parts or (name.parts[:1] != (ASSETS,) and str(name) not in FILES):
                raise Invalid(f"{member.name} is no file of a pack", code="no_pack", advice="export it again")
            with content_of:
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(content_of.read())
    if references is not None:
        _fill(folder, references)


def _fill(folder: Path, references: Path) -> None:
    """Put the lines of `references` that the pack lacks into it, in the order of its problems."""
    kept = _lines(folder / "references.jsonl") if (folder / "references.jsonl").exists() else {}
    lines = _lines(references) | kept
    with (folder / "references.jsonl").open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(lines[name] + "\n" for name in _lines(folder / "problems.jsonl") if name in lines)


def _lines(path: Path) -> dict[str, str]:
    """The lines of a file of JSON objects, by their ids."""
    found = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            found[str(json.loads(line)["id"])] = line
        except (ValueError, KeyError, TypeError) as error:
            raise Invalid(f"{path}:{number} is no JSON object with an id", code="bad_line", advice="mend it") from error
    return found


def digest(path: Path) -> str:
    """SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
