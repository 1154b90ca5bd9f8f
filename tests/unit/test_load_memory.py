"""What the load generator says of memory: shared pages once, and growth when there is some."""

import subprocess
import sys

import psutil
import pytest

from tools.load.faults import Disk
from tools.load.memory import ENOUGH, flat, growth, memory_of

MIB = 64
# A parent and two children that have all touched the same pages, and hold as much again of their own.
SHARING = f"""
import mmap, os, sys
shared = mmap.mmap(-1, {MIB} << 20)
shared[:] = bytes(len(shared))
for _ in range(2):
    if not os.fork():
        break
own = bytearray(os.urandom(1) * ({MIB // 4} << 20))
sum(shared[::4096])
os.write(1, b"ready\\n")
os.read(0, 1)
"""


@pytest.mark.timeout(120)
def test_what_processes_share_counts_once() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SHARING], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert [process.stdout.readline() for _ in range(3)] == ["ready\n"] * 3
        found = memory_of(process.pid)
        tree = [psutil.Process(process.pid), *psutil.Process(process.pid).children()]
        resident = sum(one.memory_info().rss for one in tree) / 2**20
        process.kill()
        for child in tree[1:]:
            child.kill()
    assert found.processes == 3
    assert 3 * MIB / 4 <= found.private < MIB + 3 * MIB / 4, "the shared pages are nobody's own"
    assert found.private + MIB <= found.whole < found.private + 2 * MIB, "and are there once"
    assert resident > found.whole + MIB


def test_a_process_that_grows_on_is_not_flat() -> None:
    warming = [100.0 + 10 * min(minute, 15) for minute in range(60)]
    assert (growth(warming), flat(warming)) == (0.0, True)
    leaking = [250.0 + 2 * minute for minute in range(60)]
    assert growth(leaking) == 40.0
    assert not flat(leaking)
    assert flat([30.0 + minute / 5 for minute in range(60)]), "some MiB of a small process"
    assert flat(leaking[: ENOUGH - 1]), "too few to say"
    # A process that is killed again and again, and grows meanwhile as far each time.
    assert flat([100.0 + 15 * (minute % 10) for minute in range(60)])


def test_a_disk_that_is_written_to_while_it_is_filled_is_full_in_the_end(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    class Written(Disk):
        """The database's write comes between the look and the change of size, three times."""

        def _resize(self, size: str) -> None:
            written = list(self.folder.iterdir())
            if size.endswith("k") and len(written) < 4:
                (self.folder / str(len(written))).write_bytes(bytes(1 << 20))
            super()._resize(size)

    try:
        with Written.mounted(tmp_path_factory.mktemp("disk"), 16) as disk:
            (disk.folder / "0").write_bytes(bytes(1 << 20))
            disk.fill()
            with pytest.raises(OSError, match="No space left"):
                (disk.folder / "more").write_bytes(bytes(1 << 16))
            disk.make_room()
            (disk.folder / "more").write_bytes(bytes(1 << 16))
    except PermissionError as error:
        pytest.skip(str(error))
