"""`generate`: fresh packs from the built-in generators, for test sets that have never been public."""

import importlib
import inspect
import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from api.catalog.generators import cards
from api.cli.common import console, fail
from envs.web_sites.install import SiteUnavailableError
from packs.problem import SLUG
from packs.read import PackError, read_pack


class Kind(StrEnum):
    """What can be generated; the name of the module in `api.catalog.generators`."""

    OPERATING_SYSTEM = "operating-system"
    DATABASE = "database"
    WEB_FORMS = "web-forms"
    WEB_SITES = "web-sites"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(generate)


def generate(
    kind: Annotated[Kind, typer.Argument(help="the environment")],
    out: Annotated[Path, typer.Option(help="folder of the new pack; it must not exist")],
    count: Annotated[int | None, typer.Option(min=1, help="how many problems")] = None,
    split: Annotated[str, typer.Option(help="every split but dev is private: only ever played live")] = "test",
    slug: Annotated[str | None, typer.Option(help="the benchmark's short name")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="to make a pack again; drawn and told if left out")] = None,
    check: Annotated[bool, typer.Option(help="play every gold first, where the kind needs it")] = True,
) -> None:
    """Write a pack of fresh problems whose golds are worked out here. Whoever knows the seed can make it again."""
    for option, name in (("--split", split), ("--slug", slug)):
        if name is not None and not re.fullmatch(SLUG, name):
            fail(f"{option} {name!r}: write it in small letters, digits and dashes")
    function = importlib.import_module(f"api.catalog.generators.{kind.value.replace('-', '_')}").generate
    used = cards.fresh_seed() if seed is None else seed
    given: dict[str, Any] = {"count": count, "slug": slug, "split": split, "seed": used, "check": check}
    known = inspect.signature(function).parameters
    try:
        report = function(out, **{name: value for name, value in given.items() if name in known and value is not None})
        read_pack(out, grade_gold=False)
    except PackError as error:
        fail(f"the pack {out} was written but has faults:\n{error}")
    except (ValueError, OSError, SiteUnavailableError) as error:
        fail(str(error))
    console.print("\n".join(report.lines()), markup=False, highlight=False, soft_wrap=True)
    if split != "dev" and used < 2**32:
        console.print(f"seed {used} can be guessed, and the generator is public: leave --seed out for a hidden split")
