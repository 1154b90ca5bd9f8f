"""Images and bundles that strangers send: what is kept of them, and what no trick makes of them."""

import contextlib
import gzip
import io
import json
import os
import stat
import tarfile
from pathlib import Path
from typing import Any

import pytest

from envs.sandbox.foreign import Bounds, ForeignArchiveError, Unpacked, unpack, unpack_apart

Entry = tuple[str, dict[str, Any], bytes]


def tar(*entries: Entry) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, fields, content in entries:
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(content), 0o755
            for field, value in fields.items():
                setattr(info, field, value)
            archive.addfile(info, io.BytesIO(content))
    return made.getvalue()


def file(name: str, content: bytes = b"x", **fields: Any) -> Entry:
    return name, fields, content


def link(name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> Entry:
    return name, {"type": kind, "linkname": target}, b""


BASE = tar(file("usr/bin/bash"), link("bin", "usr/bin"), file("etc/old"), file("srv/a/b"))


def saved(*layers: bytes) -> bytes:
    """What `docker save` writes."""
    names = [f"{number}/layer.tar" for number, _ in enumerate(layers)]
    config = {"config": {"Entrypoint": ["python3"], "Cmd": ["agent.py"], "Env": ["A=b=c"], "WorkingDir": "/srv"}}
    manifest = [{"Config": "config.json", "Layers": names}]
    heads = [file("manifest.json", json.dumps(manifest).encode()), file("config.json", json.dumps(config).encode())]
    return tar(*heads, *(file(name, layer) for name, layer in zip(names, layers, strict=True)))


def unpacked(content: bytes, folder: Path, bounds: Bounds | None = None) -> Unpacked:
    archive, target = folder / "archive", folder / "root"
    archive.write_bytes(content)
    target.mkdir()
    return unpack(archive, target, bounds)


def test_layers_lie_on_each_other_and_whiteouts_take_away(tmp_path: Path) -> None:
    above = tar(file("etc/.wh.old", b""), file("srv/a/.wh..wh..opq", b""), file("srv/a/c"), file("usr/bin/tool"))
    told = unpacked(saved(BASE, gzip.compress(above)), tmp_path)
    assert (told.kind, told.command, told.workdir) == ("image", ["python3", "agent.py"], "/srv")
    assert told.environment == {"A": "b=c"}
    root = tmp_path / "root"
    assert not (root / "etc/old").exists()
    assert [path.name for path in (root / "srv/a").iterdir()] == ["c"]
    assert (root / "bin").readlink() == Path("usr/bin")


def test_an_oci_layout_is_read(tmp_path: Path) -> None:
    config, layer = b"{}", BASE
    manifest = {"config": {"digest": "sha256:c"}, "layers": [{"digest": "sha256:l"}]}
    index = {"manifests": [{"digest": "sha256:m"}]}
    blobs = {"c": config, "l": layer, "m": json.dumps(manifest).encode()}
    heads = [file("oci-layout", b"{}"), file("index.json", json.dumps(index).encode())]
    told = unpacked(tar(*heads, *(file(f"blobs/sha256/{name}", blob) for name, blob in blobs.items())), tmp_path)
    assert told == Unpacked(kind="image", workdir="/")


@pytest.mark.parametrize("to", ["{}", "../../../../..{}", "/proc/self/root{}", "usr/../{}"])
def test_no_link_of_an_image_leads_out(tmp_path: Path, to: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "kept").write_text("as it was")
    layers = (tar(link("etc/d", to.format(outside))), tar(file("etc/d/new"), file("etc/d/kept")))
    with contextlib.suppress(ForeignArchiveError):
        unpacked(saved(BASE, *layers), tmp_path)
    assert [path.read_text() for path in outside.iterdir()] == ["as it was"]
    assert {path.name for path in tmp_path.iterdir()} == {"archive", "outside", "root"}


def test_a_link_is_followed_inside_and_a_mount_point_is_none(tmp_path: Path) -> None:
    layers = (tar(link("opt", "/srv"), link("proc", "/etc")), tar(file("opt/new")))
    unpacked(saved(BASE, *layers), tmp_path)
    assert (tmp_path / "root/srv/new").exists()
    assert stat.S_ISDIR(os.lstat(tmp_path / "root/proc").st_mode)


def test_nothing_of_rights_and_devices_is_kept(tmp_path: Path) -> None:
    odd = tar(
        file("usr/bin/su", mode=0o6755, uid=0),
        ("dev/sda", {"type": tarfile.BLKTYPE, "devmajor": 8}, b""),
        ("usr/pipe", {"type": tarfile.FIFOTYPE}, b""),
        ("usr/caps", {"pax_headers": {"SCHILY.xattr.security.capability": "x"}}, b"x"),
    )
    unpacked(saved(BASE, odd), tmp_path)
    root = tmp_path / "root"
    assert stat.S_IMODE((root / "usr/bin/su").stat().st_mode) == 0o755
    assert not (root / "dev/sda").exists()
    assert not (root / "usr/pipe").exists()
    assert os.listxattr(root / "usr/caps") == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (saved(BASE, tar(file("../out"))), "leads out"),
        (saved(BASE, tar(link("usr/x", "../../../../etc/shadow", tarfile.LNKTYPE))), "leads out"),
        (saved(BASE, tar(link("d", "/etc"), link("usr/x", "d", tarfile.LNKTYPE))), "no file"),
        (saved(tar(file("usr/bin/sh"))), "no /bin/bash"),
        (tar(file("manifest.json", b"[]")), "several images, or none"),
        (tar(file("manifest.json", b'[{"Config": "../x", "Layers": []}]')), "does not hold it"),
        (tar(file("a"), link("b", "a")), "no plain file"),
        (b"", "cannot be unpacked"),
        (gzip.compress(b"\0" * (3 << 20)), "swells"),
        (tar(*(file(f"f{number}") for number in range(60))), "more than 50 entries"),
        (saved(tar(file("big", b"\0" * (1 << 20)), file("two", b"\0" * (1 << 20)))), "bytes unpacked"),
    ],
)
def test_tricks_are_refused(tmp_path: Path, content: bytes, words: str) -> None:
    with pytest.raises(ForeignArchiveError, match=words):
        unpacked(content, tmp_path, Bounds(entries=50, content=1 << 20))


async def test_a_header_that_asks_for_memory_ends_its_process_alone(tmp_path: Path) -> None:
    head = tarfile.TarInfo("x")
    head.type, head.size = tarfile.XHDTYPE, 3 << 30
    archive, target = tmp_path / "archive", tmp_path / "root"
    with archive.open("wb") as out:
        out.write(head.tobuf())
        out.truncate(3 << 30)
    target.mkdir()
    with pytest.raises(ForeignArchiveError):
        await unpack_apart(archive, target)
