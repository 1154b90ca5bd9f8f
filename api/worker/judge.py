"""A judge behind any OpenAI-compatible endpoint."""

import hashlib
import json
import threading
import time
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Protocol

import httpx2
import stamina
from cachetools import FIFOCache

from api.core.settings import Settings
from grading.tools import JudgeReply, JudgeRequest, JudgeUnavailableError

MAX_REPLY_BYTES = 1_000_000
_RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504})


class JudgeCache(Protocol):
    """Replies by the digest of everything that was asked. May forget."""

    def get(self, digest: str) -> JudgeReply | None: ...

    def put(self, reply: JudgeReply) -> None: ...


class JudgeBudget(Protocol):
    """What one benchmark may still ask. `spend` raises JudgeUnavailableError when nothing is left (fails closed)."""

    def spend(self) -> None: ...

    def record(self, tokens: int) -> None: ...


class MemoryCache:
    """The last `size` replies of this process."""

    def __init__(self, size: int = 10_000) -> None:
        self._replies: FIFOCache[str, JudgeReply] = FIFOCache(size)
        self._lock = threading.Lock()

    def get(self, digest: str) -> JudgeReply | None:
        """The reply, if it is still known."""
        with self._lock:
            return self._replies.get(digest)

    def put(self, reply: JudgeReply) -> None:
        """Keep a reply, forgetting the oldest."""
        with self._lock:
            self._replies[reply.digest] = reply


class CountedBudget:
    """At most `calls` requests and `tokens` tokens; safe to share between threads."""

    def __init__(self, calls: int, tokens: int) -> None:
        self.calls, self.tokens = calls, tokens
        self._lock = threading.Lock()

    def spend(self) -> None:
        """Take one call. Raises JudgeUnavailableError when calls or tokens are used up."""
        with self._lock:
            if self.calls < 1 or self.tokens < 1:
                raise JudgeUnavailableError("the benchmark's budget for judges is used up")
            self.calls -= 1

    def record(self, tokens: int) -> None:
        """Take the tokens of a call that was answered."""
        with self._lock:
            self.tokens -= tokens


@dataclass(frozen=True)
class JudgeConfig:
    """The endpoint (up to and including /v1), the model, and how long to try. Times in seconds."""

    url: str
    model: str
    key: str = ""
    timeout: float = 120.0
    attempts: int = 4
    longest_pause: float = 30.0
    max_tokens: int = 4096


