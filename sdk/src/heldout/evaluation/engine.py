"""The engine: agents over splits, several at once, finished tasks on disk."""

import os
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heldout.client import Client, Submission
from heldout.evaluation.agents import Agent, Reply, Task
from heldout.evaluation.assign import assign
from heldout.evaluation.ledger import Done, Ledger
from heldout.models import Item, Model, Problem, Usage

ANSWERED = "answered"


@dataclass(frozen=True)
class Entrant:
    """An agent, the model it is submitted as, and how many tasks it does at once."""

    name: str
    agent: Agent
    model: Model
    concurrency: int = 4


@dataclass(frozen=True)
class Course:
    """A split to be played, and how many of its tasks run at once."""

    benchmark: str
    split: str = "test"
    concurrency: int = 8

    @property
    def name(self) -> str:
        """Benchmark and split as one name."""
        return f"{self.benchmark}-{self.split}"


@dataclass(frozen=True)
class Budget:
    """When to start no more: tokens, US dollars, seconds of wall clock, tasks; None is unlimited."""

    tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None
    tasks: int | None = None


@dataclass
class Outcome:
    """One entrant over one course. `complete` says that all tasks are done; only then is the submission finalised.

    `finish_reasons` counts the ends, `errors` the exceptions of the agent by class: these tasks are tried again in the
    next run.
    """

    entrant: str
    course: str
    folder: Path
    tasks: int
    done: int
    submission: Submission
    finish_reasons: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)

    @property
    def complete(self) -> bool:
        """Whether every task is done."""
        return self.done == self.tasks


class _Pair:
    """One entrant over one course: what is left, and how one task is done."""

    def __init__(self, client: Client, entrant: Entrant, course: Course, out: Path) -> None:
        self._client = client
        self.entrant, self.course = entrant, course
        found = client.benchmark(course.benchmark)
        self.ledger = Ledger(
            out / entrant.name / course.name,
            benchmark=found.slug,
            version=found.version,
            split=course.split,
            model=entrant.model,
        )
        hidden = any(split.name == course.split and split.visibility == "private" for split in found.splits)
        self._questions: dict[str, Problem] = {}
        tasks = [episode.id for episode in client.episodes(course.split, benchmark=found.slug)]
        for problem in () if hidden else client.get_problems(course.split, benchmark=found.slug):
            if not problem.episode:
                self._questions[problem.id] = problem
        self.tasks = [*tasks, *self._questions]
        self.pending = deque(task for task in self.tasks if task not in self.ledger.done)
        self.errors: Counter[str] = Counter()
        self.submission = client.submit(
            [],
            model=entrant.model,
            split=course.split,
            benchmark=found.slug,
            finalize=False,
            idempotency_key=self.ledger.head.key,
        )

    def play(self, task: str) -> Done:
        """Do one task to its end and keep it."""
        started = time.monotonic()
        question = self._questions.get(task)
        if question is not None:
            reply = _reply(self.entrant.agent(Task(task, problem=question)))
            answer = reply.answer if reply.answer is not None else ""
            done = Done(problem=task, finish_reason=ANSWERED, answer=answer, usage=reply.usage)
            self.ledger.record(done.model_copy(update={"seconds": time.monotonic() - started}))
            return done
        return self._episode(task, started)

    def _episode(self, task: str, started: float) -> Done:
        key = f"{self.ledger.head.key}-{task}"
        session = self._client.open_session(task, submission=self.submission.id, idempotency_key=key)
        if session.taken:
            session.refresh()
        usage: Usage | None = None
        if not session.over:
            reply = _reply(self.entrant.agent(Task(task, session=session)))
            usage = reply.usage
            if not session.over:
                session.finish(reply.answer)
        status = session.refresh()
        done = Done(
            problem=task,
            finish_reason=status.finish_reason or status.state,
            answer=status.answer,
            session=status.id,
            usage=usage,
            seconds=time.monotonic() - started,
        )
        self.ledger.record(done, status)
        return done

    def close(self) -> Outcome:
        """Send the answers; finalise when every task is done."""
        answered = [done for done in self.ledger.done.values() if done.session is None]
        items = [Item(problem=done.problem, answer=done.answer, usage=done.usage) for done in answered]
        outcome = Outcome(
            self.entrant.name,
            self.course.name,
            self.ledger.folder,
            len(self.tasks),
            len(self.ledger.done),
            self.submission.refresh(),
            Counter(done.finish_reason for done in self.ledger.done.values()),
            self.errors,
        )
        if outcome.submission.state == "open":
            for start in range(0, len(items), 500):
                outcome.submission = outcome.submission.add(items[start : start + 500])
            if outcome.complete:
                outcome.submission = outcome.submission.finalize()
        told = {"tasks": outcome.tasks, "done": outcome.done, "submission": outcome.submission.id}
        self.ledger.summary(told | {"finish_reasons": outcome.finish_reasons, "errors": outcome.errors})
        return outcome


Report = Callable[[Mapping[str, Any]], None]


