"""Steps of tasks on our own sites and forms: their oracles are played in the browser and written down, use by use.

Sites, forms and their tasks are drawn from a seed, by the generators of these; another seed gives steps that nobody has
seen. Needs the sites and the browser that those need.
"""

import asyncio
import contextlib
import itertools
import re
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from envs import registry
from envs.base import InfrastructureError
from envs.browser.episode import BrowserEpisode
from envs.browser.errors import PageFault
from envs.web_browsing.dom import Page
from envs.web_browsing.draft import Step, drafted, pool
from envs.web_browsing.generator.recorder import Recorded, Recorder
from envs.web_browsing.generator.ways import Scout
from envs.web_browsing.ranking import TOP, own_text, ranked, stems
from envs.web_browsing.spec import WebBrowsingSpec
from packs import cards
from packs import registry as formats
from packs.benchmark import Benchmark, Scoring
from packs.draft import DraftPack, Soundness
from packs.problem import Problem, ReferenceLine
from packs.report import Report

SOURCES = {"web-sites": 2, "web-forms": 1}
"""Generators of tasks in a browser, and how many of each come in turn."""
# Raised with the tasks of a seed: an instance that holds a pack takes no other content under its number.
VERSION = "1.1.0"
AT_ONCE = 2
BATCH = 8
TRIES = 2
TIMEOUT = 300.0
RECALLS = (1, 5, TOP, 20)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Trace:
    """What was recorded of a task."""

    id: str
    task: str
    subject: str
    steps: Sequence[Recorded]
    ended: str


async def generate(*, seed: int, count: int = 150, split: str = "test", slug: str = "live-web-browsing") -> DraftPack:
    """A pack of `count` steps; the same for the same seed. Every split but "dev" is private.

    Raises InfrastructureError where sites and browser are not there, and ValueError where tasks give fewer steps.
    """
    report = Report(f"web browsing, seed {seed}")
    problems: list[Problem] = []
    references: list[ReferenceLine] = []
    ranks: list[int | None] = []
    traces: list[Trace] = []
    async with contextlib.aclosing(_steps(seed, count, traces)) as steps:
        async for trace, number, recorded in steps:
            report.read += 1
            order = _order(recorded, trace.task)
            ranks.append(next((place for place, one in enumerate(order) if one in recorded.right), None))
            cause = _unsound(recorded, trace.task, order[:TOP])
            if cause:
                report.exclude(f"{trace.id}-{number:02d}", *cause)
                continue
            problem, line = _problem(f"{slug}-{len(problems):04d}", split, trace, recorded, order[:TOP], seed)
            problems.append(problem)
            references.append(line)
            if len(problems) == count:
                break
    if len(problems) < count:
        raise ValueError(f"the tasks that were drawn give {len(problems)} steps; ask for fewer")
    return DraftPack(
        report,
        problems,
        references,
        card=partial(_card, slug, split, seed),
        soundness=Soundness(seed=seed, times=1),
        notes=lambda kept: _notes(kept, ranks, traces),
    )


async def _steps(seed: int, count: int, traces: list[Trace]) -> AsyncGenerator[tuple[Trace, int, Recorded]]:
    """All steps of the tasks in turn, until nobody asks for more; `traces` gets what was played."""
    tasks, recording = await _drawn(seed, count), Recording(seed)
    try:
        for start in range(0, len(tasks), BATCH):
            for trace in await asyncio.gather(*(recording.trace(*task) for task in tasks[start : start + BATCH])):
                traces.append(trace)
                for number, recorded in enumerate(trace.steps):
                    yield trace, number, recorded
    finally:
        await recording.close()


async def _drawn(seed: int, count: int) -> list[tuple[Problem, ReferenceLine]]:
    """Tasks of all SOURCES and of their sites in turn, the first ones of every group before the second ones."""
    kinds: list[list[list[tuple[Problem, ReferenceLine]]]] = []
    for name, share in SOURCES.items():
        made = formats.generator(name)(seed=seed, count=count)
        draft = await made if isinstance(made, Awaitable) else made
        by_site: dict[str, list[tuple[Problem, ReferenceLine]]] = {}
        for pair in sorted(zip(draft.problems, draft.references, strict=True), key=lambda pair: _turn(pair[0])):
            by_site.setdefault(_subject(pair[1]), []).append(pair)
        pairs = [pair for row in itertools.zip_longest(*by_site.values()) for pair in row if pair]
        kinds.append([pairs[start : start + share] for start in range(0, len(pairs), share)])
    return [pair for group in itertools.zip_longest(*kinds, fillvalue=[]) for part in group for pair in part]


