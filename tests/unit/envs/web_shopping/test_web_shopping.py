"""The shop: what pages show, what a click does, how replies are read, and what gets nobody a point."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from envs import registry
from envs.base import Action, FinishReason, InfrastructureError, Probe, SpecError, StepResult, ToolCall
from envs.web_shopping import catalogue, protocol
from envs.web_shopping.assortment import products
from envs.web_shopping.environment import WebShopping
from envs.web_shopping.pages import HITS, Visit
from envs.web_shopping.product import Product, digest
from envs.web_shopping.spec import CatalogueRef
from envs.web_shopping.words import Analyzer
from grading import Answer, Evidence, Outcome, grade
from grading.verdict import Verdict
from tests.unit.envs.web_shopping.shop import BOWL, GOLD, LID, PRODUCTS, REFERENCE, WISH, spec

PURCHASE = Probe(name="purchase", type="purchase")


async def played(replies: Sequence[str | Action], **changed: Any) -> tuple[WebShopping, list[StepResult]]:
    """An episode after these replies (texts are actions in the published form), or until it ends."""
    world = WebShopping()
    await world.reset(spec(**changed), 0)
    seen: list[StepResult] = []
    for reply in replies:
        seen.append(await world.step(reply if isinstance(reply, Action) else Action(text=f"Action:\n{reply}")))
        if seen[-1].finish:
            break
    return world, seen


async def verdict(world: WebShopping) -> Verdict:
    (found,) = await world.probe([PURCHASE])
    return grade(Answer(evidence=(Evidence.model_validate(found.model_dump()),)), REFERENCE)


def page(result: StepResult) -> str:
    """The observation between its heading and the actions."""
    return result.observation.text.removeprefix("Observation:\n").split("\n\nAvailable Actions:\n")[0]


def tool(name: str, **arguments: Any) -> Action:
    return Action(tool=ToolCall(name=name, arguments=arguments))


async def test_the_gold_is_right_in_text_and_by_calls() -> None:
    calls = [
        tool("search_action", keywords="soup bowl"),
        *(tool("click_action", value=one) for one in ("B000000001", "oat green", "Buy Now")),
    ]
    for replies in (GOLD, calls):
        world, seen = await played(replies)
        assert [one.finish for one in seen] == [None, None, None, FinishReason.COMPLETED]
        assert seen[-1].answer == "B000000001"
        assert (await verdict(world)).outcome is Outcome.CORRECT


async def test_pages_read_as_published() -> None:
    _, seen = await played([*GOLD[:3], "click[description]", "click[< prev]", "click[features]"])
    lead = f"Instruction: [SEP] {WISH} [SEP] Back to Search [SEP] "
    assert page(seen[0]) == (
        f"{lead}Page 1 (Total results: 2) [SEP] Next > [SEP] B000000002 [SEP] Soup Bowl with a Lid [SEP] $34.0 to $36.0"
        " [SEP] B000000001 [SEP] Stackable Soup Bowl in Stoneware [SEP] $18.5"
    )
    item = (
        f"{lead}< Prev [SEP] color [SEP] oat green [SEP] night blue [SEP] size [SEP] small [SEP] x-large [SEP] "
        "Stackable Soup Bowl in Stoneware [SEP] Price: $18.5 [SEP] Rating: N.A. [SEP] Description [SEP] Features [SEP] "
        "Reviews [SEP] Buy Now"
    )
    assert page(seen[1]) == page(seen[2]) == page(seen[4]) == item
    assert seen[1].observation.text.endswith(
        "\n\nAvailable Actions:\n{'has_search_bar': False, 'clickables': ['back to search', '< prev', 'description', "
        "'features', 'reviews', 'buy now', 'oat green', 'night blue', 'small', 'x-large']}"
    )
    # An empty description has no text; a feature of spaces has an empty one.
    assert page(seen[3]) == f"{lead}< Prev"
    assert page(seen[5]) == f"{lead}< Prev [SEP] Stack five of them [SEP]  [SEP] Lead free glaze"


async def test_the_first_page_comes_after_the_words() -> None:
    first = await WebShopping().reset(spec(), 0)
    shown = f"Observation:\nWebShop [SEP] Instruction: [SEP] {WISH} [SEP] Search\n\n"
    assert first.text.endswith(shown + "Available Actions:\n{'has_search_bar': True, 'clickables': ['search']}")
    messages = first.data["messages"]
    assert isinstance(messages, list)
    roles = [turn["role"] for turn in messages if isinstance(turn, dict)]
    assert roles == ["user", "agent"] * (len(roles) // 2) + ["user"]
    owners = await WebShopping().reset(spec(opening=["Buy.", "Yes."]), 0)
    assert owners.text.startswith("Buy.\nYou: Yes.\nObservation:")


async def test_results_are_ten_a_page_and_fifty_at_most() -> None:
    class Many:
        def find(self, text: str, most: int) -> Sequence[int]:
            return range(min(60, most))

        def product(self, key: int) -> Product:
            return BOWL

    visit = Visit(Many(), WISH)
    visit.search("bowl")
    assert visit.page().texts[3:5] == (f"Page 1 (Total results: {HITS})", "Next >")
    for _ in range(5):
        assert visit.click("next >")
    # As published there is always a next page, with nothing on it beyond the last one.
    assert visit.page().texts[3:] == ("Page 6 (Total results: 50)", "< Prev", "Next >")
    assert visit.click("< prev")
    assert visit.page().texts.count(BOWL.asin) == 10


async def test_options_stay_on_the_product_and_go_with_it() -> None:
    world, _ = await played(
        [*GOLD[:3], "click[night blue]", "click[small]", "click[reviews]", "click[< prev]", GOLD[3]]
    )
    (found,) = await world.probe([PURCHASE])
    assert isinstance(found.value, dict)
    assert found.value["product"] == BOWL.bought({"color": "night blue", "size": "small"})
    world, _ = await played([*GOLD[:3], "click[< prev]", GOLD[1], GOLD[3]])
    (found,) = await world.probe([PURCHASE])
    assert found.value == {"product": BOWL.bought({})}
    assert (await verdict(world)).score == pytest.approx(3 / 4)


@pytest.mark.parametrize(
    ("reply", "request_"),
    [
        ("Thought: x\nAction:\nclick[Buy Now]", protocol.Request("click", "buy now")),
        ("Action: search[A b]", protocol.Request("search", "a b")),
        ("action:\n\n  search[x]] more]", protocol.Request("search", "x")),
        ("Action: click[a[b]", protocol.Request("none")),
        ("Action: search[]", None),
        ("Action:\nclick[]]", protocol.Request("click", "]")),
        ("Action: search[a] Action: click[b]", protocol.Request("search", "a")),
        ("Action: Search[a]", None),
        ("Action: buy now", None),
        ("search[a]", None),
        ("Actions: search[a]", None),
        ("", None),
    ],
)
def test_replies_are_read_as_published(reply: str, request_: protocol.Request | None) -> None:
    assert protocol.parse(Action(text=reply)) == request_


async def test_a_text_without_an_action_ends_and_a_call_without_one_does_not() -> None:
    _, seen = await played([Action(text="I think I buy it.")])
    assert (seen[0].finish, seen[0].error) == (FinishReason.INVALID_FORMAT, protocol.UNREADABLE)
    _, seen = await played([tool("click_action"), tool("click_action", value=3), tool("finish", answer="x")])
    assert [one.finish for one in seen] == [None] * 3
    assert all(one.observation.text.startswith(protocol.NUDGE) for one in seen)


async def test_what_is_not_there_changes_nothing_and_rounds_run_out() -> None:
    world, seen = await played(["click[buy now]", "click[search]", "click[b000000001]", "click[oat green]"] * 3)
    assert len({page(one) for one in seen}) == 1
    assert [one.finish for one in seen] == [*[None] * 9, FinishReason.TASK_LIMIT]
    assert (await verdict(world)).outcome is Outcome.INCORRECT
    # What is bought in the last round is bought.
    world, seen = await played(GOLD, turns=len(GOLD))
    assert (seen[-1].finish, (await verdict(world)).score) == (FinishReason.COMPLETED, 1)


@pytest.mark.parametrize(
    "replies",
    [
        ["search[<q> bowls]", "click[b000000003]", "click[buy now]"],
        ["search[lamp]", "click[b000000001]", "click[buy now]"],
        [tool("click_action", value="buy now", product={"price": 0}, reward=1)],
        [tool("search_action", keywords="attributes:* OR product:*"), tool("click_action", value="attributes")],
        [Action(text="Action:\nsearch[" + "bowl " * 50_000 + "]")],
        [Action(text="Action:" + " " * 15_000 + "\n" * 4_000)],
        [Action(text="Action:\nsearch[\x00 \ud83d\ude00 {{output}} __import__('os') \" ' ) AND text:(]")],
    ],
)
async def test_attacks_score_nothing_and_show_no_secret(replies: list[str | Action]) -> None:
    world, seen = await played(replies)
    assert (await verdict(world)).score == 0
    shown = "".join(one.observation.model_dump_json() for one in seen).replace(WISH, "")
    assert not [
        secret for secret in ("lead free", "dishwasher safe", "attribut", "reward", "price_upper") if secret in shown
    ]


async def test_the_last_page_says_nothing_of_the_score() -> None:
    for bought in (GOLD, ("search[soup]", "click[b000000002]", "click[buy now]")):
        _, seen = await played(bought)
        assert page(seen[-1]) == "Thank you for shopping with us!"
        assert (seen[-1].reward, seen[-1].observation.data["clickables"]) == (None, [])


async def test_the_same_actions_give_the_same_under_every_seed() -> None:
    transcripts = set()
    for seed in (0, 1, 2):
        world = WebShopping()
        told = [(await world.reset(spec(), seed)).model_dump_json()]
        told += [(await world.step(Action(text=f"Action: {one}"))).model_dump_json() for one in GOLD]
        told.append(json.dumps([one.model_dump() for one in await world.probe([PURCHASE])]))
        transcripts.add("\n".join(told))
    assert len(transcripts) == 1


async def test_the_log_holds_what_had_an_effect() -> None:
    world, _ = await played(["click[nothing]", GOLD[0], "click[back to search]"])
    log, wrong = await world.probe([Probe(name="log", type="log"), Probe(name="x", type="gold")])
    assert log.value == {"actions": ["search[soup bowl]", "click[back to search]"], "turns": 3}
    assert wrong.fault


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"goal": "x"}, "goal"),
        ({"instruction": ""}, "instruction"),
        ({"opening": ["Hello."]}, "ends with a turn of the participant"),
        ({"catalogue": {"digest": "0" * 64, "seed": 1}}, "has both 'seed' and 'size'"),
        ({"catalogue": {"digest": "../../etc/passwd"}}, "digest"),
        ({"catalogue": {"digest": "0" * 64, "seed": 1, "size": 5}}, "generate it again"),
    ],
)
async def test_a_wrong_specification_says_what_is_wrong(changed: dict[str, Any], words: str) -> None:
    with pytest.raises(SpecError, match=words):
        await WebShopping().reset(spec(**changed), 0)


async def test_an_imported_catalogue_that_is_elsewhere_is_a_fault_of_the_machine() -> None:
    with pytest.raises(InfrastructureError, match="convert its source on this machine too, or copy the folder"):
        await WebShopping().reset(spec(catalogue={"digest": "1" * 64}), 0)


async def test_a_catalogue_is_opened_once_for_all_episodes() -> None:
    worlds = [(await played(GOLD[:1]))[0] for _ in range(3)]
    shops = {id(world._visit.shop) for world in worlds if world._visit}
    assert len(shops) == 1


def test_a_shop_made_twice_finds_the_same() -> None:
    wanted = CatalogueRef(digest=digest(products(3, 400)), seed=3, size=400)
    found = []
    for _ in range(2):
        shop = catalogue.open_catalogue(wanted)
        assert (shop.size, shop.segments) == (400, 1)
        found.append([one.asin for query in ("cotton", "black shoes", "pack of 2") for one in shop.search(query, 50)])
        catalogue.close()
        shutil.rmtree(catalogue.folder() / f"{wanted.digest[:40]}-{catalogue.FORMAT}")
    assert found[0] == found[1]
    assert len(set(found[0])) > 50


def test_a_shop_does_not_hang_on_the_process_that_makes_it() -> None:
    code = (
        "from envs.web_shopping.assortment import products; from envs.web_shopping.product import digest;"
        "print(digest(products(3, 400)))"
    )
    for hashing in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(__file__).parents[4],
            env=os.environ | {"PYTHONHASHSEED": hashing},
        )
        assert done.stdout.strip() == digest(products(3, 400))


def test_better_fitting_products_come_first() -> None:
    shop = catalogue.open_catalogue(catalogue.add(PRODUCTS))
    assert [one.asin for one in shop.search("Lids of soup bowls", 50)] == [LID.asin, BOWL.asin]
    assert [one.asin for one in shop.search("night-blue", 50)] == [BOWL.asin]
    assert shop.search("the of \u2603", 50) == []


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Women's X-Large dresses", ["women", "x", "larg", "dress"]),
        ("the 1.5 mm and 1,200 ties", ["1_5", "mm", "1_200", "ti"]),
        ("", []),
    ],
)
def test_words_are_those_of_the_published_engine(text: str, terms: list[str]) -> None:
    assert Analyzer().terms(text) == terms


def test_it_is_declared() -> None:
    assert registry.find("web_shopping").spec.__name__ == "WebShoppingSpec"
