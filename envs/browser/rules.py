"""When an episode in a browser ends by itself: the published early-stop rules, each of which can be switched off."""

from dataclasses import dataclass, field

from envs.base import FinishReason
from envs.browser.verbs import Command

# Of these the published rule compares only what is named; of the others only the verb.
COMPARED = {
    "click": "element",
    "hover": "element",
    "type": "element",
    "press": "keys",
    "scroll": "direction",
    "goto": "url",
    "tab_focus": "index",
}


@dataclass(frozen=True)
class Rules:
    """`steps`: actions in all. `unparsable`: texts in a row that are no action. `repeats`: equal actions in a row.

    Zero switches a rule off. With `typing_anywhere` typing counts wherever it happened, as published.
    """

    steps: int = 30
    unparsable: int = 3
    repeats: int = 0
    typing_anywhere: bool = False

    @classmethod
    def published(cls) -> "Rules":
        """WebArena's numbers, with the rule that ends loops."""
        return cls(steps=30, unparsable=3, repeats=3, typing_anywhere=True)


@dataclass
class Referee:
    """Watches an episode's actions and says when it is over."""

    rules: Rules
    steps: int = 0
    bad: int = 0
    history: list[tuple[str, str]] = field(default_factory=list)

    def after(self, command: Command | None) -> tuple[FinishReason, str] | None:
        """The end and its reason after one more action (None: a text that was no action), or None to go on."""
        self.steps += 1
        self.bad = 0 if command else self.bad + 1
        self.history.append(_sign(command) if command else ("", ""))
        if self.rules.unparsable and self.bad >= self.rules.unparsable:
            return FinishReason.INVALID_FORMAT, f"{self.bad} texts in a row were no actions"
        if command and self.rules.repeats and self._repeated(command):
            return FinishReason.INVALID_ACTION, f"the same action {self.rules.repeats} times"
        if self.rules.steps and self.steps >= self.rules.steps:
            return FinishReason.TASK_LIMIT, f"{self.steps} actions were used"
        return None

    def _repeated(self, command: Command) -> bool:
        sign = _sign(command)
        if command.verb == "type" and self.rules.typing_anywhere:
            return self.history.count(sign) >= self.rules.repeats
        last = self.history[-self.rules.repeats :]
        return len(last) == self.rules.repeats and all(item == sign for item in last)


def _sign(command: Command) -> tuple[str, str]:
    compared = "locator" if "locator" in command.arguments else COMPARED.get(command.verb)
    if command.verb.startswith(("modify_", "scroll_to", "wait_for")):
        return command.verb, str(sorted(command.arguments.items()))
    return command.verb, command.text(compared) if compared else ""
