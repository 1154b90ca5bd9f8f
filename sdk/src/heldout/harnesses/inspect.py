"""Every benchmark of the configured service as a task of Inspect (`pip install 'heldout[inspect]'`).

    inspect eval heldout/<benchmark> -T split=dev --model openai/gpt-5

Inspect asks the model, the service grades: at the end of the task its answers are one submission, and what the service
says of it are the task's metrics. Samples carry no score of their own: a hidden split tells none. Options (`-T`):
`split` (default `test`), `count` (so many problems and no more are asked for). Found by Inspect's entry point.
"""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import anyio
from inspect_ai import Epochs, Task, task
from inspect_ai.dataset import Dataset, MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
    GenerateConfig,
    get_model,
    messages_from_openai,
    messages_to_openai,
)
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver
from inspect_ai.tool import ToolInfo

from heldout.client import Client, Submission
from heldout.evaluation import agents
from heldout.harnesses._served import served
from heldout.models import Episode, Item, Problem, Tool, Usage

# What is sent has no value that could be averaged.
_ONCE = Epochs(1, "mode")
_LOG = logging.getLogger(__name__)
NOTICE = (
    "Problems of a benchmark whose test set must stay unseen: not for training. Logs hold them; do not publish logs."
)


class _Samples(MemoryDataset):
    """Tells the run how many samples `--limit` or `--sample-id` left of it."""

    def __init__(self, samples: Sequence[Sample], run: "_Run") -> None:
        super().__init__(list(samples))
        self._run = run
        run.expected = len(self)

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        return _Samples(found.samples, self._run) if isinstance(index, slice) else found

    def filter(self, predicate: Callable[[Sample], bool], name: str | None = None) -> Dataset:
        """The samples for which the predicate holds."""
        return _Samples(list(super().filter(predicate, name)), self._run)


def _questions(run: "_Run", problems: Sequence[Problem]) -> _Samples:
    client = run.client
    return _Samples(
        [
            Sample(
                id=problem.id,
                input=[ChatMessageUser(content=_content(client, problem))],
                target=problem.gold or "",
                metadata={"type": problem.type, "subject": problem.subject, "notice": NOTICE},
            )
            for problem in problems
        ],
        run,
    )


def _content(client: Client, problem: Problem) -> list[Content]:
    said = agents.content(problem.prompt, [client.image(image) for image in problem.images])
    if isinstance(said, str):
        return [ContentText(text=said)]
    pictures = [ContentImage(image=part["image_url"]["url"]) for part in said[1:]]
    return [ContentText(text=said[0]["text"]), *pictures]


def _episodes(run: "_Run", episodes: Sequence[Episode]) -> _Samples:
    return _Samples(
        [
            Sample(id=item.id, input="(opened when it is played)", metadata={"type": item.type, "notice": NOTICE})
            for item in episodes
        ],
        run,
    )


class _Run:
    """One evaluation's submission: begun when the first thing is to be kept, finalised by the metric."""

    def __init__(self, client: Client, split: str) -> None:
        self.client = client
        self.split = split
        self.submission: Submission | None = None
        self.expected = 0
        self._lock = anyio.Lock()

    async def begun(self, model: str) -> Submission:
        async with self._lock:
            if self.submission is None:
                make = partial(self.client.submit, {}, model=model, split=self.split, finalize=False)
                self.submission = await anyio.to_thread.run_sync(make)
            return self.submission


@solver
def _played(run: _Run) -> Solver:
    """Plays an episode with the model: its tools are the model's tools, its observations their results."""

    async def solve(state: TaskState, _: Generate) -> TaskState:
        submission = await run.begun(str(state.model))
        model = get_model()

        async def complete(said: list[dict[str, Any]], tools: Sequence[Tool]) -> tuple[dict[str, Any], Usage | None]:
            state.messages = await messages_from_openai(said)  # type: ignore[arg-type]
            infos = [
                ToolInfo.model_validate(
                    {"name": tool.name, "description": tool.description or tool.name, "parameters": tool.parameters}
                )
                for tool in tools
            ]
            output = await model.generate(state.messages, tools=infos, config=GenerateConfig())
            state.output = output
            state.messages.append(output.message)
            message = (await messages_to_openai([output.message]))[0]
            return dict(message), Usage(tokens=output.usage.total_tokens) if output.usage else None

        def play() -> agents.Reply:
            session = run.client.open_session(str(state.sample_id), submission=submission.id)
            try:
                agent = agents.chat(lambda said, tools: anyio.from_thread.run(complete, said, tools))
                reply = agent(agents.Task(session.id, session=session))
            except BaseException:
                session.cancel()
                raise
            if isinstance(reply, agents.Reply):
                session.finish(reply.answer, usage=reply.usage, reason=reply.reason)
            state.metadata["session"] = session.id
            state.metadata["finish_reason"] = session.finish_reason
            return reply if isinstance(reply, agents.Reply) else agents.Reply(reply)

        await anyio.to_thread.run_sync(play)
        return state

    return solve


def _reported(run: _Run) -> Metric:
    """What the service says of the run; nothing where the split tells nothing yet."""

    @metric(name="heldout")
    def made() -> Metric:
        def measure(scores: list[SampleScore]) -> Value:
            # Inspect asks again and again while samples are played.
            if run.submission is None or len(scores) < run.expected:
                return {"received": len(scores)}
            done = run.submission.refresh()
            done = (done.finalize() if done.state == "open" else done).wait(timeout=3600)
            _LOG.warning("submission %s: %s", done.id, done.state)
            told = {"score": done.score, "coverage": done.coverage, "received": done.received}
            if done.interval:
                told |= {"low": done.interval.low, "high": done.interval.high}
            return {name: float(value) for name, value in told.items() if value is not None}

        return measure

    return made()


def _sent(run: _Run, *, episodes: bool) -> Scorer:
    @scorer(metrics=[_reported(run)], name="heldout")
    def made() -> Scorer:
        async def score(state: TaskState, _: Target) -> Score:
            answer = state.output.completion
            submission = await run.begun(str(state.model))
            if not episodes:
                used = state.output.usage.total_tokens if state.output.usage else None
                item = Item(problem=str(state.sample_id), answer=answer, usage=Usage(tokens=used))
                await anyio.to_thread.run_sync(submission.add, [item])
            said = state.metadata.get("session") or submission.id
            return Score(value="sent", answer=answer, explanation=f"graded by the service: {said}")

        return score

    return made()


def _task(slug: str, split: str, count: int | None) -> Task:
    client = Client(benchmark=slug)
    run = _Run(client, split)
    listed = client.episodes(split)
    episodes = listed.first(count) if count else listed.all()
    if episodes:
        return Task(
            dataset=_episodes(run, episodes),
            solver=_played(run),
            scorer=_sent(run, episodes=True),
            epochs=_ONCE,
            name=slug,
        )
    problems = client.get_problems(split)
    found = problems.first(count) if count else problems.all()
    return Task(
        dataset=_questions(run, found), solver=generate(), scorer=_sent(run, episodes=False), epochs=_ONCE, name=slug
    )


@task
def benchmark(slug: str, split: str = "test", count: int | None = None) -> Task:
    """Any benchmark by its slug: `inspect eval heldout/benchmark -T slug=quiz -T split=dev`."""
    return _task(slug, split, count)


def _register(slug: str) -> None:
    @task(name=slug)
    def made(split: str = "test", count: int | None = None) -> Task:
        return _task(slug, split, count)


for _slug in served():
    _register(_slug)
