"""What an owner, and the web process with them, reads of the check of a pack."""

import dataclasses
import tarfile
from pathlib import Path

from api.worker.examiner import Examined, examined
from packs.pack import Pack
from packs.problem import ReferenceLine
from packs.write import write_pack
from tests.support.service import choice_pack


async def _checked(pack: Pack, folder: Path) -> Examined:
    folder.mkdir()
    write_pack(folder / "pack", pack.benchmark, pack.problems, pack.references)
    with tarfile.open(folder / "pack.tar", "w") as made:
        made.add(folder / "pack", ".")
    return await examined(folder / "pack.tar", folder / "unpacked", pack.benchmark.owner)


async def test_the_check_of_a_sound_pack_tells_no_gold_of_a_hidden_split(tmp_path: Path) -> None:
    pack = choice_pack("quiz", 12, hidden={"chance_level": 0.25})
    hidden = {problem.id for problem in pack.problems if problem.split == "test"}

    def changed(line: ReferenceLine) -> ReferenceLine:
        if line.id not in hidden or line.reference["value"] != "A":
            return line
        return line.model_copy(
            update={"gold": "B", "reference": line.reference | {"value": "B"}, "solution": "It is B."}
        )

    other = dataclasses.replace(pack, references=tuple(map(changed, pack.references)))
    assert other.references != pack.references
    first, second = await _checked(pack, tmp_path / "first"), await _checked(other, tmp_path / "second")
    assert first.admissible, first.report.refusals
    assert {row.split for row in first.report.preview} == {"dev", "test"}
    assert first == second
