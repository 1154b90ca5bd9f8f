"""Our reward, our reading of replies and our words beside the published ones. Their code is run, and only here."""

import ast
import importlib
import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from envs.base import Action
from envs.web_shopping import protocol
from envs.web_shopping.assortment import products
from envs.web_shopping.importers import raw
from envs.web_shopping.importers import upstream as words
from envs.web_shopping.importers.agentbench_ws import _human, _products
from envs.web_shopping.importers.source import read_source
from envs.web_shopping.pages import SEPARATOR, Visit
from envs.web_shopping.product import Product
from grading import Answer, Evidence, grade
from grading.matching.colours import COLOURS
from grading.matching.nouns import nouns
from packs.report import Report

TASK = "src/server/tasks/webshop"
PAIRS = 3000


@pytest.fixture(scope="module")
def published(upstream: Path) -> Iterator[Any]:
    """The module of the published reward, with our nouns where it takes those of a model."""

    def parse(text: str) -> list[SimpleNamespace]:
        return [SimpleNamespace(text=noun, pos_="NOUN") for noun in nouns(text)]

    model = ModuleType("spacy")
    model.load = lambda name: parse  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "spacy", model)
        patch.syspath_prepend(upstream / TASK)
        yield importlib.import_module("web_agent_site.engine.goal")
        for name in [name for name in sys.modules if name.split(".")[0] == "web_agent_site"]:
            patch.delitem(sys.modules, name)


def theirs(published: Any, product: Product, chosen: dict[str, str], goal: dict[str, Any]) -> float:
    bought = {
        "query": product.query,
        "product_category": product.category,
        "name": product.name,
        "Attributes": list(product.attributes),
        "Title": product.name,
        "BulletPoints": list(product.bullets),
        "Description": product.description,
    }
    wanted = {
        "query": goal["query"],
        "product_category": goal["category"],
        "name": goal["name"],
        "attributes": goal["attributes"],
        "goal_options": goal["options"],
        "price_upper": goal["price_upper"],
    }
    return float(published.get_reward(bought, wanted, price=product.price, options=chosen))


def ours(product: Product, chosen: dict[str, str], goal: dict[str, Any]) -> float | None:
    evidence = Evidence(name="purchase", value={"product": product.bought(chosen)})
    return grade(Answer(evidence=(evidence,)), {"kind": "purchase", **goal}).score


def goal_of(draw: random.Random, product: Product, strange: list[str]) -> dict[str, Any]:
    options = [draw.choice(values) for values in product.options.values() if draw.random() < 0.7]
    attributes = draw.sample(product.attributes, draw.randint(1, len(product.attributes)))
    return {
        "name": product.name,
        "query": product.query,
        "category": product.category,
        "attributes": attributes + draw.sample(strange, draw.randint(0, 1)),
        "options": options + draw.sample(strange, draw.randint(0, 1)),
        "price_upper": draw.choice((10.0, 30.0, 60.0, 1_000_000)),
    }


def compared(published: Any, shop: list[Product], seed: int) -> set[float]:
    """All rewards of random purchases for random goals, which are the same on both sides."""
    draw = random.Random(seed)
    strange = ["Sugar free!", "non-slip ÉTÉ", "'s", "large", 'xx-large 10"', "long", "pack of 2", "red & blue", "1.5"]
    found = set()
    for _ in range(PAIRS):
        wanted, bought = draw.choice(shop), draw.choice(shop)
        if draw.random() < 0.5:
            bought = draw.choice([one for one in shop if one.query == wanted.query])
        chosen = {
            name: draw.choice(values) for name, values in bought.options.items() if values and draw.random() < 0.8
        }
        goal = goal_of(draw, wanted, strange)
        expected = theirs(published, bought, chosen, goal)
        assert ours(bought, chosen, goal) == pytest.approx(expected, abs=1e-12), (bought, chosen, goal)
        found.add(round(expected, 6))
    return found


def test_rewards_are_the_published_ones_in_an_invented_shop(published: Any) -> None:
    found = compared(published, list(products(1, 400)), seed=5)
    assert {0.0, 1.0} < found
    assert len(found) > 40


