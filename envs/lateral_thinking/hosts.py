"""Who answers the questions. A game needs four decisions, and any host that makes them can be injected."""

from collections.abc import Sequence
from typing import Literal, Protocol

from envs.lateral_thinking import words
from envs.lateral_thinking.spec import Fact, LateralThinkingSpec

Reply = Literal["yes", "no", "irrelevant"]


class Host(Protocol):
    """The host of one puzzle. What it returns is never shown, but for the reply itself. May raise
    InfrastructureError."""

    async def reply(self, question: str, known: Sequence[str]) -> Reply:
        """The answer to a question, with what is known from earlier answers."""
        ...

    async def statement(self, question: str, denied: bool) -> str:
        """What follows from the answer as one sentence: the question stated, or its opposite where it was denied; ""
        where nothing certain follows."""
        ...

    async def merged(self, statements: Sequence[str]) -> str:
        """Several statements as one."""
        ...

    async def contains(self, key: int, statement: str) -> bool:
        """Whether a statement has everything that the key with this number says."""
        ...

    async def close(self) -> None:
        """End what it holds."""
        ...


class FactHost:
    """Decides by the declared facts of a puzzle: the same answer to the same words, at once, for nothing.

    A question may be about several facts. It is answered yes if all of them are as asked; no otherwise, and then only a
    question about a single fact establishes something. Of two facts where one is about more, the one about more counts.
    """

    def __init__(self, spec: LateralThinkingSpec) -> None:
        self._spec = spec

    async def reply(self, question: str, known: Sequence[str]) -> Reply:
        """Yes, no, or irrelevant where the question is about no declared fact."""
        del known
        return self._decide(question)[0]

    async def statement(self, question: str, denied: bool) -> str:
        """The true sentences that are established."""
        reply, facts = self._decide(question)
        if denied != (reply == "no"):
            return ""
        return " ".join(fact.text for fact in facts)

    async def merged(self, statements: Sequence[str]) -> str:
        """All of them, one after the other."""
        return " ".join(statements)

    async def contains(self, key: int, statement: str) -> bool:
        """Whether every fact of the key is established."""
        needed = [fact.text for fact in self._spec.facts if fact.key == key]
        return bool(needed) and all(text in statement for text in needed)

    async def close(self) -> None:
        """Nothing is held."""

    def _decide(self, question: str) -> tuple[Reply, Sequence[Fact]]:
        """The answer, and the facts that it establishes."""
        about = self._about(question)
        if not about:
            return "irrelevant", ()
        denied = words.denied(question)
        if all(fact.holds != denied for fact in about):
            return "yes", about
        return "no", about if len(about) == 1 else ()

    def _about(self, question: str) -> list[Fact]:
        asked = words.stems(question)
        found = [fact for fact in self._spec.facts if words.is_about(asked, fact.about)]
        return [fact for fact in found if not any(set(fact.about) < set(other.about) for other in found)]
