"""What can be evaluated: a Python callable, a model behind an endpoint, or a command."""

import json
import subprocess
import threading
import warnings
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import IO, Any, cast

from heldout._flow import Lost, Request, Retries, exchange
from heldout._flow import Reply as Response
from heldout._text import storable, unsendable
from heldout.client import Client
from heldout.errors import HeldoutError, excerpt
from heldout.evaluation.faults import ContextLimitError, EndpointError, endpoint_error
from heldout.evaluation.history import policy, segments, written
from heldout.evaluation.pace import Pace, overloaded
from heldout.evaluation.protocols import (
    LONGEST_REPLY,
    PROTOCOLS,
    Asked,
    Message,
    Name,
    NotAReplyError,
    Prices,
    Spent,
    base_of,
    cut_short,
    read,
    without_login,
)
from heldout.models import Action, Image, Observation, Problem, Tool, Usage
from heldout.sessions import Reason, Session


@dataclass(frozen=True)
class Reply:
    """An answer (None: there is none), what it cost, and whether the model's context was full before the end.

    `messages` are what was said on the way, for the run's record. `cut`: the endpoint ended it for its length.
    """

    answer: str | None
    usage: Usage | None = None
    reason: Reason = "completed"
    messages: Sequence[Message] = field(default=(), repr=False, compare=False)
    cut: bool = False


@dataclass(frozen=True)
class Task:
    """One thing to do: a question (`problem`) or an episode (`session`, already open). `fetch` gets a picture."""

    id: str
    problem: Problem | None = None
    session: Session | None = None
    fetch: Callable[[Image], bytes] | None = field(default=None, repr=False)

    @property
    def prompt(self) -> str:
        """The question as one text, or the episode's instruction with the first observation."""
        if self.problem is not None:
            return self.problem.prompt
        if self.session is None:
            return ""
        return "\n\n".join(part for part in (self.session.instruction, shown(first_of(self.session))) if part)

    @property
    def pictures(self) -> list[bytes]:
        """The question's pictures, or those of the episode's present observation."""
        if self.problem is not None:
            return [self.fetch(image) for image in self.problem.images] if self.fetch else []
        return pictures_of(self.session.observation) if self.session else []


_SECRET = 8
"""Letters from which on a key or a header is masked in errors; `EMPTY` and the like are no secret."""
Agent = Callable[[Task], Reply | str | Awaitable[Reply | str | None] | None]
"""A function from a task to its answer, or a coroutine function: `async def` agents are awaited."""
Talk = Callable[[list[Message], Sequence[Tool]], tuple[Message, Usage | None]]


def first_of(session: Session) -> Observation:
    """What an episode showed before any action."""
    return next((step.observation for step in session.history if step.number == 0), session.observation)


def shown(observation: Observation) -> str:
    """An observation as text; turns that are given whole (`messages` of its data) say the same once more."""
    told = {name: value for name, value in observation.data.items() if name != "messages"}
    data = json.dumps(told, ensure_ascii=False) if told else ""
    return "\n".join(part for part in (observation.text, data) if part)


def pictures_of(observation: Observation) -> list[bytes]:
    """The pictures of an observation, as bytes, in the order of their names."""
    return [observation.picture(name) for name in sorted(observation.images)]


def content(text: str, pictures: Sequence[bytes]) -> str | list[dict[str, Any]]:
    """A message's content: text alone, or text and picture parts. Kinds that models do not take are named in words."""
    known = [(kind, picture) for picture in pictures if (kind := _kind(picture))]
    left_out = len(pictures) - len(known)
    if left_out:
        text += f"\n\n[{left_out} picture(s) of a kind that cannot be sent]"
    if not known:
        return text
    addresses = [f"data:{kind};base64,{b64encode(picture).decode()}" for kind, picture in known]
    parts = [{"type": "image_url", "image_url": {"url": address}} for address in addresses]
    return [{"type": "text", "text": text}, *parts]


