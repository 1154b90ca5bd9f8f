"""`python -m tools.drill_compose FOLDER`, for infra/compose/drill.sh: the walk there; the last line is JSON."""

import json
import os
import sys
import time
from pathlib import Path

from tools.drill_compose.composed import Composed, DrillError
from tools.drill_compose.walk import Walk


def main(folder: Path, engine: int) -> int:
    """0 where all is as the page says."""
    facts: dict[str, object] = {}
    began = time.monotonic()

    def note(name: str, value: object) -> None:
        facts[name] = value
        print(f"drill: {name}: {value}", file=sys.stderr, flush=True)

    composed = Composed(folder, engine)
    wrong = ""
    try:
        composed.prepare()
        note("compose", composed.docker_compose("version", "--short"))
        note("engine", composed.run(["docker", "version", "--format", "{{.Server.Version}}"]))
        Walk(composed, note).all()
    except DrillError as error:
        wrong = str(error)
        print(f"drill: {wrong}\n{composed.docker_compose('ps', '-a')}", file=sys.stderr)
        print(composed.docker_compose("logs", "--tail", "15"), file=sys.stderr)
    finally:
        composed.docker_compose("down", "--volumes", "--remove-orphans")
    left = composed.run(["docker", "ps", "-aq"]).split() + composed.run(["docker", "volume", "ls", "-q"]).split()
    note("seconds", round(time.monotonic() - began))
    print(json.dumps({"worked": not wrong and not left, "wrong": wrong[:300], "left": left} | facts))
    return int(bool(wrong or left))


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1]), int(os.environ["DRILL_ENGINE"])))
