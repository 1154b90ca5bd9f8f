"""The engine: agents over splits, several at once, finished tasks on disk."""

import os
import time
import traceback
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from heldout._progress import Watch
from heldout._text import storable
from heldout.client import Client, Submission
from heldout.errors import HeldoutError
from heldout.evaluation.agents import Agent, Reply, Task, total
from heldout.evaluation.assign import assign
from heldout.evaluation.awaiting import Awaiting, check_agent
from heldout.evaluation.budget import Budget
from heldout.evaluation.faults import ContextLimitError, answered, final, outside, passing, sentence, unavailable
from heldout.evaluation.ledger import AGENT_ERROR, Done, Failure, Ledger
from heldout.evaluation.locked import locked
from heldout.evaluation.outage import Outage
from heldout.evaluation.progress import SILENCE, Report, reporting
from heldout.evaluation.protocols import Message, Spent
from heldout.evaluation.thinking import kept_alive
from heldout.models import Item, Model, Problem, ServiceLimits, Usage
from heldout.sessions import Session

ANSWERED = "answered"
CONTEXT_LIMIT = "context_limit"
_TRACE = 4000


@dataclass(frozen=True)
class Entrant:
    """An agent, the model it is submitted as, and how many tasks it does at once."""

    name: str
    agent: Agent
    model: Model
    concurrency: int = 4


@dataclass(frozen=True)
class Course:
    """A split to be played, how many of its tasks run at once, and the `limit` of its first tasks (None: all)."""

    benchmark: str
    split: str = "test"
    concurrency: int = 8
    limit: int | None = None

    @property
    def name(self) -> str:
        """Benchmark and split as one name; what is limited is a run of its own."""
        return f"{self.benchmark}-{self.split}" + ("" if self.limit is None else f"-limit-{self.limit}")


@dataclass
class Outcome:
    """One entrant over one course. `complete` says that all tasks are done, and not each by an `agent_error`; only then
    is the submission finalised.

    `finish_reasons` counts the ends, `errors` what agents raised, by class and message; `errors.jsonl` in `folder` has
    each. `stopped` is the error that ended the run early, since nothing else came any more, `spent` the budget that
    did. `left_out` counts answers whose beginning was cut, since the service takes no longer ones; `usage` is what
    agents told of costs, in all. `begun` episodes were left under way: the service ends each `idle_seconds` after its
    last step. Of the questions that were `answered` so many had an `empty` reply, and so many one that the endpoint
    `cut` for its length.
    """

    entrant: str
    course: str
    folder: Path
    tasks: int
    done: int
    submission: Submission
    finish_reasons: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    stopped: str = ""
    left_out: int = 0
    usage: Spent = field(default_factory=Spent)
    spent: str = ""
    begun: int = 0
    idle_seconds: int = 0
    answered: int = 0
    empty: int = 0
    cut: int = 0

    def __repr__(self) -> str:
        found = self.submission
        score = "" if found.score is None else f", score={found.score:.3f}"
        stopped = f", stopped={self.stopped!r}" if self.stopped else ""
        whole = f"{self.entrant} on {self.course}: {self.done} of {self.tasks} done"
        return f"<Outcome {whole}, {found.id} {found.state}{score}{stopped}>"

    @property
    def complete(self) -> bool:
        """Whether every task is done, and the agent could do one at least."""
        return self.done == self.tasks and not self.failed

    @property
    def failed(self) -> bool:
        """Whether every task ended as `agent_error`: the submission stays open, and the next run begins anew."""
        return 0 < self.tasks == self.finish_reasons[AGENT_ERROR]


