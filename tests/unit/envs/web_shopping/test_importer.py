"""Published files of WebShop: what becomes of products, look-alikes and instructions."""

import random
from pathlib import Path
from typing import Any

import pytest

from api.admission import policies, simulation
from api.admission.soundness import sound
from envs.web_shopping import catalogue
from envs.web_shopping.importers import raw
from envs.web_shopping.importers.agentbench_ws import read
from envs.web_shopping.importers.source import read_source
from packs.draft import DraftPack, Mode
from tests.unit.envs.web_shopping.shop import record, write

HUMAN = {
    "B00000000A": [
        {"instruction": "a mug.", "instruction_attributes": ["glazed"], "instruction_options": ["red"]},
        {"instruction": "no attributes", "instruction_attributes": [], "instruction_options": []},
    ],
    "B00000000B": [{"instruction": "a jug", "instruction_attributes": ["glazed"], "instruction_options": ["8 oz"]}],
}
ATTRIBUTES = {
    "B00000000A": {"attributes": ["glazed"]},
    "B00000000B": {"attributes": ["glazed"], "instruction": "Find mugs", "instruction_attributes": ["glazed"]},
}


def folder(path: Path, **changed: Any) -> Path:
    products = [record("B00000000A", pricing="$12.50$18.00"), record("B00000000B")]
    files = {"items_shuffle_1000": products, "items_human_ins": HUMAN, "items_ins_v2_1000": ATTRIBUTES}
    return write(path, **(files | changed))


def spec_of(draft: DraftPack, id_: str) -> dict[str, Any]:
    (line,) = (line for line in draft.references if line.id == id_)
    assert line.episode is not None
    return line.reference | {"instruction": line.episode.spec["instruction"]}


def test_goals_are_made_as_published(tmp_path: Path) -> None:
    draft = read(folder(tmp_path), mode="published")
    assert {problem.id for problem in draft.problems} == {"human-B00000000A-0", "synthetic-B00000000B"}
    (left_out,) = draft.report.excluded
    assert (left_out.id, left_out.cause) == ("human-B00000000B-0", "the product does not offer the option '8 oz'")
    goal = spec_of(draft, "human-B00000000A-0")
    assert goal["instruction"] == f"a mug, and price lower than {goal['price_upper']:.2f} dollars"
    assert (goal["options"], goal["option_match"], goal["query"]) == (["red"], "fuzzy", "mugs")
    # A price above the last limits has none.
    other = spec_of(draft, "synthetic-B00000000B")
    assert (other["price_upper"], other["instruction"].rsplit(": ", 1)[0]) == (0, "Find mugs with color")


def test_fixed_goals_ask_for_what_is_offered_and_take_the_higher_price(tmp_path: Path) -> None:
    draft = read(folder(tmp_path))
    goal = spec_of(draft, "human-B00000000A-0")
    assert (goal["options"], goal["option_match"]) == (["red | tile"], "exact")
    assert goal["price_upper"] >= 30
    (marked,) = (one for one in draft.report.marked if one.id == "human-B00000000A-0")
    assert marked.cause == "as it is offered: 'red' is 'red | tile'"


@pytest.mark.parametrize("mode", ["published", "fixed"])
def test_what_is_drawn_hangs_on_the_seed(tmp_path: Path, mode: Mode) -> None:
    path = folder(tmp_path)
    assert read(path, mode=mode).references == read(path, mode=mode).references
    limits = {spec_of(read(path, mode=mode, seed=seed), "human-B00000000A-0")["price_upper"] for seed in range(12)}
    assert len(limits) > 1


def test_human_samples_come_in_the_published_order(tmp_path: Path) -> None:
    numbers = [f"B{number:09d}" for number in range(300)]
    instructions = {asin: [HUMAN["B00000000A"][0]] for asin in numbers}
    path = folder(tmp_path, items_shuffle_1000=[record(asin) for asin in numbers], items_human_ins=instructions)
    random.Random(233).shuffle(numbers)
    for part, cut in (("std", slice(0, 200)), ("dev", slice(200, 280))):
        draft = read(path, part=part, goals="human")
        assert [problem.id for problem in draft.problems] == [f"human-{asin}-0" for asin in numbers[cut]]
    with pytest.raises(ValueError, match="'part' one of all, std, dev"):
        read(path, part="test")


