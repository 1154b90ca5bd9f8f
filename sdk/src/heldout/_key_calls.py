"""The operations on one's keys; see `heldout._flow`."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from heldout._exposure_calls import ExposureCalls
from heldout._flow import Flow, Request, exchange
from heldout._session_calls import part_of, post
from heldout.keys import KeyList, NewKey
from heldout.models import Key

_KEY = TypeAdapter(Key)
_KEYS = TypeAdapter(KeyList)
_NEW = TypeAdapter(NewKey)


class KeyCalls(ExposureCalls):
    """Operations on one's own keys."""

    def keys(self) -> Flow[KeyList]:
        return self._typed(Request("GET", "/v1/keys"), _KEYS)

    def create_key(
        self, name: str, scopes: Sequence[str], days: int | None, networks: Sequence[str], requests: int | None
    ) -> Flow[NewKey]:
        body = {"name": name, "scopes": list(scopes), "days": days} | _limits(networks, requests)
        return self._typed(post("/v1/keys", body), _NEW)

    def limit_key(self, key: str, networks: Sequence[str], requests: int | None) -> Flow[Key]:
        request = post(f"/v1/keys/{part_of(key)}", _limits(networks, requests))
        return self._typed(replace(request, method="PATCH"), _KEY)

    def end_key(self, key: str) -> Flow[None]:
        yield from exchange(Request("DELETE", f"/v1/keys/{part_of(key)}"), self._retries)


def _limits(networks: Sequence[str], requests: int | None) -> dict[str, Any]:
    return {"networks": list(networks), "requests_per_minute": requests}
