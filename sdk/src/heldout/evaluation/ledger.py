"""What is done of one agent over one split, on disk: a line for each finished task, transcripts beside it."""

import json
import threading
import uuid
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict

from heldout.errors import Conflict
from heldout.evaluation.protocols import Spent
from heldout.models import Model, SessionStatus, Usage
from heldout.runs import append_line, whole_lines

FORMAT = "heldout-evaluation-2"
# Its head held no sampling parameters of the agent.
_BEFORE = "heldout-evaluation-1"
AGENT_ERROR = "agent_error"


class Head(BaseModel):
    """The first line: whose run this is. The key makes the submission, and every session, the same after a crash."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: str = FORMAT
    benchmark: str
    version: str
    split: str
    model: Model
    key: str

    def continues(self, expected: "Head") -> bool:
        """Whether this is the head of the expected run, begun by this version or by the one before."""
        model = expected.model
        if self.format == _BEFORE and not self.model.parameters:
            model = model.model_copy(update={"parameters": {}})
        return expected.model_copy(update={"format": self.format, "model": model, "key": self.key}) == self


def differences(before: Head, now: Head) -> str:
    """What is not the same, as `temperature 0 → 1`."""
    pairs = [(name, getattr(before, name), getattr(now, name)) for name in ("benchmark", "version", "split")]
    models = [f"{head.model.name}@{head.model.version}".strip("@") for head in (before, now)]
    rest = [name for name in Model.model_fields if name not in {"name", "version", "parameters"}]
    pairs += [
        ("model", models[0], models[1]),
        *((name, getattr(before.model, name), getattr(now.model, name)) for name in rest),
    ]
    old, new = before.model.parameters, now.model.parameters
    pairs += [(name, old.get(name), new.get(name)) for name in sorted({*old, *new})]
    return "; ".join(f"{name} {_said(one)} → {_said(other)}" for name, one, other in pairs if one != other)


def _said(value: object) -> str:
    return "not given" if value in (None, "") else str(value)


def _plain(usage: object) -> object:
    return dict(usage) if isinstance(usage, Usage) else usage


class Done(BaseModel):
    """A finished task. `finish_reason` is `answered` for a question, `agent_error` where the agent failed again and
    again, else the episode's. `left_out`: characters cut from the beginning of an answer that was too long. `cut`: the
    endpoint ended the answer for its length."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    problem: str
    finish_reason: str
    answer: str | None = None
    session: str | None = None
    usage: Annotated[Spent | None, BeforeValidator(_plain)] = None
    seconds: float = 0.0
    left_out: int = 0
    cut: bool = False


class Failure(BaseModel):
    """An attempt that raised, as a line of `errors.jsonl`. `counted`: it was this task's own fault."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    problem: str
    error: str
    message: str
    counted: bool


def heads(folder: Path) -> Iterator[Head]:
    """The heads of the runs of one agent, by course in folders below this one."""
    for file in folder.glob("*/run.jsonl"):
        lines = whole_lines(file)
        if lines and (FORMAT in lines[0] or _BEFORE in lines[0]):
            yield Head.model_validate_json(lines[0])


class Ledger:
    """The folder of one agent over one split. Raises Conflict if it belongs to another run, of which something is done:
    one that only failed is begun anew.
    """

    def __init__(self, folder: Path, *, benchmark: str, version: str, split: str, model: Model) -> None:
        self.folder = folder
        self._file = folder / "run.jsonl"
        self._failures = folder / "errors.jsonl"
        self._lock = threading.Lock()
        self.done: dict[str, Done] = {}
        self.attempts: Counter[str] = Counter()
        folder.mkdir(parents=True, exist_ok=True)
        wanted = Head(benchmark=benchmark, version=version, split=split, model=model, key=uuid.uuid4().hex)
        lines = whole_lines(self._file) if self._file.exists() else []
        if not lines:
            append_line(self._file, wanted)
            self.head = wanted
            return
        if FORMAT not in lines[0] and _BEFORE not in lines[0]:
            raise Conflict(f"{self._file} is not a run of ours", code="not_a_run", advice="name another folder")
        self.head = Head.model_validate_json(lines[0])
        if not self.head.continues(wanted):
            if any(Done.model_validate_json(line).finish_reason != AGENT_ERROR for line in lines[1:]):
                detail = f"{self._file} belongs to another run ({differences(self.head, wanted)})"
                raise Conflict(detail, code="another_run", advice="name another folder for this run")
            self._begin(wanted)
            return
        self.done = {done.problem: done for done in map(Done.model_validate_json, lines[1:])}
        failures = whole_lines(self._failures) if self._failures.exists() else []
        self.attempts.update(fault.problem for fault in map(Failure.model_validate_json, failures) if fault.counted)

    def anew_if_failed(self, tasks: Sequence[str]) -> None:
        """Begin anew where every task ended as `agent_error`; what there was stays beside, by another name.

        The submission is the same one, unless episodes of it are over: those cannot be played in it again.
        """
        if not tasks or any(t not in self.done or self.done[t].finish_reason != AGENT_ERROR for t in tasks):
            return
        played = any(done.session for done in self.done.values())
        self._begin(self.head.model_copy(update={"key": uuid.uuid4().hex}) if played else self.head)

    def _begin(self, head: Head) -> None:
        number = 1 + sum(1 for _ in self.folder.glob("failed-*.jsonl"))
        self._file.rename(self.folder / f"failed-{number}.jsonl")
        self._failures.unlink(missing_ok=True)
        self.head = head
        append_line(self._file, head)
        self.done.clear()
        self.attempts.clear()

    def record(
        self, done: Done, session: SessionStatus | None = None, messages: Sequence[Mapping[str, Any]] = ()
    ) -> None:
        """Keep a finished task, with its transcript and what was said to the model; on disk when this returns."""
        if messages:
            said = self.folder / "messages" / f"{done.problem}.json"
            said.parent.mkdir(exist_ok=True)
            words = json.dumps([_without_pictures(message) for message in messages], indent=1)
            said.write_text(words + "\n", encoding="utf-8")
        if session is not None:
            place = self.folder / "transcripts" / f"{done.problem}.json"
            place.parent.mkdir(exist_ok=True)
            place.write_text(session.model_dump_json(indent=1), encoding="utf-8")
        # Tasks that end together wait for the disk together: one after the other they would wait for all before them.
        append_line(self._file, done, self._lock)
        with self._lock:
            self.done[done.problem] = done

    def fail(self, failure: Failure) -> None:
        """Keep an attempt that raised; counted ones add to `attempts`."""
        with self._lock:
            append_line(self._failures, failure)
            if failure.counted:
                self.attempts[failure.problem] += 1

    def summary(self, report: dict[str, Any]) -> None:
        """Write `summary.json`."""
        (self.folder / "summary.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def _without_pictures(message: Mapping[str, Any]) -> dict[str, Any]:
    """A message whose pictures are named in words: each would be in the record of every later turn again."""
    parts = message.get("content")
    if not isinstance(parts, list):
        return dict(message)
    texts = [str(part["text"]) if part.get("type") == "text" else "[picture]" for part in parts]
    return dict(message) | {"content": "\n".join(texts)}
