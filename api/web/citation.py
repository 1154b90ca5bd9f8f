"""How a benchmark is cited."""

import re

from api.catalog.schemas import BenchmarkPublic

_SPECIAL = re.compile(r"[&%$#_]")


def bibtex(benchmark: BenchmarkPublic, address: str) -> str:
    """A BibTeX entry of the current release, with the digest that says which problems it has."""
    fields = {
        "title": f"{{{_plain(benchmark.title)}}}",
        "author": f"{{{_plain(benchmark.owner)}}}",
        "year": str(benchmark.published_at.year),
        "version": benchmark.version,
        "howpublished": f"\\url{{{address}/b/{benchmark.slug}}}",
        "note": f"release digest {benchmark.digest[:16]}",
    }
    lines = "".join(f"  {name:<12} = {{{value}}},\n" for name, value in fields.items())
    return f"@misc{{heldout-{benchmark.slug}-{benchmark.version},\n{lines}}}\n"


def _plain(text: str) -> str:
    """Text that TeX reads as it stands."""
    text = text.replace("\\", "").replace("{", "").replace("}", "").replace("~", " ").replace("^", "")
    return _SPECIAL.sub(lambda found: f"\\{found[0]}", text)
