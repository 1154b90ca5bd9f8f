"""The published text protocols, as the papers parse them."""

from typing import Any

import pytest

from envs.base import Action, ToolCall
from envs.database import protocol as database
from envs.operating_system import protocol as system

BLOCK = "```bash\nls\n```"


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        (f"Think: x\nAct: bash\n{BLOCK}", "bash", "ls"),
        (f"Act: BASH it\n{BLOCK}\nand\n```bash\npwd\n\nid\n```", "bash", "ls\n\npwd\n\nid"),
        ("Act: finish", "finish", ""),
        (f"Act: bash\n{BLOCK}\nAct: answer(4 (of 5))", "answer", "4 (of 5)"),
        ("Act: answer(3)\nAct: answer 4", "answer", "3"),
        ("Act: answer()", "answer", ""),
    ],
)
def test_operating_system(text: str, kind: str, value: str) -> None:
    found = system.parse(Action(text=text))
    assert found is not None
    assert (found.kind, found.text) == (kind, value)


@pytest.mark.parametrize("text", ["", "ls", "Act: bash", "Act: dance", "```bash\nls\n```", "Act: bash\n```sh\nls\n```"])
def test_operating_system_without_an_action(text: str) -> None:
    assert system.parse(Action(text=text)) is None


def test_long_output_is_cut_as_published() -> None:
    assert system.observe("x" * 800).endswith("x")
    assert len(system.observe("x" * 801)) == len(system.OUTPUT) + 780 + len(system.CUT)
    assert system.observe(" \n") == system.EMPTY
    assert system.clean("\x1b[1;31mred\x1b[0m\x1b]0;title\x07\r\nx\x08") == "red\nx"


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("Action: Operation\n```sql\nSELECT *\nFROM t;\n```", "statement", "SELECT * FROM t;"),
        ('x\nAction: Answer\nFinal Answer: ["a", "b"]\nmore', "answer", '["a", "b"]'),
        ("Action: Operations\nFinal Answer: 3", "answer", "3"),
    ],
)
def test_database(text: str, kind: str, value: str) -> None:
    found = database.parse(Action(text=text))
    assert found is not None
    assert (found.kind, found.text) == (kind, value)


@pytest.mark.parametrize("text", ["", "SELECT 1", "Action: Operation\nSELECT 1", "Action: Answer", "Final Answer: 3"])
def test_database_without_an_action(text: str) -> None:
    assert database.parse(Action(text=text)) is None


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("bash_action", {"script": 5}),
        ("bash_action", {}),
        ("answer_action", {"answer": ["3"]}),
        ("answer_action", {"answer": True}),
        ("execute_sql", {"query": None}),
        ("commit_final_answer", {"answers": "a"}),
        ("unknown", {"script": "ls"}),
    ],
)
def test_wrong_tool_calls(name: str, arguments: dict[str, Any]) -> None:
    action = Action(tool=ToolCall(name=name, arguments=arguments))
    assert system.parse(action) is None
    assert database.parse(action) is None


def test_tool_calls() -> None:
    answer = system.parse(Action(tool=ToolCall(name="answer_action", arguments={"answer": 4})))
    commit = database.parse(Action(tool=ToolCall(name="commit_final_answer", arguments={"answers": ["a", 2]})))
    assert answer == system.Command("answer", "4")
    assert commit == database.Request("answer", '["a", 2]')
