"""`/v1/me` and `/v1/keys`."""

from fastapi import APIRouter, Depends

from api.accounts.models import ApiKey, Scope
from api.accounts.principal import Principal, PrincipalDep, Require
from api.accounts.repository import AccountRepository
from api.accounts.schemas import KeyCreate, KeyCreated, KeyLimits, KeyList, KeyPublic, Me, OrganisationPublic
from api.accounts.service import AccountService
from api.core.deps import SessionDep, SettingsDep
from api.core.errors import ForbiddenError, NotFoundError
from api.core.ids import parse_id, public_id
from api.core.ratelimit import limited
from api.core.schemas import IdPath

router = APIRouter(prefix="/v1", tags=["accounts"], dependencies=[Depends(Require()), Depends(limited("write"))])


def _public(row: ApiKey, organisation: str) -> KeyPublic:
    return KeyPublic(
        id=public_id("key", row.id),
        name=row.name,
        hint=row.hint,
        organisation=organisation,
        scopes=row.scopes,
        created_at=row.created_at,
        expires_at=row.expires_at,
        last_used_at=row.last_used_at,
        revoked_at=row.revoked_at,
        networks=row.networks,
        requests_per_minute=row.requests_per_minute,
    )


def _refuse_limited(principal: Principal) -> None:
    if principal.limited:
        raise ForbiddenError("a key with limits neither makes keys nor changes limits; use the page /account/keys")


@router.get("/me")
async def me(principal: PrincipalDep, session: SessionDep) -> Me:
    """Who the key belongs to, and what it may do."""
    repository = AccountRepository(session)
    user = await repository.user(principal.user_id)
    organisations = [
        OrganisationPublic(slug=o.slug, name=o.name, role=role, verified=o.verified_at is not None)
        for o, role in await repository.organisations_of(principal.user_id)
    ]
    keys = {row.id: (row, slug) for row, slug in await repository.keys_of(principal.user_id)}
    return Me(
        key=_public(*keys[principal.key_id]),
        user=user.name if user else "",
        operator=principal.is_operator,
        organisation=principal.organisation_slug,
        organisations=organisations,
        scopes=sorted(principal.scopes),
    )


@router.get("/keys")
async def list_keys(principal: PrincipalDep, session: SessionDep) -> KeyList:
    """The user's own keys, newest first, without their secrets."""
    rows = await AccountRepository(session).keys_of(principal.user_id)
    return KeyList(items=[_public(row, organisation) for row, organisation in rows])


@router.post("/keys", status_code=201)
async def create_key(
    body: KeyCreate, principal: PrincipalDep, session: SessionDep, settings: SettingsDep
) -> KeyCreated:
    """A new key for oneself; the secret is in this response and nowhere else."""
    _refuse_limited(principal)
    missing = [scope.value for scope in body.scopes if not principal.may(Scope(scope))]
    if missing:
        raise ForbiddenError(f"a key cannot grant scopes that it does not have: {', '.join(missing)}")
    service = AccountService(session, settings.secrets.raw("pepper"))
    row, secret = await service.create_key(
        principal.user_id,
        principal.organisation_id,
        body.name,
        body.scopes,
        body.days,
        body.networks,
        body.requests_per_minute,
    )
    return KeyCreated(**_public(row, principal.organisation_slug).model_dump(), key=secret)


@router.patch("/keys/{key_id}")
async def limit_key(
    key_id: IdPath, body: KeyLimits, principal: PrincipalDep, session: SessionDep, settings: SettingsDep
) -> KeyPublic:
    """Change the limits of a key of one's own; what is not named is lifted."""
    found = parse_id("key", key_id)
    if found is None:
        raise NotFoundError("you have no such key, or it has been revoked already")
    _refuse_limited(principal)
    service = AccountService(session, settings.secrets.raw("pepper"))
    row = await service.limit_key(found, principal.user_id, body.networks, body.requests_per_minute)
    return _public(row, principal.organisation_slug)


@router.delete("/keys/{key_id}", status_code=204)
async def revoke_key(key_id: IdPath, principal: PrincipalDep, session: SessionDep, settings: SettingsDep) -> None:
    """Revoke a key of one's own."""
    found = parse_id("key", key_id)
    if found is None:
        raise NotFoundError("you have no such key, or it has been revoked already")
    await AccountService(session, settings.secrets.raw("pepper")).revoke_key(found, principal.user_id)
