"""A service with a host of environments in this process, and somebody who plays."""

from collections.abc import AsyncIterator

import pytest

from api.core.settings import Settings
from api.hosting import leases
from api.hosting.server import Host
from tests.support.service import Service
from tests.support.sessions import Player, echo_pack


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a machine that is busy for a minute, hosts are not taken for dead and waiting is not forgotten."""
    monkeypatch.setattr(leases, "HOST_SECONDS", 3600.0)
    monkeypatch.setattr(leases, "WAITING_SECONDS", 3600.0)


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
