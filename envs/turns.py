"""What is said before the first reply, turn by turn: for chat models as messages, for others as one text."""

from collections.abc import Sequence

from pydantic import JsonValue


def messages(texts: Sequence[str]) -> list[JsonValue]:
    """`texts` are said by the user, the participant ("agent"), the user, and so on."""
    return [{"role": "agent" if number % 2 else "user", "content": text} for number, text in enumerate(texts)]


def as_text(texts: Sequence[str]) -> str:
    """The same in one text."""
    return "\n".join(f"You: {text}" if number % 2 else text for number, text in enumerate(texts))
