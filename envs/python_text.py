"""Python that others wrote, read and never run."""

import ast
import warnings
from collections.abc import Iterator
from contextlib import contextmanager


def module(text: str) -> ast.Module:
    """The syntax tree of a file. Raises ValueError for what is none."""
    with _reading():
        return ast.parse(text)


def expression(text: str) -> ast.expr:
    """The syntax tree of one expression. Raises ValueError for what is none."""
    with _reading():
        return ast.parse(text, mode="eval").body


@contextmanager
def _reading() -> Iterator[None]:
    try:
        # Python 3.12 and later warn of an escape such as "\d", which selectors are full of.
        with warnings.catch_warnings(action="ignore"):
            yield
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError(str(error)) from error
