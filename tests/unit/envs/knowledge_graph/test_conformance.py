"""Against AgentBench's own code, where it is: the same replies, the same observations, the same answers and figures."""

import os
import random
from pathlib import Path
from typing import Any

import pytest

from envs.base import Action, Probe
from envs.knowledge_graph.environment import KnowledgeGraph
from envs.knowledge_graph.importers import agentbench_kg
from envs.knowledge_graph.spec import KnowledgeGraphSpec
from grading import Answer, Evidence, grade
from packs.problem import ReferenceLine
from tests.unit.envs.knowledge_graph.upstream import Upstream, upstream
from tests.unit.envs.knowledge_graph.wandering import Wanderer

WALKS = 3


@pytest.fixture(scope="module")
def checkout() -> Path:
    """A checkout of AgentBench v0.2 beside ours (or at HELDOUT_TEST_UPSTREAM)."""
    beside = Path(__file__).parents[5] / "shared" / "upstream"
    folder = Path(os.environ.get("HELDOUT_TEST_UPSTREAM") or beside) / "agentbench"
    if not folder.is_dir():
        pytest.skip(f"AgentBench v0.2 is not at {folder}; set HELDOUT_TEST_UPSTREAM to test against it")
    return folder


async def walked(line: ReferenceLine, walker: Wanderer | None) -> tuple[list[str], list[str], dict[str, Any], Evidence]:
    """Replies, observations, the specification and what the probe shows: of a walk, or of the gold."""
    assert line.episode is not None
    world = KnowledgeGraph()
    seen = await world.reset(dict(line.episode.spec), 5)
    replies, observed, number = [], [], 0
    while True:
        action = walker(seen, number) if walker else Action.model_validate(line.oracle[number])
        result = await world.step(action)
        replies.append(action.text or "")
        number, seen = number + 1, result.observation
        if result.answer is None:
            observed.append(seen.text)
        if result.finish is not None or (walker is None and number == len(line.oracle)):
            break
    (evidence,) = await world.probe([Probe(name="answer", type="answer")])
    return replies, observed, dict(line.episode.spec), Evidence.model_validate(evidence.model_dump())


def ordered(observed: list[str]) -> list[str]:
    """Published, the order of relations is chance."""
    return [
        ", ".join(sorted(text.removeprefix("Observation: [").removesuffix("]").split(", ")))
        if text.startswith("Observation: [")
        else text
        for text in observed
    ]


def readable(line: ReferenceLine) -> list[str]:
    """The entities of a question by names that can be read as published, else by ids."""
    assert line.episode is not None
    spec = KnowledgeGraphSpec.model_validate(line.episode.spec)
    return [id_ if set("(),") & set(name) else name for name, id_ in spec.entities.items()]


async def compared(line: ReferenceLine, index: int, theirs: Upstream, walker: Wanderer | None) -> tuple[Any, Answer]:
    """Plays both and holds them against each other."""
    replies, observed, spec, evidence = await walked(line, walker)
    published, result = await theirs.play(index, KnowledgeGraphSpec.model_validate(spec), replies)
    assert ordered(published) == ordered(observed), (line.id, replies)
    assert isinstance(evidence.value, dict)
    values = evidence.value["values"]
    assert sorted(set((result.result or {"predict": []})["predict"])) == values, (line.id, replies)
    return result, Answer(evidence=(evidence,))


@pytest.mark.parametrize("name", ["dev.json", "std_half.json"])
async def test_replies_get_the_published_observations_and_answers(
    data: Path, checkout: Path, tmp_path: Path, name: str
) -> None:
    source = data / "agentbench/knowledgegraph" / name
    draft = agentbench_kg.read(source, mode="published")
    assert len(draft.references) == draft.report.read
    with upstream(checkout, data, tmp_path, source) as theirs:
        for index, line in enumerate(draft.references):
            await compared(line, index, theirs, None)
            for seed in range(WALKS):
                walker = Wanderer(random.Random(f"{name} {index} {seed}"), readable(line), rubbish=0.3)
                await compared(line, index, theirs, walker)


async def test_the_figures_of_a_run_are_the_published_ones(data: Path, checkout: Path, tmp_path: Path) -> None:
    source = data / "agentbench/knowledgegraph/dev.json"
    draft = agentbench_kg.read(source, mode="published")
    with upstream(checkout, data, tmp_path, source) as theirs:
        results, details = [], []
        for index, line in enumerate(draft.references):
            walker = Wanderer(random.Random(index), readable(line)) if index % 2 else None
            result, answer = await compared(line, index, theirs, walker)
            results.append(theirs.typings.TaskOutput(index=index, status=result.status, result=result.result))
            details.append(grade(answer, line.reference))
        figures = theirs.task.calculate_overall(results)
    ours = {
        "main": sum(one.score or 0.0 for one in details),
        "F1": sum(float(str(one.detail["f1"])) for one in details),
        "EM": sum(float(str(one.detail["exact"])) for one in details),
        "executability": sum(float(str(one.detail["executable"])) for one in details),
    }
    assert figures == pytest.approx({name: total / len(details) for name, total in ours.items()})
    assert 0 < figures["main"] < 1


async def test_the_owners_checkout_gives_the_words(data: Path, checkout: Path, tmp_path: Path) -> None:
    source = data / "agentbench/knowledgegraph/dev.json"
    draft = agentbench_kg.read(source, mode="published", upstream=str(checkout), limit=1)
    (line,) = draft.references
    assert line.episode is not None
    with upstream(checkout, data, tmp_path, source) as theirs:
        instruction, shots = theirs.words
        first = await KnowledgeGraph().reset(dict(line.episode.spec), 0)
        turns = first.data["messages"]
        assert isinstance(turns, list)
        texts = [turn["content"] for turn in turns if isinstance(turn, dict)]
        assert [texts[0], *texts[2:-1]] == [instruction, *shots]
        await theirs.play(0, KnowledgeGraphSpec.model_validate(line.episode.spec), [])
        assert texts == [turn.content for turn in theirs.session.history]
