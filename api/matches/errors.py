"""Errors of matches."""

from api.core.errors import ConflictError, ForbiddenError, NotFoundError


class NoMatchError(NotFoundError):
    code = "no_such_match"


class NoChallengeError(NotFoundError):
    code = "no_such_challenge"


class NoOpponentError(NotFoundError):
    code = "no_such_opponent"


class NotPlayedError(ConflictError):
    code = "no_matches_here"
    title = "This benchmark has no game that two participants can play"


class NotDeclaredError(ForbiddenError):
    code = "not_declared"
    title = "Ranked matches are for declared entries"


class TooManyMatchesError(ConflictError):
    code = "too_many_matches"
    title = "Too many matches of yours are not over"


class MatchOverError(ConflictError):
    code = "match_over"
    title = "The match is over"


class NotYourTurnError(ConflictError):
    code = "not_your_turn"
    title = "It is not your turn"


class ActionTakenError(ConflictError):
    code = "step_conflict"
    title = "Another action was taken under this number"


class ActionNumberError(ConflictError):
    code = "step_out_of_order"
    title = "This is not the number of your next action"
