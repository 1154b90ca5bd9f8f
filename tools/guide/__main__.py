"""`python -m tools.guide [FOLDER]`: build the site; a broken link, anchor or picture ends it with code 1."""

import sys
import time
from pathlib import Path

from tools.guide.build import OUT, GuideError, build


def main() -> int:
    """Build into the folder that is named, or the one that the service serves."""
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else OUT
    begun = time.monotonic()
    try:
        pages = build(out)
    except GuideError as error:
        print(error, file=sys.stderr)
        return 1
    kilobytes = sum(path.stat().st_size for path in out.rglob("*") if path.is_file()) // 1000
    print(f"guide: {pages} pages, {kilobytes} kB, {time.monotonic() - begun:.1f} s, in {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
