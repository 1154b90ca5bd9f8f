"""Position in a token list, with the depth bound that every recursive rule goes through."""

from typing import Self

from grading.language.grammar import Grammar
from grading.language.limits import MAX_DEPTH, LanguageError, TooLargeError
from grading.language.tokens import Token


class Cursor(Grammar):
    """Reads tokens left to right. Subclasses add grammar rules; `variables` are letters that are never constants."""

    def __init__(self, tokens: list[Token], variables: frozenset[str] = frozenset()) -> None:
        self.tokens = tokens
        self.position = 0
        self.variables = set(variables)
        self.open_bars = 0
        self._depth = 0

    @property
    def token(self) -> Token:
        """The token that is next."""
        return self.tokens[self.position]

    def ahead(self, count: int = 1) -> Token:
        """The token `count` places further on."""
        return self.tokens[min(self.position + count, len(self.tokens) - 1)]

    def at(self, *texts: str) -> bool:
        """Whether the next token is an operator spelt as one of `texts`."""
        token = self.tokens[self.position]
        return token.kind == "op" and token.text in texts

    def at_word(self, *texts: str) -> bool:
        """Whether the next token is one of these words."""
        return self.token.kind == "word" and self.token.text in texts

    def take(self) -> Token:
        """Consume the next token."""
        token = self.token
        if token.kind != "end":
            self.position += 1
        return token

    def accept(self, *texts: str) -> bool:
        """Consume the next token if it is one of these operators."""
        token = self.tokens[self.position]
        if token.kind == "op" and token.text in texts:
            self.position += 1
            return True
        return False

    def expect(self, text: str) -> None:
        """Consume operator `text` or raise LanguageError."""
        if not self.accept(text):
            raise self.error(f"expected '{text}'")

    def error(self, reason: str) -> LanguageError:
        """An error at the next token."""
        found = self.token.text or "the end"
        return LanguageError(f"{reason}, found '{found}'", self.token.position)

    def deeper(self) -> Self:
        """One level of nesting, as a context; raises TooLargeError past the bound."""
        if self._depth >= MAX_DEPTH:
            raise TooLargeError(f"nested deeper than {MAX_DEPTH} levels", self.token.position)
        return self

    def __enter__(self) -> None:
        self._depth += 1

    def __exit__(self, *_: object) -> None:
        self._depth -= 1

    def group_close(self, opening: int) -> int:
        """Index of the token that closes the brace group opening at index `opening`."""
        depth = 0
        for index in range(opening, len(self.tokens)):
            token = self.tokens[index]
            if token.kind == "op" and token.text == "{":
                depth += 1
            elif token.kind == "op" and token.text == "}":
                depth -= 1
                if depth == 0:
                    return index
        raise LanguageError("a brace is not closed", self.tokens[opening].position)
