"""A puzzle as a problem and its secret side; what the importer and the generator share."""

from collections.abc import Sequence

from envs.lateral_thinking.game import Game
from envs.lateral_thinking.hosts import FactHost
from envs.lateral_thinking.spec import LateralThinkingSpec
from packs.problem import Episode, Probe, Problem, ReferenceLine

SECONDS = 3600
_LEADS = (
    "Is it so that {}?",
    "Am I right when I suppose the following about it: {}?",
    "My guess for this puzzle, which I would like you to confirm, would be exactly: {}?",
    "Would you, knowing everything, say that it is quite correct to suppose just this: {}?",
)


def questions(spec: LateralThinkingSpec) -> tuple[str, ...] | str:
    """Questions that find every key with the fact host, one key after the other; what is wrong where there are none."""
    asking = _questions(spec)
    try:
        asking.send(None)
    except StopIteration as done:
        found: tuple[str, ...] | str = done.value
        return found
    raise RuntimeError("the fact host waits for nothing, so this cannot be suspended")


async def _questions(spec: LateralThinkingSpec) -> tuple[str, ...] | str:
    asked: list[str] = []
    for number, key in enumerate(spec.keys):
        if not key.strip():
            return f"key {number + 1} is blank, so that nobody can find all"
        if number in (await _played(spec, asked)).found:
            continue
        texts = [key] if spec.rules == "published" else [fact.text for fact in spec.facts if fact.key == number]
        for text in texts:
            for lead in _LEADS:
                question = lead.format(text.strip().rstrip(".!?"))
                before, after = await _played(spec, asked), await _played(spec, [*asked, question])
                if after.known > before.known:
                    asked.append(question)
                    break
        if number not in (await _played(spec, asked)).found:
            return f"key {number + 1} is not found by its own words"
    return tuple(asked) if len(asked) <= spec.rounds else f"it takes {len(asked)} questions, there are {spec.rounds}"


async def _played(spec: LateralThinkingSpec, questions: Sequence[str]) -> Game:
    game = Game(spec, FactHost(spec))
    for question in questions:
        await game.ask(question)
    return game


def drafted(
    id_: str, split: str, type_: str, spec: LateralThinkingSpec, asked: Sequence[str]
) -> tuple[Problem, ReferenceLine]:
    """The problem `id_` and its reference line; the gold asks `asked`."""
    problem = Problem(
        id=id_,
        split=split,
        type=type_,
        subject="situation puzzle",
        statement=f"Find out by yes-or-no questions what lies behind this story: {spec.story}",
        episode=True,
    )
    episode = Episode(
        environment="lateral_thinking",
        spec=spec.model_dump(mode="json", exclude_defaults=True),
        probes=(Probe(name="game", kind="game"),),
        steps=spec.rounds,
        seconds=SECONDS,
    )
    reference = {"kind": "lateral_thinking", "keys": len(spec.keys)}
    oracle = [{"text": question} for question in asked]
    return problem, ReferenceLine.model_validate(
        {"id": id_, "reference": reference, "episode": episode, "oracle": oracle}
    )
