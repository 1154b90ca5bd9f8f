"""What follows from a match's log: whose turn it is, what is asked, and how it ended. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from api.matches.repository import LoggedAction
from envs.base import Action
from envs.card_game import protocol
from envs.card_game.duel import Duel
from envs.card_game.spec import CardGameSpec

NO_OPPONENT = "no opponent"
PAIRING_SECONDS = 600
CHALLENGE_SECONDS = 7 * 86_400
_OBJECT, _OBJECTS = 500, 8


@dataclass(frozen=True)
class End:
    """How a match ended; `winner` is a side."""

    winner: int | None
    ended: str


def kept(action: Action) -> Action:
    """What is kept and read of a reply: of a text the objects in it, which are all that the game reads."""
    if action.text is None:
        return action
    objects = [part for part in protocol.flat_objects(action.text) if len(part) <= _OBJECT]
    return Action(text="\n".join(objects[:_OBJECTS]))


def replayed(deal: dict[str, Any], log: Sequence[LoggedAction]) -> Duel:
    """The board after these replies."""
    duel = Duel(CardGameSpec.model_validate(deal))
    for entry in log:
        if entry.action is None:
            duel.lose(entry.side, "gone")
        elif duel.result is None and entry.side == duel.player:
            duel.take(Action.model_validate(entry.action))
    return duel


def late(duel: Duel, idle: float, seconds: float) -> End | None:
    """The end of a match whose player on turn has had this long, if that is too long."""
    return End(1 - duel.player, "too slow") if idle > seconds else None


def unjoined(log: Sequence[LoggedAction], idle: float, *, ranked: bool) -> End | None:
    """The end of a match that has one seat taken: it was withdrawn, or nobody came."""
    limit = PAIRING_SECONDS if ranked else CHALLENGE_SECONDS
    return End(None, NO_OPPONENT) if log or idle > limit else None
