"""What routes are given. Coroutines without exception: FastAPI runs a plain function in a thread of its own."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Depends, Request

from api.core.crypto import Aliases
from api.core.db import AsyncSession
from api.core.pagination import Cursors
from api.core.settings import Settings


async def _session(request: Request) -> AsyncIterator[AsyncSession]:
    async with request.app.state.database.session() as session:
        yield session


async def _settings(request: Request) -> Settings:
    settings = request.app.state.settings
    assert isinstance(settings, Settings)
    return settings


async def _cursors(request: Request) -> Cursors:
    return Cursors((await _settings(request)).secrets.raw("cursor"))


async def _aliases(request: Request) -> Aliases:
    return Aliases((await _settings(request)).secrets.raw("alias"))


# scope="function": committed before the response is sent; a failed commit is a 500, never a 201.
SessionDep = Annotated[AsyncSession, Depends(_session, scope="function")]
SettingsDep = Annotated[Settings, Depends(_settings)]
CursorsDep = Annotated[Cursors, Depends(_cursors)]
AliasesDep = Annotated[Aliases, Depends(_aliases)]
