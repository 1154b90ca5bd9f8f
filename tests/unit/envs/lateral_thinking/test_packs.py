"""Published sheets and written plots: what becomes of them, and what players who know nothing score."""

import random
from pathlib import Path

import pytest
from openpyxl import Workbook, load_workbook

from api.admission import policies, simulation
from api.admission.player import Policy
from envs import registry
from envs.base import Action, Observation
from envs.lateral_thinking.generator import generate
from envs.lateral_thinking.generator.plots import read_plots
from envs.lateral_thinking.importers.agentbench_ltp import read
from envs.lateral_thinking.words import content
from packs.draft import DraftPack, Mode
from packs.read import read_pack

ROW = (
    "A man orders soup and weeps.",
    "He was a cook who had lost his taste, and now it is back.",
    "1. A man orders soup.\n2. He weeps.",
    "1. The man was a cook.\n2. He had not been able to taste anything.\n\n- His taste is back.",
)


def sheet(path: Path, *rows: tuple[str, ...]) -> Path:
    book = Workbook()
    page = book.active
    assert page is not None
    for row in (("story", "answer", "Story keys", "Answer keys"), *rows):
        page.append(row)
    book.save(path)
    return path


def guessing(seed: str) -> Policy:
    """A participant who makes questions of the story's words and common ones."""
    draw = random.Random(seed)

    def act(shown: Observation, number: int) -> Action:
        if not number:
            act.words = content(shown.text.split("The story:")[1])  # type: ignore[attr-defined]
        common = ["dead", "blind", "money", "animal", "signal", "test", "family", "water", "secret", "broken"]
        chosen = draw.sample([*act.words, *common], 5)  # type: ignore[attr-defined]
        return Action(text=f"Is it about {' '.join(chosen)}?")

    return act


async def scores(draft: DraftPack, policy: Policy | None = None) -> list[float | None]:
    lines = draft.references
    runs = await simulation.simulate_episodes(lines, lambda line: policy or guessing(line.id))
    return [run.verdict.score for run in runs]


async def gold_is_right_three_times(draft: DraftPack) -> None:
    lines = draft.references
    runs = [await simulation.simulate_episodes(lines, policies.gold, seed=seed, at_once=8) for seed in (0, 1, 2)]
    assert [[one.verdict.score for one in run] for run in runs] == [[1.0] * len(lines)] * 3
    assert len({str([one.evidence for one in run]) for run in runs}) == 1
    assert set(await scores(draft, policies.null)) | set(await scores(draft, policies.echo)) == {0.0}


def test_blank_keys_are_left_out_or_make_a_sample_unsound(tmp_path: Path) -> None:
    path = sheet(tmp_path / "dev.xlsx", ROW)
    fixed = read(path)
    (line,) = fixed.references
    assert line.reference == {"kind": "lateral_thinking", "keys": 3}
    assert line.episode is not None
    assert line.episode.spec["keys"] == [
        "The man was a cook.",
        "He had not been able to taste anything.",
        "His taste is back.",
    ]
    assert [one.kind for one in fixed.report.marked] == ["blank keys"]
    published = read(path, mode="published")
    assert not published.references
    assert [one.cause for one in published.report.excluded] == ["key 3 is blank, so that nobody can find all"]


async def test_golds_of_a_sheet_win_in_both_modes(tmp_path: Path) -> None:
    path = sheet(tmp_path / "dev.xlsx", (*ROW[:3], ROW[3].replace("\n\n", "\n")))
    for mode in ("published", "fixed"):
        await gold_is_right_three_times(read(path, mode="published" if mode == "published" else "fixed"))


def test_columns_go_by_their_headings_and_a_row_without_keys_is_left_out(tmp_path: Path) -> None:
    book = load_workbook(sheet(tmp_path / "dev.xlsx", ROW, ROW[:3], ROW))
    page = book.worksheets[0]
    page.move_range("A1:D4", cols=1)
    page["A1"], page["A2"] = "note", "hm"
    page.move_range("B1:B4", cols=5)
    book.save(tmp_path / "moved.xlsx")
    (straight, moved) = (read(tmp_path / name) for name in ("dev.xlsx", "moved.xlsx"))
    assert [line.reference for line in moved.references] == [line.reference for line in straight.references]
    assert [(one.id, one.kind) for one in moved.report.excluded] == [("moved-001", "format")]
    assert (moved.report.read, len(moved.problems)) == (3, 2)


