"""What a harness hears of the service as it is imported."""

import logging
import socket

import pytest

from heldout.harnesses._served import served


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> str:
    """An address where nobody listens, as the default one."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    monkeypatch.setattr("heldout._config.DEFAULT_URL", address)
    monkeypatch.delenv("HELDOUT_BASE_URL", raising=False)
    monkeypatch.delenv("HELDOUT_API_KEY", raising=False)
    return address


def test_no_service_named_is_no_warning_and_no_wait(
    nobody: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tries: list[int] = []
    monkeypatch.setattr("heldout._flow.Retries.pause", lambda self, *_: tries.append(self.attempts))
    with caplog.at_level(logging.INFO):
        assert served() == []
    assert not caplog.records
    assert tries == [1]


def test_a_named_service_that_does_not_answer_is_a_warning(
    nobody: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("HELDOUT_BASE_URL", nobody)
    tries: list[int] = []
    monkeypatch.setattr("heldout._flow.Retries.pause", lambda self, *_: tries.append(self.attempts))
    with caplog.at_level(logging.WARNING):
        assert served() == []
    assert tries > [1]
    assert nobody in caplog.text
