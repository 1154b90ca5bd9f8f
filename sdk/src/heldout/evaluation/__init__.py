"""Playing agents over benchmarks: assigned by flow, resumable, with transcripts in a folder."""

from heldout.evaluation.agents import Agent, ChatModel, Command, Reply, Task, chat
from heldout.evaluation.budget import Budget
from heldout.evaluation.engine import evaluate, evaluate_all
from heldout.evaluation.faults import ContextLimitError, EndpointError
from heldout.evaluation.matches import play_match
from heldout.evaluation.pairs import Course, Entrant, Outcome
from heldout.evaluation.protocols import Prices
from heldout.evaluation.suite import Played, SuiteOutcome, evaluate_suite

__all__ = [
    "Agent",
    "Budget",
    "ChatModel",
    "Command",
    "ContextLimitError",
    "Course",
    "EndpointError",
    "Entrant",
    "Outcome",
    "Played",
    "Prices",
    "Reply",
    "SuiteOutcome",
    "Task",
    "chat",
    "evaluate",
    "evaluate_all",
    "evaluate_suite",
    "play_match",
]
