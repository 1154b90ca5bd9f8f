"""Packs and exports that are made to hurt whoever reads them: each is refused with a fault, and nothing is opened."""

import io
import json
import os
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from api.core.crypto import passphrase_key, seal
from api.core.errors import ServiceError
from api.worker import exporting
from api.worker.exporting import WrongPassphraseError, export_benchmark, restore_benchmark
from api.worker.importing import NotOwnerError
from envs import registry
from grading import Answer, Outcome, parse_reference
from grading.pool import GradingPool
from packs import assets, files
from packs.read import PackError, read_pack
from packs.write import write_pack
from tests.support.service import Service, choice_pack
from tests.support.sql import sql

PASSPHRASE = "a long enough passphrase"
SALT = b"s" * 16
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 16


def _written(folder: Path) -> Path:
    pack = choice_pack(count=4)
    path = folder / "pack"
    write_pack(path, pack.benchmark, list(pack.problems), list(pack.references), {})
    read_pack(path, registry)
    return path


def _faults(path: Path) -> str:
    with pytest.raises(PackError) as caught:
        read_pack(path, registry)
    return str(caught.value)


@pytest.mark.parametrize("name", ["benchmark.toml", "problems.jsonl", "references.jsonl"])
@pytest.mark.parametrize("target", ["/dev/zero", "/etc/passwd", "/proc/self/environ", "loop"])
def test_links_are_not_followed(tmp_path: Path, name: str, target: str) -> None:
    path = _written(tmp_path)
    (path / name).unlink()
    (path / name).symlink_to(path / name if target == "loop" else target)
    told = _faults(path)
    assert "not a regular file" in told
    assert "root:" not in told


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    path = _written(tmp_path)
    (path / "problems.jsonl").unlink()
    os.mkfifo(path / "problems.jsonl")
    assert "not a regular file" in _faults(path)


def test_a_file_without_end_is_not_read(tmp_path: Path) -> None:
    path = _written(tmp_path)
    with (path / "references.jsonl").open("ab") as file:
        file.truncate(files.MAX_FILE + 1)
    assert "at most" in _faults(path)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[" * 100_000, "nested deeper"),
        ('{"a":' * 100_000, "nested deeper"),
        ('{"id": ' + "[" * 70 + "]" * 70 + "}", "nested deeper"),
        ('{"id": ' + "9" * 5000 + "}", "limit"),
        ('{"id": NaN}', "NaN is not JSON"),
        ('{"id": "a", "id": "b"}', "given twice"),
        ('{"id": "' + "a" * files.MAX_LINE + '"}', "are the limit"),
    ],
)
def test_json_bombs_are_faults(tmp_path: Path, line: str, said: str) -> None:
    path = _written(tmp_path)
    with (path / "problems.jsonl").open("a", encoding="utf-8") as file:
        file.write(line + "\n")
    assert said in _faults(path)


@pytest.mark.parametrize("text", ["a = " + "[" * 50_000, "a = " + "{b=" * 20_000, ".".join("a" * 3000) + " = 1"])
def test_toml_bombs_are_faults(tmp_path: Path, text: str) -> None:
    path = _written(tmp_path)
    (path / "benchmark.toml").write_text(text)
    assert "benchmark.toml" in _faults(path)


def _outside(folder: Path) -> None:
    (folder / "assets").symlink_to("/")


def _inside(folder: Path) -> None:
    (folder / "assets").mkdir()
    (folder / "assets" / "all.png").symlink_to("/etc/passwd")
    (folder / "assets" / "deep").symlink_to("/usr")


def _strange(folder: Path) -> None:
    (folder / "assets").mkdir()
    for name in (b"\xff\xfe.png", b"a\nb.png", b"..png", b"a b.png"):
        (folder / "assets" / os.fsdecode(name)).write_bytes(PNG)


def _shell(folder: Path) -> None:
    (folder / "assets").mkdir()
    (folder / "assets" / "a.png").write_bytes(b"#!/bin/sh\n")
    (folder / "assets" / "a.svg").write_text("<svg onload='alert(1)'/>")


@pytest.mark.parametrize("build", [_outside, _inside, _strange, _shell])
def test_assets_are_real_pictures_below_their_folder(tmp_path: Path, build: Callable[[Path], None]) -> None:
    path = _written(tmp_path)
    build(path)
    told = _faults(path)
    assert "assets" in told
    told.encode()


def test_millions_of_files_are_not_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assets, "MAX_FILES", 50)
    path = _written(tmp_path)
    (path / "assets").mkdir()
    for number in range(60):
        (path / "assets" / f"{number}.png").write_bytes(PNG)
    assert _faults(path).count("\n") < 3, "one fault for all of them"