def test_rewards_are_the_published_ones_for_published_products(published: Any, data: Path) -> None:
    folder = data / "agentbench" / "webshop"
    attributes = json.loads((folder / "items_ins_v2_1000.json").read_text("utf-8"))
    records = json.loads((folder / "lookalike_v_size.json").read_text("utf-8"))
    shop = []
    for one in records:
        known = attributes[raw.original(one["asin"])]["attributes"] or ["DUMMY_ATTR"]
        shop.append(raw.read_product(one, tuple(known), raw.highest_price))
    assert len(compared(published, shop, seed=6)) > 50


def test_the_published_tests_of_the_reward_hold(published: Any, upstream: Path) -> None:
    """Theirs of attributes, options and the whole run as they are. Of titles, whose figures hang on the version of the
    model, ours fall on the same side of every limit that counts."""
    del published
    path = upstream / TASK / "tests/web-agent-site/engine/test_goal.py"
    tree = ast.parse(path.read_text("utf-8"))
    held: dict[str, Any] = {}
    exec(compile(tree, str(path), "exec"), held)
    for name in ("test_get_attribute_reward", "test_get_option_reward", "test_get_reward"):
        held[name]()
    pairs = list(_titles(tree))
    assert len(pairs) >= 4
    for wanted, given, expected in pairs:
        found = nouns(wanted)
        score = len(set(found) & set(nouns(given))) / len(found)
        assert _side(score) == _side(expected), (wanted, given, score, expected)


def _side(score: float) -> tuple[bool, bool, bool]:
    return score == 0, score < 0.1, score > 0.2


def _titles(tree: ast.Module) -> Iterator[tuple[str, str, float]]:
    """What the published test of titles compares, with the score that it expects; "less than" means none in common."""
    (test,) = (one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name == "test_get_type_reward")
    names = {"goal": "", "purchased": ""}
    for step in test.body:
        text = ast.unparse(step)
        for who in names:
            if text.startswith(f"{who}['name'] = "):
                names[who] = ast.literal_eval(text.split(" = ", 1)[1])
        found = re.fullmatch(r"assert (?:isclose\()?result\['title_score'\](?:, | < )([\d.]+).*", text)
        if found and names["goal"]:
            yield names["goal"], names["purchased"], float(found[1]) if "isclose" in text else 0.0


def test_colours_are_the_published_ones(published: Any) -> None:
    normalize = importlib.import_module("web_agent_site.engine.normalize")
    assert list(COLOURS) == normalize.COLOR_SET


@pytest.fixture(scope="module")
def engine(published: Any) -> Iterator[Any]:
    """The module that reads products; the search engine and the web server that it imports are not needed for that."""
    del published
    with pytest.MonkeyPatch.context() as patch:
        for name, content in {
            "cleantext": {},
            "rank_bm25": {"BM25Okapi": None},
            "flask": {"render_template_string": None},
            "pyserini": {},
            "pyserini.search": {},
            "pyserini.search.lucene": {"LuceneSearcher": None},
        }.items():
            stub = ModuleType(name)
            vars(stub).update(content)
            patch.setitem(sys.modules, name, stub)
        yield importlib.import_module("web_agent_site.engine.engine")


