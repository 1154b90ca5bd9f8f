"""Tasks on sites of our own content, made from a seed; golds are worked out from the seeded databases.

`demo-web` is the pack of one seed; another seed gives other goods, people, prices and ids, and other tasks. Templates
are the `TEMPLATES` of the modules beside this; those whose answers stand in pictures are `pictures.TEMPLATES`, and make
`demo-vision`.
"""

import asyncio
import importlib
import json
import pkgutil
import random
from collections.abc import Mapping, Sequence
from types import MappingProxyType, ModuleType
from typing import Any

from envs.web_sites import install
from envs.web_sites.generator import pictures
from envs.web_sites.generator.parts import Content, Contents, Task, Template, state_probes
from envs.web_sites.site import names, site
from packs import cards
from packs.benchmark import Benchmark, Scoring
from packs.draft import DraftPack
from packs.problem import Episode, Problem, ReferenceLine
from packs.report import Report

SEED = 20261121
SPLITS = ("dev", "test", "test")
STEPS = 30
DRAWS = 50
FORMATS = {
    "information": "End with stop and the answer alone; N/A if there is none.",
    "navigation": "End with stop on the page asked for; N/A if it cannot be done.",
    "content": "End with stop once it is done; N/A if it cannot be done.",
}
SUMMARY = "Tasks on a shop, a forum, an encyclopaedia, a map and small tools, judged by what they leave behind"
CANARY = "heldout canary demo-web 51f0c7d92ab8"
# Of demo-web; raised with its tasks, since an instance that holds a release takes no other content under its number.
VERSION = "1.1.0"
CARD = """Tasks on a shop with its administration, a forum, a forge, an encyclopaedia with manuals, a map and small
tools: finding things out, getting to a page, writing and setting things up. Everything on the sites is made from a
seed, and golds are worked out from it. Judged by the final answer, the final address and the difference of the sites'
databases: what should have changed and nothing else. The score is the mean over templates."""


def templates() -> list[Template]:
    """The templates of all modules in this folder but `pictures`, in the order of the modules' names."""
    names = sorted({item.name for item in pkgutil.iter_modules(__path__)} - {"__main__", "pictures"})
    modules: list[ModuleType] = [importlib.import_module(f"{__name__}.{name}") for name in names]
    return [template for module in modules for template in getattr(module, "TEMPLATES", ())]


async def contents(
    seed: int, extracts: Mapping[str, str] = MappingProxyType({}), *, only: Sequence[str] | None = None
) -> Contents:
    """The content of every site, or of `only` these; `extracts` as in `WebSitesSpec`. Raises SiteUnavailableError."""
    found = {}
    for name in only or names():
        folder = await install.template(site(name), seed, digest=extracts.get(name))
        found[name] = Content(name, folder / "site.sqlite3", extracts.get(name))
    return found


def demo(contents: Contents, seed: int = SEED) -> DraftPack:
    """The pack `demo-web` from the sites' content under the same seed."""
    pairs = _pairs(templates(), contents, seed, SPLITS)
    card = cards.demo("demo-web", title="Demo: sites", summary=SUMMARY, card=CARD, canary=CANARY, version=VERSION)
    return _draft(pairs, card, seed)


def demo_vision(contents: Contents, seed: int = SEED) -> DraftPack:
    """The pack `demo-vision`: tasks whose answers stand in pictures."""
    pairs = _pairs(pictures.TEMPLATES, contents, seed, SPLITS)
    said = {"title": "Demo: pictures", "summary": pictures.SUMMARY, "card": pictures.CARD, "canary": pictures.CANARY}
    return _draft(pairs, cards.demo("demo-vision", version="1.0.0", **said), seed)