def _kind(picture: bytes) -> str | None:
    if picture.startswith(b"RIFF") and picture[8:12] == b"WEBP":
        return "image/webp"
    starts = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif"}
    return next((kind for start, kind in starts.items() if picture.startswith(start)), None)


def chat(talk: Talk, *, history: str = "whole") -> Callable[[Task], Reply]:
    """An agent from a function (messages, tools) -> (message, usage): it answers questions and plays episodes.

    Pictures are sent as image parts. An episode that was begun before goes on from its transcript; one that does not
    fit into the model's context any more ends with `context_limit`. `history` says what of an episode's messages is
    sent at each turn: see `heldout.evaluation.history.policy`. Raises ValueError for a history that there is not.
    """
    kept = policy(history)

    def agent(task: Task) -> Reply:
        spent = Spent()
        messages: list[Message] = [{"role": "user", "content": content(task.prompt, task.pictures)}]
        if task.session is None:
            message, used = talk(messages, ())
            said = str(message.get("content") or "")
            return Reply(said, used, messages=[*messages, message], cut=cut_short(message))
        messages = _anew(first_of(task.session)) or messages
        _remember(messages, task.session)
        while not task.session.over:
            try:
                message, used = talk(kept(messages), task.session.tools)
            except ContextLimitError:
                return Reply(task.session.answer, spent, "context_limit", messages)
            spent = total((spent, used))
            answers, seen = _act(task.session, message)
            messages = _anew(seen) or [*messages, message, *answers]
        return Reply(task.session.answer, spent, messages=messages)

    return agent


def _act(session: Session, message: Message) -> tuple[list[Message], Observation]:
    """What the world answers, as messages, and what was seen last."""
    calls = message.get("tool_calls") or []
    if not calls:
        seen = session.step(storable(str(message.get("content") or ""))).observation
        return [{"role": "user", "content": content(shown(seen), pictures_of(seen))}], seen
    answers: list[Message] = []
    seen = Observation()
    for call in calls:
        if session.over:
            break
        function = call.get("function", {})
        asked = {"name": function.get("name", ""), "arguments": _arguments(function.get("arguments"))}
        seen = session.step(storable(asked)).observation
        answers.append({"role": "tool", "tool_call_id": call.get("id", ""), "content": shown(seen)})
    # A tool's reply holds text alone in this protocol.
    pictures = pictures_of(seen)
    if pictures:
        answers.append({"role": "user", "content": content("What it looks like now:", pictures)})
    return answers, seen


def _anew(seen: Observation) -> list[Message]:
    """The turns that an observation gives whole, by which the conversation begins anew; none where it goes on."""
    given = seen.data.get("messages")
    turns = given if isinstance(given, list) else []
    return [{"role": "assistant" if turn["role"] == "agent" else "user", "content": turn["content"]} for turn in turns]


def _arguments(text: Any) -> dict[str, Any]:
    try:
        found = json.loads(text) if isinstance(text, str) else text
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {"unreadable": str(text)}


def _remember(messages: list[Message], session: Session) -> None:
    for step in session.history:
        if step.action is None:
            continue
        said = step.action.get("text") or json.dumps(step.action.get("tool"), ensure_ascii=False)
        answer = [{"role": "assistant", "content": said}, {"role": "user", "content": shown(step.observation)}]
        messages[:] = _anew(step.observation) or [*messages, *answer]


def total(usages: Iterable[Usage | None]) -> Spent:
    """The sum of what was told; None where nobody told anything."""
    known = [dict(usage) for usage in usages if usage is not None]
    told = {name: [v for usage in known if (v := usage.get(name)) is not None] for name in Spent.model_fields}
    return Spent.model_validate({name: sum(values) if values else None for name, values in told.items()})


