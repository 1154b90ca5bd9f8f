"""A run that survives interruption: every answer is on disk before the next problem is shown.

    run = heldout.open_run("run.jsonl", model="my-model", split="test")
    for problem in run.remaining():
        run.answer(problem, solve(problem))
    submission = run.submit()

Started again after a crash, the same program goes on with the problems that are left, and `submit` sends what was not
sent: the run keeps its Idempotency-Key, so nothing is submitted twice.
"""

import json
import os
import threading
import uuid
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, JsonValue

from heldout.client import Client, Submission
from heldout.errors import Conflict
from heldout.models import Item, Model, Problem, Usage

FORMAT = "heldout-run-1"


class Header(BaseModel):
    """The first line of a run's file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: str = FORMAT
    benchmark: str
    version: str
    split: str
    model: Model
    key: str


class Run:
    """An open run; made by `open_run`. Safe to use from several threads."""

    def __init__(self, client: Client, path: Path, header: Header, items: dict[str, Item]) -> None:
        self._client = client
        self._lock = threading.Lock()
        self.path = path
        self.header = header
        self.items = items

    def remaining(self) -> Iterator[Problem]:
        """The problems of the split without an answer yet."""
        for problem in self._client.get_problems(self.header.split, benchmark=self.header.benchmark):
            if problem.id not in self.items:
                yield problem

    def answer(
        self,
        problem: Problem | str,
        answer: str | None = None,
        *,
        data: JsonValue = None,
        usage: Usage | Mapping[str, Any] | None = None,
    ) -> None:
        """Keep an answer; on disk when this returns. Raises Conflict for a problem that has one."""
        identifier = problem.id if isinstance(problem, Problem) else problem
        typed = Usage.model_validate(usage) if isinstance(usage, Mapping) else usage
        item = Item(problem=identifier, answer=answer, data=data, usage=typed)
        with self._lock:
            if identifier in self.items:
                detail = f"{identifier} is answered in {self.path.name} already"
                raise Conflict(detail, code="already_answered", advice="answer the problems of remaining()")
            append_line(self.path, item)
            self.items[identifier] = item

    def submit(self) -> Submission:
        """Submit all answers; called again, it gives the same submission."""
        header = self.header
        return self._client.submit(
            self.items.values(),
            model=header.model,
            split=header.split,
            benchmark=header.benchmark,
            idempotency_key=header.key,
        )


def open_run(
    client: Client,
    path: str | os.PathLike[str],
    *,
    model: Model | Mapping[str, Any] | str,
    split: str,
    benchmark: str | None = None,
) -> Run:
    """Begin a run in the new file `path`, or go on with the one that is there.

    Raises Conflict if the file belongs to another benchmark, version, split or model; nothing is overwritten.
    """
    file = Path(path)
    typed = Model.of(model)
    found = client.benchmark(benchmark)
    wanted = Header(benchmark=found.slug, version=found.version, split=split, model=typed, key=uuid.uuid4().hex)
    if not file.exists() or not file.stat().st_size:
        append_line(file, wanted)
        return Run(client, file, wanted, {})
    header, items = _read(file)
    if header.model_copy(update={"key": wanted.key}) != wanted:
        detail = f"{file} belongs to {header.benchmark} {header.version}, {header.split}, {header.model.name}"
        raise Conflict(detail, code="another_run", advice="name another file for this run")
    return Run(client, file, header, items)


def append_line(path: Path, record: BaseModel, writing: AbstractContextManager[object] | None = None) -> None:
    """Add a record as a JSON line, on disk when this returns. A torn last line is dropped by `whole_lines`.

    `writing` is held while the line is written, and not while the disk is waited for.
    """
    line = json.dumps(record.model_dump(mode="json", exclude_none=True), ensure_ascii=True) + "\n"
    with path.open("ab") as file:
        with writing or nullcontext():
            file.write(line.encode())
            file.flush()
        os.fsync(file.fileno())


def whole_lines(path: Path) -> list[str]:
    """The whole lines of a file; a last line that was torn by a crash is cut off on disk as well."""
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if whole != content:
        with path.open("r+b") as file:
            file.truncate(len(whole))
    return whole.decode().splitlines()


def _read(path: Path) -> tuple[Header, dict[str, Item]]:
    first = path.open("rb").readline(4096)
    lines = whole_lines(path) if FORMAT.encode() in first else []
    if not lines:
        raise Conflict(f"{path} is not the file of a run", code="not_a_run", advice="name another file for this run")
    items = [Item.model_validate_json(line) for line in lines[1:]]
    return Header.model_validate_json(lines[0]), {item.problem: item for item in items}
