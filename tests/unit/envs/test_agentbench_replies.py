"""Replies are read in mode "published" as AgentBench reads them: by a table, and beside its own code where it is."""

import json
import random
import re
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from envs.base import Action, FinishReason, ToolCall
from envs.card_game import protocol as cards
from envs.card_game.match import Match
from envs.card_game.spec import CardGameSpec
from envs.database import environment as worlds
from envs.database import protocol as database
from envs.database.importers.upstream import read_words as database_words
from envs.database.server import Rows
from envs.database.spec import DatabaseSpec
from envs.household import protocol as household
from envs.household.bleu import bleu
from envs.operating_system import protocol as system
from envs.operating_system.importers.upstream import read_words as system_words
from envs.operating_system.spec import OperatingSystemSpec
from tests.support import agentbench

Read = tuple[str, str] | None
REPLIES = 3000
LS = "```bash\nls\n```"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I will. Act: answer(5)", ("answer", "5")),
        (f"Think: x Act: bash\n{LS}", ("bash", "ls")),
        (f"Act:\n\nbash\n{LS}", ("bash", "ls")),
        ("Act: bash", ("bash", "")),
        ("Act: bash\n```bash \nls\n```", ("bash", "")),
        ("Act: bash\n```bash\nls```", ("bash", "")),
        ("Act: bash\n```bash\n ls \n```\n```bash\npwd\n```", ("bash", " ls \n\npwd")),
        (f"Act: finish\n{LS}\nAct: Bash", ("bash", "ls")),
        ("Act: answer(3)\nAct: answer 4", ("answer", "3")),
        ("Act: answer(4 (of 5)) and more", ("answer", "4 (of 5)")),
        ("Act: answer )x(", ("answer", "")),
        ("Act: Finishing", ("finish", "")),
        ("Act: dance", None),
        ("act: finish", None),
        ("Action: bash", None),
        ("", None),
    ],
)
def test_table_of_the_operating_system(text: str, expected: Read) -> None:
    found = system.parse(Action(text=text), published=True)
    assert (found and (found.kind, found.text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Action: Operation\n```sql\nSELECT *\nFROM t;\n```", ("statement", "SELECT * FROM t;")),
        ("Action: Operation \n```sql\nSELECT 1\n```", None),
        ("Action: Operation ```sql\nSELECT 1\n```", None),
        ("Action: Operation\n```sql\nSELECT 1```", None),
        ("Action: Operation\n```sql \nSELECT 1\n```\n", None),
        ("Action:Operation\n```sql\nSELECT 1\n```", None),
        ("Action: Operation\n```sql\nSELECT 1\n```\nAction: Answer\nFinal Answer: 5", ("statement", "SELECT 1")),
        ("Action: Answer\nFinal Answer: [1]", ("answer", " [1]")),
        ("anything\nFinal Answer:5 \nmore", ("answer", "5 ")),
        ("Final Answer: 5", None),
        ("Action: Answer\n Final Answer: 5", None),
        ("Action: Answer\nFinal Answer:", ("answer", "")),
        ("", None),
    ],
)
def test_table_of_the_database(text: str, expected: Read) -> None:
    found = database.parse(Action(text=text), published=True)
    assert (found and (found.kind, found.text)) == expected


def test_after_the_last_statement_only_an_answer_counts() -> None:
    both = "Action: Operation\n```sql\nSELECT 1\n```\nFinal Answer: 5"
    assert database.parse(Action(text=both), published=True, answer_only=True) == database.Request("answer", " 5")
    assert database.parse(Action(text="\nFinal Answer:"), published=True, answer_only=True) is None
    call = Action(tool=ToolCall(name="execute_sql", arguments={"query": "SELECT 1"}))
    assert database.parse(call, published=True, answer_only=True) is None


def test_white_space_is_an_output_as_published() -> None:
    assert system.observe(" \n", published=True) == system.OUTPUT + " \n"
    assert system.observe("", published=True) == system.EMPTY


def drawn(draw: random.Random, parts: list[str], most: int) -> str:
    return "".join(draw.choices(parts, k=draw.randint(1, most)))


SYSTEM = ["Act:", "Act: ", "act: ", "Think: x", " ", "\n", "\r\n", "bash", "Bash", "finish", "answer", "(", ")", "5"]
SYSTEM += ["```bash\n", "\n```", "```", "```bash", "ls", LS, "Act: answer(7)", "Act: bash\n", "Action: ", "\u2028", "."]


