"""A service with a host of environments in this process, and somebody who plays."""

from collections.abc import AsyncIterator

import pytest

from api.core.settings import Settings
from api.host.server import Host
from tests.service import Service
from tests.sessions import Player, echo_pack


@pytest.fixture
async def host(settings: Settings, service: Service) -> AsyncIterator[Host]:
    """A host, and the echo pack published."""
    await service.publish(echo_pack())
    async with Host.running(settings) as running:
        yield running


@pytest.fixture
async def player(service: Service, host: Host) -> Player:
    """A participant with a key."""
    return Player(await service.reader())