class _Pair:
    """One entrant over one course: what is left, and how one task is done."""

    def __init__(
        self,
        client: Client,
        entrant: Entrant,
        course: Course,
        out: Path,
        attempts: int,
        limits: ServiceLimits,
        held: ExitStack,
        awaiting: Awaiting,
    ) -> None:
        self._awaiting = awaiting
        self._client = client
        self._attempts = attempts
        self._longest, self._idle = limits.answer_characters, limits.session_idle_seconds
        self._begun: set[str] = set()
        self._waiting: dict[str, ExitStack] = {}
        self._failed_at: dict[str, int] = {}
        self.entrant, self.course = entrant, course
        found = client.benchmark(course.benchmark)
        folder = out / entrant.name / course.name
        held.enter_context(locked(folder))
        self.ledger = Ledger(
            folder,
            benchmark=found.slug,
            version=found.version,
            split=course.split,
            model=described(entrant),
        )
        hidden = any(split.name == course.split and split.visibility == "private" for split in found.splits)
        self._questions: dict[str, Problem] = {}
        tasks = [e.id for e in islice(client.episodes(course.split, benchmark=found.slug), course.limit)]
        left = None if course.limit is None else course.limit - len(tasks)
        problems = () if hidden or left == 0 else client.get_problems(course.split, benchmark=found.slug)
        for problem in islice((each for each in problems if not each.episode), left):
            self._questions[problem.id] = problem
        self.tasks = [*tasks, *self._questions]
        self.ledger.anew_if_failed(self.tasks)
        self.pending = deque(task for task in self.tasks if task not in self.ledger.done)
        self.errors: Counter[str] = Counter()
        self.submission = client.submit(
            [],
            model=self.ledger.head.model,
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
            reply = self._ask(Task(task, problem=question, fetch=self._client.image))
            answer, left_out = self._sendable(reply.answer or "")
            done = Done(
                problem=task,
                finish_reason=ANSWERED,
                answer=answer,
                usage=_timed(reply.usage, started),
                seconds=time.monotonic() - started,
                left_out=left_out,
                cut=reply.cut,
            )
            self.ledger.record(done, messages=reply.messages)
            return done
        return self._episode(task, started)

    def _episode(self, task: str, started: float) -> Done:
        key = f"{self.ledger.head.key}-{task}"
        session = self._client.open_session(task, submission=self.submission.id, idempotency_key=key)
        self._begun.add(task)
        if session.taken:
            session.refresh()
        usage: Usage | None = None
        left_out = 0
        messages: Sequence[Message] = ()
        if not session.over:
            reply = self._played(task, session)
            usage, messages = _timed(reply.usage, started), reply.messages
            answer, left_out = self._sendable(reply.answer or "")
            # An episode that ended by itself is told its cost alone: the first end stands.
            status = session.finish(None if reply.answer is None else answer, usage=usage, reason=reply.reason)
        else:
            status = session.refresh()
        done = Done(
            problem=task,
            finish_reason=status.finish_reason or status.state,
            answer=status.answer,
            session=status.id,
            usage=usage,
            seconds=time.monotonic() - started,
            left_out=left_out,
        )
        self.ledger.record(done, status, messages)
        return done

    def _played(self, task: str, session: Session) -> Reply:
        """What the agent makes of an episode. One that failed is kept alive until it is its turn again."""
        with ExitStack() as alive:
            alive.enter_context(kept_alive(session))
            self.release(task)
            try:
                return self._ask(Task(task, session=session))
            except Exception:
                self._waiting[task] = alive.pop_all()
                raise

    def _ask(self, task: Task) -> Reply:
        given = self._awaiting.result(self.entrant.agent(task))
        return given if isinstance(given, Reply) else Reply(given)

    def release(self, task: str) -> None:
        """Keep an episode that waits for its turn alive no more."""
        if waiting := self._waiting.pop(task, None):
            waiting.close()

    def release_all(self) -> None:
        """The same for all of them."""
        for task in list(self._waiting):
            self.release(task)

    def _sendable(self, answer: str) -> tuple[str, int]:
        """The end of the answer, as long as the service takes, and how many characters that leaves out."""
        kept = str(storable(answer))[-self._longest :]
        return kept, len(answer) - len(kept)

    def fail(self, task: str, error: Exception, done: int, *, alone: bool = False) -> str:
        """Keep what an attempt raised. The task is tried again, or recorded as failed once it failed too often.

        A fault from outside counts for the task where others were done since it failed before: `done` is how many were
        in this run. It does, too, where the endpoint answers everything but this (`alone`). Too many requests never do.
        """
        words = sentence(error)
        self.errors[words] += 1
        own = not passing(error)
        before = self._failed_at.get(task)
        self._failed_at[task] = done
        others = before is not None and done > before and getattr(error, "status", 0) != 429
        counted = own or alone or others
        message = "".join(traceback.format_exception(error))[-_TRACE:] if own else words
        self.ledger.fail(Failure(problem=task, error=words, message=message, counted=counted))
        full = isinstance(error, ContextLimitError)
        if counted and (full or self.ledger.attempts[task] >= self._attempts):
            self._give_up(task, CONTEXT_LIMIT if full else AGENT_ERROR)
        elif own:
            self.pending.append(task)
        else:
            # After one other: if that is done, the fault is this task's. After more where others failed too, so that
            # all that are left have their turn.
            self.pending.insert(sum(at == done for at in self._failed_at.values()), task)
        return words

    def in_vain(self, done: int) -> bool:
        """Whether all that is left failed since the last task was done."""
        return all(self._failed_at.get(task) == done for task in self.pending)

    def _give_up(self, task: str, reason: str) -> None:
        self.release(task)
        status = None
        if task not in self._questions:
            key = f"{self.ledger.head.key}-{task}"
            session = self._client.open_session(task, submission=self.submission.id, idempotency_key=key)
            if not session.over:
                session.finish(reason="context_limit") if reason == CONTEXT_LIMIT else session.cancel()
            status = session.status
        self.ledger.record(
            Done(problem=task, finish_reason=reason, answer="", session=status.id if status else None), status
        )

    def close(self, stopped: str = "", spent: str = "") -> Outcome:
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
            stopped,
            sum(done.left_out > 0 for done in self.ledger.done.values()),
            total(done.usage for done in self.ledger.done.values()),
            spent,
            len(self._begun - self.ledger.done.keys()),
            self._idle,
        )
        outcome.answered = sum(done.finish_reason == ANSWERED for done in answered)
        outcome.empty = sum(d.finish_reason == ANSWERED and not (d.answer or "").strip() for d in answered)
        outcome.cut = sum(done.cut for done in answered)
        if outcome.submission.state == "open":
            for start in range(0, len(items), 500):
                outcome.submission = outcome.submission.add(items[start : start + 500])
            if outcome.complete:
                outcome.submission = outcome.submission.finalize()
        told = {"tasks": outcome.tasks, "done": outcome.done, "submission": outcome.submission.id}
        told |= {"finish_reasons": outcome.finish_reasons, "errors": outcome.errors, "stopped": stopped, "spent": spent}
        told |= {"replies_empty": outcome.empty, "replies_cut_by_length": outcome.cut}
        self.ledger.summary(told | {"answers_cut": outcome.left_out})
        return outcome


