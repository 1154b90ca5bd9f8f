"""What routes of serving are given."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from api.accounts.principal import Principal
from api.core.crypto import Aliases
from api.core.marking import fingerprints
from api.core.pagination import Cursors
from api.core.settings import Settings
from protection.fingerprints import Fingerprints


async def _fingerprints(request: Request) -> Fingerprints:
    return fingerprints(request.app.state.settings)


FingerprintsDep = Annotated[Fingerprints, Depends(_fingerprints)]


@dataclass(frozen=True)
class Serving:
    """What a page of problems is made with."""

    principal: Principal
    settings: Settings
    aliases: Aliases
    cursors: Cursors
    fingerprints: Fingerprints


async def serving(request: Request) -> Serving:
    """One dependency for five: FastAPI walks through each one's own, known or not, a seventh of what a page costs.

    The principal is the one that the router has asked for.
    """
    settings: Settings = request.app.state.settings
    aliases, cursors = Aliases(settings.secrets.raw("alias")), Cursors(settings.secrets.raw("cursor"))
    return Serving(request.state.principal, settings, aliases, cursors, fingerprints(settings))


ServingDep = Annotated[Serving, Depends(serving)]
