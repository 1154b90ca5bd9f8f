"""Composes dresses and mutations into labelled cases, from a seed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from tests.unit.grading.corpus.drafts import Draft, Dress, Stage
from tests.unit.grading.corpus.dresses import FORMULA_DRESSES
from tests.unit.grading.corpus.golds import Gold, value_of
from tests.unit.grading.corpus.mutations import (
    MAY_JOIN_A_VALUE,
    SENTENCE_MUTATIONS,
    VALUE_MUTATIONS,
    Twin,
    sentences_for,
)
from tests.unit.grading.corpus.prose import PROSE_DRESSES

DRESSES: tuple[Dress, ...] = (*FORMULA_DRESSES, *PROSE_DRESSES)
MUTATIONS: tuple[str, ...] = (*(each.name for each in VALUE_MUTATIONS), *SENTENCE_MUTATIONS)
_CHANCE = {
    Stage.NOTATION: 0.5,
    Stage.NAME: 0.35,
    Stage.UNIT: 1.0,
    Stage.DELIMITER: 0.6,
    Stage.SENTENCE: 0.6,
    Stage.RESPONSE: 0.4,
}


@dataclass(frozen=True, slots=True)
class Case:
    """One generated pair, with the names of all that made it; without a mutation it is right."""

    gold: Gold
    answer: str
    dresses: tuple[str, ...]
    mutations: tuple[str, ...]

    def pair(self) -> dict[str, object]:
        """The pair as a line of labelled pairs."""
        return {
            "kind": "+".join(self.mutations or self.dresses) or "plain",
            "gold": self.gold.text,
            "pred": self.answer,
            "expected": not self.mutations,
            "options": self.gold.options,
        }


def cases(golds: Sequence[Gold], seed: int, count: int) -> Iterator[Case]:
    """`count` cases, half of them wrong; the same ones for the same golds and seed."""
    rng = Random(seed)
    for index in range(count):
        gold = rng.choice(golds)
        yield _wrong(gold, rng) if index % 2 else _right(gold, rng)


def _shown(text: str, gold: Gold) -> str:
    """A value as prose mentions it in passing."""
    return text if gold.shape == "choice" else f"${text}$"


def _right(gold: Gold, rng: Random) -> Case:
    draft = Draft(gold, gold.text, gold.unit, _shown(gold.other, gold))
    answer, worn = _dressed(draft, rng, "")
    return Case(gold, answer, worn, ())


def _wrong(gold: Gold, rng: Random) -> Case:
    by_sentence = rng.random() < 0.5
    twin, names = _mutated(gold, rng) if not by_sentence or rng.random() < 0.25 else (None, ())
    said = ""
    if by_sentence or not twin:
        allowed = sentences_for(gold.shape)
        said = rng.choice([each for each in allowed if not twin or each in MAY_JOIN_A_VALUE])
    mutations = (*names, *((said,) if said else ()))
    rival = gold.other if said else gold.text
    draft = Draft(gold, gold.text, gold.unit, _shown(rival, gold))
    if twin:
        draft = replace(draft, text=twin.text, unit=twin.unit, wrong_unit=twin.unit != gold.unit)
    pattern = rng.choice(SENTENCE_MUTATIONS[said]) if said else ""
    answer, worn = _dressed(draft, rng, pattern)
    return Case(gold, answer, worn, mutations)


def _mutated(gold: Gold, rng: Random) -> tuple[Twin | None, tuple[str, ...]]:
    """A twin whose value differs for sure, with the names of one or two mutations."""
    makers = list(VALUE_MUTATIONS)
    rng.shuffle(makers)
    for first in makers:
        twin = first.make(gold, rng)
        if twin is None:
            continue
        second = VALUE_MUTATIONS[0]
        both = second.make(replace(gold, text=twin.text), rng) if gold.shape == "number" else None
        composed = first is not second and both is not None and value_of(twin.text) and rng.random() < 0.3
        if composed and both and value_of(both.text) != value_of(gold.text):
            return both, (first.name, second.name)
        return twin, (first.name,)
    return None, ()


def _dressed(draft: Draft, rng: Random, pattern: str) -> tuple[str, tuple[str, ...]]:
    """The answer with a dress of each stage that its chance allows; `pattern` is the sentence of a mutation."""
    worn: list[str] = []
    for stage in Stage:
        if draft.gold.shape == "choice" and stage < Stage.SENTENCE:
            continue
        if stage is Stage.UNIT and not draft.unit:
            continue
        if stage is Stage.SENTENCE and pattern:
            draft = replace(draft, text=pattern.format(draft.text, rival=draft.rival), lone=False)
            continue
        if rng.random() < _CHANCE[stage] or (stage is Stage.SENTENCE and draft.gold.shape == "choice"):
            for _ in range(2 if stage is Stage.NOTATION and rng.random() < 0.3 else 1):
                refused = {*worn, *(("box", "display box", "box with a tag") if pattern else ())}
                draft, name = _put_on(draft, stage, rng, refused)
                worn += [name] if name else []
        if stage is Stage.DELIMITER and not {each.name for each in DRESSES if each.stage is stage} & set(worn):
            draft = replace(draft, text=f"${draft.text}$")
    return draft.text, tuple(worn)


def _put_on(draft: Draft, stage: Stage, rng: Random, refused: set[str]) -> tuple[Draft, str]:
    """A random dress of the stage that fits, if any does; none twice, and no box in a sentence that takes it back."""
    dresses = [dress for dress in DRESSES if dress.stage is stage and dress.name not in refused]
    rng.shuffle(dresses)
    for dress in dresses:
        text = dress.make(draft, rng)
        if text is not None:
            said = stage is Stage.SENTENCE and dress.name != "label"
            return replace(draft, text=text, lone=draft.lone and not said), dress.name
    return draft, ""
