"""Samples that are being played: each is a live session of one submission of its task."""

import hashlib
import itertools
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from api.controller.history import Turn, followed, opening, reply, resumed, shortened
from heldout import Client
from heldout.client import Submission
from heldout.errors import Conflict
from heldout.models import Action, Observation
from heldout.sessions import Session

RUNNING = "running"
STATUS = {
    "completed": "completed",
    "context_limit": "agent context limit",
    "invalid_format": "agent validation failed",
    "invalid_action": "agent invalid action",
    "task_limit": "task limit reached",
    "infrastructure_error": "task error",
}
"""AgentBench's word for each end; anything else is "unknown"."""
MAIN: dict[str, tuple[tuple[str, ...], float]] = {
    "os": (("overall", "acc"), 1),
    "dbbench": (("overall_cat_accuracy",), 1),
    "kg": (("main",), 1),
    "cg": (("score",), 1),
    "ltp": (("main",), 1),
    "alfworld": (("overall", "success_rate"), 1),
    "webshop": (("reward",), 1),
    "m2w": (("step_sr",), 100),
}
"""Where AgentBench's analysis looks for the score of a task, by the first part of the task's name, and its scale."""


class RefusedError(Exception):
    """What cannot be done, with the status that AgentBench answers it with."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Task:
    """A task of AgentBench by its name there, and the benchmark and split that it stands for here."""

    name: str
    benchmark: str
    split: str


@dataclass
class Sample:
    """A session, all that was said in it, and a lock: one call at a time."""

    id: int
    task: Task
    index: str
    session: Session
    history: list[Turn]
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def status(self) -> str:
        """AgentBench's word for its state."""
        if not self.session.over:
            return RUNNING
        return STATUS.get(self.session.finish_reason or "", "unknown")

    def act(self, action: Action) -> Observation | None:
        """Take a step, told in the history; what is seen then, or None where the sample ended before it."""
        try:
            result = self.session.step(action)
        except Conflict:
            # Its time ran out meanwhile, or another process went on with it.
            self.session.refresh()
            if not self.session.over:
                raise
            return None
        self.history.append(Turn("agent", reply(action)))
        if result.finish_reason is None:
            self.history[:] = followed(self.history, result.observation)
        return result.observation


