"""What routes of serving are given."""

from typing import Annotated

from fastapi import Depends, Request

from api.core.marking import fingerprints
from protection.fingerprints import Fingerprints


async def _fingerprints(request: Request) -> Fingerprints:
    return fingerprints(request.app.state.settings)


FingerprintsDep = Annotated[Fingerprints, Depends(_fingerprints)]
