"""What of an agent's files may stand where its work is checked."""

from pathlib import Path

from envs.operating_system.transfer import clean

KEPT = {
    "root/root/done.txt",
    "root/root/.bashrc",
    "root/home/bob/x",
    "root/etc/passwd",
    "root/etc/group",
    "root/srv/a",
    "usr/local/bin/calc",
    "usr/stock.log",
}
TAKEN = {
    "root/etc/ld.so.preload",
    "root/etc/profile.d/x.sh",
    "root/etc/bash.bashrc",
    "root/etc/nsswitch.conf",
    "root/lib/x.so",
    "usr/bin/grep",
    "usr/local/bin/grep",
    "usr/sbin/python3",
    "usr/lib/python3/dist-packages/sitecustomize.py",
    "usr/local/lib/python3.11/dist-packages/x.py",
    "usr/share/perl/x.pm",
}


def test_tools_libraries_and_start_up_files_are_taken_out(tmp_path: Path) -> None:
    for path in KEPT | TAKEN:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("x")
    taken = clean(tmp_path, {"grep", "python3"})
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert left == KEPT
    assert "usr/bin/grep" in taken


def test_a_link_in_place_of_a_folder_is_taken_out_and_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "bin").mkdir(parents=True)
    (outside / "bin/grep").write_text("x")
    layer = tmp_path / "layer"
    (layer / "root").mkdir(parents=True)
    (layer / "usr/local").mkdir(parents=True)
    (layer / "root/bin").symlink_to(outside / "bin")
    (layer / "root/etc").symlink_to(outside)
    (layer / "usr/bin").symlink_to(outside / "bin")
    (layer / "usr/local/bin").symlink_to(outside / "bin")
    assert clean(layer, {"grep"}) == ["bin", "etc", "usr/bin", "usr/local/bin"]
    assert (outside / "bin/grep").read_text() == "x"
    assert not any(path.is_symlink() for path in layer.rglob("*"))
