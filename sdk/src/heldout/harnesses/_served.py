"""Which benchmarks the configured service has, for harnesses that ask as they are imported."""

import logging
import os

from heldout._flow import Retries
from heldout.client import Client
from heldout.errors import HeldoutError

_LOG = logging.getLogger(__name__)


def served() -> list[str]:
    """The slugs of the service's benchmarks; none where it cannot be asked.

    A harness imports its extensions in each of its runs: where HELDOUT_BASE_URL names no service, the default address
    is asked once, and that nobody is there is no warning.
    """
    named = bool(os.environ.get("HELDOUT_BASE_URL"))
    try:
        with Client(retries=Retries() if named else Retries(attempts=1)) as asked:
            return [item.slug for item in asked.benchmarks()]
    except HeldoutError as error:
        said = "heldout: the service's benchmarks are not known (%s); `heldout/benchmark -T slug=` asks"
        _LOG.log(logging.WARNING if named else logging.DEBUG, said, error)
        return []
