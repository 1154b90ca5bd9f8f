"""What schemathesis loads (`SCHEMATHESIS_HOOKS`): what our own formats mean, and real ids in requests that are right.

Runs in schemathesis' own environment. `CHECK_SCHEMA_KNOWN` names a JSON file of real values by name of parameter,
which is written anew while the run lasts.
"""

import json
import os
import random
from pathlib import Path
from typing import Any

import schemathesis  # type: ignore[import-not-found]
from hypothesis import strategies
from schemathesis.generation import GenerationMode  # type: ignore[import-not-found]

_FILE = Path(os.environ["CHECK_SCHEMA_KNOWN"])
_CHANCE = random.Random(int(os.environ.get("CHECK_SCHEMA_SEED", "1")))
_OWN = os.environ["CHECK_SCHEMA_KEY"]
_SHARE = 0.75
"""Of values that schemathesis made up, and which real ones take the place of."""
_read: tuple[float, dict[str, list[Any]]] = (0.0, {})
_NAME = strategies.from_regex(r"[A-Za-z\u00c0-\u00d6][A-Za-z0-9 .-]{10,40}[a-z0-9]", fullmatch=True)
schemathesis.openapi.format("plain-name", _NAME)
schemathesis.openapi.format("visible-text", _NAME)
schemathesis.openapi.format("visible-address", strategies.sampled_from(["", "https://models.example/a", "http://a.b"]))
schemathesis.openapi.format("network", strategies.sampled_from(["127.0.0.0/8", "192.0.2.7", "2001:db8::/32"]))


def _real(name: str) -> Any:
    """One of the real values of a name; None where there are none, or now and then."""
    global _read
    changed = _FILE.stat().st_mtime
    if changed != _read[0]:
        _read = (changed, json.loads(_FILE.read_text(encoding="utf-8")))
    values = _read[1].get(name)
    return _CHANCE.choice(values) if values and _CHANCE.random() < _SHARE else None


def _with_real(given: Any, names: tuple[str, ...] | None = None) -> None:
    if isinstance(given, dict):
        for name in given:
            # What is left out on purpose stays left out: one of several fields may be what the body is about.
            if given[name] is None or (names is not None and name not in names):
                continue
            if (value := _real(name)) is not None:
                given[name] = value


@schemathesis.hook  # type: ignore[untyped-decorator]
def before_call(context: Any, case: Any, kwargs: Any) -> None:
    """Ids in the path, names in the query and in the body, of requests that are meant to be right and lead nowhere."""
    del context, kwargs
    meta = case.meta
    positive = meta is not None and meta.generation.mode is GenerationMode.POSITIVE
    if positive and meta.phase.name.value != "stateful":
        _made_real(case)
    # After the real ids, of which it is one: a key that ends or limits itself would end the run.
    if isinstance(case.path_parameters, dict) and case.path_parameters.get("key_id") == _OWN:
        case.path_parameters["key_id"] = "key_" + "0" * 32


def _made_real(case: Any) -> None:
    if "email" not in (case.path_parameters or {}):
        _with_real(case.path_parameters)  # what is changed is looked at again, and an address would stand there quoted
    _with_real(case.query, ("split", "version", "organisation"))
    _with_real(case.body, ("benchmark", "split", "problem", "submission", "organisation"))
    if isinstance(case.body, dict):
        if isinstance(case.body.get("criteria"), list) and _CHANCE.random() < _SHARE:
            case.body["total"] = sum(one["points"] for one in case.body["criteria"])
        for item in case.body.get("items") or ():
            _with_real(item, ("problem",))
