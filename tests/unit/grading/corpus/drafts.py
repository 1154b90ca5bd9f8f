"""What passes through the stages of dressing."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from random import Random

from tests.unit.grading.corpus.golds import Gold


class Stage(IntEnum):
    """The order in which dresses are put on; one of each stage at most, but two notations."""

    NOTATION = 0
    NAME = 1
    UNIT = 2
    DELIMITER = 3
    SENTENCE = 4
    RESPONSE = 5


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer on its way: the text so far, the unit it still has to get, and the value that its prose may mention
    beside it. `lone` says that no sentence is around the value yet."""

    gold: Gold
    text: str
    unit: str
    rival: str
    lone: bool = True
    wrong_unit: bool = False


Maker = Callable[[Draft, Random], str | None]


@dataclass(frozen=True, slots=True)
class Dress:
    """A manner of writing that changes nothing of what is said; the maker gives None where it does not fit."""

    name: str
    stage: Stage
    make: Maker
