"""WebArena's published evaluators beside the classic mode, over cases made from every task.

Run with the folder of a checkout of WebArena: its evaluators are imported and called as they are; what they ask of a
browser, a model and NLTK is faked here, the same for both sides. Nothing of it is kept or copied.
"""

import argparse
import importlib
import json
import random
import sys
import tempfile
import time
import types
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from envs.web_sites.importers import webarena
from grading.answer import Answer, Evidence
from grading.registry import grade
from grading.tools import JudgeReply, JudgeRequest, Tools
from grading.webarena.matching import clean, word_tokens

SITES = {
    "__SHOPPING_ADMIN__": "http://w.test:7780/admin",
    "__SHOPPING__": "http://w.test:7770",
    "__REDDIT__": "http://w.test:9999",
    "__GITLAB__": "http://w.test:8023",
    "__MAP__": "http://w.test:3000",
    "__WIKIPEDIA__": "http://w.test:8888",
    "__HOMEPAGE__": "http://w.test:4399",
}
FILE = Path("web", "webarena", "test.raw.json")
NEWEST = f"{SITES['__SHOPPING__']}/sales/order/view/order_id/7/"
DIFFERENT_BY_RULE = "the published evaluator raises, and drops the task"
GARBAGE = ("", "N/A", "I do not know.", "0", "yes")


def resolved(text: str) -> str:
    """With addresses for placeholders, as the published files are written before a run."""
    for name, address in SITES.items():
        text = text.replace(name, address)
    return text


@dataclass
class Case:
    """What an agent left: its answer, its last address, and what each target's page gives."""

    answer: str
    url: str
    pages: list[str | None]
    judge: str = "incorrect"


@dataclass
class FakePage:
    """As much of a page as the evaluators use: it gives the contents in the order in which they are asked for."""

    url: str
    pages: list[str | None]
    asked: int = 0

    def goto(self, url: str) -> None:
        """Go there."""
        self.url = url

    def _next(self) -> str:
        found = self.pages[min(self.asked, len(self.pages) - 1)] if self.pages else None
        self.asked += 1
        if found is None:
            raise RuntimeError("the locator finds nothing")
        return found

    def content(self) -> str:
        """The whole page."""
        found = self.pages[min(self.asked, len(self.pages) - 1)] if self.pages else ""
        self.asked += 1
        return found or ""

    def evaluate(self, script: str) -> str:
        """What a locator gives; preparations give nothing."""
        return "" if ".click()" in script or ".value =" in script else self._next()


@dataclass
class Upstream:
    """The published evaluators, with what they ask of others faked."""

    module: Any
    replies: list[str] = field(default_factory=list)

    @classmethod
    def load(cls, folder: Path) -> "Upstream":
        """Import them from a checkout."""
        made = cls(None)
        fakes: dict[str, dict[str, Any]] = {
            "beartype": {"beartype": lambda function: function},
            "nltk": {},
            "nltk.tokenize": {"word_tokenize": word_tokens},
            "playwright": {},
            "playwright.sync_api": {"CDPSession": object, "Page": FakePage},
            "browser_env": {},
            "browser_env.actions": {"Action": dict},
            "browser_env.utils": {"StateInfo": dict},
            "browser_env.env_config": {"ACCOUNTS": {}} | {name.strip("_"): url for name, url in SITES.items()},
            "llms": {},
            "llms.providers": {},
            "llms.providers.openai_utils": {"generate_from_openai_chat_completion": lambda **_: made.replies[-1]},
            "requests": {},
        }
        for name, members in fakes.items():
            module = types.ModuleType(name)
            module.__dict__.update(members)
            sys.modules[name] = module
        sys.path.insert(0, str(folder))
        made.module = importlib.import_module("evaluation_harness.evaluators")
        made.module.time = types.SimpleNamespace(sleep=lambda _seconds: None)
        made.module.shopping_get_latest_order_url = lambda: NEWEST
        return made

    def score(self, config: Path, task: dict[str, Any], case: Case) -> float | None:
        """The published score; None where the evaluator raises."""
        page = FakePage(case.url, case.pages)
        for name in ("shopping_get_sku_latest_review_author", "shopping_get_sku_latest_review_rating"):
            setattr(self.module, name, lambda _sku: page.content())
        self.module.gitlab_get_project_memeber_role = lambda page, _account: page.content()
        self.replies.append(case.judge)
        try:
            judge = self.module.evaluator_router(config)
            return float(judge([{}, {"answer": case.answer}], config, page, None))
        except Exception:
            return None


class Scripted:
    """A judge that says one thing."""

    def __init__(self, reply: str) -> None:
        self.reply = reply

    def ask(self, _request: JudgeRequest) -> JudgeReply:
        """Its reply."""
        return JudgeReply(data={"verdict": self.reply}, model="scripted", digest="d" * 64)


def ours(task: dict[str, Any], case: Case) -> float | None:
    """The classic mode's score; None where it is left open."""
    held = webarena.reference(task, "published")
    evidence = [Evidence(name="page", value={"url": case.url, "sites": dict(SITES)})]
    for place in range(len(task["eval"]["program_html"])):
        page = case.pages[min(place, len(case.pages) - 1)] if case.pages else None
        value = {"url": case.url, "content": page, "text": None, "sites": dict(SITES)}
        evidence.append(Evidence(name=f"target_{place}", value=value))
    given = Answer(text=case.answer, evidence=tuple(evidence))
    return grade(given, held, Tools(judge=Scripted(case.judge))).score


