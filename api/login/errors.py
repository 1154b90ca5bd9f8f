"""Errors of the login."""

from api.core.errors import ConflictError, ForbiddenError, NotFoundError, ServiceError


class SignInFailedError(ServiceError):
    status = 400
    code = "sign_in_failed"
    title = "Sign-in failed"


class AddressNotVerifiedError(ForbiddenError):
    code = "email_not_verified"
    title = "The provider has not verified this e-mail address"


class SignUpClosedError(ForbiddenError):
    code = "sign_up_closed"
    title = "There is no account with this address"


class ProviderDownError(ServiceError):
    status = 502
    code = "provider_unavailable"
    title = "The provider cannot be reached"


class NoProviderError(NotFoundError):
    code = "no_such_provider"
    title = "Unknown sign-in provider"


class LinkSpentError(ServiceError):
    status = 410
    code = "link_spent"
    title = "This link is no longer valid"


class SoleOwnerError(ConflictError):
    code = "sole_owner"
    title = "An organisation would be left without an owner"


class NoCodeError(NotFoundError):
    code = "no_such_code"
    title = "No command line is waiting for this code"


class TooManyGuessesError(ServiceError):
    status = 429
    code = "too_many_guesses"
    title = "Too many wrong codes"
