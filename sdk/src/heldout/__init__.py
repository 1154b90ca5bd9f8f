"""Python client of Heldout, the service for benchmarks whose test sets must stay unseen.

    import heldout as sdk

    for problem in sdk.get_problems(split="test"):
        ...
    submission = sdk.submit(answers, model="my-model@1", split="test")
    print(submission.wait(progress=True).score)

The functions of this module use one lazily made client, configured by HELDOUT_API_KEY, HELDOUT_BASE_URL and
HELDOUT_BENCHMARK or by `configure`. `Client` and `AsyncClient` have the same methods.
"""

import os
import threading
from collections.abc import Callable, Mapping
from typing import Any

from heldout import evaluation as _evaluation
from heldout import runs as _runs
from heldout._config import Config as _Config
from heldout._config import package_version as _package_version
from heldout._flow import Retries
from heldout._items import Answers
from heldout.aclient import AsyncClient, AsyncListing, AsyncSubmission
from heldout.client import Client, Listing, Submission
from heldout.combined import OverallBoard
from heldout.errors import (
    AuthenticationError,
    Conflict,
    ConnectionFailed,
    HeldoutError,
    Invalid,
    NotFound,
    PermissionDenied,
    QuotaExceeded,
    RateLimited,
    ServerError,
)
from heldout.evaluation import Agent, Outcome
from heldout.evaluation import Budget as Spending
from heldout.evaluation.awaiting import check_agent as _check_agent
from heldout.evaluation.engine import until_graded as _until_graded
from heldout.models import (
    Action,
    Agreement,
    AgreementState,
    Benchmark,
    Budget,
    Choice,
    Column,
    Entry,
    Episode,
    Image,
    Interval,
    Item,
    ItemResult,
    Me,
    Membership,
    Model,
    Observation,
    Page,
    Problem,
    ServiceLimits,
    SessionStatus,
    Split,
    StepResult,
    SubmissionStatus,
    Tool,
    Usage,
)
from heldout.ngrams import NgramFilter
from heldout.runs import Run
from heldout.sessions import AsyncSession, Session

__all__ = [
    "Action",
    "Agreement",
    "AgreementState",
    "AsyncClient",
    "AsyncListing",
    "AsyncSession",
    "AsyncSubmission",
    "AuthenticationError",
    "Benchmark",
    "Budget",
    "Choice",
    "Client",
    "Column",
    "Conflict",
    "ConnectionFailed",
    "Entry",
    "Episode",
    "HeldoutError",
    "Image",
    "Interval",
    "Invalid",
    "Item",
    "ItemResult",
    "Listing",
    "Me",
    "Membership",
    "Model",
    "NgramFilter",
    "NotFound",
    "Observation",
    "OverallBoard",
    "Page",
    "PermissionDenied",
    "Problem",
    "QuotaExceeded",
    "RateLimited",
    "Retries",
    "Run",
    "ServerError",
    "ServiceLimits",
    "Session",
    "SessionStatus",
    "Split",
    "StepResult",
    "Submission",
    "SubmissionStatus",
    "Tool",
    "Usage",
    "accept_agreement",
    "agreement",
    "benchmark",
    "benchmarks",
    "configure",
    "default_client",
    "episodes",
    "evaluate",
    "get_problem",
    "get_problems",
    "image",
    "leaderboard",
    "limits",
    "me",
    "ngram_filter",
    "open_run",
    "open_session",
    "overall",
    "session",
    "submission",
    "submissions",
    "submit",
]

__version__ = _package_version()

_lock = threading.Lock()
_default: Client | None = None
_settings: dict[str, str | None] = {}


def configure(*, api_key: str | None = None, base_url: str | None = None, benchmark: str | None = None) -> None:
    """Settings of the default client; what is not given comes from the environment."""
    with _lock:
        _settings.update(api_key=api_key, base_url=base_url, benchmark=benchmark)


def default_client() -> Client:
    """The client of the module's functions; made anew when the settings or the environment have changed."""
    global _default
    with _lock:
        if _default is None or _default.config != _Config.of(**_settings):
            get = _settings.get
            _default = Client(api_key=get("api_key"), base_url=get("base_url"), benchmark=get("benchmark"))
        return _default


def me() -> Me:
    """Who the key belongs to."""
    return default_client().me()


def benchmarks() -> Listing[Benchmark]:
    """All benchmarks of the service; needs no key."""
    return default_client().benchmarks()


def benchmark(slug: str | None = None) -> Benchmark:
    """One benchmark with card, splits and agreement; needs no key."""
    return default_client().benchmark(slug)


def ngram_filter(benchmark: str | None = None) -> NgramFilter:
    """The filter that finds the benchmark's hidden text in a corpus; needs no key. See `heldout.ngrams`."""
    return default_client().ngram_filter(benchmark)


