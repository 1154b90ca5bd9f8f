"""The engine: agents over splits, several at once."""

import os
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from heldout._progress import Watch
from heldout.client import Client
from heldout.errors import HeldoutError
from heldout.evaluation.agents import Agent
from heldout.evaluation.assign import assign
from heldout.evaluation.awaiting import Awaiting, check_agent
from heldout.evaluation.budget import Budget
from heldout.evaluation.faults import answered, final, outside, unavailable
from heldout.evaluation.ledger import Done
from heldout.evaluation.outage import Outage
from heldout.evaluation.pairs import Course, Entrant, Outcome, Pair
from heldout.evaluation.progress import SILENCE, Report, reporting
from heldout.evaluation.protocols import Spent
from heldout.models import Model


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
            (e.name, c.name): Pair(client, e, c, Path(out), attempts, limits, held, awaiting)
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


class _Loop:
    """Starts tasks as slots become free."""

    def __init__(
        self,
        pairs: Mapping[tuple[str, str], Pair],
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
