"""WebArena's published file as a pack: nothing lost, nothing of the evaluation on the public side."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from envs import registry
from envs.web_sites.importers import webarena
from grading.answer import Answer
from grading.registry import grade
from packs.draft import Mode
from packs.pack import Pack
from packs.read import read_pack
from packs.report import Report

FILE = Path("web", "webarena", "test.raw.json")


@pytest.fixture(scope="module")
def tasks(data: Path) -> list[dict[str, Any]]:
    if not (data / FILE).is_file():
        pytest.skip(f"WebArena's file is not at {data / FILE}")
    found: list[dict[str, Any]] = json.loads((data / FILE).read_text("utf-8"))
    return found


@pytest.fixture(scope="module", params=["fixed", "published"])
def imported(
    request: pytest.FixtureRequest, tasks: Any, data: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Report, Pack]:
    out = tmp_path_factory.mktemp("webarena") / "pack"
    report = webarena.read(data / FILE, mode=request.param).write(out)
    return report, read_pack(out, registry, grade_gold=False)


def test_every_task_is_kept_in_the_group_of_its_template(imported: tuple[Report, Pack], tasks: Any) -> None:
    report, pack = imported
    assert (report.read, report.kept, report.excluded, len(pack.problems)) == (812, 812, [], 812)
    assert [item.statement for item in pack.problems] == [task["intent"] for task in tasks]
    assert len({item.group for item in pack.problems}) == len({task["intent_template_id"] for task in tasks}) == 190
    assert (pack.benchmark.scoring.scheme, pack.benchmark.scoring.by) == ("macro", "group")


def test_each_field_of_a_task_can_be_told_from_the_pack(imported: tuple[Report, Pack], tasks: Any) -> None:
    _, pack = imported
    for task, line in zip(tasks, pack.references, strict=True):
        assert line.episode is not None
        spec: Any = line.episode.spec
        held, judged = line.reference, task["eval"]
        tabs = [f"__{tab['site'].upper()}__{tab['path']}" for tab in spec["start"]]
        cookies = f"./.auth/{'.'.join(spec['signed_in'])}_state.json" if spec["signed_in"] else None
        template = spec["template"]
        assert (task["start_url"], task["storage_state"]) == (" |AND| ".join(tabs), cookies)
        assert {name: spec[name] for name in ("sites", "require_login", "require_reset", "geolocation")} == {
            name: task[name] for name in ("sites", "require_login", "require_reset", "geolocation")
        }
        assert (template["id"], template["text"]) == (task["intent_template_id"], task["intent_template"])
        assert template["values"] == task["instantiation_dict"]
        assert (held["eval_types"], held["program_html"]) == (judged["eval_types"], judged["program_html"])
        assert held["reference_url"] == (judged["reference_url"] or "")
        answers = {k: v for k, v in held.get("reference_answers", {}).items() if k not in ("note", "question")}
        assert answers == (judged["reference_answers"] or {})
        notes = [task.get("string_note"), *(v for k, v in judged.items() if k.endswith(("note", "annotation")))]
        assert all(note in line.solution for note in notes if note)


def test_evaluators_are_as_many_as_in_the_file(imported: tuple[Report, Pack], data: Path) -> None:
    report, pack = imported
    text = (data / FILE).read_text("utf-8")
    found = Counter(name for line in pack.references for name in line.reference["eval_types"])
    assert found == {"string_match": 335, "program_html": 411, "url_match": 205}
    targets = [probe for line in pack.references if line.episode for probe in line.episode.probes]
    assert sum(probe.name.startswith("target_") for probe in targets) == text.count('"required_contents"') == 651
    assert sum(probe.name == "page" for probe in targets) == found["url_match"]
    marks = Counter(mark.kind for mark in report.marked)
    assert (marks["unachievable"], marks["judge needed"], marks["whole page compared"]) == (36, 82, 92)
    assert (marks["site missing"], marks["gold refused"]) == (812, 0)


def test_probes_say_where_to_look_and_hold_no_code_to_run(imported: tuple[Report, Pack]) -> None:
    looks: dict[str, Any] = {}
    for line in imported[1].references:
        assert line.episode is not None
        looks |= {f"{line.id} {probe.name}": probe.arguments for probe in line.episode.probes}
    newest = {"helper": "shopping_get_latest_order_url", "arguments": []}
    assert sum(look.get("page") == newest for look in looks.values()) == 10
    post = {"helper": "reddit_get_post_url", "arguments": ["__last_url__"]}
    assert sum(look.get("page") == post for look in looks.values()) == 65
    role = {"helper": "gitlab_get_project_memeber_role", "arguments": ["__page__", "abisubramanya27"]}
    assert looks["webarena-481 target_0"]["locator"] == role
    assert sum("prep_actions" in look for look in looks.values()) == 10


def test_string_matches_accept_their_gold_and_not_an_empty_answer(imported: tuple[Report, Pack]) -> None:
    plain = [line for line in imported[1].references if line.reference["eval_types"] == ["string_match"]]
    certain = [line for line in plain if not isinstance(line.reference["reference_answers"].get("fuzzy_match"), list)]
    assert (len(plain), len(certain)) == (325, 325 - 77)
    for line in certain:
        assert line.gold is not None
        assert grade(Answer(text=line.gold), line.reference).score == 1.0, line.id
        empty = grade(Answer(text=""), line.reference).score
        assert empty == 0.0 or (empty is None and line.gold == "N/A"), line.id


def test_no_password_is_kept(imported: tuple[Report, Pack]) -> None:
    text = (imported[1].path / "references.jsonl").read_text("utf-8")
    assert not any(word in text for word in ("hello1234", "test1234", "Password.123", "admin1234", "_state.json"))


def one(tmp_path: Path, **changes: Any) -> Path:
    task = {
        "task_id": 1,
        "sites": ["map"],
        "require_login": True,
        "storage_state": None,
        "start_url": "__MAP__",
        "geolocation": None,
        "intent_template": "Where?",
        "instantiation_dict": {},
        "intent": "Where?",
        "require_reset": False,
        "intent_template_id": 7,
        "eval": {
            "eval_types": ["string_match"],
            "reference_answers": {"exact_match": "Here"},
            "reference_url": "",
            "program_html": [],
        },
    }
    source = tmp_path / "tasks.json"
    source.write_text(json.dumps([task | changes]))
    return source


def test_a_defect_is_fixed_by_name_and_only_in_the_classic_evaluators(tmp_path: Path) -> None:
    exact = {"eval_types": ["string_match"], "reference_answers": {"exact_match": "October 21"}}
    task = one(tmp_path, eval=exact | {"reference_url": "", "program_html": []})
    scores, rules, views = [], [], []
    for fixed in ("", "D1", "D1, D5", "D14"):
        webarena.read(task, mode="published", fixed=fixed).write(tmp_path / f"pack {fixed}")
        (line,) = read_pack(tmp_path / f"pack {fixed}", registry).references
        scores.append(grade(Answer(text="Oct 21st"), line.reference).score)
        assert line.episode
        rules.append(line.episode.spec.get("repeats", 0))
        views.append((line.episode.spec.get("whole_page"), line.episode.spec.get("lines")))
    assert (scores, rules) == ([0, 0, 1, 0], [3, 3, 3, 0])
    assert set(views) == {(False, "published")}
    refused: list[tuple[Mode, str, str]] = [("published", "D8", "no defect 'D8'"), ("fixed", "D1", "mode=published")]
    for mode, fixed, message in refused:
        with pytest.raises(ValueError, match=message):
            webarena.read(task, mode=mode, fixed=fixed)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"difficulty": 3}, "unknown field.*difficulty"),
        ({"start_url": "http://example.org"}, "starts with no site"),
        ({"storage_state": "/etc/passwd"}, "names no site's cookie file"),
    ],
)
def test_what_would_be_lost_is_an_error(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        webarena.read(one(tmp_path, **changes))


def test_sites_served_here_are_not_marked(tmp_path: Path) -> None:
    assert not webarena.read(one(tmp_path), sites="map, gitlab").report.marked
    with pytest.raises(ValueError, match="there is no site atlas"):
        webarena.read(one(tmp_path), sites="atlas")


@pytest.mark.parametrize(
    "text",
    [
        "func:open('x')",
        "func:a.b()",
        "func:eval('1')",
        "func:__import__('os').system('true')",
        "func:reddit_get_post_url(open('/etc/passwd').read())",
        "func:reddit_get_post_url('a' + 'b')",
        "func:reddit_get_post_url(url='x')",
        "func:reddit_get_post_url('')); import os; (''",
        "func:" + "(" * 5000,
    ],
)
def test_only_known_helpers_with_literal_arguments_are_read(text: str) -> None:
    with pytest.raises(ValueError, match="no call of a known helper"):
        webarena.helper(text)


def test_webarena_lite_keeps_the_former_numbers(data: Path, tmp_path: Path) -> None:
    file = data / "web" / "webarena-lite" / "test_webarena_lite.raw.json"
    if not file.is_file():
        pytest.skip(f"WebArena-Lite's file is not at {file}")
    report = webarena.read(file, limit=20).write(tmp_path / "lite")
    assert (report.read, report.kept) == (20, 20)
    first = read_pack(tmp_path / "lite", registry, grade_gold=False).references[3]
    former = json.loads(file.read_text("utf-8"))[3]["old_task_id"]
    assert f"number of the task before (WebArena-Lite): {former}" in str(first.solution)


@pytest.mark.parametrize(
    ("content", "told"),
    [("[{]", "is no JSON"), ('{"a": 1}', "no file of WebArena tasks"), (None, "is a folder")],
)
def test_what_is_no_file_of_tasks_is_said(content: str | None, told: str, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir() if content is None else source.write_text(content)
    with pytest.raises(ValueError, match=told):
        webarena.read(source)
