"""What can go wrong, as a tree:

    HeldoutError
    ├── AuthenticationError   401, or no key at all
    ├── PermissionDenied      403: scope, agreement, role
    ├── NotFound              404
    ├── Conflict              409: the resource is not in a state that allows this
    ├── Invalid               400, 413, 415, 422: the request is not valid
    ├── RateLimited           429: too many requests; `retry_after` seconds
    │   └── QuotaExceeded     429: a budget or quota is spent; waiting seconds does not help
    ├── ServerError           5xx: the fault is the service's
    └── ConnectionFailed      no response at all

Every error has `status` (0 without a response), `code` (stable), `detail`, `request_id` (give it to the operator),
`advice` (what to do next), and `problems`: the ids of the answers it is about, where it is about some.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar


class HeldoutError(Exception):
    """Base of all errors of this package."""

    default_advice: ClassVar[str] = "read the detail"

    def __init__(
        self,
        detail: str,
        *,
        status: int = 0,
        code: str = "error",
        request_id: str = "",
        advice: str = "",
        extensions: Mapping[str, Any] | None = None,
    ) -> None:
        self.detail = detail
        self.status = status
        self.code = code
        self.request_id = request_id
        self.extensions: dict[str, Any] = dict(extensions or {})
        state = str(self.extensions.get("state", ""))
        self.advice = advice or _ADVICE_BY_STATE.get((code, state)) or _ADVICE.get(code, self.default_advice)
        self.problems: list[str] = []
        self.excerpt = ""
        self.origin = ""
        super().__init__(detail)

    def about(self, sent: Sequence[str]) -> None:
        """Say in `problems` which of the problems that were sent, in this order, the service speaks of by number."""
        told = [*self.extensions.get("positions", ())]
        faults = self.extensions.get("faults", ())
        told += [int(found[1]) for fault in faults if (found := _ITEM.search(str(fault.get("field", ""))))]
        self.problems = [sent[n] for n in sorted(set(told)) if isinstance(n, int) and 0 <= n < len(sent)]

    def __str__(self) -> str:
        facts = [self.code, str(self.status) if self.status else "", self.request_id and f"request {self.request_id}"]
        return f"{self.detail} ({', '.join(fact for fact in facts if fact)}). What to do: {self.advice}"


class AuthenticationError(HeldoutError):
    """There is no key, or the service does not know it, or it has expired or was revoked."""

    default_advice = "set HELDOUT_API_KEY or pass api_key=... with a key that is in force"


class PermissionDenied(HeldoutError):  # noqa: N818
    """The key is known but may not do this: a scope, an agreement or a role is missing."""

    default_advice = "use a key with the scope that the detail names, or ask the benchmark's owner"


class NotFound(HeldoutError):  # noqa: N818
    """Not found, or not visible to you."""

    default_advice = "check the name"


class Conflict(HeldoutError):  # noqa: N818
    """The resource is not in a state that allows this."""

    default_advice = "look at the present state and decide anew"


class Invalid(HeldoutError):  # noqa: N818
    """The request is not valid; `faults` lists fields and what is wrong with each, where the service tells."""

    default_advice = "correct what the detail names and send it again"

    @property
    def faults(self) -> list[dict[str, str]]:
        """`[{"field": ..., "fault": ...}]`, empty if the service gave none."""
        found = self.extensions.get("faults", [])
        return found if isinstance(found, list) else []


class RateLimited(HeldoutError):  # noqa: N818
    """Too many requests, still so after the client's own retries. `retry_after` is in seconds."""

    default_advice = "wait `retry_after` seconds, or send fewer requests at once"

    def __init__(self, detail: str, *, retry_after: float | None = None, **more: Any) -> None:
        super().__init__(detail, **more)
        self.retry_after = retry_after


class QuotaExceeded(RateLimited):
    """A daily budget of problems or a quota of submissions is spent."""

    default_advice = "wait until the budget is renewed, or ask the benchmark's owner for more"


class ServerError(HeldoutError):
    """The service failed; nothing says that the request was wrong."""

    default_advice = "try again later; if it stays, give the operator the request id"


class ConnectionFailed(HeldoutError):  # noqa: N818
    """No response: the address is wrong, the service is down, or the network failed."""

    default_advice = "check HELDOUT_BASE_URL and that the service runs"


