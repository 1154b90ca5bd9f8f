"""What is written is read back the same; the generated pages are fresh."""

import dataclasses
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs import registry
from packs.read import read_pack
from packs.schema import FOLDER, json_schema, outputs
from packs.write import to_toml, write_pack
from tests.unit.packs.conftest import PNG, Draft


def test_a_written_pack_is_the_same_pack(draft: Draft, tmp_path: Path) -> None:
    draft.problems[0]["images"] = [{"path": "a.png"}]
    draft.assets["a.png"] = PNG
    pack = read_pack(draft.save(), registry)
    out = tmp_path / "copy"
    write_pack(out, pack.benchmark, pack.problems, pack.references, pack.assets)
    again = read_pack(out, registry)
    assert (again.benchmark, again.problems, again.references) == (pack.benchmark, pack.problems, pack.references)
    assert again.digest == pack.digest
    with pytest.raises(FileExistsError, match="exists"):
        write_pack(out, pack.benchmark, pack.problems, pack.references)


def test_a_failed_write_leaves_nothing(draft: Draft, tmp_path: Path) -> None:
    pack = read_pack(draft.save(), registry)
    with pytest.raises(FileNotFoundError):
        write_pack(tmp_path / "out", pack.benchmark, pack.problems, pack.references, {"a.png": tmp_path / "none"})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tiny"]


def test_the_digest_covers_content_and_not_formatting(draft: Draft) -> None:
    first = read_pack(draft.save(), registry).digest
    draft.toml = "# a comment\n" + draft.toml
    draft.problems[0] = dict(reversed(draft.problems[0].items()))
    assert read_pack(draft.save(), registry).digest == first
    draft.problems[1]["subject"] = "another"
    assert read_pack(draft.save(), registry).digest != first


def test_nobody_can_try_golds_of_hidden_splits_against_the_digest(draft: Draft) -> None:
    pack = read_pack(draft.save(), registry)
    hidden = {name for name, split in pack.benchmark.splits.items() if split.visibility != "dev"}
    for problem, line in zip(pack.problems, pack.references, strict=True):
        changed = [one.model_copy(update={"solution": "Because."}) if one is line else one for one in pack.references]
        told = dataclasses.replace(pack, references=tuple(changed)).digest
        assert (told == pack.digest) == (problem.split in hidden)


words = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
values = st.one_of(words, st.booleans(), st.integers(-(2**60), 2**60), st.floats(allow_nan=False), st.lists(words))


@given(
    st.recursive(st.dictionaries(words, values, max_size=4), lambda inner: st.dictionaries(words, inner, max_size=3))
)
def test_toml_is_read_back_the_same(data: dict[str, object]) -> None:
    assert tomllib.loads(to_toml(data)) == data


def test_the_page_and_schema_of_the_format_are_fresh() -> None:
    for name in ("pack-schema.json", "pack-format.md"):
        assert (FOLDER / name).read_text("utf-8") == outputs()[name], f"docs/{name} is stale: run `make schema`"


def test_the_meaning_of_every_field_of_the_format_is_said() -> None:
    missing = [
        f"{model}.{name}"
        for model, schema in json_schema()["$defs"].items()
        for name, field in schema.get("properties", {}).items()
        if not field.get("description", "").strip()
    ]
    assert missing == []


def test_every_way_to_ask_that_the_example_shows_is_on_the_page() -> None:
    page = outputs()["pack-format.md"]
    assert '"constants": ["C"]' in page
    assert "chance_level = 0.1 " in page
    assert "object of SplitConfig" in page
