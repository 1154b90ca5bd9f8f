"""How runs do on each item: difficulty, discrimination, and golds that the strongest runs contradict."""

import pytest

from grading.statistics.items import ItemRun, measure_items, strongest

NAMES = [f"q{number}" for number in range(6)]


def run(wrong: dict[str, str], **more: float) -> dict[str, ItemRun]:
    """A run that is right everywhere but where `wrong` names its answer."""
    return {name: ItemRun(float(name not in wrong), wrong.get(name, "right"), **more) for name in NAMES}


def test_an_item_on_which_the_strongest_agree_against_the_gold_is_suspected() -> None:
    runs = [run({"q0": "9"}) for _ in range(4)] + [run(dict.fromkeys(NAMES[1:4], "x")) for _ in range(6)]
    found = measure_items(runs, NAMES)
    assert [name for name in NAMES if found[name].suspected] == ["q0"]
    assert (found["q0"].suspicion, found["q0"].right) == (1.0, 0.6)
    assert [(answer.answer, answer.count, answer.strong) for answer in found["q0"].rejected] == [("9", 4, 3)]
    assert found["q0"].discrimination == pytest.approx(-1.0)
    assert found["q1"].discrimination == pytest.approx(1.0)


def test_a_hard_item_on_which_the_strongest_disagree_with_one_another_is_not() -> None:
    runs = [run({"q0": str(number)}) for number in range(8)]
    found = measure_items(runs, NAMES)["q0"]
    assert (found.right, found.suspected, found.discrimination) == (0.0, False, None)
    assert len(found.rejected) == 5


def test_two_runs_are_too_few_to_suspect_anything() -> None:
    assert not measure_items([run({"q0": "9"})] * 2, NAMES)["q0"].suspected


def test_nobody_answered_and_nobody_has_decided() -> None:
    empty = measure_items([], NAMES)["q0"]
    assert (empty.answered, empty.right, empty.suspicion) == (0, None, 0.0)
    waiting = measure_items([{"q0": ItemRun(None, "5", 2.0)}, {"q1": ItemRun(1.0)}], NAMES)
    assert (waiting["q0"].answered, waiting["q0"].right, waiting["q0"].seconds) == (1, None, 2.0)
    assert waiting["q0"].rejected == []


def test_the_strongest_quarter_is_at_least_three() -> None:
    runs = [run(dict.fromkeys(NAMES[:number], "x")) for number in range(6)]
    assert strongest(runs) == [0, 1, 2]
    assert strongest(runs[:2]) == [0, 1]
    assert len(strongest(runs * 4)) == 6


def test_time_is_the_median() -> None:
    runs = [run({}, seconds=value) for value in (1.0, 2.0, 60.0)]
    assert measure_items(runs, NAMES)["q3"].seconds == 2.0