class Recording:
    """Plays tasks, AT_ONCE at a time, with one scout for all that see the same."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._scouts: dict[str, asyncio.Task[Scout]] = {}

    async def trace(self, problem: Problem, line: ReferenceLine) -> Trace:
        """What was recorded of a task. Raises InfrastructureError and SpecError."""
        async with self._slots:
            for left in reversed(range(TRIES)):
                world = self._world(line)
                recorder = Recorder(world, partial(self._scout, line))
                try:
                    ended = await recorder.play(_spec(line), self.seed, line.oracle)
                    break
                except PageFault:
                    # A busy machine; what a page does by itself it does again.
                    if not left:
                        ended = "a page did not answer"
                finally:
                    await world.close()
        forms = problem.type == "web_form"
        task = recorder.first_page if forms else problem.statement
        return Trace(f"{problem.type}-{problem.id}", task[:1000], _subject(line), recorder.steps, ended)

    def _world(self, line: ReferenceLine) -> BrowserEpisode:
        world = registry.create(line.episode.environment if line.episode else "")
        if not isinstance(world, BrowserEpisode):
            raise InfrastructureError(f"'{line.id}' is not played in a browser")
        return world

    async def _scout(self, line: ReferenceLine) -> Scout:
        async def opened() -> Scout:
            world = self._world(line)
            await world.reset(dict(_spec(line)), self.seed)
            return Scout(world)

        sign = Scout.sign(_spec(line))
        if sign not in self._scouts:
            self._scouts[sign] = asyncio.create_task(opened())
        return await self._scouts[sign]

    async def close(self) -> None:
        """End the scouts; those that are still beginning too."""
        for scout in self._scouts.values():
            with contextlib.suppress(InfrastructureError):
                await (await scout).world.close()


def _spec(line: ReferenceLine) -> Mapping[str, object]:
    return (dict(line.episode.spec) if line.episode else {}) | {"timeout": TIMEOUT}


def _subject(line: ReferenceLine) -> str:
    """The site on which a task begins."""
    sites = _spec(line).get("sites")
    return str(sites[0]) if isinstance(sites, list) else "forms"


def _turn(problem: Problem) -> tuple[int, str]:
    """The first tasks of all groups before the second ones."""
    return int(problem.id.rpartition("-")[2]), problem.id


def _order(recorded: Recorded, task: str) -> list[str]:
    page = Page(recorded.page)
    return ranked([page.node(one) for one in recorded.candidates], task, recorded.previous)


def _unsound(recorded: Recorded, task: str, first: Sequence[str]) -> tuple[str, str] | None:
    """Why a step is no question, and in one or two words."""
    if not set(recorded.right) & set(first):
        return "not asked", f"no right element is among the first {TOP}"
    if len(first) < 2:
        return "one choice", "the page has one candidate alone"
    told = set(_WORD.findall(task.lower()))
    if recorded.operation == "TYPE" and not set(_WORD.findall(recorded.value.lower())) <= told:
        return "not told", "what is typed is not said in the task"
    page, link = Page(recorded.page), recorded.name.startswith("[link]")
    says = recorded.value or " ".join(own_text(page.node(one)) for one in recorded.right)
    if not set(stems(says)) & set(stems(task)) and (recorded.operation == "SELECT" or link):
        return "not told", "nothing of what is chosen is said in the task"
    return None


def _problem(
    id_: str, split: str, trace: Trace, recorded: Recorded, first: Sequence[str], seed: int
) -> tuple[Problem, ReferenceLine]:
    right = tuple(one for one in recorded.right if one in first)
    step = Step(trace.task, recorded.previous, recorded.page, right, recorded.operation, recorded.value)
    spec = WebBrowsingSpec(
        task=step.task,
        previous=step.previous,
        page=Page(step.page).slim(first),
        candidates=pool(first, f"{seed} {id_}"),
    )
    return drafted(id_, split, trace.subject, trace.id, spec, step)


def _notes(kept: Sequence[Problem], ranks: Sequence[int | None], traces: Sequence[Trace]) -> list[str]:
    shares = ", ".join(
        f"{sum(rank is not None and rank < k for rank in ranks) / max(1, len(ranks)):.3f} at {k}" for k in RECALLS
    )
    sites = ", ".join(f"{name} {number}" for name, number in sorted(Counter(one.subject for one in kept).items()))
    ended = Counter(trace.ended for trace in traces if trace.ended)
    early = ", ".join(f"{cause} {number}" for cause, number in ended.most_common())
    return [
        f"{len(kept)} steps of {len({one.group for one in kept})} tasks; by site: {sites}",
        f"recall of a right element by our own scorer: {shares}",
        f"{len(traces)} tasks were played, {sum(ended.values())} recorded in part: {early or 'none'}",
    ]


def _card(slug: str, split: str, seed: int, kept: Sequence[Problem]) -> Benchmark:
    tasks = len({one.group for one in kept})
    return cards.live(
        slug,
        split,
        seed,
        title="Live: web browsing",
        summary="Which element of a page is used next, and how, on sites of our own.",
        card=_CARD.format(count=len(kept), tasks=tasks),
        scoring=Scoring(),
        version=VERSION,
    )


_CARD = """\
{count} steps of {tasks} tasks on a shop and its administration, a forum, a forge, an encyclopaedia, a map, small tools
and crowdsourcing forms, recorded while the tasks were done in a browser. Each asks for the next element of a page, five
candidates at a time, and for what is done with it, as AgentBench plays Mind2Web. The score is step success: the right
element with the right operation and value.

The sites' content, the forms and the tasks are drawn from a seed: another seed gives steps that nobody has seen.
"""
