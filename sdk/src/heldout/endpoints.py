"""Runs that the service plays: it asks a participant's endpoint. `Client.endpoints` is the way in."""

from collections.abc import Callable
from datetime import datetime

from heldout._records import Received
from heldout.containers import ContainerReport

Watch = Callable[["EndpointRun"], None]


class EndpointRun(Received):
    """A run that the service plays; `submission` is what it fills.

    `state`: queued, playing, done, or stopped (`failure` says why) and cancelled, which `resume` takes up again.
    `tokens` and `cost` (US dollars) are spent so far, `answered` of `expected` problems have an answer.
    `container` is the name of the archive that is run, if any.
    """

    id: str
    submission: str
    benchmark: str
    split: str
    model: str
    url: str
    endpoint_model: str
    state: str
    failure: str = ""
    answered: int
    expected: int
    tokens: int = 0
    cost: float = 0.0
    token_cap: int | None = None
    cost_cap: float | None = None
    requests_per_minute: int
    container: str | None = None
    report: ContainerReport | None = None
    created_at: datetime
    changed_at: datetime

    @property
    def settled(self) -> bool:
        """Whether the service asks nothing more by itself."""
        return self.state not in ("queued", "playing")


class EndpointRunPage(Received):
    """The newest runs of an organisation."""

    items: tuple[EndpointRun, ...] = ()