_ITEM = re.compile(r"\bitems\.(\d+)\b")
_ADVICE = {
    "unknown_problem": "answer the ids that get_problems() gives this key for this split; nothing of these was taken",
    "agreement_required": "read benchmark(slug).agreement and, if you accept it, call accept_agreement(slug, name)",
    "quota_spent": "the quota of submissions is spent; ask the benchmark's owner for more",
    "idempotency_key_reused": "give each new request an Idempotency-Key of its own (idempotency_key=...)",
    "submission_not_open": "make a new submission",
}
_ADVICE_BY_STATE = {
    ("agreement_required", "requested"): "wait for the owner's decision; `heldout agree` shows how your request stands",
    ("agreement_required", "declined"): "ask the benchmark's owner; the benchmark's page says the reason",
}
_NO_MONEY = {"insufficient_quota", "billing_error"}
_QUOTA_CODES = {"quota_spent", "budget_spent", "quota_exceeded", "budget_exceeded"}
_BY_STATUS: dict[int, type[HeldoutError]] = {
    401: AuthenticationError,
    403: PermissionDenied,
    404: NotFound,
    409: Conflict,
}


_LISTED = {
    "benchmarks": "check the name; benchmarks() lists what there is, and so does `heldout benchmarks`",
    "submissions": "check the id; submissions() lists yours, and so does `heldout status`",
    "sessions": "check the session's id; it is the key's that opened it",
    "overall": "check the suite's name; agentbench is one",
}


def advise(error: HeldoutError, path: str) -> None:
    """Say where names of this kind are listed, if nothing is known under one (404)."""
    if isinstance(error, NotFound) and error.advice == NotFound.default_advice:
        error.advice = _LISTED.get(path.removeprefix("/v1/").split("/")[0], error.advice)


def foreign(error: HeldoutError) -> None:
    """Say so where the refusal is none that this service writes: every one of its own has a code."""
    if error.origin and error.code in {"http_401", "http_404", "http_405"}:
        error.detail = f"{error.origin} is no Heldout service: its {error.status} has no code of one"
        error.code, error.advice = "no_service", "set HELDOUT_BASE_URL to the address of the service itself"


def unexplained(status: int) -> str:
    """What is said of a reply that says nothing itself."""
    return f"the service answered {status}"


def out_of_money(error: HeldoutError) -> bool:
    """Whether a model's endpoint says that the account pays for no more: HTTP 402, OpenAI's `insufficient_quota`,
    Anthropic's `billing_error`, and its 400 that names the credit balance."""
    said = error.extensions.get("error")
    said = said if isinstance(said, dict) else {}
    if error.status == 402 or _NO_MONEY & {error.code, str(said.get("code")), str(said.get("type"))}:
        return True
    return error.status == 400 and "credit balance is too low" in str(said.get("message")).lower()


def excerpt(status: int, headers: Mapping[str, str], body: bytes) -> str:
    """What came, in words: status, content type and the first 200 characters."""
    kind = headers.get("content-type", "no content type")
    text = " ".join(body[:1000].decode(errors="replace").split())[:200]
    return f"status {status}, {kind}, {f'beginning with: {text}' if text else 'an empty body'}"


def from_response(status: int, headers: Mapping[str, str], body: bytes, retry_after: float | None) -> HeldoutError:
    """The error for a response of status 300 or above. A body that is no problem document is quoted in `excerpt`."""
    error = _from_response(status, headers, body, retry_after)
    error.excerpt = excerpt(status, headers, body)
    return error


def _from_response(status: int, headers: Mapping[str, str], body: bytes, retry_after: float | None) -> HeldoutError:
    try:
        problem = json.loads(body)
    except ValueError:
        problem = {}
    if not isinstance(problem, dict):
        problem = {}
    known = {key: problem.pop(key, None) for key in ("detail", "code", "request_id", "title", "status", "type")}
    code = str(known["code"] or f"http_{status}")
    detail = str(known["detail"] or known["title"] or unexplained(status))
    request_id = str(known["request_id"] or headers.get("x-request-id", ""))
    more: dict[str, Any] = {"status": status, "code": code, "request_id": request_id, "extensions": problem}
    if status == 429:
        kind = QuotaExceeded if code in _QUOTA_CODES else RateLimited
        return kind(detail, retry_after=retry_after, **more)
    if status >= 500:
        return ServerError(detail, **more)
    if status < 400:
        more["advice"] = "set HELDOUT_BASE_URL to the address of the service itself"
    return _BY_STATUS.get(status, Invalid)(detail, **more)
