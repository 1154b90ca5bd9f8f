"""Mind2Web's published form: what becomes of tasks, candidates, ranks and words."""

import json
from pathlib import Path
from typing import Any

import pytest

from api.admission import policies, simulation
from api.admission.soundness import sound
from envs.web_browsing.importers.agentbench_wb import read
from envs.web_browsing.importers.upstream import PROMPT
from packs.draft import DraftPack, Mode
from tests.unit.envs.web_browsing.pages import CANDIDATES, step, task, write

TYPED = step("14", action_uid="u2", operation={"op": "TYPE", "value": "Ada Byron "})
CLICKED = step("15", action_uid="u3", operation={"op": "CLICK", "value": ""})
LOST = step(action_uid="u4", pos_candidates=[])


def spec_of(draft: DraftPack, number: int) -> dict[str, Any]:
    episode = draft.references[number].episode
    assert episode is not None
    return episode.spec


def test_a_step_is_a_problem(tmp_path: Path) -> None:
    draft = read(write(tmp_path / "test.json", task(step(), TYPED, CLICKED)))
    assert [problem.id for problem in draft.problems] == ["aa-1-00", "aa-1-01", "aa-1-02"]
    assert {(problem.subject, problem.group, problem.split) for problem in draft.problems} == {("boxes", "aa-1", "dev")}
    assert [line.reference["action"] for line in draft.references] == ["SELECT Large & wide", "TYPE Ada Byron", "CLICK"]
    assert [line.reference["elements"] for line in draft.references] == [["9"], ["14"], ["15"]]
    assert sorted(spec_of(draft, 0)["candidates"]) == sorted(CANDIDATES)
    assert spec_of(draft, 2)["previous"] == [f"[select]  size {n} -> SELECT: Large & wide" for n in range(2)]
    # The order of candidates is drawn, and hangs on the seed.
    orders = {str(spec_of(read(tmp_path / "test.json", seed=seed), 0)["candidates"]) for seed in range(9)}
    assert len(orders) > 3
    assert draft.notes(draft.problems)[0].startswith("recall of a right element by the ranks of the data or our own")


@pytest.mark.parametrize("mode", ["fixed", "published"])
async def test_golds_win_and_who_knows_nothing_does_not(tmp_path: Path, mode: Mode) -> None:
    tasks = [task(step(), TYPED, CLICKED, annotation_id=f"t{number}") for number in range(8)]
    draft = read(write(tmp_path / "test.json", *tasks), mode=mode)
    assert draft.soundness is not None
    assert len(await sound(draft.references, draft.soundness, draft.report)) == len(draft.references) == 24
    runs = [await simulation.simulate_episodes(draft.references, policies.gold, seed=n, at_once=8) for n in range(3)]
    assert [one.verdict.score for run in runs for one in run] == [1.0] * 72
    assert len({str([one.evidence for one in run]) for run in runs}) == 1
    for idle in (policies.null, policies.echo):
        scores = await simulation.simulate_episodes(draft.references, lambda _, idle=idle: idle)  # type: ignore[misc]
        assert {one.verdict.score for one in scores} == {0.0}


def test_a_value_that_text_cannot_say_is_called(tmp_path: Path) -> None:
    lines = step("14", operation={"op": "TYPE", "value": "two\nlines"})
    (line,) = read(write(tmp_path / "test.json", task(lines))).references
    call: Any = line.oracle[-1]["tool"]
    assert call == {
        "name": "choose_element",
        "arguments": {"choice": call["arguments"]["choice"], "action": "TYPE", "value": "two\nlines"},
    }


def test_where_nothing_right_is_asked_about_fixed_leaves_out_and_published_scores_nothing(tmp_path: Path) -> None:
    file = write(tmp_path / "test.json", task(step(), LOST))
    fixed = read(file)
    assert [(one.id, one.kind) for one in fixed.report.excluded] == [("aa-1-01", "not asked")]
    published = read(file, mode="published")
    assert [one.id for one in published.report.marked] == ["aa-1-01"]
    assert spec_of(published, 1).get("candidates", ()) == ()
    assert "1.000 at 50" not in published.notes(published.problems)[0]
    assert "0.500 at 50" in published.notes(published.problems)[0]


