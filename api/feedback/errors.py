"""What is refused about feedback releases."""

from api.core.errors import ConflictError


class NotRankedError(ConflictError):
    code = "not_ranked"
    title = "This submission cannot be ranked"


class NoReleaseError(ConflictError):
    code = "no_release_left"
    title = "No release of the ranking part is left"


class OwnerTakesPartError(ConflictError):
    code = "owner_takes_part"
    title = "Who owns the benchmark takes part in it"