def test_other_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no sheet"):
        read(tmp_path)
    (tmp_path / "text.xlsx").write_bytes(b"no sheet")
    with pytest.raises(ValueError, match=r"text\.xlsx is no sheet"):
        read(tmp_path / "text.xlsx")
    few = load_workbook(sheet(tmp_path / "few.xlsx", ROW))
    few.worksheets[0].delete_cols(4)
    few.save(tmp_path / "few.xlsx")
    with pytest.raises(ValueError, match=r"few\.xlsx has not the columns story"):
        read(tmp_path / "few.xlsx")
    with pytest.raises(ValueError, match="there is no mode 'other'"):
        read(tmp_path, mode="other")  # type: ignore[arg-type]


@pytest.mark.parametrize(("mode", "kept"), [("fixed", 70), ("published", 69)])
async def test_published_samples(data: Path, mode: Mode, kept: int) -> None:
    draft = read(data / "agentbench" / "lateralthinkingpuzzle", mode=mode)
    assert (draft.report.read, len(draft.references)) == (70, kept)
    await gold_is_right_three_times(draft)
    assert sum(score or 0 for score in await scores(draft)) / kept < 0.02


async def test_a_pack_hangs_on_its_seed_and_its_golds_win() -> None:
    draft = generate(seed=3, count=len(read_plots()) + 4, split="dev")
    assert not draft.report.excluded
    assert list(generate(seed=3, count=2, split="dev").references) == list(draft.references)[:2]
    assert draft.references != generate(seed=4, count=len(draft.references), split="dev").references
    await gold_is_right_three_times(draft)
    assert sum(score or 0 for score in await scores(draft)) / len(draft.references) < 0.2


async def test_the_story_gives_no_key_away() -> None:
    """Its sentences as questions, in words that get past the gate, find nothing."""
    draft = generate(seed=5, count=len(read_plots()), split="dev")

    def reading(shown: Observation, number: int) -> Action:
        if not number:
            reading.text = shown.text.split("The story:\n")[1].split("\n")[0]  # type: ignore[attr-defined]
        listed = reading.text.split()  # type: ignore[attr-defined]
        return Action(text="Perhaps, in this matter, " + " ".join(listed[number * 3 : number * 3 + 12]))

    for line in draft.references:
        (run,) = await simulation.simulate_episodes([line], lambda _: reading)
        assert run.verdict.score == 0, (line.id, run.verdict.reason, run.evidence)


def test_plots_are_read_with_the_line_that_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "plots.txt"
    good = "# one\nSlot thing: lamp / torch\nStory: A {thing} shines.\nTruth: It is a signal.\n"
    good += "1 It is a signal. = signal\n"
    path.write_text(good)
    (plot,) = read_plots(path)
    assert {plot.drawn(random.Random(seed)).story for seed in range(9)} == {"A lamp shines.", "A torch shines."}
    draft = generate(seed=1, count=2, split="test", plots=str(path))
    assert [line.episode.spec["keys"] for line in draft.references if line.episode] == [["It is a signal."]] * 2
    for text, problem in {
        "": "has no plot",
        "Story: x": "line 1: a plot begins",
        good + "2 no groups": "line 6: is no story",
        good + "3 x. = y": "keys 1, 2, ... without a gap",
        good + "- {who} is. = y": "the slot 'who' is not declared",
        "# one\nStory: x\n1 x. = y": "needs 'Story: ' and 'Truth: '",
    }.items():
        path.write_text(text)
        with pytest.raises(ValueError, match=problem.replace(".", r"\.")):
            read_plots(path)


def test_the_shipped_pack_is_what_the_generator_makes() -> None:
    folder = Path(__file__).parents[4] / "benchmarks" / "live-ltp"
    pack = read_pack(folder, registry)
    draft = generate(seed=20261121, count=len(pack.problems), split="dev", slug="live-ltp")
    assert [problem.id for problem in pack.problems] == [problem.id for problem in draft.problems]
    assert [line.episode for line in pack.references] == [line.episode for line in draft.references]