def test_candidates_are_the_first_by_the_scores(tmp_path: Path) -> None:
    file = write(tmp_path / "test.json", task(step()))
    scores = {"aa-1_u1": {one: float(number) for number, one in enumerate(CANDIDATES)}}
    given = tmp_path / "scores.json"
    for told in (scores, {"scores": scores, "ranks": {}}):
        given.write_text(json.dumps(told))
        assert sorted(spec_of(read(file, scores=str(given), top=4), 0)["candidates"]) == ["14", "15", "17", "9"]
    given.write_text(json.dumps({"aa-1_u1": {"9": 1.0}}))
    assert read(file, scores=str(given)).report.excluded[0].cause == "the scores have none for 5 candidates"
    given.write_text("[]")
    with pytest.raises(ValueError, match="is not of the form"):
        read(file, scores=str(given))


def test_ranks_in_the_data_count_before_our_scorer(tmp_path: Path) -> None:
    ranks = {one: 9 - number for number, one in enumerate(CANDIDATES)}
    both = step()
    for one in (*both["pos_candidates"], *both["neg_candidates"]):
        one["rank"] = ranks[one["backend_node_id"]]
    draft = read(write(tmp_path / "test.json", task(both)), top=4)
    assert sorted(spec_of(draft, 0)["candidates"]) == ["14", "15", "17", "9"]


@pytest.mark.parametrize(
    ("broken", "words"),
    [
        (step("77"), "the candidate 77 is not on the page"),
        (step(cleaned_html="<html>"), "the page is no XML"),
        (step(operation={"op": "HOVER", "value": ""}), "op"),
    ],
)
def test_a_broken_step_is_left_out_with_its_cause(tmp_path: Path, broken: dict[str, Any], words: str) -> None:
    draft = read(write(tmp_path / "test.json", task(broken, CLICKED)))
    assert [line.id for line in draft.references] == ["aa-1-01"]
    (left_out,) = draft.report.excluded
    assert (left_out.id, left_out.kind) == ("aa-1-00", "format")
    assert words in left_out.cause


def test_other_files_are_told(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text('{"a": 1}')
    with pytest.raises(ValueError, match=r"other\.json holds no list of Mind2Web's tasks"):
        read(tmp_path / "other.json")
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileNotFoundError, match="no JSON file of tasks"):
        read(tmp_path / "empty")
    with pytest.raises(ValueError, match="there is no mode 'best'"):
        read(tmp_path / "other.json", mode="best")  # type: ignore[arg-type]


def test_a_folder_of_files_is_read_in_their_order(tmp_path: Path) -> None:
    write(tmp_path / "test_1.json", task(CLICKED, annotation_id="second"))
    write(tmp_path / "test_0.json", task(CLICKED, annotation_id="first"))
    assert [line.id for line in read(tmp_path).references] == ["first-00", "second-00"]
    assert [line.id for line in read(tmp_path, limit=1).references] == ["first-00"]


def test_the_owners_prompt_stands_in_place_of_our_words(tmp_path: Path) -> None:
    question = "'''\n<html>\n'''\n\nWell now:\nTask: it\nPrevious actions:\nNone\nWhich?\n\nA. None\nB. <a id=0>"
    turns = [{"role": "user", "content": question}, {"role": "agent", "content": "Answer: B."}, {"content": ""}]
    prompt = tmp_path / PROMPT
    prompt.parent.mkdir(parents=True)
    prompt.write_text(json.dumps(turns))
    file = write(tmp_path / "test.json", task(CLICKED))
    for place in (tmp_path, prompt):
        spec = spec_of(read(file, upstream=str(place)), 0)
        assert spec["words"] == {"intro": "Well now:", "ask": "Which?", "none": "None"}
        assert spec["shots"] == [question, "Answer: B."]
    prompt.write_text(json.dumps(turns[1:]))
    with pytest.raises(ValueError, match="is no question"):
        read(file, upstream=str(tmp_path))
    with pytest.raises(ValueError, match="is no prompt of AgentBench"):
        read(file, upstream=str(tmp_path / "nowhere"))
