"""An agent in a match of two participants."""

from heldout._matches import Match
from heldout.evaluation.agents import Agent, Task
from heldout.matches import MatchStatus


def play_match(agent: Agent, match: Match) -> MatchStatus:
    """Have an agent play your side of a match to its end, and say how it ended.

    What the agent leaves unfinished, by an error too, is given up and lost; its error is raised.
    """
    with match:
        match.wait()
        if not match.over:
            agent(Task(match.id, session=match))
    return match.match
