"""A player's turns: what is asked of it, and what its replies do."""

from envs.base import Action, FinishReason, Observation
from envs.card_game import protocol
from envs.card_game.match import Side
from envs.card_game.spec import CardGameSpec


class Turns:
    """One player's conversation. `spec` is the match as that player sees it; `error` says what was wrong with a reply
    that lost the match."""

    def __init__(self, side: Side, spec: CardGameSpec) -> None:
        self.side, self.spec, self.error = side, spec, ""
        self._guessed: list[int] = []
        self._refused: list[int] = []
        self._problem = ""

    def opening(self) -> Observation:
        """The rules, and what is asked first, if it is this player's turn."""
        asked = self.ask()
        text = protocol.rules(self.side, self.spec) + asked.text
        return asked.model_copy(update={"text": text, "tools": protocol.tools(self.spec)})

    def ask(self) -> Observation:
        """What is asked now; nothing when the match is over or it is the other's turn."""
        side, spec = self.side, self.spec
        self.pass_known()
        if side.over or side.board.player != side.side:
            return Observation()
        lead = f"That was not taken: {self._problem}.\n" if self._problem else ""
        data = {"phase": side.phase, "tries": spec.tries - len(self._refused)}
        return Observation(text=lead + protocol.prompt(side, spec, self._guessed), data=dict(data))

    def pass_known(self) -> None:
        """Pass over a guess of which there is nothing to guess, where the protocol does."""
        side = self.side
        mine = side.board.player == side.side and not side.over
        if mine and self.spec.protocol == "fixed" and side.phase == "guess" and not side.hidden:
            side.skip_guess()

    def take(self, action: Action) -> FinishReason | None:
        """Take the guess or the action. What cannot be taken is asked again, `tries` times in all: then a guess is
        passed over, and a missing action loses the match, for the reason that is returned."""
        try:
            self._take(action)
        except protocol.ReplyError as error:
            return self._refuse(error)
        self._refused.clear()
        self._problem = ""
        return None

    def _take(self, action: Action) -> None:
        side = self.side
        if side.phase == "guess":
            position, name = protocol.guess_of(action, side)
            self._guessed.append(position)
            side.guess(position, name)
        else:
            side.act(protocol.move_of(action, side))

    def _refuse(self, error: protocol.ReplyError) -> FinishReason | None:
        self._refused.append(error.status)
        if len(self._refused) < self.spec.tries:
            self._problem = str(error) if self.spec.protocol == "fixed" else ""
            return None
        worst, self._refused, self._problem = min(self._refused), [], ""
        if self.side.phase == "guess":
            self.side.skip_guess()
            return None
        self.side.give_up()
        self.error = str(error)
        return FinishReason.INVALID_ACTION if worst == protocol.INVALID else FinishReason.INVALID_FORMAT
