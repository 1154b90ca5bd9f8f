"""A service with something to see on every page: benchmarks, runs of several organisations, a picture, an episode."""

import math
import struct
import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from packs.benchmark import Benchmark
from packs.pack import Pack
from packs.problem import Image, Problem, ReferenceLine
from tests.support.service import Caller, Service, choice_pack
from tests.support.sql import sql


def drawing(width: int = 480, height: int = 300) -> bytes:
    """A PNG: a river through a plain."""
    rows = []
    for y in range(height):
        bank = width / 2 + 90 * math.sin(y / 40)
        river = [abs(x - bank) < 14 + y / 20 for x in range(width)]
        rows.append(b"\0" + bytes(part for wet in river for part in ((80, 130, 190) if wet else (214, 222, 190))))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(b"".join(rows))), (b"IEND", b""))
    chunks = (struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d)) for n, d in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


# Name, organisation, who can use it, dollars, and which of the open problems it gets wrong.
MODELS = [
    ("alba-large", "lab", "api", 12.5, ()),
    ("alba-small", "lab", "open", 0.8, (1, 5)),
    ("cirrus", "team", "closed", 31.0, (2,)),
    ("cirrus-mini", "team", "open", 0.35, (0, 2, 3, 6)),
    ("guess", "team", "", 0.01, (0, 1, 2, 3, 4, 5)),
]


@dataclass(frozen=True)
class Gallery:
    """The service, two callers by organisation, and the run of each model on the open split."""

    service: Service
    callers: dict[str, Caller]
    runs: dict[str, str]

    async def fill(self, rows: int) -> None:
        """As many entries more on the hidden split, of other names, scores, costs and days."""
        async with self.service.admin.session() as session:
            await sql(session, _FILL, {"rows": rows})
            await sql(session, "analyze entry")


def rivers(picture: Path) -> Pack:
    """Eight open problems with formulas, one of them with a picture, and as many hidden ones."""
    base = choice_pack("rivers", count=8, hidden={"feedback": "scores"})
    head = base.benchmark.model_dump(mode="json") | {
        "title": "Rivers of Europe",
        "summary": "Lengths, basins and discharges, as a hydrologist would ask for them.",
        "card": "# What it measures\n\nReading of [tables](https://example.org) and *formulas*.\n\n- one\n- two",
    }
    problems = [problem for problem in base.problems if problem.split == "test"]
    lines = [line for line in base.references if line.id.startswith("test")]
    for number in range(8):
        name, gold = f"dev-{number}", "ABCD"[number % 4]
        statement = (
            f"A river of length $\\ell={number + 2}\\,\\mathrm{{km}}$ falls\n\\[h=\\tfrac{{\\ell}}{{2}}\\] metres."
        )
        images = (Image(path="maps/one.png", alt="a map of the river"),) if number == 0 else ()
        choices = [{"label": letter, "text": f"${letter.lower()}^2$"} for letter in "ABCD"]
        problems.append(
            Problem.model_validate(
                {
                    "id": name,
                    "split": "dev",
                    "type": "multiple_choice",
                    "subject": ("lengths", "falls")[number % 2],
                    "statement": statement,
                    "choices": choices,
                    "images": images,
                }
            )
        )
        reference = {"kind": "multiple_choice", "value": gold}
        lines.append(ReferenceLine(id=name, reference=reference, gold=gold, solution=f"It is ${gold.lower()}^2$."))
    return replace(
        base,
        benchmark=Benchmark.model_validate(head),
        problems=tuple(problems),
        references=tuple(lines),
        assets={"maps/one.png": picture},
    )


async def furnished(service: Service) -> Gallery:
    """Publish, let every model answer both splits, grade."""
    picture = service.settings.data_dir / "gallery.png"
    picture.write_bytes(drawing())
    await service.publish(rivers(picture))
    await service.publish(choice_pack("quiz", agreement=True))
    callers = {name: await service.reader(f"{name}@example.org", name) for name in ("lab", "team")}
    for name in callers:
        await service.verify(name)
    runs = {}
    for model, organisation, access, cost, wrong in MODELS:
        caller = callers[organisation]
        about = {"name": model, "access": access, "version": "1", "url": f"https://{model}.example.org"}
        for split in ("dev", "test"):
            problems = await caller.problems("rivers", split)
            answers = ["BADC"[n % 4] if n in wrong else "ABCD"[n % 4] for n in range(len(problems))]
            made = await _submit(caller, split, about, problems, answers, cost)
            if split == "dev":
                runs[model] = made
    problems = (await callers["lab"].problems("rivers", "dev"))[:1]
    runs["partial"] = await _submit(callers["lab"], "dev", {"name": "partial"}, problems, ["A"], 0.1)
    await service.work()
    await service.release()
    return Gallery(service, callers, runs)


async def _submit(
    caller: Caller, split: str, model: dict[str, Any], problems: list[dict[str, Any]], answers: list[str], cost: float
) -> str:
    items = [
        {"problem": p["id"], "answer": f"I think so.\nANSWER: {a}", "usage": {"tokens": 900, "cost": cost / 8}}
        for p, a in zip(problems, answers, strict=True)
    ]
    body = {"benchmark": "rivers", "split": split, "model": model, "items": items}
    return str((await caller.post("/v1/submissions", json=body)).raise_for_status().json()["id"])


_FILL = """with one as (
  select u.*, o.name from submission u join organisation o on o.id = u.organisation_id
  join split s on s.id = u.split_id where s.name = 'test' limit 1),
made as (
  insert into submission (id, release_id, split_id, organisation_id, user_id, key_id, request_digest, model, state,
                          expected, received, attempt, created_at, failure)
  select gen_random_uuid(), release_id, split_id, organisation_id, user_id, key_id, '', model, 'graded', 1, 1, 1,
         now() - n * interval '1 hour', '' from one, generate_series(1, :rows) as n returning id, created_at)
insert into entry (submission_id, split_id, organisation_id, organisation, model_name, model, score, low, high,
                   coverage, attempts, breakdown, usage, verified, hidden, best, declared, created_at,
                   near_chance, overfit, judge_weak, contaminated)
select made.id, one.split_id, one.organisation_id, one.name, 'model-' || left(made.id::text, 8),
       jsonb_build_object('name', 'model-' || left(made.id::text, 8), 'access', 'open'), s.score,
       greatest(0, s.score - 0.04), least(1, s.score + 0.04), 1, 1, '{}',
       jsonb_build_object('cost', round((0.01 + 100 * random())::numeric, 2), 'tokens', 1000), false, false, true,
       false, made.created_at, false, false, false, false
from made, one, lateral (select round((0.2 + 0.6 * random())::numeric, 4)::float + 0 * length(made.id::text) as score) s
"""
