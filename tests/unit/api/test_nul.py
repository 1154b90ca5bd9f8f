"""U+0000, which PostgreSQL cannot hold, is replaced wherever it stands."""

import json

from api.core.nul import holds_nul, without_nul


def test_values_and_names_are_cleaned_and_nothing_else_changes() -> None:
    value = {"a\x00": ["x\x00y", {"b": "\x00"}, 1, None, True], "c": "plain"}
    assert holds_nul(value)
    clean = without_nul(value)
    assert clean == {"a\ufffd": ["x\ufffdy", {"b": "\ufffd"}, 1, None, True], "c": "plain"}
    assert "\\u0000" not in json.dumps(clean)


def test_a_written_escape_is_text_and_stays() -> None:
    text = r"the escape \u0000 as somebody typed it"
    assert not holds_nul(text)
    assert json.loads(json.dumps(without_nul({"answer": text}))) == {"answer": text}


def test_what_holds_none_is_handed_back_as_it_is() -> None:
    value = {"a": [1, "b"]}
    assert without_nul(value) is value
