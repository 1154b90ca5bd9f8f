"""What a hidden split's state tells: nothing that depends on the answers."""

from datetime import timedelta
from uuid import uuid4

import pytest

from api.catalog.models import SplitRow
from api.core.db import now
from api.submissions.models import State, Submission
from api.submissions.view import public_state


def told(state: State, *, people: bool, minutes: int, feedback: str = "aggregate") -> str:
    split = SplitRow(
        release_id=uuid4(), name="s", visibility="test", feedback=feedback, config={}, problem_count=1, people=people
    )
    row = Submission(
        release_id=uuid4(),
        split_id=uuid4(),
        organisation_id=uuid4(),
        user_id=uuid4(),
        key_id=uuid4(),
        request_digest="",
        model={},
        expected=1,
        state=state.value,
        finalised_at=now() - timedelta(minutes=minutes),
    )
    return public_state(row, split)


@pytest.mark.parametrize("people", [True, False])
@pytest.mark.parametrize("minutes", [0, 5, 59, 61, 5000])
@pytest.mark.parametrize("feedback", ["aggregate", "ladder", "delayed", "none"])
def test_work_that_goes_on_looks_the_same_whoever_has_it(people: bool, minutes: int, feedback: str) -> None:
    machine = told(State.GRADING, people=people, minutes=minutes, feedback=feedback)
    person = told(State.AWAITING_REVIEW, people=people, minutes=minutes, feedback=feedback)
    assert machine == person == ("awaiting_review" if people or minutes > 60 else "grading")


@pytest.mark.parametrize("state", [State.OPEN, State.QUEUED, State.GRADED, State.FAILED])
def test_other_states_are_told_as_they_are(state: State) -> None:
    assert told(state, people=True, minutes=5000) == state.value


def test_a_dev_split_tells_exactly() -> None:
    for state in (State.GRADING, State.AWAITING_REVIEW):
        assert told(state, people=True, minutes=5000, feedback="full") == state.value
