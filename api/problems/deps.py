"""What routes of serving are given."""

from typing import Annotated

from fastapi import Depends, Request

from protection.fingerprints import Fingerprints


async def _fingerprints(request: Request) -> Fingerprints:
    fingerprints = request.app.state.fingerprints
    assert isinstance(fingerprints, Fingerprints)
    return fingerprints


FingerprintsDep = Annotated[Fingerprints, Depends(_fingerprints)]