def test_operating_system_beside_the_published_code() -> None:
    (extract,) = agentbench.functions("src/server/tasks/os_interaction/task.py", ["extract_action"], {"re": re})
    draw, seen = random.Random(4), Counter[str]()
    for _ in range(REPLIES):
        reply = drawn(draw, SYSTEM, 9)
        theirs = extract(None, reply)
        expected: Read = None
        if theirs["action"] == "bash":
            expected = ("bash", theirs["content"])
        elif theirs["action"] == "commit":
            expected = ("finish", "") if theirs["content"] is None else ("answer", theirs["content"])
        ours = system.parse(Action(text=reply), published=True)
        assert (ours and (ours.kind, ours.text)) == expected, reply
        seen[expected[0] if expected else "none"] += 1
    assert min(seen[name] for name in ("bash", "finish", "answer", "none")) > 20, seen


DATABASE = ["Action: ", "Action:", "Operation", "Operation\n", "Answer\n", "\n", " ", "```sql\n", "\n```", "SELECT 1;"]
DATABASE += [
    "Action: Operation\n```sql\nSELECT\n 2\n```",
    "\nFinal Answer: ",
    "Final Answer:",
    '["a"]',
    "5",
    "```",
    "x",
]
ENDS = {
    "completed": FinishReason.COMPLETED,
    "agent validation failed": FinishReason.INVALID_FORMAT,
    "task limit reached": FinishReason.TASK_LIMIT,
}


class Client:
    """What both sides send their statements to; it answers each with the same."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    def close(self) -> None:
        """Nothing to end."""


class TheirClient(Client):
    def execute(self, sql: str, database: str | None = None, data: Any = ()) -> str:
        del data
        if database and not sql.startswith(("drop database", "select md5")):
            self.sent.append(sql)
        return "[]"


class OurClient(Client):
    async def execute(self, statement: str, seconds: float) -> Rows:
        del seconds
        self.sent.append(statement)
        return Rows((), ())


async def theirs_played(module: Any, task: Any, replies: list[str]) -> tuple[list[str], FinishReason, str]:
    task.container = TheirClient()
    left = list(replies)
    typings = module.AgentOutputStatus

    async def action() -> Any:
        return SimpleNamespace(status=typings.NORMAL, content=left.pop(0))

    session = SimpleNamespace(inject=lambda turn: None, action=action, history=[])
    found = await task.start_sample(0, session)
    assert not found.result["error"], (replies, found.result)
    return task.container.sent, ENDS[found.status.value], found.result["answer"]


async def ours_played(patch: pytest.MonkeyPatch, turns: int, replies: list[str]) -> tuple[list[str], FinishReason, str]:
    client = OurClient()

    async def opened(*given: object, **named: object) -> OurClient:
        return client

    patch.setattr(worlds, "open_server", opened)
    world = worlds.Database(backend=SimpleNamespace())
    spec = {"problem": "?", "tables": [{"name": "t", "columns": ["a"]}], "protocol": "published", "turns": turns}
    await world.reset(spec, 0)
    for reply in replies:
        step = await world.step(Action(text=reply))
        if step.finish is not None:
            return client.sent, step.finish, step.answer or ""
    raise AssertionError(f"it goes on after {replies}")


async def test_database_beside_the_published_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole episodes of two statements at most: the same statements, the same end, the same answer."""
    table = {"table_name": "t", "table_info": {"columns": [{"name": "a"}], "rows": []}}
    file = tmp_path / "one.jsonl"
    row = {"type": ["other"], "label": ["5"], "description": "?", "add_description": "", "table": table}
    file.write_text(json.dumps(row))
    draw, seen = random.Random(5), Counter[str]()
    with agentbench.published(tmp_path / "code", "dbbench", agentbench.STUBS) as module:
        monkeypatch.setattr(module, "Container", TheirClient)
        task = module.DBBench(name="db", data_file=str(file), max_round=2)
        for _ in range(REPLIES):
            replies = [drawn(draw, DATABASE, 6) for _ in range(3)]
            theirs = await theirs_played(module, task, replies)
            assert await ours_played(monkeypatch, 2, replies) == theirs, replies
            seen[theirs[1].value] += 1
            seen["statements"] += len(theirs[0])
    assert min(seen[name] for name in ("completed", "invalid_format", "task_limit", "statements")) > 20, seen


