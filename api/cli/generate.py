"""`generate`: fresh packs from the built-in generators, for test sets that have never been public."""

import re
from pathlib import Path
from typing import Annotated

import typer

from api.admission import soundness
from api.cli.common import console, fail, named
from envs import registry
from envs.base import EpisodeError
from packs import cards
from packs.problem import SLUG
from packs.read import PackError, read_pack
from packs.registry import generators


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(generate)


def generate(
    name: Annotated[str, typer.Argument(help=f"the generator: {', '.join(generators())}")],
    out: Annotated[Path, typer.Option(help="folder of the new pack; it must not exist")],
    count: Annotated[
        int | None, typer.Option(min=1, help="how many problems, at least: some write one of each of their templates")
    ] = None,
    split: Annotated[str, typer.Option(help="every split but dev is private: only ever played live")] = "test",
    slug: Annotated[str | None, typer.Option(help="the benchmark's short name")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="to make a pack again; drawn and printed if left out")] = None,
    option: Annotated[list[str] | None, typer.Option(help="further options of the generator, as name=value")] = None,
    check: Annotated[bool, typer.Option(help="play every gold first, where the generator asks for it")] = True,
) -> None:
    """Write a pack of fresh problems whose golds are worked out here. Whoever knows the seed can make it again."""
    for flag, word in (("--split", split), ("--slug", slug)):
        if word is not None and not re.fullmatch(SLUG, word):
            fail(f"{flag} {word!r}: write it in small letters, digits and dashes")
    used = cards.fresh_seed() if seed is None else seed
    try:
        given = named(option or ()) | {"count": count, "slug": slug, "split": split, "seed": used}
        report = soundness.generate(name, out, given, check)
        made = len(read_pack(out, registry, grade_gold=False).problems)
    except PackError as error:
        fail(f"the pack {out} was written but has faults:\n{error}")
    except (ValueError, OSError, EpisodeError) as error:
        fail(str(error))
    console.print("\n".join(report.lines()), markup=False, highlight=False, soft_wrap=True)
    if count is not None and made != count:
        console.print(f"{made} problems instead of {count}: equally many of each of its kinds", highlight=False)
    if split != "dev" and used < 2**32:
        console.print(f"seed {used} can be guessed, and the generator is public: leave --seed out for a hidden split")
