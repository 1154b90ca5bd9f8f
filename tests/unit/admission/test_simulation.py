"""Playing golds at conversion: a fault of the machine is no fault of the sample."""

import pytest

from api.admission import simulation
from envs.base import InfrastructureError, SpecError


async def test_a_fault_of_the_machine_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "_PAUSES", (0.0, 0.0))
    calls: list[Exception | None] = [InfrastructureError("busy"), InfrastructureError("busy"), None]

    async def attempt() -> int:
        error = calls.pop(0)
        if error:
            raise error
        return len(calls)

    assert await simulation.retry_faults(attempt) == 0
    calls = [InfrastructureError(str(number)) for number in range(3)]
    with pytest.raises(InfrastructureError, match="2"):
        await simulation.retry_faults(attempt)
    calls = [SpecError("wrong"), None]
    with pytest.raises(SpecError):
        await simulation.retry_faults(attempt)
    assert len(calls) == 1