def test_household_beside_the_published_code() -> None:
    commands = ["go to drawer 1", "take candle 2 from drawer 1", "open drawer 1", "look", "put candle 2 in/on shelf 1"]
    known = {"re": re, "np": np, "bleu_score": bleu}
    (process,) = agentbench.functions("src/server/tasks/alfworld/utils.py", ["process_action"], known)
    parts = [
        "ACTION:",
        "ACTION: ",
        "THOUGHT: x",
        "\n",
        " ",
        "Go to ",
        "drawer 1",
        "take",
        "candle 2",
        "LOOK",
        "from",
        "\t",
    ]
    draw, seen = random.Random(6), Counter[str]()
    for _ in range(REPLIES):
        reply = drawn(draw, parts, 7)
        theirs = process(reply, commands) or None
        wanted = household.command_of(Action(text=reply))
        ours = None if wanted is None else household.chosen(wanted, commands, both_verbs=False)
        assert ours == theirs, reply
        seen[str(theirs)] += 1
    assert len(seen) > 10
    assert seen["None"] > 50


def test_card_game_beside_the_published_code() -> None:
    match = Match(CardGameSpec(seed=1))
    kinds = sorted(fish.name for fish in match.board.teams[1 - match.side])
    living = match.board.living(1 - match.side)
    known: dict[str, Any] = {"re": re, "json": json, "enemy_fish": kinds}
    names = ["_guess_verify", "_decode_guess"]
    verify, decode = agentbench.functions("src/server/tasks/card_game/AI/AI_En.py", names, known)
    them = SimpleNamespace(get_enemy_living_fishes=lambda: living)
    them._guess_verify = lambda move: verify(them, move)
    parts = [
        "{",
        "}",
        "'guess_type': ",
        '"guess_type": ',
        "'eel'",
        '"sunfish"',
        '"shark"',
        ", ",
        "\n",
        '"target_position"',
    ]
    parts += [": 0", ": '2'", ': "7"', ": 1.5", ": true", 'x {"guess_type": "eel", "target_position": 3} y', "[]"]
    parts += ['{"guess_type": "spray", "target_position": ', "1}", '"1"}', "9}", "null}"]
    draw, seen = random.Random(7), Counter[str]()
    for _ in range(REPLIES):
        reply = drawn(draw, parts, 7)
        right, move = decode(them, reply)
        expected = (int(move["target_position"]), move["guess_type"]) if right else None
        try:
            ours = cards.guess_of(Action(text=reply), match)
        except cards.ReplyError:
            ours = None
        assert ours == expected, reply
        seen[str(expected)] += 1
    assert len(seen) > 2
    assert seen["None"] > 50


def test_the_published_words_are_read_out_of_the_checkout() -> None:
    folder = agentbench.checkout()
    words = system_words(folder)
    assert len(words.example) == 5
    assert words.instruction.endswith('"/etc"?')
    assert words.example[-1].endswith("Act: answer(220)")
    spec = OperatingSystemSpec.model_validate({"problem": "Count."} | words.spec())
    turns = system.opening(spec)
    assert (len(turns), turns[-1]) == (7, f"{words.lead}Count.")
    assert words.lead.endswith("\n\n")
    words = database_words(folder)
    tables = [{"name": "t", "columns": ["a"]}]
    held = DatabaseSpec.model_validate({"problem": "Count.", "hint": "It is t.", "tables": tables} | words.spec())
    assert database.opening(held) == [words.instruction, "Ok.", "Count.\nIt is t."]
    assert "Final Answer:" in words.instruction


@pytest.mark.parametrize("read", [system_words, database_words], ids=["os", "db"])
def test_another_folder_is_no_checkout(read: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no checkout of AgentBench v0\.2"):
        read(tmp_path)
    for name in ("os_interaction/task.py", "dbbench/__init__.py"):
        file = tmp_path / "src/server/tasks" / name
        file.parent.mkdir(parents=True)
        file.write_text("ONE_SHOT = [{'role': 'user'}]\nbig_prompt = 'x'\n")
    with pytest.raises(ValueError, match="are not found"):
        read(tmp_path)


def test_an_example_ends_with_the_participant() -> None:
    with pytest.raises(ValueError, match="turn of the participant"):
        OperatingSystemSpec(problem="?", instruction="a", example=("b", "c"))
