"""Requests to addresses that participants name, against servers and name servers that mean harm."""

import asyncio
import gzip
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from ipaddress import ip_address, ip_network

import pytest

from api.core.outbound import AddressRefusedError, Outbound, ReplyRefusedError, UnreachableError, public
from tests.support.loopback import loopback

LOOPBACK = (ip_network("127.0.0.0/8"),)
METADATA = "http://169.254.169.254/latest/meta-data/"
Handler = Callable[[asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def server(handler: Handler, seen: list[bytes] | None = None) -> AsyncIterator[int]:
    """The port of a server on loopback; `seen` gets each request's head."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        if seen is not None:
            seen.append(head)
        try:
            await handler(writer)
            await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()

    async with loopback(serve) as port:
        yield port


def replying(head: str, body: bytes = b"") -> Handler:
    async def reply(writer: asyncio.StreamWriter) -> None:
        writer.write(f"HTTP/1.1 {head}\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body)

    return reply


async def endless(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n")
    while True:
        writer.write(b"x" * 65536)
        await writer.drain()


async def silent(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n")
    await writer.drain()
    await asyncio.Event().wait()


async def post(outbound: Outbound, url: str) -> bytes:
    try:
        return (await outbound.post(url, b"{}", {"authorization": "Bearer secret"})).content
    finally:
        await outbound.close()


def names(*answers: Sequence[str]) -> tuple[list[str], Callable[[str, int], Awaitable[Sequence[str]]]]:
    """A name server that answers in turn, and what it was asked."""
    asked: list[str] = []
    queue = list(answers)

    async def resolve(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return queue.pop(0)

    return asked, resolve


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fe80::1",
        "fd00::1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "2002:7f00:1::",
        "2001:0:53aa:64c:0:fbff:80ff:fffe",
        "::7f00:1",
        "::ffff:0:127.0.0.1",
        "64:ff9b:1::a00:1",
        "fec0::1",
        "5f00::1",
    ],
)
def test_no_address_of_a_private_network_is_public(address: str) -> None:
    assert not public(ip_address(address))


@pytest.mark.parametrize("address", ["1.1.1.1", "93.184.216.34", "2606:4700::1111", "::ffff:1.1.1.1"])
def test_addresses_of_the_open_internet_are(address: str) -> None:
    assert public(ip_address(address))


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8080/v1",
        "https://[::1]/v1",
        "https://0x7f000001/v1",
        "https://2130706433/v1",
        METADATA,
        "https://user:password@models.test/v1",
        "https://models.test/v1#fragment",
        "ftp://models.test/",
        "file:///etc/passwd",
        "https:///v1",
        "https://models.test:99999/",
        "https://models..test/",
        f"https://{'a' * 64}.test/",
        "https://１２７.0.0.1/",
    ],
)
async def test_addresses_that_lead_inside_or_nowhere_are_refused(url: str) -> None:
    with pytest.raises((AddressRefusedError, UnreachableError)):
        await post(Outbound(), url)


async def test_one_private_address_among_public_ones_is_enough_to_refuse() -> None:
    _, resolver = names(["93.184.216.34", "10.0.0.7"])
    with pytest.raises(AddressRefusedError, match="no address on the open Internet"):
        await post(Outbound(resolver=resolver), "https://models.test/v1")


async def test_names_of_our_own_network_look_like_names_that_nobody_has() -> None:
    _, resolver = names(["10.0.0.7"], [])
    outbound, said = Outbound(resolver=resolver), set()
    for _ in range(2):
        with pytest.raises((AddressRefusedError, UnreachableError)) as refused:
            await outbound.target("https://wiki.internal/v1")
        said.add(str(refused.value))
    await outbound.close()
    assert len(said) == 1


async def test_a_name_in_another_script_travels_in_the_form_of_headers() -> None:
    seen: list[bytes] = []
    async with server(replying("200 OK", b"{}"), seen) as port:
        _, resolver = names(["127.0.0.1"])
        assert await post(Outbound(LOOPBACK, resolver=resolver), f"http://münchen.test:{port}/v1") == b"{}"
    assert f"host: xn--mnchen-3ya.test:{port}".encode() in seen[0].lower()


async def test_plain_http_is_refused_on_the_open_internet() -> None:
    _, resolver = names(["93.184.216.34"])
    with pytest.raises(AddressRefusedError, match="https"):
        await post(Outbound(resolver=resolver), "http://models.test/v1")


async def test_a_name_that_changes_is_asked_once_a_request_and_each_answer_is_checked() -> None:
    seen: list[bytes] = []
    async with server(replying("200 OK", b"{}"), seen) as port:
        asked, resolver = names(["127.0.0.1"], ["10.0.0.1"])
        outbound = Outbound(LOOPBACK, resolver=resolver)
        url = f"http://models.test:{port}/v1"
        assert (await outbound.post(url, b"{}", {})).content == b"{}"
        assert asked == ["models.test"], "the connection was made to the address that was checked, by no second look-up"
        assert f"host: models.test:{port}".encode() in seen[0].lower()
        with pytest.raises(AddressRefusedError):
            await outbound.post(url, b"{}", {})
        await outbound.close()
    assert len(seen) == 1


@pytest.mark.parametrize("status", ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"])
async def test_a_redirect_to_the_metadata_address_is_not_followed(status: str) -> None:
    async with server(replying(f"{status}\r\nlocation: {METADATA}")) as port:
        with pytest.raises(ReplyRefusedError, match="redirects"):
            await post(Outbound(LOOPBACK), f"http://127.0.0.1:{port}/v1")


async def test_an_endless_reply_ends_at_the_limit() -> None:
    async with server(endless) as port:
        with pytest.raises(ReplyRefusedError, match="longer than 1000000 bytes"):
            await post(Outbound(LOOPBACK), f"http://127.0.0.1:{port}/v1")


async def test_a_reply_that_swells_is_not_opened() -> None:
    bomb = gzip.compress(b"0" * 10_000_000)
    async with server(replying("200 OK\r\ncontent-encoding: gzip", bomb)) as port:
        with pytest.raises(ReplyRefusedError, match="compressed"):
            await post(Outbound(LOOPBACK), f"http://127.0.0.1:{port}/v1")


async def test_a_server_that_says_nothing_is_left() -> None:
    async with server(silent) as port:
        with pytest.raises(UnreachableError, match="no whole reply came"):
            await post(Outbound(LOOPBACK, seconds=0.5), f"http://127.0.0.1:{port}/v1")


async def test_a_proxy_of_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    async with server(replying("200 OK", b"{}")) as port:
        assert await post(Outbound(LOOPBACK), f"http://127.0.0.1:{port}/v1") == b"{}"
