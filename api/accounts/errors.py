"""Errors of accounts."""

from api.core.errors import ServiceError


class UnauthenticatedError(ServiceError):
    status = 401
    code = "unauthenticated"
    title = "A valid API key is needed"


class ScopeError(ServiceError):
    status = 403
    code = "missing_scope"
    title = "This key has not the scope for that"


class AgreementRequiredError(ServiceError):
    status = 403
    code = "agreement_required"
    title = "The data-use agreement has to be accepted first"
