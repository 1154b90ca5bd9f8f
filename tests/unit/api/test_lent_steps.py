"""What a host takes for a step of a lent channel is what the service takes for it; all else goes back."""

import pytest
from fastapi.exceptions import RequestValidationError
from websockets.frames import Frame, Opcode

from api.hosting.lent import LARGEST, _read
from api.sessions.steps import _parse, plain_action

STEPS = (
    '{"number": 1, "action": {"text": "x"}}',
    '{"number": 1, "action": {"text": "an escape as somebody typed it: \\\\u0000"}}',
    '{"number": 1, "number": 2, "action": {"text": "é"}}',
    '{"number": 1, "action": {"text": null, "tool": {"name": "a"}}}',
    '{"number": 1, "action": {"tool": {"name": "a", "arguments": {"a": 1, "a": [2.5, {"b": null}]}}}}',
    '{"number": 1, "action": {"tool": {"name": "a", "arguments": {"a": 123456789012345678901234567890}}}}',
)
OTHERS = (
    "{",
    "[]",
    '{"number": 1.0, "action": {"text": "x"}}',
    '{"number": "1", "action": {"text": "x"}}',
    '{"number": true, "action": {"text": "x"}}',
    '{"number": 1, "action": {}}',
    '{"number": 1, "action": {"text": "x", "tool": {"name": "a"}}}',
    '{"number": 1, "action": {"tool": {"name": "a", "arguments": null}}}',
    '{"number": 1, "action": {"tool": {"name": "a", "arguments": {"a": NaN}}}}',
    '{"number": 1, "action": {"tool": {"name": "a", "arguments": {"a": 1e400}}}}',
    '{"number": 1, "action": {"text": "\\ud800"}}',
    '{"number": 1, "action": {"text": "a\\u0000"}}',
    '{"number": 1, "action": {"tool": {"name": "a", "arguments": {"\\u0000": 1}}}}',
    '{"number": 1, "action": {"text": "x"}, "more": 1}',
    '{"number": 1, "action": {"text": "x", "more": 1}}',
)


def _frame(body: bytes) -> bytes:
    return Frame(Opcode.TEXT, body).serialize(mask=True)


@pytest.mark.parametrize("body", STEPS)
def test_a_step_is_read_as_the_service_reads_it(body: str) -> None:
    step = _parse(body.encode())
    assert _read(_frame(body.encode())) == (step.number, plain_action(step.action))


@pytest.mark.parametrize("body", OTHERS)
def test_what_may_be_no_step_goes_back(body: str) -> None:
    assert _read(_frame(body.encode())) is None


def test_what_is_no_text_or_too_long_goes_back() -> None:
    assert _read(_frame(b'{"number": 1, "action": {"text": "\xff"}}')) is None
    long = b'{"number": 1, "action": {"text": "%b"}}' % (b"x" * LARGEST)
    assert _read(_frame(long)) is None
    # The service refuses it, too.
    with pytest.raises(RequestValidationError):
        _parse(b'{"number": 1, "action": {"text": "\xff"}}')
