"""What is graded: a participant's answer and, for episodes, the evidence seen from outside."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue


class Evidence(BaseModel):
    """What one probe saw when an episode ended. `name` is the probe's; `value` is plain JSON.

    `error` says why the probe saw nothing; it is a fault of ours or a fact of the state, told apart by `fault`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    value: JsonValue = None
    error: str | None = None
    fault: bool = False


class Answer(BaseModel):
    """`text` is a full response or a bare answer; `data` is a structured field; `evidence` belongs to episodes.

    `context` is what was shown of the problem: `statement`, `choices`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str | None = None
    data: JsonValue = None
    evidence: tuple[Evidence, ...] = ()
    context: dict[str, Any] = Field(default_factory=dict)

    @property
    def question(self) -> str:
        """What was asked, empty where it is not known: it guides which value of a long response is its answer."""
        statement = self.context.get("statement")
        return statement if isinstance(statement, str) else ""

    def evidence_of(self, name: str) -> Evidence | None:
        """Evidence of the probe called `name`."""
        return next((item for item in self.evidence if item.name == name), None)
