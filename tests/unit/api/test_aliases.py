"""Aliases of problems: what they are written as, and that they come back."""

import base64
from uuid import UUID, uuid4

import pytest

from api.core.crypto import Aliases, _base32


@pytest.mark.parametrize("sealed", [bytes(32), b"\xff" * 32, bytes(range(32)), bytes.fromhex("b5f09a") * 10 + b"ab"])
def test_an_alias_is_written_in_base32(sealed: bytes) -> None:
    assert _base32(sealed) == base64.b32encode(sealed).decode().rstrip("=").lower()


def test_an_alias_is_read_by_its_organisation_alone() -> None:
    aliases, organisation, problem = Aliases(b"k" * 32), uuid4(), UUID(int=1)
    alias = aliases.encode(organisation, problem)
    assert len(alias) == 56
    assert aliases.decode(organisation, alias) == problem
    assert aliases.decode(uuid4(), alias) is None
