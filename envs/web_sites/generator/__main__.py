"""`python -m envs.web_sites.generator OUT` writes the pack `demo-web` into the new folder OUT, with `--vision` the pack
`demo-vision`.
"""

import asyncio
import sys
from pathlib import Path

from envs.web_sites.generator import SEED, contents, demo, demo_vision, pictures

if __name__ == "__main__":
    if sys.argv[2:] == ["--vision"]:
        made = demo_vision(asyncio.run(contents(SEED, only=pictures.SITES)))
    else:
        made = demo(asyncio.run(contents(SEED)))
    made.write(Path(sys.argv[1]))
