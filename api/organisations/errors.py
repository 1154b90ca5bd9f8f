"""Errors of organisations."""

from api.core.errors import ConflictError, NotFoundError, ServiceError


class NoOrganisationError(NotFoundError):
    code = "no_such_organisation"


class NoMemberError(NotFoundError):
    code = "no_such_member"


class LastOwnerError(ConflictError):
    code = "last_owner"
    title = "An organisation keeps at least one owner"


class SlugTakenError(ConflictError):
    code = "slug_taken"
    title = "This name is taken"


class DomainTakenError(ConflictError):
    code = "domain_taken"
    title = "Another organisation is verified by this domain"


class InvitationSpentError(ServiceError):
    status = 410
    code = "invitation_spent"
    title = "This invitation does not hold any more"
