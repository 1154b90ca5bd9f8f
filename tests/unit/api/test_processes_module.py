"""What importing the long-running processes does to whoever imports them."""

import subprocess
import sys


def test_who_imports_them_still_collects_garbage() -> None:
    # `up` and `hosts` run for months, and so did a test process: 3.4 GB of applications that nobody referred to.
    said = subprocess.check_output([sys.executable, "-c", "import gc, api.processes; print(gc.isenabled())"])
    assert said.strip() == b"True"