def evaluate_all(
    client: Client,
    entrants: Sequence[Entrant],
    courses: Sequence[Course],
    *,
    out: str | os.PathLike[str] = "results",
    budget: Budget | None = None,
    progress: bool | Report = False,
    attempts: int = 3,
    stop_after: int = 10,
    outage_seconds: float = 3600.0,
) -> list[Outcome]:
    """Play every entrant over every course. Started again with the same folder, it goes on where it stopped.

    A task whose agent raised is tried again, up to `attempts` times, and is then recorded as `agent_error`, so that the
    run ends. Faults of an endpoint, a network or the service count for no task. Where nobody answers, or with a server
    fault or 429, the run waits and tries again, one task at a time, until nothing was answered for `outage_seconds`
    (two minutes where nothing ever was); episodes under way are kept alive meanwhile. What is refused `stop_after`
    times alike ends the run: at once or, once there was an answer, when that has gone on for a minute.
    Slots are given out by a maximum flow (extra `evaluate`): no free slot waits for an agent or an environment in use.
    """
    for entrant in entrants:
        check_agent(entrant.agent)
    with ExitStack() as held:
        awaiting = held.enter_context(Awaiting())
        courses = list(dict.fromkeys(courses))
        limits = client.limits()
        pairs = {
            (e.name, c.name): _Pair(client, e, c, Path(out), attempts, limits, held, awaiting)
            for e in entrants
            for c in courses
        }
        slots = sum(entrant.concurrency for entrant in entrants)
        totals = Counter[str]()
        for (_, course), pair in pairs.items():
            totals[course] += len(pair.tasks)
        with (
            reporting(progress, totals) as report,
            ThreadPoolExecutor(max(1, slots), thread_name_prefix="heldout") as pool,
        ):
            loop = _Loop(pairs, entrants, courses, budget or Budget(), report, Outage(outage_seconds, stop_after))
            try:
                loop.run(pool)
            finally:
                for pair in pairs.values():
                    pair.release_all()
        return [pair.close(loop.stopped, loop.spent) for pair in pairs.values()]


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
    attempts: int = 3,
    stop_after: int = 10,
    outage_seconds: float = 3600.0,
    limit: int | None = None,
) -> Outcome:
    """Play one agent over one split, or over its first `limit` tasks; see `evaluate_all`."""
    described = Model.of(model)
    name = "".join(c if c.isalnum() or c in "-._" else "-" for c in f"{described.name}-{described.version}".strip("-"))
    entrant = Entrant(name or "agent", agent, described, concurrency)
    course = Course(benchmark, split, concurrency, limit)
    return evaluate_all(
        client,
        [entrant],
        [course],
        out=out,
        budget=budget,
        progress=progress,
        attempts=attempts,
        stop_after=stop_after,
        outage_seconds=outage_seconds,
    )[0]


def until_graded(outcomes: Sequence[Outcome], watch: bool | Watch = False) -> None:
    """Wait for the scores of the outcomes that are complete; each then carries its submission as it ended."""
    for outcome in outcomes:
        if outcome.complete:
            outcome.submission = outcome.submission.wait(progress=watch)


def described(entrant: Entrant) -> Model:
    """The model as it is submitted: with the agent's sampling parameters, where the caller named none."""
    sampling = getattr(entrant.agent, "sampling", None)
    if entrant.model.parameters or not isinstance(sampling, dict):
        return entrant.model
    return Model.model_validate(dict(entrant.model) | {"parameters": sampling})