BOMB = "(a|aa)+$"
BOMBED = [
    {"kind": "typed_json", "expected": {"a": f"^{BOMB}"}},
    {
        "kind": "commands",
        "checks": [{"compare": "regex", "left": {"source": "answer"}, "right": {"source": "text", "text": BOMB}}],
    },
]


@pytest.mark.parametrize("reference", BOMBED)
async def test_a_regular_expression_without_end_stops_no_worker(reference: dict[str, Any]) -> None:
    """The pattern is its owner's, the text a participant's: either may be hostile, or only careless."""
    text = "a" * 80 + "!"
    answer = Answer(text=json.dumps({"a": text}) if reference["kind"] == "typed_json" else text)
    async with GradingPool(1) as pool:
        verdict = await pool.grade(answer, parse_reference(reference))
        assert verdict.outcome is Outcome.UNSCORED, "a grade that was stopped is nobody's wrong answer"
        assert (await pool.grade(Answer(text="3"), parse_reference({"kind": "numeric", "value": "3"}))).score == 1.0


def _sealed(archive: bytes) -> bytes:
    """An export as somebody makes it who has the passphrase."""
    return exporting._MAGIC + SALT + seal(passphrase_key(PASSPHRASE, SALT), archive, exporting._BINDING)


def _archive(*members: tuple[tarfile.TarInfo, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for info, content in members:
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def _member(
    name: str, kind: bytes = tarfile.REGTYPE, link: str = "", content: bytes = b""
) -> tuple[tarfile.TarInfo, bytes]:
    info = tarfile.TarInfo(name)
    info.type, info.linkname, info.size = kind, link, len(content)
    return info, content


async def _refused(service: Service, content: bytes, passphrase: str = PASSPHRASE) -> Exception:
    with pytest.raises((ServiceError, PackError)) as caught:
        async with service.admin.session() as session:
            await restore_benchmark(session, service.settings, content, passphrase)
    return caught.value


async def test_a_tampered_export_is_refused_whole(service: Service, tmp_path: Path) -> None:
    await service.publish(choice_pack())
    async with service.admin.session() as session:
        good = await export_benchmark(session, service.settings, "quiz", PASSPHRASE, SALT)
    for at in (0, 9, 30, len(good) // 2, len(good) - 1):
        bad = bytearray(good)
        bad[at] ^= 1
        await _refused(service, bytes(bad))
    for cut in (0, 4, 20, 40, len(good) - 1):
        await _refused(service, good[:cut])
    assert isinstance(await _refused(service, good, "another passphrase"), WrongPassphraseError)
    assert isinstance(await _refused(service, good + b"x"), WrongPassphraseError)
    hostile = [
        _archive(_member("../../outside", content=b"x")),
        _archive(_member(str(tmp_path / "absolute"), content=b"x")),
        _archive(_member("0000/problems.jsonl", tarfile.SYMTYPE, "/etc/passwd")),
        _archive(_member("0000/link", tarfile.LNKTYPE, "../../../etc/passwd")),
        _archive(_member("0000/device", tarfile.CHRTYPE)),
        _archive(_member("0000/pipe", tarfile.FIFOTYPE)),
        b"no archive at all",
        _archive(_member("0000/a", content=b"x" * 5000))[:60],
    ]
    for archive in hostile:
        await _refused(service, _sealed(archive))
    assert not (tmp_path / "absolute").exists()
    async with service.admin.session() as session:
        assert (await sql(session, "select count(*) from release")).scalar_one() == 1


async def test_an_export_that_swells_is_stopped(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    swelling = _archive(*(_member(f"0000/{n}", content=b"\0" * 1_000_000) for n in range(20)))
    assert len(swelling) < 100_000
    monkeypatch.setattr(exporting, "_MOST_BYTES", 5_000_000)
    assert "more than" in str(await _refused(service, _sealed(swelling)))
    monkeypatch.setattr(exporting, "_MOST_FILES", 3)
    many = _archive(*(_member(f"0000/{n}") for n in range(20)))
    assert "more than" in str(await _refused(service, _sealed(many)))


async def test_an_export_of_another_owner_takes_nobodys_benchmark(service: Service) -> None:
    await service.publish(choice_pack())
    folder = io.BytesIO()
    head = choice_pack(version="2.0.0").benchmark.model_copy(update={"owner": "thieves"})
    with tarfile.open(fileobj=folder, mode="w:gz") as archive, tempfile.TemporaryDirectory() as place:
        pack = choice_pack(version="2.0.0")
        write_pack(Path(place) / "0000", head, list(pack.problems), list(pack.references), {})
        archive.add(Path(place) / "0000", "0000")
    refused = await _refused(service, _sealed(folder.getvalue()))
    assert isinstance(refused, NotOwnerError)
