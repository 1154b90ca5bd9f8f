"""`python -m envs.web_sites.prepare [SITE ...] [--seed N] [--size full]`: install sites and make their content ahead.

Says what could not be done and goes on: everything else works without the sites.
"""

import argparse
import asyncio
import time

from envs.base import InfrastructureError
from envs.web_sites import install
from envs.web_sites.site import names, site


async def prepare(names: list[str], seed: int | None, size: str) -> bool:
    """Install each site, and make its content if a seed is given; whether everything went well."""
    well = True
    for name in names:
        begun = time.perf_counter()
        try:
            await install.python(site(name))
            place = await install.template(site(name), seed, size) if seed is not None else ""
        except InfrastructureError as error:
            print(f"site '{name}' is left out: {error}")
            well = False
            continue
        print(f"site '{name}' is ready ({time.perf_counter() - begun:.1f} s) {place}".rstrip())
    return well


def main() -> None:
    """The command line. Ends with status 1 when a site could not be prepared."""
    parser = argparse.ArgumentParser(description="Install sites and make their content.")
    parser.add_argument("sites", nargs="*", default=[])
    parser.add_argument("--seed", type=int)
    parser.add_argument("--size", choices=install.SIZES, default="full")
    given = parser.parse_args()
    raise SystemExit(not asyncio.run(prepare(given.sites or names(), given.seed, given.size)))


if __name__ == "__main__":
    main()
