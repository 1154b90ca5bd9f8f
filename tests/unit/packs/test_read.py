"""Every fault of a pack is told with its place, and a right pack comes back whole."""

from collections.abc import Callable
from typing import Any

import pytest

from envs import registry
from packs.benchmark import SplitConfig
from packs.read import PackError, read_pack
from tests.unit.packs.conftest import PNG, Draft, problem, reference

Spoil = Callable[..., Draft]


def faults(draft: Draft) -> list[tuple[str, int, str, str]]:
    with pytest.raises(PackError) as caught:
        read_pack(draft.save(), registry)
    assert all(fault.problem and fault.remedy for fault in caught.value.faults)
    return [
        (one.file, one.line, one.field, f"{one.problem} {one.quoting}".rstrip() + f"; {one.remedy}")
        for one in caught.value.faults
    ]


def only(draft: Draft) -> tuple[str, int, str, str]:
    found = faults(draft)
    assert len(found) == 1, found
    return found[0]


def test_a_right_pack_is_read(draft: Draft) -> None:
    draft.problems[0]["images"] = [{"path": "a.png", "alt": "a figure"}]
    draft.assets["a.png"] = PNG
    pack = read_pack(draft.save(), registry)
    assert [item.id for item in pack.problems] == ["p1", "p2"]
    assert pack.reference_by_id["p2"].gold == "B"
    assert list(pack.assets) == ["a.png"]


def test_all_faults_are_told_at_once(draft: Draft) -> None:
    draft.toml = draft.toml.replace('feedback = "ladder"', 'feedback = "sometimes"')
    draft.problems[0]["subjct"] = draft.problems[0].pop("subject")
    draft.references.append("{")
    found = faults(draft)
    assert {(file, line, field) for file, line, field, _ in found} == {
        ("benchmark.toml", 18, "splits.test.feedback"),
        ("problems.jsonl", 1, "subject"),
        ("problems.jsonl", 1, "subjct"),
        ("references.jsonl", 3, ""),
    }
    assert "did you mean 'subject'?" in {field: text for _, _, field, text in found}["subjct"]


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"split": "tset"}, "split", "did you mean 'test'?"),
        ({"choices": [{"label": "B", "text": "x"}, {"label": "A", "text": "y"}]}, "choices", "A, B in this order"),
        ({"choices": [{"label": "A", "text": "x"}]}, "choices", "two or more"),
        ({"choices": [{"label": c, "text": t} for c, t in zip("ABC", "xyx", strict=True)]}, "choices", "same text"),
        ({"images": [{"path": "none.png"}]}, "images[0].path", "assets/none.png"),
        ({"images": [{"path": "x/../../etc/passwd.png"}]}, "images[0]", "stays inside"),
        ({"statement": ""}, "statement", "at least 1"),
        ({"statement": 5}, "statement", "quotes"),
        ({"type": "Multiple Choice"}, "type", "must match"),
        ({"statement": "Which? The answer is B."}, "statement", "public side"),
        ({"episode": True}, "episode", "missing"),
    ],
)
def test_faults_of_a_problem(spoil: Spoil, changes: dict[str, Any], field: str, words: str) -> None:
    draft = spoil(problem=changes)
    draft.problems.append(problem("p3"))
    draft.references.append(reference("p3"))
    file, line, found, text = only(draft)
    assert line == 1
    assert file == ("references.jsonl" if field == "episode" else "problems.jsonl")
    assert found == field
    assert words in text


SOLUTION = "Label B is right since it is the only one that follows from the statute."


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"reference": {"kind": "multiple_chioce", "value": "B"}}, "reference.kind", "did you mean 'multiple_choice'?"),
        ({"reference": {"kind": "multiple_choice", "value": "Z"}}, "reference", "none of the choices"),
        ({"gold": "C"}, "gold", "grades it incorrect"),
        ({"reference": {"kind": "math", "value": "((2"}, "gold": "1"}, "reference", "cannot be read"),
        ({"reference": {"kind": "numeric", "value": "3", "unit": "blorbs"}, "gold": "3"}, "reference", "no unit known"),
        (
            {
                "reference": {
                    "kind": "composite",
                    "rule": "all",
                    "parts": [
                        {"reference": {"kind": "math", "value": "1"}},
                        {"reference": {"kind": "math", "value": "((2"}},
                    ],
                },
                "gold": "1",
            },
            "reference.parts[1].reference",
            "cannot be read",
        ),
        ({"answers": ["B", "A"]}, "answers[1]", "grades it incorrect"),
        ({"variation": {"slots": {"name": ["x"]}}}, "variation", "never used"),
        ({"episode": {"environment": "echo"}}, "episode", "environment"),
    ],
)
def test_faults_of_a_reference(spoil: Spoil, changes: dict[str, Any], field: str, words: str) -> None:
    _, line, found, text = only(spoil(reference=changes))
    assert (line, found) == (1, field)
    assert words in text


def test_a_solution_on_the_public_side_is_told(spoil: Spoil) -> None:
    draft = spoil({"statement": f"Which one? {SOLUTION}"}, {"solution": SOLUTION})
    assert only(draft)[2:] == (
        "statement",
        "the solution stands on the public side; keep it in references.jsonl only",
    )


