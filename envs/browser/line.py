"""The browser's own protocol, spoken from this process, over the pipe that Playwright's driver uses.

Chromium takes its orders through a pipe, which Playwright's driver would hold. Here this process holds it: what the
driver says is passed on unread, and back, and what is asked at every step is said in sessions of the protocol that are
this process's own. Through the driver it would be decoded and encoded twice more, and every event of a page, too.
"""

import asyncio
import contextlib
import itertools
import json
import os
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from playwright.async_api import Error as PlaywrightError

from envs.browser.page_functions import page_function

END = b"\0"
CHUNK = 1 << 20
# The driver counts its own requests from 1.
FIRST_NUMBER = 1_000_000_000
CLOSED = "Target page, context or browser has been closed"
# Chromium writes the name of a message's session last.
MARK, SESSION = b',"sessionId":"', 32
# What the driver is told of a page that it has a session with from now on.
ATTACHED = b'{"method":"Target.attachedToTarget",'
DETACHED = b'{"method":"Target.detachedFromTarget",'
# What a page can send without end and the driver would keep: what is left of consoles, and scripts that fail.
LOGGED = b'{"method":"Runtime.consoleAPICalled",'
THROWN = b'{"method":"Runtime.exceptionThrown",'
MOST_THROWN = 100
# As long as the beginning of any reply to what is asked here, for the driver's numbers have fewer digits.
ASKED_HERE = b'{"id":%d,' % FIRST_NUMBER

T = TypeVar("T")
Handler = Callable[[dict[str, Any]], None]


class ProtocolError(PlaywrightError):
    """The browser refused, or is gone."""


class _Message(msgspec.Struct):
    """What is read of every message: a reply has a number and a result or an error, an event a method."""

    id: int = 0
    method: str = ""
    params: msgspec.Raw = msgspec.Raw(b"{}")
    result: msgspec.Raw = msgspec.Raw(b"{}")
    error: dict[str, Any] | None = None


_READ = msgspec.json.Decoder(_Message)


def _message(data: bytes) -> _Message:
    try:
        return _READ.decode(data)
    except msgspec.DecodeError:
        whole = json.loads(data)
        parts = {name: msgspec.Raw(json.dumps(whole[name]).encode()) for name in ("params", "result") if name in whole}
        return _Message(whole.get("id", 0), whole.get("method", ""), error=whole.get("error"), **parts)


def read(reply: msgspec.Raw, kind: type[T]) -> T:
    """A reply as `kind`; what that has no place for is passed over."""
    try:
        return msgspec.json.decode(reply, type=kind)
    except msgspec.DecodeError:
        # Half of a surrogate pair is no text for msgspec; pages may hold it all the same.
        return msgspec.convert(json.loads(bytes(reply)), kind)


class Session:
    """One session of the protocol, with one page or with the browser."""

    def __init__(self, line: "Line", name: str) -> None:
        self._line = line
        self.name = name
        self._handlers: dict[str, list[Handler]] = {}
        self._waiting: dict[int, asyncio.Future[msgspec.Raw]] = {}
        self._ended = False

    def on(self, event: str, handler: Handler) -> None:
        """Call `handler` with the parameters of each such event, in the order in which they happen."""
        self._handlers.setdefault(event, []).append(handler)

    async def send(self, method: str, parameters: dict[str, Any] | None = None) -> dict[str, Any]:
        """The browser's reply. Raises ProtocolError."""
        return await self.ask(method, parameters or {}, dict[str, Any])

    async def ask(self, method: str, parameters: dict[str, Any], kind: type[T]) -> T:
        """As `send`, read as `kind` (see `read`)."""
        if self._ended:
            raise ProtocolError(CLOSED)
        number = self._line.number()
        reply: asyncio.Future[msgspec.Raw] = asyncio.get_running_loop().create_future()
        self._waiting[number] = reply
        self._line.say({"id": number, "method": method, "params": parameters, "sessionId": self.name})
        try:
            return read(await reply, kind)
        finally:
            self._waiting.pop(number, None)

    def take(self, message: _Message) -> None:
        """A message of this session."""
        if not message.id:
            if handlers := self._handlers.get(message.method):
                parameters = read(message.params, dict[str, Any])
                for handler in handlers:
                    handler(parameters)
            return
        reply = self._waiting.get(message.id)
        if reply is None or reply.done():
            return
        if message.error is None:
            reply.set_result(message.result)
        else:
            reply.set_exception(ProtocolError(str(message.error.get("message", "the browser refused"))))

    def end(self) -> None:
        """Nothing comes any more."""
        self._ended = True
        for reply in self._waiting.values():
            if not reply.done():
                reply.set_exception(ProtocolError(CLOSED))


