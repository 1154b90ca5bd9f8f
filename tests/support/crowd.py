"""A board as it looks after a year: forty entries more of a dozen organisations, long names, a corrected release."""

import json
import random
from dataclasses import replace
from pathlib import Path

from packs.pack import Pack
from tests.support.gallery import Gallery, rivers
from tests.support.sql import sql

_ORGANISATIONS = (
    ("northwind", "Northwind Research", True),
    ("eth-flood", "Institute of Hydrology, Hydraulics and Glaciology of the Technical University", True),
    ("kestrel", "Kestrel AI", False),
    ("open-rivers", "Open Rivers Collective", True),
    ("muller", "Müller & Söhne Wasserbau GmbH", False),
    ("jiang", "江河实验室", False),
)
_FAMILIES = ("alder", "basalt-instruct", "corvid", "delta-reasoner-with-tools", "estuary", "fjord-MoE", "glacier-math")
_SIZES = ("3B", "8B", "34B-chat", "70B-preview-2026-05-14", "400B-A17B-thinking-high-budget")
_ORGANISATION = """insert into organisation (id, slug, name, created_at, verified_at)
values (gen_random_uuid(), :slug, :name, now(), case when :verified then now() end)"""
_ADD = """with one as (
  select u.*, p.id as split_of, r.id as release_of from submission u
  join release r on r.id = u.release_id join split p on p.release_id = r.id and p.name = :split limit 1),
made as (
  insert into submission (id, release_id, split_id, organisation_id, user_id, key_id, request_digest, model, state,
                          expected, received, attempt, created_at, failure)
  select gen_random_uuid(), release_of, split_of, o.id, one.user_id, one.key_id, '', cast(:model as jsonb), 'graded', 8,
         8, 1, now() - :days * interval '1 day', '' from one, organisation o where o.slug = :organisation
  returning id, organisation_id, split_id, created_at)
insert into entry (submission_id, split_id, organisation_id, organisation, model_name, model, score, low, high,
                   coverage, attempts, breakdown, usage, verified, hidden, best, declared, created_at,
                   near_chance, overfit, judge_weak, contaminated)
select made.id, made.split_id, made.organisation_id, o.name, cast(:model as jsonb)->>'name', cast(:model as jsonb),
       :score, greatest(0, :score - 0.11), least(1, :score + 0.11), :coverage, :attempts,
       cast(:breakdown as jsonb), cast(:usage as jsonb), :verified, false, true, :declared, made.created_at,
       false, false, :weak, false
from made join organisation o on o.id = made.organisation_id
"""


async def crowded(gallery: Gallery, seed: int = 16) -> None:
    """Fill both boards of the rivers, and correct a gold in a second release."""
    drawn = random.Random(seed)
    async with gallery.service.admin.session() as session:
        for slug, name, verified in _ORGANISATIONS:
            await sql(session, _ORGANISATION, {"slug": slug, "name": name, "verified": verified})
        for number in range(40):
            for split in ("dev", "test"):
                await sql(session, _ADD, _row(drawn, number, split))
        await sql(session, "analyze entry")
    await gallery.service.publish(_corrected(gallery.service.settings.data_dir / "gallery.png"))


def _row(drawn: random.Random, number: int, split: str) -> dict[str, object]:
    size = number % len(_SIZES)
    skill = min(0.96, max(0.06, drawn.gauss(0.32 + 0.11 * size, 0.11)))
    parts = {name: {"score": min(1.0, max(0.0, drawn.gauss(skill, 0.06))), "n": 4} for name in ("falls", "lengths")}
    model = {
        "name": f"{_FAMILIES[number % len(_FAMILIES)]}-{_SIZES[size]}",
        "version": f"2026-{1 + number % 12:02}",
        "access": drawn.choice(("open", "api", "closed", "")),
    }
    cost = round(10 ** drawn.gauss(-1.5 + 0.8 * size, 0.5), 4)
    usage = {"cost": cost, "tokens": int(10 ** drawn.gauss(4.5, 0.6)), "seconds": round(10 ** drawn.gauss(2, 0.5), 1)}
    return {
        "split": split,
        "organisation": _ORGANISATIONS[number % len(_ORGANISATIONS)][0],
        "model": json.dumps(model),
        "days": drawn.uniform(1, 330),
        "score": round(skill, 4),
        "coverage": 0.5 if number % 13 == 12 else 1.0,
        "attempts": 1 + number % 5,
        "breakdown": json.dumps({} if split == "test" else {"subject": parts}),
        "usage": json.dumps(usage if number % 7 else {}),
        "verified": number % 6 == 0,
        "declared": number % 9 == 0,
        "weak": number % 17 == 5,
    }


def _corrected(picture: Path) -> Pack:
    pack = rivers(picture)
    head = pack.benchmark.model_copy(update={"version": "1.0.1"})
    lines = [
        line.model_copy(update={"reference": {"kind": "multiple_choice", "value": "C"}, "gold": "C"})
        if line.id == "test-7"
        else line
        for line in pack.references
    ]
    return replace(pack, benchmark=head, references=tuple(lines))