def test_placeholders_and_constants_match(spoil: Spoil) -> None:
    draft = spoil({"statement": "Add {{a}} and {{b}}"}, {"variation": {"constants": {"a": {"values": ["1", "2"]}}}})
    found = faults(draft)
    assert [field for _, _, field, _ in found] == ["statement", "variation.gold"]


def test_ids_are_unique_and_matched(draft: Draft) -> None:
    draft.problems.append(problem("p1"))
    draft.references[1] = reference("p3")
    found = {(file, line, text.split(";")[0]) for file, line, _, text in faults(draft)}
    assert found == {
        ("problems.jsonl", 3, "'p1' stands on line 1 already"),
        ("problems.jsonl", 2, "'p2' has no reference"),
        ("references.jsonl", 2, "there is no problem 'p3'"),
    }


def test_a_question_cannot_be_private(draft: Draft) -> None:
    draft.toml = draft.toml.replace('visibility = "test"', 'visibility = "private"')
    assert only(draft)[:3] == ("problems.jsonl", 2, "split")


def test_a_split_without_problems_is_told(draft: Draft) -> None:
    draft.problems[1]["split"] = "dev"
    assert only(draft)[2] == "splits.test"


def test_full_feedback_on_a_hidden_split_is_refused(draft: Draft) -> None:
    draft.toml = draft.toml.replace('"ladder"', '"full"')
    assert only(draft)[:3] == ("benchmark.toml", 16, "splits.test")


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("[1]", "not an object"),
        ('{"id": "x", "id": "y"}', "given twice"),
        ('{"id": NaN}', "NaN is not JSON"),
        ('{"id": "x"', "column"),
        ('{"id": ' + "[" * 5000 + "]" * 5000 + "}", "nested deeper"),
        ('{"id": ' + "[" * 100 + "]" * 100 + "}", "nested deeper"),
    ],
)
def test_lines_that_are_no_records(draft: Draft, row: str, words: str) -> None:
    draft.problems.insert(0, row)
    file, line, _, text = only(draft)
    assert (file, line) == ("problems.jsonl", 1)
    assert words in text


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("x.svg", b"<svg/>", "no known kind"),
        ("x.png", b"GIF89a..........", "content is not"),
        ("x.png", PNG, "no problem shows it"),
        ("x.png", PNG + bytes(5_000_000), "at most"),
    ],
)
def test_faults_of_assets(draft: Draft, name: str, content: bytes, words: str) -> None:
    draft.assets[name] = content
    file, _, _, text = only(draft)
    assert file == f"assets/{name}"
    assert words in text


def test_a_link_is_no_asset(draft: Draft) -> None:
    folder = draft.save()
    (folder / "assets").mkdir()
    (folder / "assets" / "x.png").symlink_to("/etc/hostname")
    assert "regular file" in only(draft)[3]


def test_missing_files_and_broken_text(draft: Draft) -> None:
    folder = draft.save()
    (folder / "benchmark.toml").write_text('slug = "x\n')
    (folder / "problems.jsonl").write_bytes(b'{"id": "a"}\n\xff\n')
    (folder / "references.jsonl").unlink()
    with pytest.raises(PackError) as caught:
        read_pack(folder, registry)
    assert [(fault.file, fault.line) for fault in caught.value.faults] == [
        ("benchmark.toml", 1),
        ("problems.jsonl", 2),
        ("references.jsonl", 0),
    ]
    with pytest.raises(PackError, match="not a folder"):
        read_pack(folder / "nothing", registry)


def test_a_sealed_split_says_what_guessing_scores(draft: Draft) -> None:
    draft.toml = draft.toml.replace('feedback = "ladder"', 'feedback = "sealed"')
    assert "chance_level" in only(draft)[3]
    draft.toml += "chance_level = 0.0\n"
    pack = read_pack(draft.save(), registry)
    assert pack.benchmark.splits["test"].unverified == "none"


@pytest.mark.parametrize(
    ("spelling", "preset"),
    [("aggregate", "scores"), ("ladder", "sealed"), ("delayed", "sealed"), ("none", "sealed"), ("scores", "scores")],
)
def test_older_spellings_of_feedback_are_read(draft: Draft, spelling: str, preset: str) -> None:
    draft.toml = draft.toml.replace('"ladder"', f'"{spelling}"')
    split = read_pack(draft.save(), registry).benchmark.splits["test"]
    assert split.feedback.preset == preset
    assert split.unverified == ("none" if spelling == "scores" else "shared")


def test_a_split_that_says_nothing_of_feedback_is_open_in_dev_and_sealed_otherwise(draft: Draft) -> None:
    draft.toml = draft.toml.replace('feedback = "full"\n', "").replace('feedback = "ladder"', "chance_level = 0.3333")
    splits = read_pack(draft.save(), registry).benchmark.splits
    assert (splits["dev"].feedback.preset, splits["test"].feedback.preset) == ("open", "sealed")


@pytest.mark.parametrize("config", [{"feedback": "aggregate"}, {"feedback": "sealed", "chance_level": 0.0}])
def test_a_split_that_is_written_is_read_the_same(config: dict[str, Any]) -> None:
    split = SplitConfig.model_validate({"visibility": "test"} | config)
    assert SplitConfig.model_validate(split.model_dump(mode="json", exclude_defaults=True)) == split
