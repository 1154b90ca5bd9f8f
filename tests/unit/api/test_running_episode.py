"""Observations as they are stored, and what a replay is compared by."""

import pytest

from api.hosting.running_episode import digest, plain, plain_with_digest
from envs.base import Observation

SEEN = (
    Observation(text="plain", data={"b": 1, "a": [1.5, None, "é"]}),
    Observation(text="a\x00b", data={"\x00": ["\x00"]}),
    Observation(text="the escape \\u0000 as somebody typed it"),
)


@pytest.mark.parametrize("observation", SEEN)
def test_both_at_once_are_what_each_is_alone(observation: Observation) -> None:
    fields, seen = plain_with_digest(observation)
    assert fields == plain(observation)
    assert seen == digest(fields)
    assert r"\x00" not in repr(fields)


def test_a_digest_stays_what_it_was_in_the_logs_of_earlier_releases() -> None:
    assert plain_with_digest(SEEN[0])[1] == "3a1198b7c5507ed0aa76cbab4abcfad549a428875f53cc85c60789937dc1f734"