async def generate(*, seed: int, count: int = 102, split: str = "test", slug: str = "live-web") -> DraftPack:
    """A pack of at least `count` fresh tasks, equally many of each template; the same for the same seed.

    Where `HELDOUT_MAP_EXTRACT` names an OpenStreetMap extract, the map's tasks are about it.
    Raises SiteUnavailableError where a site is not installed, and ValueError where a template cannot give so many.
    """
    each = -(-count // len(templates()))
    held = await contents(seed, await asyncio.to_thread(install.extracts, names()))
    pairs = _pairs(templates(), held, seed, (split,) * each)
    scoring = Scoring(scheme="macro", by="group")
    card = cards.live(slug, split, seed, title="Live: sites", summary=SUMMARY, card=CARD, scoring=scoring)
    return _draft(pairs, card, seed)


async def generate_vision(*, seed: int, count: int = 33, split: str = "test", slug: str = "live-vision") -> DraftPack:
    """As `generate`, tasks whose answers stand in pictures."""
    each = -(-count // len(pictures.TEMPLATES))
    pairs = _pairs(pictures.TEMPLATES, await contents(seed, only=pictures.SITES), seed, (split,) * each)
    scoring = Scoring(scheme="macro", by="group")
    card = cards.live(
        slug, split, seed, title="Live: pictures", summary=pictures.SUMMARY, card=pictures.CARD, scoring=scoring
    )
    return _draft(pairs, card, seed)


def _draft(pairs: Sequence[tuple[Problem, ReferenceLine]], card: Benchmark, seed: int) -> DraftPack:
    report = Report(f"sites, seed {seed}", read=len(pairs))
    problems, references = [problem for problem, _ in pairs], [line for _, line in pairs]
    return DraftPack(report, problems, references, card=lambda _: card)


def _pairs(
    templates: Sequence[Template], contents: Contents, seed: int, splits: Sequence[str]
) -> list[tuple[Problem, ReferenceLine]]:
    return [
        _pair(template, index, task, seed, splits[index], contents)
        for template in templates
        for index, task in enumerate(tasks(template, contents, seed, len(splits)))
    ]


def tasks(template: Template, contents: Contents, seed: int, count: int = len(SPLITS)) -> list[Task]:
    """A template's tasks, no two with the same right result."""
    made: list[Task] = []
    for index in range(count):
        for attempt in range(DRAWS):
            task = template(
                random.Random(f"{seed}:{template.__name__}:{index}:{attempt}"), contents, index % len(SPLITS)
            )
            if all(task.parts != other.parts and task.intent != other.intent for other in made):
                break
        else:
            raise ValueError(f"the template {template.__name__} has fewer than {count} different tasks here")
        made.append(task)
    return made


def group(template: Template) -> str:
    """The name of a template's tasks."""
    return template.__name__.replace("_", "-")


def _pair(
    template: Template, index: int, task: Task, seed: int, split: str, contents: Contents
) -> tuple[Problem, ReferenceLine]:
    id_ = f"{group(template)}-{index + 1}"
    problem = Problem(
        id=id_,
        split=split,
        type="web_sites",
        subject=task.category,
        statement=task.intent,
        answer_format=FORMATS[task.category],
        group=group(template),
        source="written for this project",
        episode=True,
    )
    extracts = {name: digest for name in task.sites if (digest := contents[name].extract)}
    notes = {"unachievable": task.unachievable, "everything": task.everything}
    line = ReferenceLine(
        id=id_,
        reference=reference(task),
        solution=json.dumps(notes, ensure_ascii=False),
        episode=episode(task, seed, extracts),
        oracle=tuple({"text": text} for text in task.oracle),
    )
    return problem, line


def reference(task: Task) -> dict[str, object]:
    """All parts must hold."""
    return {"kind": "composite", "rule": "all", "parts": [{"reference": part} for part in task.parts]}


def episode(task: Task, seed: int, extracts: Mapping[str, str] = MappingProxyType({})) -> Episode:
    """The sites, tabs and roles; `extracts` as in `WebSitesSpec`."""
    spec: dict[str, Any] = {
        "sites": list(task.sites),
        "seed": seed,
        "start": [{"site": name, "path": path} for name, path in task.start],
        "signed_in": dict(task.signed_in),
        "whole_page": True,
    }
    if task.pictured:
        spec |= {"mode": "screenshot", "marks": True}
    if extracts:
        spec["extracts"] = dict(extracts)
    probes = (*task.probes, *state_probes(task.parts))
    return Episode(environment="web_sites", spec=spec, probes=probes, steps=STEPS)
