"""A participant's model behind an OpenAI-compatible endpoint, asked by the service: paced, and never trusted."""

import asyncio
import json
import time
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from api.core.outbound import AddressRefusedError, Outbound, OutboundReply, ReplyRefusedError, UnreachableError
from api.endpoints.repository import Run
from api.leaderboard.usage import MOST_TOKENS
from api.problems.schemas import ProblemPublic

_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_REFUSING = frozenset({401, 402, 403, 404, 405})
_LONGEST_PAUSE = 60.0
_CHARACTERS_A_TOKEN = 4
_TOKENS_A_PICTURE = 1000


class EndpointStopError(Exception):
    """Nothing more is to be asked of this endpoint; the message is for its owner."""


class EndpointRejectedError(Exception):
    """The endpoint answers, but not this question. `reply`: no text, and what that has cost nevertheless."""

    def __init__(self, trouble: str, reply: "Completion | None" = None) -> None:
        super().__init__(trouble)
        self.reply = reply or Completion("", 0, 0.0)


class _PassingError(Exception):
    """The endpoint may answer the same later. `wait`: seconds that it asks for; `silent`: it may have worked on it."""

    def __init__(self, trouble: str, wait: float | None = None, *, silent: bool = False) -> None:
        super().__init__(trouble)
        self.wait, self.silent = wait, silent


@dataclass(frozen=True)
class Picture:
    """A picture of a question."""

    media_type: str
    content: bytes


@dataclass(frozen=True)
class Completion:
    """A model's reply, and what it cost: tokens as the endpoint tells them, else a guess from the lengths."""

    text: str
    tokens: int
    cost: float


class _Message(BaseModel):
    model_config = ConfigDict(extra="ignore")
    content: str | None = None


class _Choice(BaseModel):
    model_config = ConfigDict(extra="ignore")
    message: _Message


class _Usage(BaseModel):
    model_config = ConfigDict(extra="ignore")
    prompt_tokens: int = Field(default=0, ge=0, le=MOST_TOKENS)
    completion_tokens: int = Field(default=0, ge=0, le=MOST_TOKENS)


class _Reply(BaseModel):
    model_config = ConfigDict(extra="ignore")
    choices: list[_Choice] = Field(min_length=1)
    usage: _Usage | None = None


class EndpointModel:
    """Asks one endpoint, at most so often a minute. `pauses` are the seconds between the tries of one question."""

    def __init__(
        self, run: Run, key: str, outbound: Outbound, pauses: Sequence[float] = (1.0, 2.0, 4.0, 8.0, 16.0)
    ) -> None:
        self._run = run
        self._outbound = outbound
        self._headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {key}"} if key else {})
        self._pauses = tuple(pauses)
        self._between = 60.0 / run.requests_per_minute
        self._next = time.monotonic()

    async def check(self) -> None:
        """Ask something harmless: no problem goes to an address that cannot answer. Raises EndpointStopError."""
        try:
            await self.ask("Reply with the word ready.", ())
        except EndpointRejectedError as error:
            raise EndpointStopError(str(error)) from None

    async def ask(self, prompt: str, pictures: Sequence[Picture]) -> Completion:
        """The model's reply to a question. Raises EndpointStopError, EndpointRejectedError."""
        content = json.dumps(self._body(prompt, pictures)).encode()
        asked = (len(self._run.system) + len(prompt)) // _CHARACTERS_A_TOKEN + _TOKENS_A_PICTURE * len(pictures)
        return (await self._exchanged(content, asked))[1]

    async def relay(self, asked: Mapping[str, Any]) -> tuple[bytes, Completion]:
        """The endpoint's own reply to a chat completion of a container's, and what it cost. Raises as `ask`.

        The model is the run's, and what the reply looks like is not asked for in pieces.
        """
        body = {name: value for name, value in asked.items() if name not in ("stream", "stream_options")}
        content = json.dumps(body | {"model": self._run.endpoint_model}).encode()
        return await self._exchanged(content, len(content) // _CHARACTERS_A_TOKEN)

    async def _exchanged(self, content: bytes, asked: int) -> tuple[bytes, Completion]:
        # Tokens of tries that brought no reply: the endpoint may have worked on them.
        lost = 0
        for pause in (*self._pauses, None):
            await self._pace()
            try:
                reply = await self._post(content)
                return reply.content, self._completion(asked, lost, reply)
            except _PassingError as error:
                lost += asked if error.silent else 0
                if pause is None:
                    raise EndpointStopError(f"it did not answer in {len(self._pauses) + 1} tries: {error}") from None
                await asyncio.sleep(min(_LONGEST_PAUSE, error.wait or pause))
        raise AssertionError("the last try returns or raises")

    def _body(self, prompt: str, pictures: Sequence[Picture]) -> dict[str, Any]:
        said: object = prompt
        if pictures:
            addresses = [f"data:{p.media_type};base64,{b64encode(p.content).decode()}" for p in pictures]
            parts = [{"type": "image_url", "image_url": {"url": address}} for address in addresses]
            said = [{"type": "text", "text": prompt}, *parts]
        messages = [{"role": "user", "content": said}]
        if self._run.system:
            messages.insert(0, {"role": "system", "content": self._run.system})
        return {**self._run.parameters, "model": self._run.endpoint_model, "messages": messages}

    async def _pace(self) -> None:
        now = time.monotonic()
        mine = self._next = max(now, self._next)
        self._next += self._between
        if mine > now:
            await asyncio.sleep(mine - now)

    async def _post(self, content: bytes) -> OutboundReply:
        address = self._run.url.rstrip("/") + "/chat/completions"
        try:
            reply = await self._outbound.post(address, content, self._headers)
        except (AddressRefusedError, ReplyRefusedError) as error:
            raise EndpointStopError(str(error)) from None
        except UnreachableError as error:
            raise _PassingError(str(error), silent=True) from None
        if reply.status in _PASSING:
            raise _PassingError(f"status {reply.status}", _seconds(reply.headers.get("retry-after", "")))
        if reply.status in _REFUSING:
            raise EndpointStopError(f"it answered with status {reply.status}; check address, key and model")
        if reply.status != 200:
            raise EndpointRejectedError(f"it answered with status {reply.status}")
        return reply

    def _completion(self, asked: int, lost: int, reply: OutboundReply) -> Completion:
        """`asked`: the question's tokens, as far as they can be guessed; `lost`: those of tries without a reply."""
        try:
            found = _Reply.model_validate_json(reply.content)
        except ValidationError:
            empty = self._completed("", _Usage(prompt_tokens=lost + asked))
            raise EndpointRejectedError("its reply is no chat completion", empty) from None
        text = found.choices[0].message.content or ""
        guess = _Usage(prompt_tokens=asked, completion_tokens=len(text) // _CHARACTERS_A_TOKEN)
        used = found.usage or guess
        return self._completed(text, used.model_copy(update={"prompt_tokens": used.prompt_tokens + lost}))

    def _completed(self, text: str, used: _Usage) -> Completion:
        dollars = used.prompt_tokens * self._run.input_price + used.completion_tokens * self._run.output_price
        return Completion(text, min(MOST_TOKENS, used.prompt_tokens + used.completion_tokens), dollars / 1e6)


def prompt(problem: ProblemPublic) -> str:
    """Statement, choices and the form of the answer as one text, as participants' own clients put it."""
    options = "\n".join(f"{choice.label}) {choice.text}" for choice in problem.choices)
    return "\n\n".join(part for part in (problem.statement, options, problem.answer_format) if part)


def _seconds(text: str) -> float | None:
    return float(text) if text.isdecimal() else None
