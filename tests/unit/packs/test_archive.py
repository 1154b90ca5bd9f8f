"""Archives of strangers: every right form is unpacked, every trick is a fault, and nothing is written elsewhere."""

import io
import stat
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from packs.archive import Limits, unpack
from packs.faults import PackError

FILES = {
    "benchmark.toml": b'slug = "tiny"\n',
    "problems.jsonl": b"{}\n",
    "references.jsonl": b"{}\n",
    "assets/a/picture.png": b"\x89PNG",
}
SMALL = Limits(entries=50, unpacked_bytes=100_000)


def tarred(members: list[tuple[tarfile.TarInfo, bytes]], mode: str = "w") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:  # type: ignore[call-overload]
        for info, content in members:
            if info.isreg():
                info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()


def plain(prefix: str = "", files: dict[str, bytes] = FILES) -> list[tuple[tarfile.TarInfo, bytes]]:
    return [(tarfile.TarInfo(prefix + name), content) for name, content in files.items()]


def zipped(prefix: str = "") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in FILES.items():
            archive.writestr(prefix + name, content)
    return out.getvalue()


FORMS: dict[str, Callable[[str], bytes]] = {
    "zip": zipped,
    "tar": lambda prefix: tarred(plain(prefix)),
    "tar.gz": lambda prefix: tarred(plain(prefix), "w:gz"),
    "tar.zst": lambda prefix: zstandard.compress(tarred(plain(prefix))),
}


def unpacked(tmp_path: Path, content: bytes, limits: Limits = SMALL) -> dict[str, bytes]:
    archive, folder = tmp_path / "archive", tmp_path / "out" / "pack"
    archive.write_bytes(content)
    folder.mkdir(parents=True)
    unpack(archive, folder, limits)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("prefix", ["", "./", "mypack/"])
@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_unpacked_with_or_without_a_folder_around_it(tmp_path: Path, form: str, prefix: str) -> None:
    assert unpacked(tmp_path, FORMS[form](prefix)) == FILES


def test_what_is_no_part_of_a_pack_is_not_written(tmp_path: Path) -> None:
    more = plain("", {"README.md": b"x", "__MACOSX/._a": b"x", "notes/references.jsonl": b"x"})
    assert unpacked(tmp_path, tarred(plain("p/") + more)) == FILES


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


TRICKS: dict[str, tuple[list[tuple[tarfile.TarInfo, bytes]], str]] = {
    "symlink": ([(special("problems.jsonl", tarfile.SYMTYPE, "/etc/passwd"), b"")], "no plain file"),
    "hard link": ([(special("problems.jsonl", tarfile.LNKTYPE, "benchmark.toml"), b"")], "no plain file"),
    "device": ([(special("assets/null", tarfile.CHRTYPE), b"")], "no plain file"),
    "pipe": ([(special("assets/pipe", tarfile.FIFOTYPE), b"")], "no plain file"),
    "absolute": (plain("", {"/tmp/evil": b"x"}), "leads out"),
    "parent": (plain("", {"assets/../../evil": b"x"}), "leads out"),
    "parent of a folder": (plain("", {"../benchmark.toml": b"x"}), "leads out"),
    "backslash": (plain("", {"assets\\..\\evil.png": b"x"}), "leads out"),
    "drive": (plain("", {"C:/evil": b"x"}), "leads out"),
    "twice": (plain() + plain("", {"problems.jsonl": b"other"}), "twice"),
    "case": (plain("", {"assets/a.png": b"1", "assets/A.png": b"2"}), "in case alone"),
    "case of a file": (plain("", {"benchmark.toml": b"1", "p/benchmark.toml": b"2"}), "twice"),
    "a file as a folder": (plain("", {"assets/a": b"1", "assets/a/b.png": b"2"}), "twice"),
    "control character": (plain("", {"assets/a\nb.png": b"1"}), "control characters"),
    "long name": (plain("", {"assets/" + "a" * 700: b"1"}), "a name of 707 characters"),
    "odd name": (plain("", {"assets/naïve.png": b"1"}), "cannot be named"),
    "too many": (plain("", {f"assets/{n}.png": b"" for n in range(60)}), "more than 50 entries"),
    "too large": (plain("", {"problems.jsonl": bytes(100_001)}), "100000 bytes unpacked"),
}


@pytest.mark.parametrize("trick", TRICKS)
def test_a_trick_is_a_fault_and_writes_nothing_outside(tmp_path: Path, trick: str) -> None:
    members, words = TRICKS[trick]
    with pytest.raises(PackError, match=words):
        unpacked(tmp_path, tarred(members))
    assert {path.name for path in tmp_path.iterdir()} == {"archive", "out"}
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["pack"]
    assert not any(path.is_symlink() for path in (tmp_path / "out").rglob("*"))


@pytest.mark.parametrize("form", ["w:gz", "zst", "zip"])
def test_a_bomb_ends_at_the_limit(tmp_path: Path, form: str) -> None:
    zeros = bytes(50_000_000)
    if form == "zip":
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("problems.jsonl", zeros)
        bomb = out.getvalue()
    else:
        members = plain("", {"problems.jsonl": zeros})
        bomb = zstandard.compress(tarred(members)) if form == "zst" else tarred(members, form)
    assert len(bomb) < 100_000
    with pytest.raises(PackError, match="unpacked"):
        unpacked(tmp_path, bomb)
    assert sum(path.stat().st_size for path in (tmp_path / "out").rglob("*") if path.is_file()) <= 100_000


def test_a_zip_whose_directory_lies_about_sizes_is_a_fault(tmp_path: Path) -> None:
    honest = zipped()
    with zipfile.ZipFile(io.BytesIO(honest)) as archive:
        real = archive.getinfo("problems.jsonl")
    lying = honest.replace(real.CRC.to_bytes(4, "little"), b"\x01\x02\x03\x04")
    with pytest.raises(PackError, match="cannot be unpacked"):
        unpacked(tmp_path, lying)


def test_links_and_encryption_in_a_zip_are_faults(tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        link = zipfile.ZipInfo("references.jsonl")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("problems.jsonl", "x")
    content = bytearray(out.getvalue())
    at = content.rindex(b"PK\x01\x02")
    content[at + 8] |= 1
    with pytest.raises(PackError) as refused:
        unpacked(tmp_path, bytes(content))
    assert {fault.problem for fault in refused.value.faults} == {"neither a file nor a folder", "encrypted"}


def test_a_sparse_file_is_not_unpacked(tmp_path: Path) -> None:
    info = special("problems.jsonl", tarfile.GNUTYPE_SPARSE)
    with pytest.raises(PackError):
        unpacked(tmp_path, tarred([(info, b"")]))


@pytest.mark.parametrize(
    "content", [b"", b"no archive at all" * 100, b"PK\x03\x04broken", b"\x1f\x8bbroken", b"\x28\xb5\x2f\xfdx"]
)
def test_what_is_no_archive_is_a_fault(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(PackError, match="cannot be unpacked"):
        unpacked(tmp_path, content)


@pytest.mark.parametrize("form", FORMS)
def test_a_torn_archive_is_a_fault(tmp_path: Path, form: str) -> None:
    whole = FORMS[form]("")
    with pytest.raises(PackError):
        unpacked(tmp_path, whole[:517] if form == "tar" else whole[: len(whole) // 3])