def test_products_and_goals_are_read_as_published(
    engine: Any, published: Any, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the records that look-alikes were made of, with the numbers of their originals, which theirs would skip."""
    folder = data / "agentbench" / "webshop"
    records = json.loads((folder / "lookalike_v_color.json").read_text("utf-8"))
    records = [one | {"asin": raw.original(one["asin"])} for one in records]
    file = tmp_path / "items_shuffle_1000.json"
    file.write_text(json.dumps(records), "utf-8")
    for name in ("items_ins_v2_1000.json", "items_human_ins_10000_subset98.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    monkeypatch.setattr(engine, "DEFAULT_ATTR_PATH", str(tmp_path / "items_ins_v2_1000.json"))
    monkeypatch.setattr(engine, "HUMAN_ATTR_PATH", str(tmp_path / "items_human_ins_10000_subset98.json"))
    listed, _, prices, _ = engine.load_products(str(file))
    source = read_source(tmp_path)
    ours = _products(source, "published", 0, Report("x"))
    assert list(ours) == [one["asin"] for one in listed]
    assert len(ours) == 286
    for one in listed:
        product = ours[one["asin"]]
        assert (product.name, product.description, list(product.bullets)) == (
            one["Title"],
            one["Description"],
            one["BulletPoints"],
        )
        assert {name: list(values) for name, values in product.options.items()} == one["options"]
        assert (product.price_tag, product.query, product.category) == (
            one["Price"],
            one["query"],
            one["product_category"],
        )
        assert list(product.attributes) == one["Attributes"]
        assert min(one["pricing"]) <= product.price <= max(one["pricing"])
        assert min(one["pricing"]) <= prices[one["asin"]] <= max(one["pricing"])
    goals = published.get_human_goals(listed, prices)
    found = [sample.goal for asin in ours for sample in _human(source, ours[asin], 0)]
    assert [(goal.product.asin, list(goal.attributes), list(goal.options)) for goal in found] == [
        (goal["asin"], goal["attributes"], goal["goal_options"]) for goal in goals
    ]
    assert len(found) >= 5


def test_pages_are_those_of_the_published_example(upstream: Path) -> None:
    """Its three kinds of pages, drawn again from the products on them."""
    opening = words.read_opening(upstream)
    shown = [re.findall(r'Observation:\n"(.*)"\n', text)[0] for text in opening[2::2]]
    wish = shown[0].split(SEPARATOR)[2]
    parts = shown[1].split(SEPARATOR)[5:]
    item = shown[2].split(SEPARATOR)
    options = {item[4]: tuple(item[5:7])}
    products = [
        Product(asin, name, "", "", (), options, 0.0, tag, "", ())
        for asin, name, tag in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    ]

    class Shop:
        def find(self, text: str, most: int) -> range:
            return range(most)

        def product(self, key: int) -> Product:
            return products[key]

    visit = Visit(Shop(), wish)
    assert visit.page().observation == shown[0]
    visit.search("anything")
    assert visit.page().observation == shown[1]
    assert len(visit.page().clickables) == 2 + len(products)
    assert visit.click(products[0].asin.lower())
    assert visit.page().observation == shown[2] == shown[3]
    assert visit.click(item[6])


def test_replies_are_read_as_published(upstream: Path) -> None:
    """Both sides on replies that are put together of the parts that matter."""
    source = (upstream / TASK / "__init__.py").read_text("utf-8")
    (pattern,) = re.findall(r'r"(\[Aa\]ction.*)", response', source)
    call = re.compile(r"(.+)\[(.+)\]")
    draw = random.Random(9)
    parts = [
        "Action:",
        "action:",
        "Actions:",
        " ",
        "\n",
        "search[",
        "click[",
        "Search[",
        "]",
        "[",
        "red",
        "Buy Now",
        "x y",
        "",
    ]
    requests = set()
    for _ in range(5000):
        reply = "".join(draw.choices(parts, k=draw.randint(1, 9)))
        found = re.search(pattern, reply)
        given = protocol.parse(Action(text=reply))
        if found is None:
            assert given is None, reply
            continue
        matched = call.match(found.group(1))
        expected = protocol.Request("none")
        if matched and matched[1] in ("search", "click"):
            expected = protocol.Request("search" if matched[1] == "search" else "click", matched[2].lower())
        assert given == expected, reply
        requests.add(given)
    assert len(requests) > 20


def test_the_published_words_are_read_out_of_the_checkout(upstream: Path) -> None:
    opening = words.read_opening(upstream)
    assert len(opening) == 10
    assert opening[1] == "Ok."
    assert "click[value]" in opening[0]
    assert opening[-1].endswith("click[Buy Now]")
    assert not set(opening) & set(protocol.OPENING)


def test_another_folder_is_no_checkout(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no checkout of AgentBench v0\.2"):
        words.read_opening(tmp_path)
    file = tmp_path / words.FILE
    file.parent.mkdir(parents=True)
    file.write_text("session.inject({'role': 'agent', 'content': 'Ok.'})")
    with pytest.raises(ValueError, match="are not found"):
        words.read_opening(tmp_path)
