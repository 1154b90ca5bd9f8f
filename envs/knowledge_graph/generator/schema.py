"""What a domain is made of: types with their words, links in two directions, and measures."""

from collections.abc import Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Noun:
    """A type's words; `names` are patterns for its entities, with `{}` for an invented word."""

    one: str
    many: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class Link:
    """A relation from `source` to `target` that is also said backwards.

    `names` and `inverse` are names it may have in each direction. `forward` are clauses for what it leads to,
    `backward` for what leads there, with `{}` for the other side, one or many; a clause follows a plural ("yards that
    built {}"). A source has between one and `most` targets.
    """

    source: str
    target: str
    names: tuple[str, ...]
    inverse: tuple[str, ...]
    forward: tuple[str, ...]
    backward: tuple[str, ...]
    most: int = 1


@dataclass(frozen=True)
class Measure:
    """A number that each entity of a type has; `most` and `least` say who has the greatest and the least, with `{}` for
    the type's word."""

    of: str
    names: tuple[str, ...]
    most: tuple[str, ...]
    least: tuple[str, ...]
    low: int
    high: int


@dataclass(frozen=True)
class Domain:
    """Types by their names, and what holds between them."""

    name: str
    nouns: dict[str, Noun]
    links: Sequence[Link]
    measures: Sequence[Measure] = field(default=())
