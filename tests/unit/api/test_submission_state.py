"""What a hidden split's state tells: nothing that depends on the answers."""

import pytest

from api.core.db import now
from api.feedback.repository import Intake
from api.submissions.models import State
from api.submissions.view import hidden_state


@pytest.mark.parametrize("state", [State.QUEUED, State.GRADING, State.AWAITING_REVIEW, State.GRADED, State.FAILED])
def test_until_it_is_decided_every_submission_is_in_grading(state: State) -> None:
    assert hidden_state(state, Intake(now(), None, None, None)) == "grading"


@pytest.mark.parametrize("outcome", ["queued", "stored", "incomplete", "silent", "spent", "ranking_only"])
@pytest.mark.parametrize("state", [State.AWAITING_REVIEW, State.GRADED])
def test_whatever_was_decided_looks_graded_also_while_people_go_on(state: State, outcome: str) -> None:
    assert hidden_state(state, Intake(now(), outcome, 3, None)) == "graded"


def test_before_its_end_it_is_open_and_a_fault_of_the_service_shows_on_the_clock() -> None:
    assert hidden_state(State.OPEN, None) == "open"
    assert hidden_state(State.FAILED, Intake(now(), "failed", 0, None)) == "failed"