class OpenAIJudge:
    """`grading.tools.Judge` over POST {url}/chat/completions. Blocking; safe for use from several threads.

    Time-outs, rate limits, refusals and replies that are no JSON object are tried again, then become
    JudgeUnavailableError: an infrastructure fault, never a wrong answer.
    """

    def __init__(
        self,
        config: JudgeConfig,
        cache: JudgeCache | None = None,
        budget: JudgeBudget | None = None,
        client: httpx2.Client | None = None,
    ) -> None:
        self._config = config
        self._cache = cache or MemoryCache()
        self._budget = budget
        self._headers = {"Authorization": f"Bearer {config.key}"} if config.key else {}
        self._client = client or httpx2.Client()

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def ask(self, request: JudgeRequest) -> JudgeReply:
        """The reply to a request, from the cache if it was asked before. Raises JudgeUnavailableError."""
        body = self._body(request)
        digest = hashlib.sha256(json.dumps([self._config.url, body], sort_keys=True).encode()).hexdigest()
        known = self._cache.get(digest)
        if known is not None:
            return known
        reply = JudgeReply(data=self._retry(body), model=self._config.model, digest=digest)
        self._cache.put(reply)
        return reply

    def _body(self, request: JudgeRequest) -> dict[str, Any]:
        schema = {"name": request.purpose.replace("-", "_"), "strict": True, "schema": request.reply_schema}
        return {
            "model": self._config.model,
            "messages": [{"role": "system", "content": request.system}, {"role": "user", "content": request.user}],
            "response_format": {"type": "json_schema", "json_schema": schema},
            "temperature": 0,
            "seed": request.seed,
            "max_tokens": self._config.max_tokens,
        }

    def _retry(self, body: dict[str, Any]) -> dict[str, Any]:
        config = self._config
        retrying = stamina.RetryingCaller(
            attempts=config.attempts,
            timeout=None,
            wait_initial=1.0,
            wait_max=config.longest_pause,
            wait_jitter=1.0,
        )
        try:
            return retrying(self._wait, self._attempt, body)
        except _RetryableError as error:
            raise JudgeUnavailableError(f"no usable reply after {config.attempts} attempts: {error}") from error

    def _wait(self, error: Exception) -> bool | float:
        """Whether an error may pass, and the seconds to wait where the endpoint says them."""
        if not isinstance(error, _RetryableError):
            return False
        return min(self._config.longest_pause, error.wait) if error.wait else True

    def _attempt(self, body: dict[str, Any]) -> dict[str, Any]:
        if self._budget:
            self._budget.spend()
        return self._try(body)

    def _try(self, body: dict[str, Any]) -> dict[str, Any]:
        address = f"{self._config.url.rstrip('/')}/chat/completions"
        try:
            with self._client.stream(
                "POST", address, json=body, headers=self._headers, timeout=self._config.timeout
            ) as response:
                content = _read(response)
        except httpx2.TransportError as error:
            raise _RetryableError(type(error).__name__) from error
        if response.status_code in _RETRIED:
            raise _RetryableError(f"status {response.status_code}", _wait(response.headers.get("retry-after")))
        if response.status_code != 200:
            raise JudgeUnavailableError(f"the judge's endpoint answered with status {response.status_code}")
        return self._data(content)

    def _data(self, content: bytes) -> dict[str, Any]:
        try:
            reply = json.loads(content)
            choice = reply["choices"][0]
            tokens = int((reply.get("usage") or {}).get("total_tokens") or 0)
            text = choice["message"]["content"]
        except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            raise _RetryableError("the endpoint's reply is no chat completion") from error
        if self._budget:
            self._budget.record(tokens)
        if choice.get("finish_reason") == "length":
            raise JudgeUnavailableError("the judge's reply was cut: it is longer than max_tokens")
        return _object(text)


class _RetryableError(Exception):
    """The call failed in a way that may pass. `wait` is what the endpoint asks for, in seconds."""

    def __init__(self, trouble: str, wait: float | None = None) -> None:
        super().__init__(trouble)
        self.wait = wait


def _read(response: httpx2.Response) -> bytes:
    parts, size = [], 0
    for part in response.iter_bytes():
        size += len(part)
        if size > MAX_REPLY_BYTES:
            raise JudgeUnavailableError(f"the judge's reply is longer than {MAX_REPLY_BYTES} bytes")
        parts.append(part)
    return b"".join(parts)


def _object(text: Any) -> dict[str, Any]:
    """A JSON object, with or without a Markdown fence around it."""
    if not isinstance(text, str):
        raise _RetryableError("the judge refused to answer")
    bare = text.strip().removeprefix("```json").removeprefix("```").removesuffix("```")
    try:
        data = json.loads(bare)
    except (ValueError, RecursionError) as error:
        raise _RetryableError("the judge's reply is no JSON") from error
    if not isinstance(data, dict):
        raise _RetryableError("the judge's reply is no JSON object")
    return data


def _wait(header: str | None) -> float | None:
    """Seconds of a Retry-After header, which is a number or a date."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (ValueError, TypeError):
        return None


def configured_judge(
    settings: Settings, cache: JudgeCache | None = None, budget: JudgeBudget | None = None
) -> OpenAIJudge | None:
    """The judge of the settings, or None: then what needs one waits for people and nothing else waits."""
    if not settings.judge_url or not settings.judge_model:
        return None
    key = settings.judge_key_file.read_text().strip() if settings.judge_key_file else ""
    return OpenAIJudge(JudgeConfig(url=settings.judge_url, model=settings.judge_model, key=key), cache, budget)