class Line:
    """The browser's pipe. `orders` and `news` are the driver's ends of it, `browser_in` and `browser_out` the
    browser's; the descriptors are its own from now on."""

    def __init__(self, orders: int, news: int, browser_in: int, browser_out: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._descriptors = (orders, news, browser_in, browser_out)
        for one in self._descriptors:
            os.set_blocking(one, False)
        self._to_browser, self._to_driver = _Writer(self._loop, browser_in), _Writer(self._loop, news)
        self._unread = {orders: bytearray(), browser_out: bytearray()}
        self._numbers = itertools.count(FIRST_NUMBER)
        self._sessions: dict[bytes, Session] = {}
        self._drivers: dict[str, Session] = {}
        self._thrown: Counter[bytes] = Counter()
        self._first: asyncio.Future[dict[str, Any]] = self._loop.create_future()
        self._root: asyncio.Task[Session] | None = None
        self.closed = False
        self._loop.add_reader(orders, self._read, orders, self._to_browser.write)
        self._loop.add_reader(browser_out, self._read, browser_out, self._heard)

    def number(self) -> int:
        """A number that no other request has."""
        return next(self._numbers)

    def say(self, message: dict[str, Any]) -> None:
        """Send a request."""
        if self.closed:
            raise ProtocolError(CLOSED)
        self._to_browser.write(msgspec.json.encode(message) + END)

    async def attach(self, target: str) -> Session:
        """A session of our own with a page. Raises ProtocolError."""
        if self._root is None:
            self._root = self._loop.create_task(self._attach_to_browser())
        # Whoever gives up waiting does not take the session from the others who wait for it.
        root = await asyncio.shield(self._root)
        reply = await root.send("Target.attachToTarget", {"targetId": target, "flatten": True})
        return self._session(reply["sessionId"])

    def drivers(self, target: str) -> Session:
        """The driver's own session with a page, to ask for something in it. Its events stay the driver's. Raises
        ProtocolError where the driver has none."""
        if target not in self._drivers:
            raise ProtocolError(CLOSED)
        return self._drivers[target]

    async def _attach_to_browser(self) -> Session:
        # The one request outside of a session: its reply is known by its number. The event that comes with it says
        # that a browser was attached to, which the driver passes over.
        self.say({"id": FIRST_NUMBER - 1, "method": "Target.attachToBrowserTarget", "params": {}})
        root = self._session((await self._first)["sessionId"])
        root.on("Target.detachedFromTarget", lambda event: self._detached(event["sessionId"]))
        return root

    def _session(self, name: str) -> Session:
        return self._sessions.setdefault(name.encode(), Session(self, name))

    def _detached(self, name: str) -> None:
        if session := self._sessions.pop(name.encode(), None):
            session.end()

    def _read(self, descriptor: int, take: Callable[[bytes], None]) -> None:
        """Pass on the whole messages among what can be read."""
        try:
            found = os.read(descriptor, CHUNK)
        except BlockingIOError:
            return
        except OSError:
            found = b""
        if not found:
            self.close()
            return
        unread = self._unread[descriptor]
        end = found.rfind(END) + 1
        if not end:
            unread += found
            return
        whole = bytes(unread) + found[:end]
        self._unread[descriptor] = bytearray(found[end:])
        take(whole)

    def _heard(self, messages: bytes) -> None:
        """What the browser says, to whom it is said."""
        begin = passed = 0
        while (end := messages.find(END, begin)) >= 0:
            if self._ours(messages, begin, end):
                self._to_driver.write(messages[passed:begin])
                passed = end + 1
            begin = end + 1
        self._to_driver.write(messages[passed:])

    def _ours(self, messages: bytes, begin: int, end: int) -> bool:
        name = end - 2 - SESSION
        if messages[name - len(MARK) : name] == MARK:
            session = self._sessions.get(messages[name : end - 2])
            if session is None:
                if messages.startswith(ATTACHED, begin):
                    self._silence(json.loads(messages[begin:end])["params"])
                flooding = self._flooding(messages, begin, messages[name : end - 2])
                return flooding or self._in_drivers_name(messages, begin, end)
            session.take(_message(messages[begin:end]))
            return True
        if messages.startswith(ATTACHED, begin):
            self._driver_attached(messages[begin:end])
        elif messages.startswith(DETACHED, begin):
            self._driver_detached(messages[begin:end])
        # The driver ends itself over a reply to what it has not asked.
        if not messages.startswith(b'{"id":%d,' % (FIRST_NUMBER - 1), begin):
            return False
        if not self._first.done():
            self._first.set_result(read(_message(messages[begin:end]).result, dict[str, Any]))
        return True

    def _in_drivers_name(self, messages: bytes, begin: int, end: int) -> bool:
        """Whether it is the reply to what was asked here in a session of the driver's."""
        after = begin + len(ASKED_HERE)
        if not messages.startswith(b'{"id":', begin) or messages[after - 1 : after] != b",":
            return False
        message = _message(messages[begin:end])
        for session in self._drivers.values():
            session.take(message)
        return True

    def _flooding(self, messages: bytes, begin: int, session: bytes) -> bool:
        """Whether it is what nobody reads, or a failure of a script after so many that one more says nothing."""
        if not messages.startswith(THROWN, begin):
            return messages.startswith(LOGGED, begin)
        self._thrown[session] += 1
        return self._thrown[session] > MOST_THROWN

    def _silence(self, attached: dict[str, Any]) -> None:
        """A worker waits for the driver, which has not heard of it yet: what is said to it now comes first."""
        if not attached["waitingForDebugger"] or "worker" not in attached["targetInfo"]["type"]:
            return
        asked = {"expression": page_function("silence")}
        to = attached["sessionId"]
        self.say({"id": self.number(), "method": "Runtime.evaluate", "params": asked, "sessionId": to})

    def _driver_attached(self, message: bytes) -> None:
        # Its first session with a page is the one that it keeps.
        known = json.loads(message)["params"]
        self._silence(known)
        self._drivers.setdefault(known["targetInfo"]["targetId"], Session(self, known["sessionId"]))

    def _driver_detached(self, message: bytes) -> None:
        name = json.loads(message)["params"]["sessionId"]
        for target in [target for target, one in self._drivers.items() if one.name == name]:
            self._drivers.pop(target).end()

    def close(self) -> None:
        """Let go of all four ends: the browser and the driver each see the other gone."""
        if self.closed:
            return
        self.closed = True
        for one in self._descriptors:
            self._loop.remove_reader(one)
            self._loop.remove_writer(one)
            with contextlib.suppress(OSError):
                os.close(one)
        if not self._first.done():
            self._first.set_exception(ProtocolError(CLOSED))
            self._first.exception()  # nobody may have asked for it
        for session in [*self._sessions.values(), *self._drivers.values()]:
            session.end()


class _Writer:
    """What goes into a descriptor, in order, when it is taken."""

    def __init__(self, loop: asyncio.AbstractEventLoop, descriptor: int) -> None:
        self._loop = loop
        self._descriptor = descriptor
        self._left = bytearray()

    def write(self, data: bytes) -> None:
        """Write it, or keep what is not taken yet. That the other end is gone is noticed where it is read."""
        if not data:
            return
        if self._left:
            self._left += data
            return
        written = self._taken(data)
        if written < len(data):
            self._left += data[written:]
            self._loop.add_writer(self._descriptor, self._go_on)

    def _go_on(self) -> None:
        del self._left[: self._taken(self._left)]
        if not self._left:
            self._loop.remove_writer(self._descriptor)

    def _taken(self, data: bytes | bytearray) -> int:
        try:
            return os.write(self._descriptor, data)
        except BlockingIOError:
            return 0
        except OSError:
            return len(data)
