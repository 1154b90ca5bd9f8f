"""What a situation puzzle is made of: the secret `spec` of its episode."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from envs.base import NoArguments

Sentence = Annotated[str, Field(max_length=2000)]
Phrase = Annotated[str, Field(min_length=1, max_length=200)]
Rules = Literal["published", "fixed"]


class Fact(BaseModel):
    """One thing that is so in the truth, as the fact host decides by it.

    `text` is the true sentence. `about` are groups of phrases: a question is about this fact if it has a phrase of each
    group. `holds` is the answer to such a question without a negation: False for "The lamp was not broken", which is
    about a lamp and breaking. `key` is the key that needs this fact; a key is found with all of its facts.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: Annotated[str, Field(min_length=1, max_length=2000)]
    about: tuple[Annotated[tuple[Phrase, ...], Field(min_length=1, max_length=40)], ...] = Field(
        min_length=1, max_length=40
    )
    holds: bool = True
    key: int | None = Field(default=None, ge=0)


class LateralThinkingSpec(BaseModel):
    """`story` is shown; `truth`, `keys` and `facts` never are. `story_keys` are the sentences of the story: a question
    that only repeats one is not answered.

    `host` says who answers: the facts, or the operator's model (see `operators`). `rules` says what is refused and when
    a puzzle is solved, see `game`. A blank key cannot be found; published samples have some.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    story: str = Field(min_length=1, max_length=10_000)
    truth: str = Field(min_length=1, max_length=10_000)
    story_keys: tuple[Sentence, ...] = Field(default=(), max_length=100)
    keys: tuple[Sentence, ...] = Field(min_length=1, max_length=100)
    facts: tuple[Fact, ...] = Field(default=(), max_length=200)
    rules: Rules = "fixed"
    host: Literal["facts", "model"] = "facts"
    rounds: int = Field(default=25, ge=1, le=500)

    @model_validator(mode="after")
    def _every_key_has_facts(self) -> Self:
        keyed = {fact.key for fact in self.facts} - {None}
        if unknown := [key for key in keyed if key is not None and key >= len(self.keys)]:
            raise ValueError(f"a fact belongs to key {unknown[0]}, but there are {len(self.keys)}, counted from 0")
        if missing := [number for number, key in enumerate(self.keys) if key.strip() and number not in keyed]:
            raise ValueError(f"the fact host needs facts for every key; key {missing[0]} has none")
        return self


PROBES: Mapping[str, type[NoArguments]] = {"game": NoArguments, "log": NoArguments}
