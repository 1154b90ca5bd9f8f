"""What the parts of the grammar ask of one another: each rule is defined by the class that knows it."""

from abc import abstractmethod
from typing import Protocol

from grading.language.tree import Node


class Grammar(Protocol):
    """The rules that lower parts of the grammar call before a higher part has defined them.

    Each consumes what it reads and raises LanguageError where it cannot.
    """

    @abstractmethod
    def sum(self) -> Node:
        """Terms joined by plus and minus."""

    @abstractmethod
    def term(self) -> Node:
        """A product."""

    @abstractmethod
    def factor(self) -> Node:
        """An operand with its powers."""

    @abstractmethod
    def exponent(self) -> Node:
        """A superscript."""

    @abstractmethod
    def relation(self) -> Node:
        """Operands chained by relations."""

    @abstractmethod
    def item(self) -> Node:
        """One member of a list."""

    @abstractmethod
    def bracket(self, opening: str) -> Node:
        """Round, square and angle brackets and braces: a group, tuple, interval or set."""

    @abstractmethod
    def command(self) -> Node:
        """A LaTeX command or a known function."""

    @abstractmethod
    def special(self, name: str) -> Node | None:
        """A command with a meaning of its own; None for any other."""

    @abstractmethod
    def implicit_starts(self) -> bool:
        """Whether the next token could start a factor of an unwritten product."""