def evaluate_all(
    client: Client,
    entrants: Sequence[Entrant],
    courses: Sequence[Course],
    *,
    out: str | os.PathLike[str] = "results",
    budget: Budget | None = None,
    progress: bool | Report = False,
) -> list[Outcome]:
    """Play every entrant over every course. Started again with the same folder, it goes on where it stopped.

    A task whose agent raised is left for the next run and counted in `errors`; nothing of it is scored. Slots are given
    out by a maximum flow (extra `evaluate`), so that no free slot waits for an agent or an environment in use.
    """
    pairs = {(e.name, c.name): _Pair(client, e, c, Path(out)) for e in entrants for c in courses}
    slots = sum(entrant.concurrency for entrant in entrants)
    left = sum(len(pair.pending) for pair in pairs.values())
    with _told(progress, left) as report, ThreadPoolExecutor(max(1, slots), thread_name_prefix="heldout") as pool:
        _Loop(pairs, entrants, courses, budget or Budget(), report).run(pool)
    return [pair.close() for pair in pairs.values()]


def evaluate(
    client: Client,
    agent: Agent,
    *,
    benchmark: str,
    split: str = "test",
    model: Model | Mapping[str, Any] | str,
    concurrency: int = 4,
    out: str | os.PathLike[str] = "results",
    budget: Budget | None = None,
    progress: bool | Report = False,
) -> Outcome:
    """Play one agent over one split; see `evaluate_all`."""
    described = Model.of(model)
    name = "".join(c if c.isalnum() or c in "-._" else "-" for c in f"{described.name}-{described.version}".strip("-"))
    entrant = Entrant(name or "agent", agent, described, concurrency)
    course = Course(benchmark, split, concurrency)
    return evaluate_all(client, [entrant], [course], out=out, budget=budget, progress=progress)[0]


class _Loop:
    """Starts tasks as slots become free."""

    def __init__(
        self,
        pairs: Mapping[tuple[str, str], _Pair],
        entrants: Sequence[Entrant],
        courses: Sequence[Course],
        budget: Budget,
        report: Report,
    ) -> None:
        self._pairs = pairs
        self._agents = {entrant.name: entrant.concurrency for entrant in entrants}
        self._courses = {course.name: course.concurrency for course in courses}
        self._budget, self._report = budget, report
        self._running: dict[Future[Done], tuple[str, str]] = {}
        self._started, self._ended = 0, 0
        self._tokens, self._cost = 0, 0.0
        self._begun = time.monotonic()

    def run(self, pool: ThreadPoolExecutor) -> None:
        """Until nothing is left, or the budget is spent."""
        try:
            while self._start(pool) or self._running:
                for future in wait(self._running, return_when=FIRST_COMPLETED).done:
                    self._end(future)
        except BaseException:
            for future in self._running:
                future.cancel()
            raise

    def _start(self, pool: ThreadPoolExecutor) -> int:
        busy_agents = Counter(agent for agent, _ in self._running.values())
        busy_courses = Counter(course for _, course in self._running.values())
        free_agents = {name: slots - busy_agents[name] for name, slots in self._agents.items()}
        free_courses = {name: slots - busy_courses[name] for name, slots in self._courses.items()}
        pending = {pair: len(held.pending) for pair, held in self._pairs.items()}
        begun = 0
        for pair, number in assign(free_agents, free_courses, pending).items():
            for _ in range(number):
                if self._over_budget():
                    return begun
                held = self._pairs[pair]
                self._running[pool.submit(held.play, held.pending.popleft())] = pair
                self._started += 1
                begun += 1
        return begun

    def _end(self, future: Future[Done]) -> None:
        held = self._pairs[self._running.pop(future)]
        error = future.exception()
        if error is None:
            usage = future.result().usage or Usage()
            self._tokens += usage.tokens or 0
            self._cost += usage.cost or 0.0
        elif isinstance(error, Exception):
            held.errors[type(error).__name__] += 1
        else:
            raise error
        self._ended += 1
        errors = sum((pair.errors for pair in self._pairs.values()), Counter[str]())
        seconds = time.monotonic() - self._begun
        self._report(
            {
                "ended": self._ended,
                "running": len(self._running),
                "errors": dict(errors),
                "seconds": seconds,
                "rate": self._ended / seconds if seconds else 0.0,
            }
        )

    def _over_budget(self) -> bool:
        budget = self._budget
        spent = (
            (self._tokens, budget.tokens),
            (self._cost, budget.cost),
            (self._started, budget.tasks),
            (time.monotonic() - self._begun, budget.seconds),
        )
        return any(limit is not None and used >= limit for used, limit in spent)


def _reply(given: Reply | str | None) -> Reply:
    return given if isinstance(given, Reply) else Reply(given)


@contextmanager
def _told(progress: bool | Report, total: int) -> Iterator[Report]:
    if callable(progress) or not progress:
        yield progress if callable(progress) else lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("evaluating", total=total)

        def report(told: Mapping[str, Any]) -> None:
            errors = ", ".join(f"{name} {count}" for name, count in told["errors"].items())
            words = f"{told['rate'] * 60:.1f}/min, {told['running']} running" + (
                f", errors: {errors}" if errors else ""
            )
            bar.update(task, completed=told["ended"], description=words)

        yield report
