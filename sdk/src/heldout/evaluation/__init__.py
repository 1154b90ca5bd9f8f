"""Playing agents over benchmarks: assigned by flow, resumable, with transcripts in a folder."""

from heldout.evaluation.agents import Agent, ChatModel, Command, Reply, Task, chat
from heldout.evaluation.engine import Budget, Course, Entrant, Outcome, evaluate, evaluate_all

__all__ = [
    "Agent",
    "Budget",
    "ChatModel",
    "Command",
    "Course",
    "Entrant",
    "Outcome",
    "Reply",
    "Task",
    "chat",
    "evaluate",
    "evaluate_all",
]