def accept_agreement(benchmark: str | None = None, *, name: str) -> AgreementState:
    """Accept the data-use agreement of the benchmark's current version for your organisation, by your name."""
    return default_client().accept_agreement(benchmark, name=name)


def agreement(benchmark: str | None = None) -> AgreementState | None:
    """How your organisation stands to the agreement of the current version; None before it was accepted."""
    return default_client().agreement(benchmark)


def limits() -> ServiceLimits:
    """What one request to the service may hold; needs no key."""
    return default_client().limits()


def get_problems(
    split: str, *, benchmark: str | None = None, page_size: int | None = None, **filters: Any
) -> Listing[Problem]:
    """The problems of a split, fetched page by page as you iterate; `subject`, `type` and `with_images` filter them."""
    return default_client().get_problems(split, benchmark=benchmark, page_size=page_size, **filters)


def get_problem(problem: str) -> Problem:
    """One problem by its id."""
    return default_client().get_problem(problem)


def image(image: Image | str) -> bytes:
    """The bytes of a statement's picture."""
    return default_client().image(image)


def submit(
    answers: Answers,
    *,
    model: Model | Mapping[str, Any] | str,
    split: str,
    benchmark: str | None = None,
    finalize: bool = True,
    idempotency_key: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Submission:
    """Submit answers; see `Client.submit`."""
    return default_client().submit(
        answers,
        model=model,
        split=split,
        benchmark=benchmark,
        finalize=finalize,
        idempotency_key=idempotency_key,
        progress=progress,
    )


def submission(submission: str) -> Submission:
    """One of your organisation's submissions by its id."""
    return default_client().submission(submission)


def submissions() -> Listing[SubmissionStatus]:
    """Your organisation's submissions, newest first."""
    return default_client().submissions()


def leaderboard(
    split: str = "test", *, benchmark: str | None = None, all: bool | None = None, **filters: Any
) -> Listing[Entry]:
    """The leaderboard; needs no key. Filters as of `Client.leaderboard`."""
    return default_client().leaderboard(split, benchmark=benchmark, all=all, **filters)


def overall(name: str = "agentbench") -> OverallBoard:
    """A combined leaderboard and its parts; needs no key."""
    return default_client().overall(name)


def episodes(split: str, *, benchmark: str | None = None) -> Listing[Episode]:
    """The episodes of a split by id; what each asks is told when it is opened."""
    return default_client().episodes(split, benchmark=benchmark)


def open_session(
    problem: Problem | Episode | str,
    *,
    submission: str | None = None,
    idempotency_key: str | None = None,
    channel: bool = False,
) -> Session:
    """Open a live episode; see `Client.open_session`."""
    return default_client().open_session(
        problem, submission=submission, idempotency_key=idempotency_key, channel=channel
    )


def session(session: str) -> Session:
    """A live episode by its id, with its transcript."""
    return default_client().session(session)


def evaluate(
    agent: Agent,
    *,
    model: Model | Mapping[str, Any] | str | None = None,
    split: str = "test",
    benchmark: str | None = None,
    concurrency: int = 4,
    out: str | os.PathLike[str] = "results",
    budget: Spending | None = None,
    progress: bool = False,
    limit: int | None = None,
    outage_seconds: float = 3600.0,
    wait: bool = True,
    client: Client | None = None,
) -> Outcome:
    """Play an agent over a split, questions and episodes alike; see `heldout.evaluation`.

    Finished tasks are kept in the folder `out`: started again, it goes on where it stopped. Without `model` the run is
    submitted as the agent's own `model`, or its name. With `wait` a run that is complete is waited for until it is
    graded, as `Submission.wait` does, and `outcome.submission.score` is its score.
    """
    _check_agent(agent)
    held = client or default_client()
    model = model or getattr(agent, "model", None) or getattr(agent, "__name__", None) or type(agent).__name__
    slug = held.benchmark(benchmark).slug
    outcome = _evaluation.evaluate(
        held,
        agent,
        benchmark=slug,
        split=split,
        model=model,
        concurrency=concurrency,
        out=out,
        budget=budget,
        progress=progress,
        limit=limit,
        outage_seconds=outage_seconds,
    )
    if wait:
        _until_graded([outcome], watch=progress)
    return outcome


def open_run(
    path: str | os.PathLike[str],
    *,
    model: Model | Mapping[str, Any] | str,
    split: str,
    benchmark: str | None = None,
    client: Client | None = None,
) -> Run:
    """Begin a run in a file, or go on with the one that is there; see `heldout.runs`."""
    return _runs.open_run(client or default_client(), path, model=model, split=split, benchmark=benchmark)
