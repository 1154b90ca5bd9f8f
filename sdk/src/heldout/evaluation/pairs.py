"""What is played: an agent over a split, task by task, finished ones on disk."""

import time
import traceback
from collections import Counter, deque
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from heldout._text import storable
from heldout.client import Client, Submission
from heldout.evaluation.agents import Agent, Reply, Task, total
from heldout.evaluation.awaiting import Awaiting
from heldout.evaluation.faults import ContextLimitError, passing, sentence
from heldout.evaluation.ledger import AGENT_ERROR, Done, Failure, Ledger
from heldout.evaluation.locked import locked
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


class Pair:
    """One entrant over one course: what is left, and how one task is done."""

    def __init__(
        self,
        client: Client,
        entrant: Entrant,
        course: Course,
        out: Path,
        attempts: int,
        limits: ServiceLimits,
        kept: ExitStack,
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
        kept.enter_context(locked(folder))
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


def described(entrant: Entrant) -> Model:
    """The model as it is submitted: with the agent's sampling parameters, where the caller named none."""
    sampling = getattr(entrant.agent, "sampling", None)
    if entrant.model.parameters or not isinstance(sampling, dict):
        return entrant.model
    return Model.model_validate(dict(entrant.model) | {"parameters": sampling})


def _timed(usage: Usage | None, started: float) -> Usage:
    """What was told, with the seconds that it took where the agent told none."""
    told = usage or Spent()
    seconds = round(time.monotonic() - started, 3)
    return told if told.seconds is not None else told.model_copy(update={"seconds": seconds})
