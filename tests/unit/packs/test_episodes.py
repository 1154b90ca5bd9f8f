"""Episodes that no world could play are refused before anybody meets them, all faults at once."""

from typing import Any

import pytest

from envs import registry
from packs.read import PackError, read_pack
from tests.unit.packs.conftest import Draft

TABLE = {"name": "points", "columns": ["name", "points"], "rows": [["Ada", 3]]}
DATABASE = {"environment": "database", "spec": {"problem": "How many?", "tables": [TABLE]}}
SHOP = {"environment": "web_sites", "spec": {"sites": ["shop"], "signed_in": {"shop": "customer"}}}
SYSTEM = {"environment": "operating_system", "spec": {"problem": "How many?"}}


def faults(
    draft: Draft, *episodes: dict[str, Any], statement: str = "Do it.", **more: Any
) -> list[tuple[int, str, str]]:
    """Line, field and words of each fault of a pack of these episodes; none where it is read."""
    draft.problems = [
        {"id": f"e{n}", "split": "dev", "type": "t", "subject": "s", "statement": statement, "episode": True}
        for n in range(len(episodes))
    ]
    draft.problems.append({"id": "q", "split": "test", "type": "t", "subject": "s", "statement": "Which?"})
    draft.references = [
        {"id": f"e{n}", "reference": {"kind": "exact", "value": "1"}, "episode": episode} | more
        for n, episode in enumerate(episodes)
    ]
    draft.references.append({"id": "q", "reference": {"kind": "exact", "value": "1"}})
    try:
        read_pack(draft.save(), registry)
    except PackError as error:
        return [
            (fault.line, fault.field, f"{fault.problem}; {fault.remedy}")
            for fault in error.faults
            if fault.file == "references.jsonl"
        ]
    return []


def probing(episode: dict[str, Any], kind: str, **arguments: Any) -> dict[str, Any]:
    return episode | {"probes": [{"name": "p", "kind": kind, "arguments": arguments}]}


def test_every_fault_is_told_at_once_with_its_line_and_its_remedy(draft: Draft) -> None:
    misspelt = {"environment": "databse", "spec": {}}
    tabels = {"environment": "database", "spec": {"problem": "How many?", "tabels": [TABLE]}}
    found = faults(draft, misspelt, tabels, probing(DATABASE, "no_such_probe"), probing(DATABASE, "tabel", table="t"))
    assert found == [
        (1, "episode.environment", "there is no environment 'databse'; did you mean 'database'?"),
        (2, "episode.spec.tabels", "this field is not known; did you mean 'tables'?"),
        (2, "episode.spec.tables", "this field is missing; add it"),
        (
            3,
            "episode.probes[0].kind",
            "the environment has no probe of type 'no_such_probe'; known are: gold_query, gold_table, query, table",
        ),
        (4, "episode.probes[0].kind", "the environment has no probe of type 'tabel'; did you mean 'table'?"),
    ]


@pytest.mark.parametrize(
    ("episode", "field", "words"),
    [
        (SYSTEM | {"spec": {"problem": "?", "init": [{"cod": "true"}]}}, "spec.init[0].cod", "did you mean 'code'?"),
        (SYSTEM | {"spec": {"problem": "?", "turns": 0}}, "spec.turns", "at least 1"),
        (probing(DATABASE, "table", tabel="points"), "probes[0].arguments.tabel", "did you mean 'table'?"),
        (probing(DATABASE, "table", table="points", statements=["x"]), "probes[0].arguments.statements", "not known"),
        (probing(SHOP, "page", site="shop"), "probes[0].arguments.site", "not known"),
        (probing(SHOP, "page_content", page={"adress": "x"}), "probes[0].arguments.page.adress", "'address'?"),
        (
            probing(SHOP, "page_content", page={"address": "x"}, locator={}),
            "probes[0].arguments.locator",
            "this value is not possible here",
        ),
        (probing(SHOP, "state", site="shopp"), "probes[0].arguments.site", "known are: shop"),
        (probing(SHOP, "query", site="shop", query="nothing"), "probes[0].arguments.query", "known are: bought_first"),
        (
            SHOP | {"spec": {"sites": ["shop"], "signed_in": {"shop": "king"}}},
            "spec.signed_in.shop",
            "known are: customer",
        ),
        (SHOP | {"spec": {"sites": ["shop"], "files": {"a": "?"}}}, "spec.files", "this value is not possible here"),
    ],
)
def test_faults_of_a_specification_and_of_probes(draft: Draft, episode: dict[str, Any], field: str, words: str) -> None:
    found = faults(draft, episode)
    assert f"episode.{field}" in {name for _, name, _ in found}, found
    assert words in next(text for _, name, text in found if name == f"episode.{field}")


def test_a_script_gets_what_an_earlier_probe_printed_and_no_other(draft: Draft) -> None:
    def two(first: str, *, wanted: str) -> dict[str, Any]:
        gold = {"name": first, "kind": "gold", "arguments": {"script": {"code": "ls"}}}
        check = {"script": {"code": "true"}, "parameters": [{"answer": True}, {"probe": wanted}]}
        return SYSTEM | {"probes": [gold, {"name": "check", "kind": "check", "arguments": check}]}

    assert faults(draft, two("gold", wanted="gold")) == []
    ((_, field, text),) = faults(draft, two("gold", wanted="glod"))
    assert field == "episode.probes[1].arguments.parameters[1].probe"
    assert text == "the environment refuses it; name one of gold"


def test_two_probes_of_one_name_are_refused(draft: Draft) -> None:
    probe = {"name": "p", "kind": "table", "arguments": {"table": "points"}}
    ((line, field, text),) = faults(draft, DATABASE | {"probes": [probe, probe]})
    assert (line, field, text) == (
        1,
        "episode.probes[1].name",
        "an earlier probe is called 'p' too; give each its own name",
    )


def test_each_variant_is_checked_with_its_constants_in_place(draft: Draft) -> None:
    variation = {"constants": {"n": {"from": "1", "to": "4"}}, "gold": "n"}

    def varied(field: str) -> list[str]:
        episode = {"environment": "echo", "spec": {field: "{{n}}"}}
        return [name for _, name, _ in faults(draft, episode, statement="Say {{n}}.", variation=variation)]

    assert varied("steps") == []
    assert varied("stpes") == ["episode.spec.stpes"]


def test_an_environment_that_cannot_be_loaded_is_a_fault_of_the_pack_here(
    draft: Draft, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(name: str) -> Any:
        raise registry.PluginError(f"the environment '{name}' of cards 1.0 (cards:GAME) cannot be loaded: no luck")

    monkeypatch.setattr(registry, "find", broken)
    ((_, field, text),) = faults(draft, DATABASE)
    assert (field, "of cards 1.0" in text) == ("episode.environment", True)
