"""Errors of accounts, organisations and access."""

from api.core.errors import ConflictError, ForbiddenError, InvalidError, NotFoundError, ServiceError


class UnauthenticatedError(ServiceError):
    status = 401
    code = "unauthenticated"
    title = "A valid API key is needed"


class ScopeError(ServiceError):
    status = 403
    code = "missing_scope"
    title = "This key lacks the required scope"


class KeyAddressError(ServiceError):
    status = 403
    code = "key_address"
    title = "This key does not work from this address"


class AgreementRequiredError(ServiceError):
    status = 403
    code = "agreement_required"
    title = "The data-use agreement must be accepted first"


class NoOrganisationError(NotFoundError):
    code = "no_such_organisation"


class NoMemberError(NotFoundError):
    code = "no_such_member"


class LastOwnerError(ConflictError):
    code = "last_owner"
    title = "An organisation must keep at least one owner"


class SlugTakenError(ConflictError):
    code = "slug_taken"
    title = "This name is taken"


class NameTakenError(ConflictError):
    code = "name_taken"
    title = "Another organisation has a name that looks the same"


class TooManyKeysError(ForbiddenError):
    code = "too_many_keys"
    title = "This account has as many keys as one may have"


class DomainTakenError(ConflictError):
    code = "domain_taken"
    title = "Another organisation is verified by this domain"


class InvitationSpentError(ServiceError):
    status = 410
    code = "invitation_spent"
    title = "This invitation is no longer valid"


class NoRequestError(NotFoundError):
    code = "no_such_request"


class ReasonNeededError(InvalidError):
    code = "reason_needed"
    title = "A reason is required"


class NoGroupError(NotFoundError):
    code = "no_such_group"


class GroupRefusedError(ConflictError):
    code = "group_refused"
    title = "These organisations cannot be grouped"