def test_originals_are_restored_from_look_alikes(tmp_path: Path) -> None:
    sizes = {"Size": [{"value": "S"}], "Color": [{"value": "Odd"}], "Style": [{"value": "Plain"}]}
    colours = {"Size": [{"value": "None"}], "Color": [{"value": "Red"}], "Style": [{"value": "Plain"}]}
    write(
        tmp_path,
        lookalike_v_color=[record("LK_COLOR_B00000000A", customization_options=sizes)],
        lookalike_v_price_color=[record("LK_PCOL_B00000000A", customization_options=sizes, pricing="$9999.0")],
        lookalike_v_size=[
            record("LK_SIZE_B00000000A", customization_options=colours),
            record("LK_SIZE_B00000000B", customization_options=colours),
        ],
        items_human_ins=HUMAN,
        items_ins_v2=ATTRIBUTES,
    )
    source = read_source(tmp_path)
    assert source.restored == 2
    both, size = (raw.read_product(one, ("a",), raw.highest_price) for one in source.records[:2])
    assert both.options == {"size": ("s",), "color": ("red",), "style": ("plain",)}
    assert (both.asin, both.price) == ("B00000000A", 1012.5)
    assert size.options == {"color": ("red",), "style": ("plain",)}
    draft = read(tmp_path, goals="human")
    assert [problem.id for problem in draft.problems] == ["human-B00000000A-0"]
    assert "6 products, 2 of them restored" in draft.report.notes[0]


def test_look_alikes_cannot_be_told_by_their_numbers(tmp_path: Path) -> None:
    write(tmp_path, lookalike_v_size=[record("LK_SIZE_B00000000A")])
    with pytest.raises(ValueError, match="no sample"):
        read(tmp_path).write(tmp_path / "pack")
    number = raw.disguised("LK_SIZE_B00000000A")
    assert len(number) == 10
    assert number.startswith("B")
    assert number.isalnum()


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "holds no products"),
        ({"items_shuffle": {"a": 1}}, "no list of products"),
        ({"items_shuffle": [], "lookalike_v": [record("LK_SIZE_B1")], "items_ins_v2": []}, "no object by product"),
    ],
)
def test_what_is_no_source_is_said(tmp_path: Path, files: dict[str, Any], words: str) -> None:
    with pytest.raises((FileNotFoundError, ValueError), match=words):
        read(write(tmp_path, **files))


def test_a_product_of_another_form_is_left_out_and_said(tmp_path: Path) -> None:
    broken = {"asin": "B00000000Z", "name": "x"}
    draft = read(folder(tmp_path, items_shuffle_1000=[broken, record("B00000000A")]))
    assert "product B00000000Z is left out" in draft.report.notes[0]
    priced = read(folder(tmp_path, items_shuffle_1000=[record("B00000000A"), record("B00000000B", pricing="free")]))
    assert "'free' is no price" in priced.report.notes[0]


@pytest.mark.parametrize("mode", ["published", "fixed"])
async def test_every_sound_published_sample_is_met_by_its_gold(data: Path, mode: Mode) -> None:
    draft = read(data / "agentbench" / "webshop", mode=mode)
    assert (draft.report.read, len(draft.references), len(draft.report.excluded)) == (228, 223, 5)
    assert all("does not offer the option" in left_out.cause for left_out in draft.report.excluded)
    runs = await simulation.simulate_episodes(draft.references, policies.gold, at_once=8)
    assert [one.id for one in runs if one.verdict.score != 1] == []
    assert draft.soundness is not None
    assert len(await sound(draft.references[:20], draft.soundness, draft.report)) == 20


def test_the_catalogue_is_where_the_report_says(tmp_path: Path) -> None:
    draft = read(folder(tmp_path))
    (folder_name,) = {line.episode.spec["catalogue"]["digest"][:40] for line in draft.references if line.episode}  # type: ignore[index,call-overload]
    assert (catalogue.folder() / f"{folder_name}-{catalogue.FORMAT}").is_dir()
    assert str(catalogue.folder()) in draft.report.notes[-1]
