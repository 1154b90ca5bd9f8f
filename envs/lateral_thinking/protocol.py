"""What a player is told and how it asks. The wording is ours."""

from envs.base import Action, Tool

_RULES = """\
You play a situation puzzle. You are given a strange story; behind it is a truth that explains it, which only the host \
knows. Find out what it is by questions, one in each of {rounds} rounds.

- The host answers "Yes.", "No." or "Irrelevant.", and nothing more.
- Ask one thing at a time, about a guess of your own. "Why" is not answered, nor is a request for the truth.
- What the story says already is no question.
- Only the first line of a reply is read. An empty reply ends the game.

A question that comes close to a part of the truth finds it; find as many parts as you can.

The story:
{story}

Ask your first question."""
NUDGE = "No question was asked: call ask_question with one."
TOOLS = (
    Tool(
        name="ask_question",
        description='Ask the host one question that "yes", "no" or "irrelevant" can answer.',
        parameters={
            "type": "object",
            "properties": {"question": {"type": "string", "description": "the question, in one line"}},
            "required": ["question"],
            "additionalProperties": False,
        },
    ),
)


def opening(story: str, rounds: int) -> str:
    """The first observation."""
    return _RULES.format(story=story, rounds=rounds)


def question(action: Action) -> str | None:
    """The text of a reply or a call; None for a call that asks nothing."""
    if action.text is not None:
        return action.text
    called = action.tool
    asked = called.arguments.get("question") if called and called.name == "ask_question" else None
    return asked if isinstance(asked, str) and asked.strip() else None
