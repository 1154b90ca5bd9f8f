"""`make.py SITE OUT SEED SIZE [EXTRACT]`: write a site's database (and pictures) for a seed into the folder OUT.

EXTRACT is a file of the owner's, for a site that makes its content of one.
"""

import os
import sys
from pathlib import Path

import tenancy
from loading import load


def main(site: str, out: str, seed: str, size: str, *extract: str) -> None:
    """Make the template that sessions copy. The same arguments give the same content."""
    os.environ.setdefault("HELDOUT_SITE_SECRET", "only while the template is made")
    folder = Path(out)
    (folder / tenancy.MEDIA).mkdir(parents=True, exist_ok=True)
    with tenancy.within(folder):
        load(Path(site)).make(int(seed), size, *map(Path, extract))


if __name__ == "__main__":
    main(*sys.argv[1:])
