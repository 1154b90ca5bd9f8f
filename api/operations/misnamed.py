"""`config check`: variables that look like the service's and are read by nothing, such as a misspelt one."""

import difflib
import os
from collections.abc import Iterator
from pathlib import Path
from string import Template

from api.core.settings import Settings, variable
from api.operations.check import Check
from api.operations.variables import INTERNAL, public_names
from api.operations.worlds import described_sites

_NEAR = 0.7


def examine() -> Iterator[Check]:
    """A check for each that is set. Its value is not shown: it may be a key."""
    prefix = Settings.model_config["env_prefix"]
    names = [name for name, value in os.environ.items() if name.upper().startswith(prefix) and value]
    # Settings are found whatever the case of their variables; the rest is not.
    settings = {variable(name) for name in Settings.model_fields}
    others = {*public_names(), *INTERNAL, *_of_sites()}
    for name in sorted(names):
        if name.upper() not in settings and name not in others and not _of_a_cluster(name):
            yield _misnamed(name, prefix)


def _misnamed(name: str, prefix: str) -> Check:
    # Without what they all begin with, by which any two would be alike.
    ends = [one.removeprefix(prefix) for one in public_names()]
    near = difflib.get_close_matches(name.upper().removeprefix(prefix), ends, n=1, cutoff=_NEAR)
    remedy = "docs/configuration.md has every name; what a plug-in reads is better named otherwise"
    if near:
        remedy = f"{prefix}{near[0]} is the nearest name that is read"
    return Check("variable", f"{name} is set, and nothing reads it", remedy)


def _of_sites() -> Iterator[str]:
    """What an owner's sites read: the file that `extract` names, and each `${NAME}` of HELDOUT_SITES_FILE."""
    yield from (site.extract for site in described_sites()[0] if site.extract)
    try:
        yield from Template(Path(os.environ.get("HELDOUT_SITES_FILE", "")).read_text("utf-8")).get_identifiers()
    except (OSError, ValueError):
        return  # what is wrong with it is said of the file itself


def _of_a_cluster(name: str) -> bool:
    """Whether Kubernetes made it, for a service whose name begins like ours: NAME_SERVICE_HOST, NAME_PORT and more"""
    services = (one.removesuffix("_SERVICE_HOST") for one in os.environ if one.endswith("_SERVICE_HOST"))
    return any(name.startswith((f"{one}_SERVICE_", f"{one}_PORT")) for one in services)