class _Loop:
    """Starts tasks as slots become free."""

    def __init__(
        self,
        pairs: Mapping[tuple[str, str], _Pair],
        entrants: Sequence[Entrant],
        courses: Sequence[Course],
        budget: Budget,
        report: Report,
        outage: Outage,
    ) -> None:
        self._pairs = pairs
        self._agents = {entrant.name: entrant.concurrency for entrant in entrants}
        self._courses = {course.name: course.concurrency for course in courses}
        self._budget, self._report = budget, report
        self._running: dict[Future[Done], tuple[tuple[str, str], str]] = {}
        self._outage = outage
        self.stopped, self.spent = "", ""
        self._started, self._ended, self._finished = 0, 0, 0
        self._tokens, self._cost = 0, 0.0
        self._silent = 0.0
        self._begun = time.monotonic()

    def run(self, pool: ThreadPoolExecutor) -> None:
        """Until nothing is left, or the budget is spent."""
        try:
            while self._start(pool) or self._running:
                ended = wait(self._running, timeout=SILENCE, return_when=FIRST_COMPLETED).done
                self._silent = 0.0 if ended else self._silent + SILENCE
                for future in ended:
                    self._end(future)
                if not ended:
                    self._tell()
        except BaseException:
            for future in self._running:
                future.cancel()
            raise

    def _start(self, pool: ThreadPoolExecutor) -> int:
        if self.stopped or (self._outage.lasts and self._running):
            return 0
        if self._outage.lasts:
            self._outage.sit_out()
        busy_agents = Counter(agent for (agent, _), _ in self._running.values())
        busy_courses = Counter(course for (_, course), _ in self._running.values())
        free_agents = {name: slots - busy_agents[name] for name, slots in self._agents.items()}
        free_courses = {name: slots - busy_courses[name] for name, slots in self._courses.items()}
        pending = {pair: len(held.pending) for pair, held in self._pairs.items()}
        begun = 0
        for pair, number in assign(free_agents, free_courses, pending).items():
            for _ in range(number):
                if self.spent or self._over_budget():
                    return begun
                held = self._pairs[pair]
                task = held.pending.popleft()
                self._running[pool.submit(held.play, task)] = (pair, task)
                self._started += 1
                begun += 1
                if self._outage.lasts:
                    return begun
        return begun

    def _end(self, future: Future[Done]) -> None:
        pair, task = self._running.pop(future)
        held = self._pairs[pair]
        error = future.exception()
        if error is None:
            self._outage.over()
            self._finished += 1
            usage = future.result().usage or Spent()
            self._tokens += usage.tokens or 0
            self._cost += usage.cost or 0.0
        elif isinstance(error, Exception):
            words = held.fail(task, error, self._finished, alone=self._alone(pair[0], error))
            # What an agent does wrong by itself ends with its attempts.
            if outside(error):
                ended = self._outage.fault(words, unavailable=unavailable(error), final=final(error))
                self.stopped = self.stopped or ended
        else:
            raise error
        self._ended += 1
        self._tell()

    def _tell(self) -> None:
        errors = sum((pair.errors for pair in self._pairs.values()), Counter[str]())
        seconds = time.monotonic() - self._begun
        self._report(
            {
                "ended": self._ended,
                "running": len(self._running),
                "errors": dict(errors),
                "seconds": seconds,
                "rate": self._finished / seconds if seconds else 0.0,
                "silent": self._silent,
                "waiting": str(self._outage),
                "courses": self._done(),
            }
        )

    def _alone(self, agent: str, error: Exception) -> bool:
        """Whether the endpoint answers, but not this: asked where no other task is left that would show it."""
        entrants = [held for (name, _), held in self._pairs.items() if name == agent]
        left = self._running or not all(held.in_vain(self._finished) for held in entrants)
        probe = getattr(entrants[0].entrant.agent, "probe", None)
        if left or probe is None or not self._outage.doubtful or not answered(error):
            return False
        try:
            probe()
        except HeldoutError:
            return False
        self._outage.contact()
        return True

    def _done(self) -> dict[str, int]:
        """How many tasks of each course are done, by all entrants, in this run or before."""
        done = dict.fromkeys(self._courses, 0)
        for (_, course), pair in self._pairs.items():
            done[course] += len(pair.ledger.done)
        return done

    def _over_budget(self) -> bool:
        seconds = time.monotonic() - self._begun
        self.spent = self._budget.over(self._tokens, self._cost, self._started, seconds)
        return bool(self.spent)


def _timed(usage: Usage | None, started: float) -> Usage:
    """What was told, with the seconds that it took where the agent told none."""
    told = usage or Spent()
    seconds = round(time.monotonic() - started, 3)
    return told if told.seconds is not None else told.model_copy(update={"seconds": seconds})
