"""The asynchronous client: the same methods and flows as `heldout.client.Client`."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

import httpx2
from pydantic import PrivateAttr

from heldout._calls import Calls
from heldout._channel import AsyncChannel
from heldout._config import LIMITS, TIMEOUT, Config, Notice, to_lost, to_reply
from heldout._containers import AsyncContainers
from heldout._device import SCOPES
from heldout._endpoints import AsyncEndpoints
from heldout._flow import Flow, Lost, Reply, Request, Retries
from heldout._items import Answers, items_of, items_to_send
from heldout._keys import AsyncKeys
from heldout._matches import AsyncMatches
from heldout._owned import AsyncOwned
from heldout._owner import AsyncPacks
from heldout._progress import Watch, watch
from heldout.combined import OverallBoard
from heldout.models import (
    AgreementState,
    Benchmark,
    Budget,
    Column,
    DeviceCode,
    Entry,
    Episode,
    Image,
    Login,
    Me,
    Model,
    Page,
    Problem,
    ServiceLimits,
    SubmissionStatus,
)
from heldout.ngrams import NgramFilter
from heldout.organisations import Access, AccessState, Decision, Organisation, Role
from heldout.owning import Dispute
from heldout.sessions import AsyncSession

T = TypeVar("T")


class AsyncListing(Generic[T]):
    """A listing for `async for`; see `heldout.client.Listing`."""

    def __init__(self, fetch: Callable[[str | None], Awaitable[Page[T]]]) -> None:
        self._fetch = fetch
        self._items: list[T] = []
        self._next: str | None = None
        self._ended = False
        self._lock = asyncio.Lock()
        self.budget: Budget | None = None
        self.columns: tuple[Column, ...] = ()

    async def __aiter__(self) -> AsyncIterator[T]:
        position = 0
        while position < len(self._items) or await self._more(position):
            if position < len(self._items):
                yield self._items[position]
                position += 1

    async def all(self) -> list[T]:
        """Everything, in order."""
        return [item async for item in self]

    async def first(self, count: int) -> list[T]:
        """At most `count` items; fetches no page more than needed."""
        while len(self._items) < count and await self._more(len(self._items)):
            pass
        return self._items[:count]

    async def _more(self, position: int) -> bool:
        async with self._lock:
            if position < len(self._items):
                return True
            if self._ended:
                return False
            page = await self._fetch(self._next)
            self._items.extend(page.items)
            self._next, self.budget, self.columns = page.next, page.budget, page.columns
            self._ended = page.next is None
            return True


class AsyncSubmission(SubmissionStatus):
    """A submission that can be asked again; see `heldout.client.Submission`."""

    _client: "AsyncClient" = PrivateAttr()

    @classmethod
    def _bind(cls, client: "AsyncClient", status: SubmissionStatus) -> "AsyncSubmission":
        made = cls.model_construct(**dict(status))
        made._client = client
        return made

    async def refresh(self) -> "AsyncSubmission":
        """The submission as it is now."""
        return await self._client.submission(self.id)

    async def add(self, answers: Answers) -> "AsyncSubmission":
        """Add answers to an open submission; those sent before stay as they were."""
        flow = self._client._calls.add_items(self.id, items_of(answers))
        return self._bind(self._client, await self._client._run(flow))

    async def finalize(self) -> "AsyncSubmission":
        """End the intake: grading starts, problems without an answer count as wrong."""
        return self._bind(self._client, await self._client._run(self._client._calls.finalize(self.id)))

    async def select(self) -> "AsyncSubmission":
        """Have it ranked at the split's next scheduled release, in the place of what was selected before."""
        return self._bind(self._client, await self._client._run(self._client._calls.select(self.id)))

    async def wait(self, progress: bool | Watch = False, timeout: float | None = None) -> "AsyncSubmission":
        """Wait until there is something to read; as `heldout.client.Submission.wait`."""
        with watch(progress) as report:
            status = await self._client._run(self._client._calls.wait(self.id, timeout, report))
        return self._bind(self._client, status)


