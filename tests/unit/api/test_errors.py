"""Errors as problem documents."""

from api.core.errors import ServiceError


def test_a_time_to_wait_is_in_the_header_and_in_the_body() -> None:
    error = ServiceError("wait", headers={"X-Other": "1"}, retry_after=7, pattern="fast")
    assert error.headers == {"X-Other": "1", "Retry-After": "7"}
    assert error.extensions == {"retry_after": 7, "pattern": "fast"}
    assert "Retry-After" not in ServiceError("no wait").headers
