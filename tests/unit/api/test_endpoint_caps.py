"""What counts against the caps of a run that the service plays: pictures, and tries that brought no reply."""

import asyncio
import dataclasses
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from ipaddress import ip_network
from uuid import UUID

import pytest

from api.core.outbound import Outbound
from api.endpoints.models import RunState
from api.endpoints.repository import Run
from api.worker.endpoint_model import EndpointModel, EndpointStopError, Picture
from tests.support.loopback import loopback
from tests.support.models import scripted_model

_NOBODY = UUID(int=0)
RUN = Run(
    id=_NOBODY,
    submission_id=_NOBODY,
    organisation_id=_NOBODY,
    key_id=_NOBODY,
    benchmark="quiz",
    split="test",
    split_id=_NOBODY,
    model="m",
    url="",
    endpoint_model="m",
    system="s" * 400,
    parameters={},
    token_cap=None,
    cost_cap=None,
    input_price=10.0,
    output_price=0.0,
    requests_per_minute=60_000,
    state=RunState.PLAYING,
    failure="",
    answered=0,
    expected=1,
    spent_tokens=0,
    spent_cost=0.0,
    created_at=datetime(2026, 1, 1, tzinfo=UTC),
    changed_at=datetime(2026, 1, 1, tzinfo=UTC),
)
PROMPT = "p" * 200
ASKED = (400 + 200) // 4


@asynccontextmanager
async def asked(url: str) -> AsyncIterator[EndpointModel]:
    """The model behind an address, asked at most three times without a pause."""
    outbound = Outbound((ip_network("127.0.0.0/8"),))
    try:
        yield EndpointModel(dataclasses.replace(RUN, url=url), "", outbound, pauses=(0.0, 0.0))
    finally:
        await outbound.close()


@asynccontextmanager
async def dropping(target: str, drops: int) -> AsyncIterator[str]:
    """The address of a relay that reads the first requests and closes, as if the other side had died over them."""
    left = drops

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal left
        first = await reader.read(65_536)
        if left:
            left -= 1
            writer.close()
            return
        port = int(target.split(":")[2].partition("/")[0])
        there, out = await asyncio.open_connection("127.0.0.1", port)
        out.write(first)
        await out.drain()
        writer.write(await there.read(65_536))
        await writer.drain()
        out.close()
        writer.close()

    async with loopback(relay) as port:
        yield f"http://127.0.0.1:{port}/v1"


async def test_pictures_count_where_the_endpoint_tells_no_tokens() -> None:
    pictures = [Picture("image/png", b"png")] * 3
    async with scripted_model() as url:
        url.usage = None
        async with asked(url) as model:
            shown, plain = await model.ask(PROMPT, pictures), await model.ask(PROMPT, ())
    assert shown.tokens - plain.tokens == 3000
    assert plain.tokens == ASKED + len("ANSWER: B") // 4
    assert shown.cost - plain.cost == pytest.approx(0.03), "3,000 tokens at ten dollars for a million"


@pytest.mark.parametrize("drops", [0, 1, 2])
async def test_tries_without_a_reply_count(drops: int) -> None:
    async with scripted_model() as url, dropping(url, drops) as relayed, asked(relayed) as model:
        reply = await model.ask(PROMPT, ())
    assert reply.tokens == 10 + drops * ASKED
    assert reply.cost == pytest.approx((7 + drops * ASKED) * 10 / 1e6)


async def test_an_endpoint_that_never_replies_ends_the_run() -> None:
    async with scripted_model() as url, dropping(url, 9) as relayed, asked(relayed) as model:
        with pytest.raises(EndpointStopError, match="did not answer in 3 tries"):
            await model.ask(PROMPT, ())
