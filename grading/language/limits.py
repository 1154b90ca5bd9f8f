"""Bounds of the answer language. Past any of them an answer is refused, never shortened."""

MAX_LENGTH = 4096
"""Characters of one answer after extraction."""

MAX_RESPONSE = 60_000
"""Characters of a full response that extraction looks at; of a longer one it sees the end."""

MAX_TOKENS = 2500
MAX_DEPTH = 60
"""Nesting of groups, arguments and operators."""

MAX_DIGITS = 400
"""Digits of one literal number."""

MAX_ITEMS = 400
"""Members of a list, set or matrix."""

MAX_BITS = 80_000
"""Size of an exact integer; beyond it numbers are floating with an exact exponent."""

MAX_SUM_TERMS = 3000
"""Terms of a finite sum or product that is evaluated term by term."""


class LanguageError(ValueError):
    """The text is not an answer of this language. `position` is the character where reading stopped."""

    def __init__(self, reason: str, position: int = 0) -> None:
        super().__init__(f"{reason} (at character {position})")
        self.reason = reason
        self.position = position


class TooLargeError(LanguageError):
    """A bound of the language was passed."""
