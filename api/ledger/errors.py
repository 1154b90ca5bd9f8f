"""Errors of the ledger."""

from api.core.errors import NotFoundError


class NoLiftError(NotFoundError):
    code = "no_such_organisation"
