"""The process that reads an uploaded pack: `python -m api.worker.examiner ARCHIVE FOLDER OWNER RESULT`.

What strangers packed is unpacked and parsed here and not among the worker's other jobs: it may take this process's
memory and time, and no more. Each stage is a line on standard output, the report a file.
"""

import asyncio
import base64
import gc
import mimetypes
import resource
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

from pydantic import BaseModel, Field

if __name__ == "__main__":
    gc.disable()  # as in `api.processes`

from api.admission.examination import SAMPLE, Examination, examine
from api.admission.report import refusals, summary
from api.catalog.models import ProblemRow
from api.core.errors import ConflictError
from api.core.ids import new_id
from api.uploads.schemas import PackFault, PackReport, PreviewImage, PreviewProblem, SplitCount
from api.worker.release_rows import ReleaseRows, release_rows
from api.worker.rubric_candidates import candidates
from envs import engine
from envs import registry as environments
from packs.archive import unpack
from packs.faults import UNKNOWN_FIELD, Fault, PackError
from packs.pack import BENCHMARK_FILE, REFERENCES_FILE, Pack

_MEMORY = 4 * 2**30
_FAULTS = 500
_PREVIEW, _PREVIEW_TYPES = 5, 10
_PICTURE_BYTES, _PICTURES_BYTES = 500_000, 2_000_000
"""Of one picture in a preview, and of all of them."""


class Examined(BaseModel):
    """What the process found; `slug` and `version` are None where there are faults.

    `pictures`: those of the previewed problems, path to data URI.
    """

    report: PackReport
    pictures: dict[str, str] = Field(default_factory=dict)
    slug: str | None = None
    version: str | None = None
    admissible: bool | None = None


async def examined(archive: Path, folder: Path, owner: str) -> Examined:
    """Everything that an owner is told of an archive."""
    try:
        with _bounded_memory():
            print("unpacking", flush=True)
            unpack(archive, folder)
            found = await examine(folder, SAMPLE, lambda stage: print(stage, flush=True))
            print("preview", flush=True)
            possible = candidates(found.pack.problems, found.pack.references)
            wanting = [one.name for one in possible if one.wanting]
            rows = _rows(found.pack, owner, wanting)
    except PackError as error:
        return _refused(error.faults)
    except MemoryError:
        problem = f"needs more than {_MEMORY} bytes of memory to be read"
        return _refused((Fault("archive", 0, "", problem, "split the benchmark"),))
    finally:
        await environments.close()
        await engine.close()
    passed = _passed(found, rows)
    passed.report.rubrics_required, passed.report.rubrics_possible = wanting, len(possible)
    return passed


def _rows(pack: Pack, owner: str, wanting: list[str]) -> ReleaseRows:
    """What the pack would become. Raises PackError for what no release may have."""
    head = pack.benchmark
    if head.owner != owner:
        problem = f"'{head.owner}' is not your organisation"
        raise PackError([Fault(BENCHMARK_FILE, 0, "owner", problem, f'write owner = "{owner}"')])
    try:
        # The key decides who is shown which variant; here nobody is.
        return release_rows(pack, new_id(), bytes(32), None, wanting)
    except ConflictError as error:
        raise PackError([Fault(BENCHMARK_FILE, 0, "", error.title, error.detail)]) from error


def _refused(faults: tuple[Fault, ...]) -> Examined:
    told = [_told(fault) for fault in faults[:_FAULTS]]
    return Examined(report=PackReport(faults=told, faults_left_out=len(faults) - len(told)))


def _told(fault: Fault) -> PackFault:
    """A fault as the web process may read it: of references in no words of theirs, which speak of golds."""
    told = PackFault(**{name: value for name, value in vars(fault).items() if name != "quoting"})
    if fault.file != REFERENCES_FILE:
        told.problem += f" ({fault.quoting})" if fault.quoting else ""
    elif fault.problem == UNKNOWN_FIELD:
        told.field = fault.field.rpartition(".")[0]
    return told


def _passed(found: Examination, rows: ReleaseRows) -> Examined:
    head, names = found.pack.benchmark, {split.id: split.name for split in rows.splits}
    preview = [_previewed(row, names[row.split_id]) for name in names for row in _first(rows.problems, name)]
    report = PackReport(
        splits=[SplitCount(name=s.name, visibility=s.visibility, problems=s.problem_count) for s in rows.splits],
        preview=preview,
    )
    if found.report is not None:
        report.refusals = refusals(found.report)
        report.warnings = [*found.report.warnings, *found.report.not_covered]
        report.badge = summary(found.report)
    pictures = _pictures(found.pack, preview)
    return Examined(report=report, pictures=pictures, slug=head.slug, version=head.version, admissible=found.admissible)


def _first(problems: Iterable[ProblemRow], split: UUID) -> list[ProblemRow]:
    """The first problems of a split, and the first of each further type."""
    of_split = [row for row in problems if row.split_id == split]
    types = {row.type: row for row in reversed(of_split[_PREVIEW:])}
    for row in of_split[:_PREVIEW]:
        types.pop(row.type, None)
    others = sorted(types.values(), key=lambda row: row.position)
    return of_split[:_PREVIEW] + others[:_PREVIEW_TYPES]


def _pictures(pack: Pack, preview: Iterable[PreviewProblem]) -> dict[str, str]:
    """Pictures of previewed problems by their paths, as data URIs, until they are too many bytes."""
    found: dict[str, str] = {}
    left = _PICTURES_BYTES
    for path in dict.fromkeys(image.path for problem in preview for image in problem.images):
        file = pack.assets[path]
        size = file.stat().st_size
        if size <= min(_PICTURE_BYTES, left):
            left -= size
            content = base64.b64encode(file.read_bytes()).decode()
            found[path] = f"data:{mimetypes.guess_type(path)[0]};base64,{content}"
    return found


def _previewed(row: ProblemRow, split: str) -> PreviewProblem:
    return PreviewProblem(
        name=row.name,
        split=split,
        type=row.type,
        subject=row.subject,
        statement=row.statement,
        choices=row.choices,
        answer_format=row.answer_format,
        images=[PreviewImage(**image) for image in row.images],
        episode=row.episode,
        gold=row.gold,
        solution=row.solution,
    )


@contextmanager
def _bounded_memory() -> Iterator[None]:
    # Sandboxes inherit it; what they run has tighter limits of its own.
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY if hard < 0 else min(_MEMORY, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def main() -> None:
    """Examine what the arguments name."""
    gc.freeze()
    gc.enable()
    archive, folder, owner, result = sys.argv[1:]
    found = asyncio.run(examined(Path(archive), Path(folder), owner))
    Path(result).write_text(found.model_dump_json(), encoding="utf-8")


if __name__ == "__main__":
    main()