class ChatModel:
    """A model behind an endpoint, as an `Agent`; tools of episodes become tool calls.

    `protocol` is `chat` (OpenAI-compatible chat completions), `responses` (OpenAI) or `messages` (Anthropic), and `url`
    is the address before `/chat/completions`, `/responses` or `/messages` (or with it). `parameters` are sampling
    settings by their names in chat, and whatever else the body is to hold; `headers` go with each request. With
    `prices` a reply's cost is told. Too many requests, every fault of a server (5xx) and lost lines are tried again;
    what is left raises EndpointError, in the endpoint's own words.
    An endpoint that refuses for its load is asked by fewer at once, and by more again as it answers (`Pace`).
    `history`: as `chat` has it. A request that with the reply's `max_tokens` is above `context_limit` by our own count
    (a token for seven letters of a word, begun, and for any other character but blanks) raises ContextLimitError and
    is not sent. The key and the `headers` are masked in what an endpoint says of a fault; `user:password@` in the
    address is sent as a header, and is in no message. Raises ValueError for a key or a header that is not ASCII.
    """

    def __init__(
        self,
        model: str,
        *,
        url: str,
        key: str | None = None,
        protocol: Name = "chat",
        system: str = "",
        parameters: dict[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        prices: Prices | None = None,
        retries: Retries | None = None,
        timeout: float = 600.0,
        history: str = "whole",
        context_limit: int | None = None,
        **client: Any,
    ) -> None:
        self.model = model
        self.system = system
        self.context_limit = context_limit
        self.parameters = parameters or {}
        self.prices = prices
        self._protocol = PROTOCOLS[protocol]
        key = (key or "").strip()
        url, login = without_login(url)
        headers = ({"authorization": login} if login else {}) | dict(headers or {})
        self._headers = self._protocol.headers(key) if key else {}
        self._headers |= {"content-type": "application/json"} | headers
        for name, value in self._headers.items():
            if fault := unsendable(value) or unsendable(name):
                raise ValueError(f"the header {name} {fault}")
        secrets = {key, *headers.values()}
        self._secrets = [secret.encode() for secret in secrets if len(secret) >= _SECRET]
        self._retries = retries or Retries()
        self.pace = Pace(self._retries.longest_wait, **({"sleep": client["sleep"]} if "sleep" in client else {}))
        address = base_of(url, self._protocol)
        self._client = Client(api_key=key or "none", base_url=address, timeout=timeout, **client)
        # The address was checked with a key; how a key is sent is the protocol's.
        self._client.config = replace(self._client.config, api_key=None)
        self._play = chat(self.talk, history=history)

    def __repr__(self) -> str:
        return f"<ChatModel {self.model} at {self.url}>"

    def __call__(self, task: Task) -> Reply:
        return self._play(task)

    @property
    def url(self) -> str:
        """The endpoint's address, before the protocol's path."""
        return self._client.config.base_url

    @property
    def sampling(self) -> dict[str, Any]:
        """What is asked of the endpoint besides the conversation, for the submission's `model.parameters`."""
        preset = {"max_tokens": LONGEST_REPLY} if self._protocol is PROTOCOLS["messages"] else {}
        return preset | self.parameters

    def talk(self, messages: list[Message], tools: Sequence[Tool]) -> tuple[Message, Usage | None]:
        """One reply, and what it cost."""
        self._fits(messages)
        body = self._protocol.write(Asked(self.model, self.system, messages, tools, self.parameters))
        content = json.dumps(body, ensure_ascii=False).encode(errors="replace")
        request = Request("POST", self._protocol.path, body=content, headers=self._headers, public=True)
        try:
            reply = self._client._run(exchange(request, self._retries, overloaded, self._refusal), self._send)
        except HeldoutError as error:
            raise endpoint_error(self.url, error) from error
        try:
            message, tokens = read(self._protocol, reply.body)
        except NotAReplyError as error:
            came = excerpt(reply.status, reply.headers, self._masked(reply.body))
            raise EndpointError(f"{self.url}: {error}; what came: {came}", passing=True, status=reply.status) from None
        return message, tokens.usage(self.prices) if tokens else None

    def probe(self) -> None:
        """Ask something short, to see whether the endpoint answers at all. Raises EndpointError if it does not."""
        self.talk([{"role": "user", "content": "Say OK."}], ())

    def _refusal(self, error: HeldoutError) -> str:
        return endpoint_error(self.url, error).detail

    def _send(self, request: Request) -> Response | Lost:
        came = self.pace.send(self._client._send, request)
        return (
            replace(came, body=self._masked(came.body)) if isinstance(came, Response) and came.status >= 300 else came
        )

    def _masked(self, body: bytes) -> bytes:
        """What an endpoint says of a fault may quote the key, and is printed."""
        for secret in self._secrets:
            body = body.replace(secret, b"***")
        return body

    def _fits(self, messages: Sequence[Message]) -> None:
        if self.context_limit is None:
            return
        counted = segments(self.system) + sum(segments(written(message)) for message in messages)
        counted += self.parameters.get("max_tokens") or 0
        if counted > self.context_limit:
            raise ContextLimitError(f"about {counted} tokens, and the context limit is set to {self.context_limit}")


_EPISODE_PROTOCOL = (
    'in an episode each line of its input is {"observation": ..., "tools": [...], "steps_left": ...}, and each line of '
    'its output {"text": ...} or {"tool": {"name": ..., "arguments": {...}}}'
)


@dataclass
class Command:
    """A command as an `Agent`. A question is its standard input, the answer its standard output. In an episode it is
    told one JSON object a line ({"observation", "tools", "steps_left"}) and answers {"text": ...} or {"tool": ...}.

    `seconds` bounds a question, or an episode in all; a command that fails or says nothing raises RuntimeError.
    """

    argv: Sequence[str]
    seconds: float = 600.0
    environment: dict[str, str] | None = field(default=None, repr=False)

    def __call__(self, task: Task) -> Reply:
        """Run the command for one task."""
        if task.session is not None:
            return self._episode(task, task.session)
        done = subprocess.run(
            self.argv,
            input=task.prompt,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=self.seconds,
            env=self.environment,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{self.argv[0]} ended with {done.returncode}: {done.stderr.strip()[-300:]}")
        return Reply(self._readable(done.stdout).strip())

    def _readable(self, printed: str) -> str:
        """What was printed; that it was not UTF-8 everywhere is said."""
        if "\ufffd" in printed:
            words = f"{self.argv[0]} printed bytes that are not UTF-8 (or U+FFFD itself); they are sent as U+FFFD"
            warnings.warn(words, stacklevel=2)
        return printed

    def _episode(self, task: Task, session: Session) -> Reply:
        pipe = subprocess.PIPE
        with subprocess.Popen(
            self.argv, stdin=pipe, stdout=pipe, encoding="utf-8", errors="replace", env=self.environment
        ) as process:
            watchdog = threading.Timer(self.seconds, process.kill)
            watchdog.start()
            pipe_in = cast("IO[str]", process.stdin)
            try:
                said, left = task.prompt, session.status.limits.steps if session.status.limits else 0
                while not session.over:
                    action = self._ask(process, {"observation": said, "tools": _tools(session), "steps_left": left})
                    result = session.step(action)
                    said, left = shown(result.observation), result.steps_left
            finally:
                watchdog.cancel()
                process.kill()
                # What was not read any more: its loss is no fault of a network.
                with suppress(OSError):
                    pipe_in.close()
        return Reply(session.answer)

    def _ask(self, process: "subprocess.Popen[str]", told: dict[str, Any]) -> Action:
        assert process.stdin
        assert process.stdout
        # Where it ended before it read, what it wrote until then says more.
        with suppress(OSError):
            process.stdin.write(json.dumps(told) + "\n")
            process.stdin.flush()
        line = self._readable(process.stdout.readline())
        try:
            return Action.of(json.loads(line))
        except (ValueError, TypeError):
            wrote = f"wrote {line.strip()[:60]!r}" if line else "ended, or closed its output, without an action"
            raise RuntimeError(f"{self.argv[0]} {wrote}; {_EPISODE_PROTOCOL}") from None


def _tools(session: Session) -> list[dict[str, Any]]:
    return [tool.model_dump(mode="json") for tool in session.tools]
