"""`/v1/operator/groups`: organisations that share limits and releases, for operators."""

from typing import Annotated

from fastapi import APIRouter, Depends, Path

from api.accounts.group_schemas import GroupForm, GroupPage, GroupPublic
from api.accounts.group_service import end_group, form_group, groups
from api.accounts.models import Scope
from api.accounts.principal import Principal, PrincipalDep, Require
from api.core.deps import SessionDep
from api.core.errors import ForbiddenError
from api.core.ratelimit import limited

router = APIRouter(
    prefix="/v1/operator/groups",
    tags=["organisations"],
    dependencies=[Depends(Require(Scope.ADMIN)), Depends(limited("write"))],
)


async def _operator(principal: PrincipalDep) -> Principal:
    if not principal.is_operator:
        raise ForbiddenError("operators of the service group organisations")
    return principal


OperatorDep = Annotated[Principal, Depends(_operator)]


@router.get("")
async def list_groups(_: OperatorDep, session: SessionDep) -> GroupPage:
    """Every group of organisations there is or was, with who formed it, when and why."""
    return GroupPage(items=[GroupPublic(**vars(row)) for row in await groups(session)])


@router.post("", status_code=201)
async def form_organisation_group(body: GroupForm, principal: OperatorDep, session: SessionDep) -> GroupPage:
    """Let verified organisations share budgets, quotas, rates and what hidden splits tell; or put more into a group."""
    await form_group(session, body.members[0], body.members[1:], principal.user_id, body.reason)
    return await list_groups(principal, session)


@router.delete("/{lead}", status_code=204)
async def end_organisation_group(
    lead: Annotated[str, Path(max_length=64)], principal: OperatorDep, session: SessionDep
) -> None:
    """Let each have limits of its own again. What was used and told stays counted."""
    await end_group(session, lead, principal.user_id)
