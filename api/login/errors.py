"""Errors of the login."""

from api.core.errors import ConflictError, ForbiddenError, NotFoundError, ServiceError


class SignInFailedError(ServiceError):
    status = 400
    code = "sign_in_failed"
    title = "The sign-in did not work"


class AddressNotVerifiedError(ForbiddenError):
    code = "email_not_verified"
    title = "The provider does not say that this e-mail address is yours"


class SignUpClosedError(ForbiddenError):
    code = "sign_up_closed"
    title = "Nobody with this address is known here"


class ProviderDownError(ServiceError):
    status = 502
    code = "provider_unavailable"
    title = "The provider cannot be reached"


class NoProviderError(NotFoundError):
    code = "no_such_provider"
    title = "There is no such way to sign in"


class LinkSpentError(ServiceError):
    status = 410
    code = "link_spent"
    title = "This link does not open anything any more"


class SoleOwnerError(ConflictError):
    code = "sole_owner"
    title = "An organisation would be left without an owner"


class NoCodeError(NotFoundError):
    code = "no_such_code"
    title = "No command line waits with this code"


class TooManyGuessesError(ServiceError):
    status = 429
    code = "too_many_guesses"
    title = "Too many wrong codes"
