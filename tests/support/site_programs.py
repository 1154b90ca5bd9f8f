"""Run the programs of `envs/web_sites/sites` that need nothing but Python, each in a process of its own."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

SITES = Path(__file__).parents[2] / "envs" / "web_sites" / "sites"


def told(site: str, program: str, *arguments: object, hash_seed: str = "0") -> Any:
    """What `program`, which sees the site's modules, prints as JSON."""
    places = f"import sys; sys.path[:0] = [{str(SITES / site)!r}, {str(SITES / 'common')!r}]\n"
    command = [sys.executable, "-B", "-c", places + program, *map(str, arguments)]
    surroundings = {"PYTHONHASHSEED": hash_seed, "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, capture_output=True, text=True, env=surroundings, timeout=250, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
