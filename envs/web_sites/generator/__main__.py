"""`python -m envs.web_sites.generator OUT` writes the pack `demo-web` into the new folder OUT."""

import asyncio
import sys
from pathlib import Path

from envs.web_sites.generator import SEED, contents, demo

if __name__ == "__main__":
    demo(asyncio.run(contents(SEED))).write(Path(sys.argv[1]))