class Samples:
    """All tasks and samples of one controller. Safe to use from several threads."""

    def __init__(self, client: Client, tasks: list[Task], *, model: str, run: str, capacity: int, whole: bool) -> None:
        """`run` names the submissions: with the same name they go on. `whole`: histories are sent as they are."""
        self.capacity = capacity
        self.tasks = {task.name: task for task in tasks}
        self._client, self._model, self._run, self._whole = client, model, run, whole
        self._lock = threading.Lock()
        self._opening: dict[str, int] = dict.fromkeys(self.tasks, 0)
        self._indices: dict[str, list[str]] = {}
        self._submissions: dict[str, Submission] = {}
        self._samples: dict[int, Sample] = {}
        self._numbers = itertools.count(1)

    def indices(self, name: str) -> list[str]:
        """The ids of a task's episodes."""
        task = self._task(name, 400)
        with self._lock:
            if name not in self._indices:
                listed = self._client.episodes(task.split, benchmark=task.benchmark).all()
                self._indices[name] = [episode.id for episode in listed]
            return self._indices[name]

    def running(self, name: str | None = None) -> list[Sample]:
        """The samples that have not ended."""
        with self._lock:
            held = list(self._samples.values())
        return [sample for sample in held if sample.status == RUNNING and name in (None, sample.task.name)]

    def current(self, name: str) -> int:
        """How many places of a task are taken."""
        return len(self.running(name)) + self._opening[name]

    def start(self, name: str, index: str) -> dict[str, Any]:
        """What is said first of a sample, or where it stands: of each there is one in a run."""
        return self._output(self.open(name, index))

    def open(self, name: str, index: str) -> Sample:
        """Open a sample, or find it. Raises RefusedError: 406 for an unknown task or no place, 400 for the index."""
        task = self._task(name, 406)
        if index not in self.indices(name):
            raise RefusedError(400, f"'{index}' is no index of {name}")
        with self._lock:
            held = next((s for s in self._samples.values() if (s.task.name, s.index) == (name, index)), None)
        if held is not None:
            return held
        with self._place(name):
            submission = self._submission(task)
            session = self._client.open_session(index, submission=submission.id)
            history = opening(session.status, session.observation)
            if session.taken or session.over:
                history = resumed(session.refresh())
            with self._lock:
                sample = Sample(next(self._numbers), task, index, session, history)
                self._samples[sample.id] = sample
        return sample

    def interact(self, number: int, status: str, content: str | None) -> dict[str, Any]:
        """Take what the agent said, or that its context is full, or that it gives up."""
        with self.turn(number) as sample:
            if status == "agent context limit":
                sample.session.finish(reason="context_limit")
            elif status == "cancelled":
                sample.session.cancel()
            else:
                sample.act(Action(text=content or ""))
            return self._output(sample)

    @contextmanager
    def turn(self, number: int) -> Iterator[Sample]:
        """A sample that goes on, for one turn. RefusedError (400) where there is none, it has ended or is busy."""
        sample = self._sample(number)
        if not sample.lock.acquire(blocking=False):
            raise RefusedError(400, f"session {number} is busy")
        try:
            if sample.session.over:
                raise RefusedError(400, f"session {number} has ended: {sample.status}")
            yield sample
        finally:
            sample.lock.release()

    def cancel(self, number: int) -> dict[str, Any]:
        """Give a sample up: it counts as not solved."""
        sample = self._sample(number)
        with sample.lock:
            if not sample.session.over:
                sample.session.cancel()
        return {"session_id": number}

    def overall(self, name: str) -> dict[str, Any]:
        """Finalise the task's submission and give its score, as judged here; where it is not told, what is."""
        task = self._task(name, 406)
        graded = self._submission(task)
        if graded.state == "open":
            graded = graded.finalize()
        graded = graded.wait()
        interval = graded.interval.model_dump(mode="json") if graded.interval else None
        told = {"submission": graded.id, "state": graded.state, "score": graded.score, "interval": interval}
        return told | ({} if graded.score is None else _published_place(name, graded.score))

    def _task(self, name: str, status: int) -> Task:
        if name not in self.tasks:
            raise RefusedError(status, f"there is no task '{name}'; there are {', '.join(self.tasks)}")
        return self.tasks[name]

    def _sample(self, number: int) -> Sample:
        with self._lock:
            sample = self._samples.get(number)
        if sample is None:
            raise RefusedError(400, f"there is no session {number}")
        return sample

    @contextmanager
    def _place(self, name: str) -> Iterator[None]:
        with self._lock:
            busy = [s for s in self._samples.values() if s.task.name == name and s.status == RUNNING]
            if len(busy) + self._opening[name] >= self.capacity:
                raise RefusedError(406, f"all {self.capacity} places of {name} are taken")
            self._opening[name] += 1
        try:
            yield
        finally:
            with self._lock:
                self._opening[name] -= 1

    def _submission(self, task: Task) -> Submission:
        with self._lock:
            if task.name not in self._submissions:
                named = f"{self._run}\n{task.name}\n{task.benchmark}\n{task.split}\n{self._model}"
                self._submissions[task.name] = self._client.submit(
                    {},
                    model=self._model,
                    split=task.split,
                    benchmark=task.benchmark,
                    finalize=False,
                    idempotency_key=f"agentbench-{hashlib.sha256(named.encode()).hexdigest()[:40]}",
                )
            return self._submissions[task.name]

    def _output(self, sample: Sample) -> dict[str, Any]:
        ended = sample.status != RUNNING
        result = {"session": sample.session.id, "finish_reason": sample.session.finish_reason} if ended else None
        history = sample.history if self._whole or ended else shortened(sample.history)
        turns = [{"role": turn.role, "content": turn.content} for turn in history]
        output = {"index": sample.index, "status": sample.status, "result": result, "history": turns}
        return {"session_id": sample.id, "output": output}


def _published_place(name: str, score: float) -> dict[str, Any]:
    """The score where AgentBench's analysis looks for it."""
    path, scale = MAIN.get(name.split("-")[0], ((), 1.0))
    found: Any = score * scale
    for part in reversed(path):
        found = {part: found}
    return found if path else {}
