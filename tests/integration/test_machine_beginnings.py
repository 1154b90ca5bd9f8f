"""How a machine begins: what `init` does is there, and nothing of how it was run."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from envs.base import SpecError
from envs.operating_system.environment import OperatingSystem
from envs.sandbox.base import Backend
from tests.support.live import bash, sandboxes

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
async def backend() -> AsyncIterator[Backend]:
    async with sandboxes() as found:
        yield found


async def seen(backend: Backend, commands: list[str], *init: str, seed: int = 1, **more: Any) -> list[str]:
    """What the commands print, in order, on a machine that began with these scripts."""
    scripts = [{"code": code, "language": more.pop("language", "bash")} for code in init]
    world = OperatingSystem(backend)
    try:
        await world.reset({"problem": "?", "turns": 50, "init": scripts} | more, seed)
        return [str((await world.step(bash(command))).observation.data["output"]) for command in commands]
    finally:
        await world.close()


# Without `ls`, which an old gVisor cannot run.
FILES = "for f in /tmp/* /tmp/.[!.]*; do if [ -e $f ]; then echo $f; fi; done"
NOTHING_LEFT = f"{FILES}; readlink /proc/$$/fd/62; echo ${{word-unset}}; type -t told; echo $PWD $-"


@pytest.mark.parametrize(
    "init", [(), ("word=1; told() { :; }; cd /; set -u; shopt -s extglob; exit",), ("true", "true")]
)
async def test_nothing_is_left_of_how_it_was_run(backend: Backend, init: tuple[str, ...]) -> None:
    left, options = await seen(backend, [NOTHING_LEFT, "shopt extglob"], *init)
    assert left == "unset\n/root hBs\n"
    assert options.split() == ["extglob", "off"]


async def test_a_script_is_read_command_by_command(backend: Backend) -> None:
    """As by a shell of its own: what a line switches on holds for the next, and an open document ends with it."""
    script = "shopt -s extglob\necho @(a) > /root/seen\ncat > /root/document <<END\nlast"
    assert await seen(backend, ["cat /root/seen /root/document"], script) == ["@(a)\nlast\n"]


async def test_a_script_that_fails_is_the_benchmarks_fault_and_says_so(backend: Backend) -> None:
    for script, status in (
        ("set -e; echo before; false; echo after", 1),
        ("echo before; exit 7", 7),
        ("echo before\nfi", 2),
        ("echo before; kill -9 $BASHPID", 137),
    ):
        with pytest.raises(SpecError, match=rf"(?s)^init script 1 ended with status {status}: before\n(?!.*after)"):
            await seen(backend, [], "true", script, "touch /root/never")
    with pytest.raises(SpecError, match="it ended the shell above it"):
        await seen(backend, [], "kill -9 $$")


async def test_what_it_starts_lives_on_and_holds_nothing_of_the_shell(backend: Backend) -> None:
    script = "while :; do echo said; sleep 0.01; done & echo $! > /root/pid; sleep 86400 & echo $! >> /root/pid"
    held = "for p in $(cat /root/pid); do kill -0 $p || echo gone; readlink /proc/$p/fd/*; done"
    commands = [f"{held} | grep -e gone -e pipe"]
    assert await seen(backend, commands, script) == [""]


async def test_its_lots_are_the_seeds(backend: Backend) -> None:
    script = "echo $RANDOM $RANDOM > /root/drawn; head -c 8 /dev/urandom | od -An -tx1 >> /root/drawn"
    look = ["cat /root/drawn", FILES]
    first, again, other = [await seen(backend, look, "true", script, seed=seed) for seed in (5, 5, 6)]
    assert first == again
    assert first[1] == ""
    assert all(line != unlike for line, unlike in zip(first[0].split("\n")[:2], other[0].split("\n")[:2], strict=True))
    # As drawn by a shell of its own.
    assert await seen(backend, ["bash -c 'RANDOM=6; echo $RANDOM $RANDOM'"]) == [first[0].split("\n")[0] + "\n"]


async def test_scripts_in_other_languages(backend: Backend) -> None:
    code = "import sys\nprint('told', file=sys.stderr)\nopen('/root/made', 'w').write('by python')"
    assert await seen(backend, [f"cat /root/made; {FILES}"], code, language="python") == ["by python"]
    with pytest.raises(SpecError, match="ended with status 3: told"):
        await seen(backend, [], code + "\nsys.exit(3)", language="python")
