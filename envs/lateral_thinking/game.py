"""The rules of one game: which questions are answered, what they establish, which keys are found.

`published`: a forbidden phrase costs two of five faults; a repetition of the story is measured on characters; a key is
looked for only by a question that is as long as it is, at most one a round, in what was established since the last
find; the game counts as finished once as many keys are found as are left, and goes on.
`fixed`: open questions, alternatives, repetitions (of the story by words, of questions) get a hint; everything that was
established counts for every key; the game is finished, and ends, with all of them.
"""

from dataclasses import dataclass, field

from pydantic import JsonValue

from envs.base import FinishReason
from envs.lateral_thinking import gates
from envs.lateral_thinking.hosts import Host
from envs.lateral_thinking.spec import LateralThinkingSpec

MOST_FAULTS = 5


@dataclass
class Game:
    """A game as it stands. `found` are numbers of keys; `finish_round` counts from 1."""

    spec: LateralThinkingSpec
    host: Host
    rounds: int = 0
    yes: int = 0
    relevant: int = 0
    found: list[int] = field(default_factory=list)
    finish_round: int | None = None
    _faults: int = 0
    _asked: list[str] = field(default_factory=list)
    _known: list[str] = field(default_factory=list)
    _reasoning: list[str] = field(default_factory=list)

    async def ask(self, text: str) -> tuple[str, FinishReason | None]:
        """One round: what is answered, and whether the game is over. An empty text ends it. May raise
        InfrastructureError."""
        question = self._question(text[: gates.LONGEST])
        if question is None:
            return "", FinishReason.COMPLETED
        self.rounds += 1
        reply = self._hint(question) or await self._answer(question)
        over = self._faults >= MOST_FAULTS or (self.spec.rules == "fixed" and self.finish_round is not None)
        if over:
            return reply, FinishReason.COMPLETED
        return reply, FinishReason.TASK_LIMIT if self.rounds >= self.spec.rounds else None

    @property
    def known(self) -> int:
        """How many statements are established."""
        return len(self._known)

    def evidence(self) -> dict[str, JsonValue]:
        """What is graded."""
        return {
            "keys": len(self.spec.keys),
            "found": [*self.found],
            "rounds": self.spec.rounds,
            "asked": self.rounds,
            "yes": self.yes,
            "relevant": self.relevant,
            "finish_round": self.finish_round,
        }

    def _question(self, text: str) -> str | None:
        """The first line, as published; by the fixed rules the first that is not blank."""
        if self.spec.rules == "published":
            return text.split("\n")[0].strip() if text else None
        return next((line.strip() for line in text.splitlines() if line.strip()), None)

    def _hint(self, question: str) -> str:
        if self.spec.rules == "fixed":
            hint = gates.hint(question, self.spec.story_keys, self._asked)
            self._asked.append(gates.normal(question))
            return hint
        if gates.forbidden(question):
            self._faults += 2
            return gates.ASK
        return gates.IN_STORY if gates.repeats_published(question, self.spec.story_keys) else ""

    async def _answer(self, question: str) -> str:
        reply = await self.host.reply(question, tuple(self._known))
        if reply == "irrelevant":
            return "Irrelevant."
        self.relevant += 1
        self.yes += reply == "yes"
        statement = await self.host.statement(question, reply == "no")
        if statement:
            self._known.append(statement)
            self._reasoning.append(statement)
            await self._look_for_keys(question)
        self._note_finish()
        return "Yes." if reply == "yes" else "No."

    async def _look_for_keys(self, question: str) -> None:
        published = self.spec.rules == "published"
        several = len(self._reasoning) > 1
        established = await self.host.merged(tuple(self._reasoning)) if several else self._reasoning[0]
        for number, key in enumerate(self.spec.keys):
            if number in self.found or not key.strip():
                continue
            if published and len(question.replace("?", "")) < len(key):
                continue
            if await self.host.contains(number, established):
                self.found.append(number)
                if published:
                    self._reasoning.clear()
                    return

    def _note_finish(self) -> None:
        left = len(self.spec.keys) - len(self.found)
        enough = len(self.found) >= left if self.spec.rules == "published" else not left
        if enough and self.finish_round is None:
            self.finish_round = self.rounds
