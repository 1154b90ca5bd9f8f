"""Errors of uploads."""

from api.core.errors import ConflictError, ForbiddenError, NotFoundError


class NoPackError(NotFoundError):
    code = "no_such_pack"


class UploadsClosedError(ForbiddenError):
    code = "uploads_closed"
    title = "Your organisation may not upload packs"


class TooManyPacksError(ConflictError):
    code = "too_many_packs"
    title = "Too many packs wait to be published"


class PackTooLargeError(ForbiddenError):
    code = "pack_too_large"
    title = "Archives of this size are not taken here"


class BadPartError(ConflictError):
    code = "bad_part"
    title = "This is no part of the archive"


class PackStateError(ConflictError):
    code = "pack_state"
    title = "The pack is in a state that does not allow this"