class AsyncClient:
    """Asynchronous client of one service with one key. Close it, or use it in `async with`.

    Arguments and errors as of `heldout.client.Client`.
    """

    notice: Notice | None = None

    def __init__(
        self,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        benchmark: str | None = None,
        timeout: float = TIMEOUT,
        retries: Retries | None = None,
        transport: httpx2.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.config = Config.of(base_url, api_key, benchmark)
        if transport is None:
            self.config.check()
        self._calls = Calls(self.config.benchmark, retries or Retries())
        self._sleep = sleep
        self._reached = False
        self._timeout = timeout
        self._http = httpx2.AsyncClient(
            base_url=self.config.base_url,
            headers=self.config.headers(),
            timeout=timeout,
            transport=transport,
            limits=LIMITS,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def login(
        self, show: Callable[[DeviceCode], None], *, scopes: Sequence[str] = SCOPES, name: str = "heldout"
    ) -> Login:
        """Get a key by the device flow: `show` is given the code that somebody signed in approves in a browser.

        Needs no key. Raises PermissionDenied (declined) and TimeoutError (nobody approved it).
        """
        return await self._run(self._calls.login(show, scopes, name))

    async def revoke_key(self) -> None:
        """Revoke the key of this client; it opens nothing from then on."""
        await self._run(self._calls.revoke_key())

    async def delete_account(self, email: str) -> None:
        """Delete your account for good; `email` is its own address. Needs the scope `account:write`."""
        await self._run(self._calls.delete_account(email))

    async def me(self) -> Me:
        """Who the key belongs to."""
        return await self._run(self._calls.me())

    async def limits(self) -> ServiceLimits:
        """What one request to the service may hold; needs no key."""
        return await self._run(self._calls.limits())

    def benchmarks(self) -> AsyncListing[Benchmark]:
        """All benchmarks of the service; needs no key."""
        return AsyncListing(lambda cursor: self._run(self._calls.benchmarks(cursor)))

    async def benchmark(self, slug: str | None = None) -> Benchmark:
        """One benchmark with card, splits and agreement; needs no key."""
        return await self._run(self._calls.benchmark(slug))

    async def ngram_filter(self, benchmark: str | None = None) -> NgramFilter:
        """The filter that finds the benchmark's hidden text in a corpus; needs no key. See `heldout.ngrams`."""
        return await self._run(self._calls.ngram_filter(benchmark))

    async def accept_agreement(self, benchmark: str | None = None, *, name: str) -> AgreementState:
        """Accept the agreement of the current version for your organisation, by your name.

        Where the owner decides on each applicant this asks for access: the `state` is `requested` until then.
        """
        return await self._run(self._calls.accept_agreement(benchmark, name))

    async def agreement(self, benchmark: str | None = None) -> AgreementState | None:
        """How your organisation stands to the agreement of the current version; None before it was accepted."""
        return await self._run(self._calls.agreement(benchmark))

    async def organisation(self) -> Organisation:
        """The key's organisation: its members and, for its owners, the invitations that still hold."""
        return await self._run(self._calls.organisation())

    async def invite(self, email: str | None = None, *, role: Role = "member") -> str:
        """A link that makes one person a member, once; with `email` that person alone. For owners, `account:write`."""
        return (await self._run(self._calls.invite(email, role))).link

    async def withdraw_invitation(self, invitation: str) -> None:
        """Make an invitation worthless, by its id. For owners, `account:write`."""
        await self._run(self._calls.withdraw_invitation(invitation))

    async def change_member(self, member: str, *, role: Role) -> None:
        """Give a member another role; keys that it does not cover end. For owners, `account:write`."""
        await self._run(self._calls.change_member(member, role))

    async def remove_member(self, member: str) -> None:
        """Take a member out and end their keys; for owners, and for oneself. Needs `account:write`."""
        await self._run(self._calls.remove_member(member))

    def access(self, benchmark: str | None = None, *, state: AccessState | None = None) -> AsyncListing[Access]:
        """Who asked for access to your benchmark and who has it. For its owners, `benchmarks:write`."""
        return AsyncListing(lambda cursor: self._run(self._calls.access(benchmark, state, cursor)))

    async def decide_access(
        self, access: str, decision: Decision, *, reason: str = "", benchmark: str | None = None
    ) -> None:
        """Approve (`accepted`) or decline an applicant, or take access back; declining needs a reason."""
        await self._run(self._calls.decide_access(benchmark, access, decision, reason))

    @property
    def endpoints(self) -> AsyncEndpoints:
        """Runs for which the service itself asks your model's endpoint; their problems go to nobody else."""
        return AsyncEndpoints(self._calls, self._run)

    @property
    def matches(self) -> AsyncMatches:
        """Matches of two participants: be paired or challenge, play your side, see the ratings."""
        return AsyncMatches(self)

    @property
    def containers(self) -> AsyncContainers:
        """Containers: what the service runs in a sandbox, with its problems and no network."""
        return AsyncContainers(self._calls, self._run)

    @property
    def packs(self) -> AsyncPacks:
        """Packs that your organisation uploads, has checked and publishes. Needs a key with `benchmarks:write`."""
        return AsyncPacks(self._calls, self._run)

    async def dispute(self, problem: str, reason: str) -> Dispute:
        """Say that the gold of a problem is wrong, and why; its owner answers. Once for each problem."""
        return Dispute.model_validate(await self._run(self._calls.dispute(problem, reason)))

    async def disputes(self) -> list[Dispute]:
        """What your organisation disputed, with the owners' answers, newest first."""
        return list((await self._run(self._calls.disputes())).items)

    @property
    def keys(self) -> AsyncKeys:
        """Your own keys: listed, made, limited, revoked."""
        return AsyncKeys(self._calls, self._run)

    def owned(self, benchmark: str) -> AsyncOwned:
        """Your own benchmark: releases, item statistics, regradings, reviewers. Needs a key with `benchmarks:write`."""
        return AsyncOwned(self._calls, self._run, benchmark)

    def get_problems(
        self, split: str, *, benchmark: str | None = None, page_size: int | None = None, **filters: Any
    ) -> AsyncListing[Problem]:
        """The problems of a split, fetched page by page as you iterate. Each problem served counts in the budget.

        `filters` of the service: `subject`, `type`, `with_images`.
        """
        return AsyncListing(
            lambda cursor: self._run(self._calls.problems(benchmark, split, cursor, page_size, filters))
        )

    async def get_problem(self, problem: str) -> Problem:
        """One problem by its id."""
        return await self._run(self._calls.problem(problem))

    async def image(self, image: Image | str) -> bytes:
        """The bytes of a statement's picture."""
        url = image.url if isinstance(image, Image) else image
        return await self._run(self._calls.file(self.config.local_path(url)))

    async def submit(
        self,
        answers: Answers,
        *,
        model: Model | Mapping[str, Any] | str,
        split: str,
        benchmark: str | None = None,
        finalize: bool = True,
        idempotency_key: str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> AsyncSubmission:
        """Submit answers; see `heldout.client.Client.submit`."""
        flow = self._calls.submit(
            benchmark,
            split,
            Model.of(model),
            items_to_send(answers, finalize=finalize),
            finalize=finalize,
            key=idempotency_key,
            report=progress,
        )
        return AsyncSubmission._bind(self, await self._run(flow))

    async def submission(self, submission: str) -> AsyncSubmission:
        """One of your organisation's submissions by its id."""
        return AsyncSubmission._bind(self, await self._run(self._calls.submission(submission)))

    def submissions(self) -> AsyncListing[SubmissionStatus]:
        """Your organisation's submissions, newest first."""
        return AsyncListing(lambda cursor: self._run(self._calls.submissions(cursor)))

    def leaderboard(
        self, split: str = "test", *, benchmark: str | None = None, all: bool | None = None, **filters: Any
    ) -> AsyncListing[Entry]:
        """The leaderboard; needs no key. Filters as of `heldout.client.Client.leaderboard`."""
        query = {"all": all, **filters}
        return AsyncListing(lambda cursor: self._run(self._calls.leaderboard(benchmark, split, cursor, query)))

    async def overall(self, name: str = "agentbench") -> OverallBoard:
        """A combined leaderboard and its parts; see `heldout.client.Client.overall`."""
        return await self._run(self._calls.overall(name))

    def episodes(self, split: str, *, benchmark: str | None = None) -> AsyncListing[Episode]:
        """The episodes of a split by id; what each asks is told when it is opened."""
        return AsyncListing(lambda cursor: self._run(self._calls.episodes(benchmark, split, cursor)))

    async def open_session(
        self,
        problem: Problem | Episode | str,
        *,
        submission: str | None = None,
        idempotency_key: str | None = None,
        channel: bool = False,
    ) -> AsyncSession:
        """Open a live episode; see `heldout.client.Client.open_session`."""
        identifier = problem if isinstance(problem, str) else problem.id
        status = await self._run(self._calls.open_session(identifier, submission, idempotency_key))
        return AsyncSession(self, status, AsyncChannel(self.config, self._timeout) if channel else None)

    async def session(self, session: str) -> AsyncSession:
        """A live episode by its id, with its transcript."""
        return AsyncSession(self, await self._run(self._calls.session(session)))

    async def _run(self, flow: Flow[T], send: Callable[[Request], Awaitable[Reply | Lost]] | None = None) -> T:
        send = send or self._send
        sent: Reply | Lost | None = None
        while True:
            try:
                step = flow.send(sent)
            except StopIteration as done:
                result: T = done.value
                return result
            if isinstance(step, Request):
                sent = await send(step)
            else:
                sent = None
                if step.reason and self.notice is not None:
                    self.notice(step.reason, step.seconds)
                await self._sleep(step.seconds)

    async def _send(self, request: Request) -> Reply | Lost:
        headers = {**request.headers, **self.config.authorization(request)}
        try:
            response = await self._http.request(
                request.method, request.path, params=request.params or None, content=request.body, headers=headers
            )
        except httpx2.TransportError as error:
            return to_lost(error, self.config.base_url, first=not self._reached)
        self._reached = True
        return to_reply(response)