def answers(task: dict[str, Any], others: list[str], draw: random.Random) -> Iterator[str]:
    """Answers that are right, nearly right, somebody else's, or nothing."""
    expected = task["eval"]["reference_answers"] or {}
    golds = [value if isinstance(value, str) else ", ".join(value) for value in expected.values()]
    for gold in golds:
        yield from (gold, gold.upper(), f"'{gold}'", f'"{gold}"', f"'\"{gold}\"'", f"The answer is {gold}.", f"{gold} ")
        yield from (gold[:-1], f"1{gold}", f"{gold}9", gold.replace(" ", "  "), ", ".join([gold, *others[:4]]))
    yield from GARBAGE
    yield from draw.sample(others, min(2, len(others)))


def addresses(task: dict[str, Any], draw: random.Random) -> Iterator[str]:
    """Addresses at which somebody may have ended."""
    for option in resolved(task["eval"]["reference_url"] or "").split(" |OR| "):
        if option:
            yield from (option, f"{option}/", f"{option}?x=1", f"{option}&x=1", f"{option}asdf", f"{option}#top")
            yield from (option.rsplit("/", 1)[0], option.partition("?")[0], option.replace("http://", "https://"))
    yield draw.choice(list(SITES.values()))


def pages(task: dict[str, Any], draw: random.Random) -> Iterator[list[str | None]]:
    """What the targets' pages may give."""
    entries = task["eval"]["program_html"]
    right: list[str | None] = []
    for entry in entries:
        required = entry["required_contents"]
        texts = [required["exact_match"]] if "exact_match" in required else required["must_include"]
        right.append(resolved("\n".join(text.split(" |OR| ")[0] for text in texts)))
    yield right
    yield [f"  {page}  " for page in right]
    yield [f"<p>{page}</p> and more" for page in right]
    yield [str(page).upper() for page in right]
    yield [str(page).replace("&", "&amp;").replace("<", "&lt;") for page in right]
    for place in range(len(entries)):
        for wrong in (None, "", "something else", str(right[place])[:-1]):
            yield [*right[:place], wrong, *right[place + 1 :]]
    yield [draw.choice([page, None, "x"]) for page in right]


def cases(task: dict[str, Any], others: list[str], draw: random.Random) -> Iterator[Case]:
    """One thing varied at a time, and some of several."""
    urls, contents = list(addresses(task, draw)), list(pages(task, draw))
    texts = list(answers(task, others, draw))
    for text in texts:
        # A judge calls a repetition of the reference correct; one that does not is a case of its own, once a task.
        said = replies(task) if not repeats(task, text) or text == texts[0] else replies(task)[:1]
        for judge in said[:2] if repeats(task, text) else said:
            yield Case(text, urls[0], contents[0], judge)
    for url in urls[1:]:
        yield Case(texts[0], url, contents[0])
    for found in contents[1:]:
        yield Case(texts[0], urls[0], found)
    for _ in range(5):
        yield Case(draw.choice(texts), draw.choice(urls), draw.choice(contents))


def repeats(task: dict[str, Any], answer: str) -> bool:
    """Whether an answer is word for word what a judge would compare it with."""
    expected = (task["eval"]["reference_answers"] or {}).get("fuzzy_match")
    return isinstance(expected, list) and clean(clean(answer)) in map(clean, expected)


def replies(task: dict[str, Any]) -> tuple[str, ...]:
    """What a judge may say of a task's answer; one that is not asked says nothing that matters."""
    meaning = (task["eval"]["reference_answers"] or {}).get("fuzzy_match")
    if meaning is None:
        return ("incorrect",)
    return ("Same.", "different") if meaning == "N/A" else ("It is correct", "incorrect", "partially correct")


def reason(task: dict[str, Any], case: Case, published: float | None, classic: float | None) -> str:
    """The class of a difference."""
    if published is None:
        return DIFFERENT_BY_RULE
    if repeats(task, case.answer):
        return "an answer word for word as the reference is not put to a judge"
    if classic is None:
        return "left open for want of a judge's word"
    return f"published {published:g}, classic {classic:g}: {'+'.join(task['eval']['eval_types'])}"


def compare(folder: Path, tasks: list[dict[str, Any]], seed: int) -> dict[str, Any]:
    """Every case of every task through both."""
    upstream, draw = Upstream.load(folder), random.Random(seed)
    golds = ["; ".join(map(str, (task["eval"]["reference_answers"] or {}).values())) for task in tasks]
    counted: Counter[str] = Counter()
    examples: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as place:
        config = Path(place) / "task.json"
        for task in tasks:
            config.write_text(resolved(json.dumps(task)), encoding="utf-8")
            for case in cases(task, draw.sample(golds, 6), draw):
                published, classic = upstream.score(config, task, case), ours(task, case)
                name = "equal" if published == classic else reason(task, case, published, classic)
                counted[name] += 1
                if name != "equal" and len(examples.setdefault(name, [])) < 5:
                    examples[name].append(f"{task['task_id']}: {case.answer[:60]!r} {case.url[:80]} {case.judge}")
    whole = sum(counted.values())
    decided = whole - counted[DIFFERENT_BY_RULE]
    return {
        "cases": whole,
        "equal": counted["equal"],
        "share": round(counted["equal"] / decided, 5),
        "of_all": round(counted["equal"] / whole, 5),
        "classes": dict(counted),
        "examples": examples,
    }


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="The classic mode beside WebArena's own evaluators.")
    parser.add_argument("upstream", type=Path, help="folder of a checkout of WebArena")
    parser.add_argument("data", type=Path, help="folder of the published data")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    begun = time.monotonic()
    found = compare(given.upstream, json.loads((given.data / FILE).read_text("utf-8")), given.seed)
    print(json.dumps(found | {"seconds": round(time.monotonic() - begun, 1)}, indent=1))
    raise SystemExit(found["share"] < 0.98)


if __name__ == "__main__":
    main()
