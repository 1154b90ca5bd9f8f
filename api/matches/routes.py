"""Matches of two participants: each plays its own session of them."""

from typing import Annotated

from fastapi import APIRouter, Depends, Header

from api.accounts.models import Scope
from api.accounts.principal import PrincipalDep, Public, Require
from api.core.deps import SessionDep, SettingsDep
from api.core.ratelimit import limited
from api.core.schemas import IdPath, SlugPath
from api.matches.schemas import (
    ChallengeAccept,
    ChallengePage,
    MatchCreate,
    MatchPage,
    MatchPublic,
    MatchStepCreate,
    RatingPage,
)
from api.matches.service import MatchService, ratings

public = APIRouter(prefix="/v1", tags=["matches"], dependencies=[Depends(Public()), Depends(limited("public"))])
opening = APIRouter(
    prefix="/v1", tags=["matches"], dependencies=[Depends(Require(Scope.SESSIONS_WRITE)), Depends(limited("write"))]
)
playing = APIRouter(
    prefix="/v1", tags=["matches"], dependencies=[Depends(Require(Scope.SESSIONS_WRITE)), Depends(limited("steps"))]
)
IdempotencyKey = Annotated[str | None, Header(max_length=200, min_length=1)]


async def _service(session: SessionDep, settings: SettingsDep, principal: PrincipalDep) -> MatchService:
    return MatchService(session, settings, principal)


ServiceDep = Annotated[MatchService, Depends(_service)]


@public.get("/benchmarks/{slug}/ratings")
async def list_ratings(slug: SlugPath, session: SessionDep) -> RatingPage:
    """How entries do against each other in ranked matches, on Elo's scale, and the newest of these matches."""
    return await ratings(session, slug)


@opening.post("/benchmarks/{slug}/matches", status_code=201)
async def open_match(
    slug: SlugPath, body: MatchCreate, service: ServiceDep, idempotency_key: IdempotencyKey = None
) -> MatchPublic:
    """Be paired with another organisation's entry (ranked; your model has to be declared), or challenge one."""
    return await service.open(slug, body, idempotency_key)


@opening.get("/challenges")
async def list_challenges(service: ServiceDep) -> ChallengePage:
    """Matches to which your organisation was challenged."""
    return ChallengePage(items=await service.challenges())


@opening.post("/challenges/{challenge}", status_code=201)
async def accept_challenge(
    challenge: IdPath, body: ChallengeAccept, service: ServiceDep, idempotency_key: IdempotencyKey = None
) -> MatchPublic:
    """Take a challenge up with one of your models. The match is not ranked."""
    return await service.accept(challenge, body.model, idempotency_key)


@opening.get("/matches")
async def list_matches(service: ServiceDep) -> MatchPage:
    """Your organisation's sessions of matches, newest first."""
    return MatchPage(items=await service.all())


@playing.get("/matches/{match}")
async def show_match(match: IdPath, service: ServiceDep) -> MatchPublic:
    """Your session of a match: whose turn it is, and what is asked of you."""
    return await service.show(match)


@playing.post("/matches/{match}/steps")
async def step_match(match: IdPath, body: MatchStepCreate, service: ServiceDep) -> MatchPublic:
    """Reply to what is asked: a guess, then an action. Safe to send again."""
    return await service.step(match, body)


@playing.delete("/matches/{match}")
async def give_up_match(match: IdPath, service: ServiceDep) -> MatchPublic:
    """Give a match up: it is lost, or withdrawn where nobody has joined yet."""
    return await service.give_up(match)
