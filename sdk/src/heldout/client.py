"""The synchronous client."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

import httpx2
from pydantic import PrivateAttr

from heldout._calls import Calls
from heldout._channel import Channel
from heldout._config import LIMITS, TIMEOUT, Config, Notice, to_lost, to_reply
from heldout._containers import Containers
from heldout._device import SCOPES
from heldout._endpoints import Endpoints
from heldout._flow import Flow, Lost, Reply, Request, Retries
from heldout._items import Answers, items_of, items_to_send
from heldout._keys import Keys
from heldout._matches import Matches
from heldout._owned import Owned
from heldout._owner import Packs
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
    Item,
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
from heldout.sessions import Session

T = TypeVar("T")


class Listing(Generic[T]):
    """A listing that fetches its pages as they are needed and keeps them: iterating again asks the service nothing.

    `budget` is what the service said of the daily budget with the last page (None where there is none), `columns` how
    it shows the rows as a table (a leaderboard's alone).
    """

    def __init__(self, fetch: Callable[[str | None], Page[T]]) -> None:
        self._fetch = fetch
        self._items: list[T] = []
        self._next: str | None = None
        self._ended = False
        self.budget: Budget | None = None
        self.columns: tuple[Column, ...] = ()

    def __iter__(self) -> Iterator[T]:
        position = 0
        while position < len(self._items) or self._more():
            if position < len(self._items):
                yield self._items[position]
                position += 1

    def __repr__(self) -> str:
        return f"<Listing, {len(self._items)} fetched{'' if self._ended else ' and perhaps more'}>"

    def __bool__(self) -> bool:
        return bool(self.first(1))

    def __len__(self) -> int:
        if not self._ended:
            raise TypeError("how many there are is not known before every page is fetched: len(listing.all())")
        return len(self._items)

    def __getitem__(self, index: int) -> T:
        """An item by its number from 0; fetches no page more than needed."""
        if not isinstance(index, int) or index < 0:
            raise TypeError("a listing is indexed from 0, it is not sliced: listing.first(n), listing.all()[...]")
        return self.first(index + 1)[index]

    def all(self) -> list[T]:
        """Everything, in order."""
        return list(self)

    def first(self, count: int) -> list[T]:
        """At most `count` items; fetches no page more than needed."""
        while len(self._items) < count and self._more():
            pass
        return self._items[:count]

    def _more(self) -> bool:
        if self._ended:
            return False
        page = self._fetch(self._next)
        self._items.extend(page.items)
        self._next, self.budget, self.columns = page.next, page.budget, page.columns
        self._ended = page.next is None
        return True


class Submission(SubmissionStatus):
    """A submission that can be asked again. The fields are those of `SubmissionStatus` at the last answer."""

    _client: "Client" = PrivateAttr()

    @classmethod
    def _bind(cls, client: "Client", status: SubmissionStatus) -> "Submission":
        made = cls.model_construct(**dict(status))
        made._client = client
        return made

    def refresh(self) -> "Submission":
        """The submission as it is now."""
        return self._client.submission(self.id)

    def add(self, answers: Answers) -> "Submission":
        """Add answers to an open submission; those sent before stay as they were."""
        return self._bind(self._client, self._client._run(self._client._calls.add_items(self.id, items_of(answers))))

    def finalize(self) -> "Submission":
        """End the intake: grading starts, problems without an answer count as wrong."""
        return self._bind(self._client, self._client._run(self._client._calls.finalize(self.id)))

    def select(self) -> "Submission":
        """Have it ranked at the split's next scheduled release, in the place of what was selected before."""
        return self._bind(self._client, self._client._run(self._client._calls.select(self.id)))

    def wait(self, progress: bool | Watch = False, timeout: float | None = None) -> "Submission":
        """Wait until there is something to read: it is graded, failed or in people's hands; returns it as it is then.

        On a hidden split that is the decision at `next_release`; one that is more than half an hour off is not waited
        for, and the state is still `grading`. `note` says what is awaited, and grading goes on without you.
        `progress=True` shows a bar on standard error; a callable gets each status. Raises TimeoutError after `timeout`
        seconds (the submission goes on).
        """
        with watch(progress) as report:
            status = self._client._run(self._client._calls.wait(self.id, timeout, report))
        return self._bind(self._client, status)


class Client:
    """Client of one service with one key; safe to use from several threads. Close it, or use it in `with`.

    `base_url`, `api_key` and `benchmark` come from HELDOUT_BASE_URL, HELDOUT_API_KEY and HELDOUT_BENCHMARK where they
    are not given. Raises the errors of `heldout.errors`. `transport` is for tests and special networks. `notice` is
    called with reason and seconds before a failed request is sent again.
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
        transport: httpx2.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.config = Config.of(base_url, api_key, benchmark)
        if transport is None:
            self.config.check()
        self._calls = Calls(self.config.benchmark, retries or Retries())
        self._sleep = sleep
        self._reached = False
        self._timeout = timeout
        self._http = httpx2.Client(
            base_url=self.config.base_url,
            headers=self.config.headers(),
            timeout=timeout,
            transport=transport,
            limits=LIMITS,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def login(
        self, show: Callable[[DeviceCode], None], *, scopes: Sequence[str] = SCOPES, name: str = "heldout"
    ) -> Login:
        """Get a key by the device flow: `show` is given the code that somebody signed in approves in a browser.

        Needs no key. Raises PermissionDenied (declined) and TimeoutError (nobody approved it).
        """
        return self._run(self._calls.login(show, scopes, name))

    def revoke_key(self) -> None:
        """Revoke the key of this client; it opens nothing from then on."""
        self._run(self._calls.revoke_key())

    def delete_account(self, email: str) -> None:
        """Delete your account for good; `email` is its own address. Needs the scope `account:write`."""
        self._run(self._calls.delete_account(email))

    def me(self) -> Me:
        """Who the key belongs to."""
        return self._run(self._calls.me())

    def limits(self) -> ServiceLimits:
        """What one request to the service may hold; needs no key."""
        return self._run(self._calls.limits())

    def benchmarks(self) -> Listing[Benchmark]:
        """All benchmarks of the service; needs no key."""
        return Listing(lambda cursor: self._run(self._calls.benchmarks(cursor)))

    def benchmark(self, slug: str | None = None) -> Benchmark:
        """One benchmark with card, splits and agreement; needs no key."""
        return self._run(self._calls.benchmark(slug))

    def ngram_filter(self, benchmark: str | None = None) -> NgramFilter:
        """The filter that finds the benchmark's hidden text in a corpus; needs no key. See `heldout.ngrams`."""
        return self._run(self._calls.ngram_filter(benchmark))

    def accept_agreement(self, benchmark: str | None = None, *, name: str) -> AgreementState:
        """Accept the agreement of the current version for your organisation, by your name.

        Where the owner decides on each applicant this asks for access: the `state` is `requested` until then.
        """
        return self._run(self._calls.accept_agreement(benchmark, name))

    def agreement(self, benchmark: str | None = None) -> AgreementState | None:
        """How your organisation stands to the agreement of the current version; None before it was accepted."""
        return self._run(self._calls.agreement(benchmark))

    def organisation(self) -> Organisation:
        """The key's organisation: its members and, for its owners, the invitations that still hold."""
        return self._run(self._calls.organisation())

    def invite(self, email: str | None = None, *, role: Role = "member") -> str:
        """A link that makes one person a member, once; with `email` that person alone. For owners, `account:write`."""
        return self._run(self._calls.invite(email, role)).link

    def withdraw_invitation(self, invitation: str) -> None:
        """Make an invitation worthless, by its id. For owners, `account:write`."""
        self._run(self._calls.withdraw_invitation(invitation))

    def change_member(self, member: str, *, role: Role) -> None:
        """Give a member another role; keys that it does not cover end. For owners, `account:write`."""
        self._run(self._calls.change_member(member, role))

    def remove_member(self, member: str) -> None:
        """Take a member out and end their keys; for owners, and for oneself. Needs `account:write`."""
        self._run(self._calls.remove_member(member))

    def access(self, benchmark: str | None = None, *, state: AccessState | None = None) -> Listing[Access]:
        """Who asked for access to your benchmark and who has it. For its owners, `benchmarks:write`."""
        return Listing(lambda cursor: self._run(self._calls.access(benchmark, state, cursor)))

    def decide_access(self, access: str, decision: Decision, *, reason: str = "", benchmark: str | None = None) -> None:
        """Approve (`accepted`) or decline an applicant, or take access back; declining needs a reason."""
        self._run(self._calls.decide_access(benchmark, access, decision, reason))

    @property
    def endpoints(self) -> Endpoints:
        """Runs for which the service itself asks your model's endpoint; their problems go to nobody else."""
        return Endpoints(self._calls, self._run)

    @property
    def matches(self) -> Matches:
        """Matches of two participants: be paired or challenge, play your side, see the ratings."""
        return Matches(self)

    @property
    def containers(self) -> Containers:
        """Containers: what the service runs in a sandbox, with its problems and no network."""
        return Containers(self._calls, self._run)

    @property
    def packs(self) -> Packs:
        """Packs that your organisation uploads, has checked and publishes. Needs a key with `benchmarks:write`."""
        return Packs(self._calls, self._run)

    def dispute(self, problem: str, reason: str) -> Dispute:
        """Say that the gold of a problem is wrong, and why; its owner answers. Once for each problem."""
        return Dispute.model_validate(self._run(self._calls.dispute(problem, reason)))

    def disputes(self) -> list[Dispute]:
        """What your organisation disputed, with the owners' answers, newest first."""
        return list((self._run(self._calls.disputes())).items)

    @property
    def keys(self) -> Keys:
        """Your own keys: listed, made, limited, revoked."""
        return Keys(self._calls, self._run)

    def owned(self, benchmark: str) -> Owned:
        """Your own benchmark: releases, item statistics, regradings, reviewers. Needs a key with `benchmarks:write`."""
        return Owned(self._calls, self._run, benchmark)

    def get_problems(
        self, split: str, *, benchmark: str | None = None, page_size: int | None = None, **filters: Any
    ) -> Listing[Problem]:
        """The problems of a split, fetched page by page as you iterate. Each problem served counts in the budget.

        `filters` of the service: `subject`, `type`, `with_images`.
        """
        return Listing(lambda cursor: self._run(self._calls.problems(benchmark, split, cursor, page_size, filters)))

    def get_problem(self, problem: str) -> Problem:
        """One problem by its id."""
        return self._run(self._calls.problem(problem))

    def image(self, image: Image | str) -> bytes:
        """The bytes of a statement's picture. The key is never sent to another host than the service."""
        url = image.url if isinstance(image, Image) else image
        return self._run(self._calls.file(self.config.local_path(url)))

    def submit(
        self,
        answers: Answers,
        *,
        model: Model | Mapping[str, Any] | str,
        split: str,
        benchmark: str | None = None,
        finalize: bool = True,
        idempotency_key: str | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Submission:
        """Submit answers: a mapping of problem to answer, or items, dicts or (problem, answer) pairs.

        `model` is `"name"`, `"name@version"`, a mapping or a Model. Big runs are sent in parts; `progress` is called
        with (sent, all). With a key of your own, the same call again gives the same submission. `finalize=False` leaves
        the submission open for `add`.
        """
        items: list[Item] = items_to_send(answers, finalize=finalize)
        flow = self._calls.submit(
            benchmark, split, Model.of(model), items, finalize=finalize, key=idempotency_key, report=progress
        )
        return Submission._bind(self, self._run(flow))

    def submission(self, submission: str) -> Submission:
        """One of your organisation's submissions by its id."""
        return Submission._bind(self, self._run(self._calls.submission(submission)))

    def submissions(self) -> Listing[SubmissionStatus]:
        """Your organisation's submissions, newest first."""
        return Listing(lambda cursor: self._run(self._calls.submissions(cursor)))

    def leaderboard(
        self, split: str = "test", *, benchmark: str | None = None, all: bool | None = None, **filters: Any
    ) -> Listing[Entry]:
        """The leaderboard; needs no key. `all=True` shows every entry and not each model's best; further filters of the
        service: `model`, `organisation`, `verified`, `sort`, `limit`."""
        query = {"all": all, **filters}
        return Listing(lambda cursor: self._run(self._calls.leaderboard(benchmark, split, cursor, query)))

    def overall(self, name: str = "agentbench") -> OverallBoard:
        """A combined leaderboard and its parts, with no key; a part without an entry counts 0. Raises NotFound."""
        return self._run(self._calls.overall(name))

    def episodes(self, split: str, *, benchmark: str | None = None) -> Listing[Episode]:
        """The episodes of a split by id; what each asks is told when it is opened."""
        return Listing(lambda cursor: self._run(self._calls.episodes(benchmark, split, cursor)))

    def open_session(
        self,
        problem: Problem | Episode | str,
        *,
        submission: str | None = None,
        idempotency_key: str | None = None,
        channel: bool = False,
    ) -> Session:
        """Open a live episode. With `submission` (an open one) its verdict becomes that submission's item.

        `channel`: its steps go over one WebSocket where there is one (`heldout[channel]`), and by POST where not.
        """
        identifier = problem if isinstance(problem, str) else problem.id
        status = self._run(self._calls.open_session(identifier, submission, idempotency_key))
        return Session(self, status, Channel(self.config, self._timeout) if channel else None)

    def session(self, session: str) -> Session:
        """A live episode by its id, with its transcript."""
        return Session(self, self._run(self._calls.session(session)))

    def _run(self, flow: Flow[T], send: Callable[[Request], Reply | Lost] | None = None) -> T:
        send = send or self._send
        sent: Reply | Lost | None = None
        while True:
            try:
                step = flow.send(sent)
            except StopIteration as done:
                result: T = done.value
                return result
            if isinstance(step, Request):
                sent = send(step)
            else:
                sent = None
                if step.reason and self.notice is not None:
                    self.notice(step.reason, step.seconds)
                self._sleep(step.seconds)

    def _send(self, request: Request) -> Reply | Lost:
        headers = {**request.headers, **self.config.authorization(request)}
        try:
            response = self._http.request(
                request.method, request.path, params=request.params or None, content=request.body, headers=headers
            )
        except httpx2.TransportError as error:
            return to_lost(error, self.config.base_url, first=not self._reached)
        self._reached = True
        return to_reply(response)
