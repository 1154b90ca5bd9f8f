"""The operations on members and on access to benchmarks; see `heldout._flow`."""

from dataclasses import replace

from pydantic import TypeAdapter

from heldout._flow import Flow, Request, exchange
from heldout._match_calls import MatchCalls
from heldout._session_calls import params, part_of, post
from heldout.errors import NotFound
from heldout.models import AgreementState, Page
from heldout.organisations import Access, AccessState, Decision, Invited, Organisation, Role

_AGREED = TypeAdapter(AgreementState)
_ORGANISATION = TypeAdapter(Organisation)
_INVITED = TypeAdapter(Invited)
_ACCESS = TypeAdapter(Page[Access])


class OrganisationCalls(MatchCalls):
    """Operations of people who run an organisation or own a benchmark."""

    def accept_agreement(self, slug: str | None, name: str) -> Flow[AgreementState]:
        slug = yield from self.slug(slug)
        request = post(f"/v1/benchmarks/{part_of(slug)}/agreement", {"name": name})
        return (yield from self._typed(request, _AGREED))

    def agreement(self, slug: str | None) -> Flow[AgreementState | None]:
        """None where the service says that nothing was accepted yet; another 404 is raised."""
        slug = yield from self.slug(slug)
        try:
            return (yield from self._typed(Request("GET", f"/v1/benchmarks/{part_of(slug)}/agreement"), _AGREED))
        except NotFound as error:
            if error.code != "not_found":
                raise
            return None

    def organisation(self) -> Flow[Organisation]:
        return self._typed(Request("GET", "/v1/organisation"), _ORGANISATION)

    def invite(self, email: str | None, role: Role) -> Flow[Invited]:
        return self._typed(post("/v1/organisation/invitations", {"email": email, "role": role}), _INVITED)

    def withdraw_invitation(self, invitation: str) -> Flow[None]:
        request = Request("DELETE", f"/v1/organisation/invitations/{part_of(invitation)}")
        yield from exchange(request, self._retries)

    def change_member(self, member: str, role: Role) -> Flow[None]:
        request = post(f"/v1/organisation/members/{part_of(member)}", {"role": role})
        yield from exchange(replace(request, method="PATCH"), self._retries)

    def remove_member(self, member: str) -> Flow[None]:
        yield from exchange(Request("DELETE", f"/v1/organisation/members/{part_of(member)}"), self._retries)

    def access(self, slug: str | None, state: AccessState | None, cursor: str | None) -> Flow[Page[Access]]:
        slug = yield from self.slug(slug)
        request = Request("GET", f"/v1/benchmarks/{part_of(slug)}/access", params(state=state, cursor=cursor))
        return (yield from self._typed(request, _ACCESS))

    def decide_access(self, slug: str | None, access: str, decision: Decision, reason: str) -> Flow[None]:
        slug = yield from self.slug(slug)
        path = f"/v1/benchmarks/{part_of(slug)}/access/{part_of(access)}"
        yield from exchange(replace(post(path, {"state": decision, "reason": reason}), method="PATCH"), self._retries)
