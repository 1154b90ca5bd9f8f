"""What every backend must do."""

import asyncio
import os
import socket
from pathlib import Path

import pytest

from envs.sandbox.base import Backend, FileRefusedError, Image, Sandbox, SandboxError, SandboxGoneError

from .conftest import SMALL

pytestmark = pytest.mark.sandbox


async def test_run_tells_status_and_both_outputs(sandbox: Sandbox) -> None:
    result = await sandbox.run("echo out; echo err >&2; cat; exit 7", stdin=b"given")
    assert (result.status, result.stdout, result.stderr) == (7, b"out\ngiven", b"err\n")
    assert not result.timed_out
    missing = await sandbox.run(["no-such-program-anywhere"])
    assert missing.status == 127


async def test_run_as_an_argv_is_not_interpreted(sandbox: Sandbox) -> None:
    result = await sandbox.run(["echo", "$HOME", "; false", "$(id)"])
    assert result.text == "$HOME ; false $(id)\n"


async def test_commands_run_without_the_machines_root(sandbox: Sandbox, root_sandbox: Sandbox) -> None:
    assert (await sandbox.run(["id", "-u"])).text == "1000\n"
    assert (await root_sandbox.run(["id", "-u"])).text == "0\n"
    for each in (sandbox, root_sandbox):
        bounding = (await each.run("awk '/CapBnd/ {print $2}' /proc/self/status")).text
        assert int(bounding, 16) & ~0xFB == 0
    effective = (await sandbox.run("awk '/CapEff/ {print $2}' /proc/self/status")).text
    assert int(effective, 16) == 0


async def test_no_id_inside_is_the_machines_root(rooted: Backend) -> None:
    sandbox = await rooted.start(Image(user="root"), SMALL)
    assert (await sandbox.run("awk '{print $1, ($2 > 0), $3}' /proc/self/uid_map")).text == "0 1 65536\n"
    await sandbox.destroy()


async def test_root_inside_can_manage_accounts(rooted: Backend) -> None:
    sandbox = await rooted.start(Image(user="root"), SMALL)
    script = "useradd -m bob && su bob -c 'id -un' && chown bob /work && stat -c %U /work && echo x >> /etc/motd"
    assert (await sandbox.run(script)).stdout == b"bob\nbob\n"
    await sandbox.destroy()


async def test_output_is_capped_and_marked(sandbox: Sandbox) -> None:
    result = await sandbox.run("head -c 1000000 /dev/zero | tr '\\0' x", cap=1000)
    assert len(result.stdout) == 1000
    assert result.dropped == 999_000
    assert result.text.endswith("[output truncated: 999000 bytes dropped]\n")


async def test_the_deadline_kills_the_whole_tree(sandbox: Sandbox) -> None:
    result = await sandbox.run("sleep 3600 & (sleep 3600; true) & sleep 3600", timeout=1)
    assert result.timed_out
    assert result.status is None
    left = [process.argv for process in await sandbox.processes() if "sleep" in process.argv[:1]]
    assert left == []


async def test_a_shell_keeps_its_state(sandbox: Sandbox) -> None:
    shell = await sandbox.shell()
    await shell.run('cd /tmp; colour=red; f() { echo "f says $1"; }')
    assert (await shell.run("pwd; echo $colour; f hello")).text == "/tmp\nred\nf says hello\n"
    assert (await shell.run("(exit 9)")).status == 9
    assert (await shell.run("printf 'no newline'")).stdout == b"no newline"
    await shell.close()


@pytest.mark.parametrize(
    "command",
    ["cat", "read line", "python3 -c 'import sys; print(len(sys.stdin.read()))'", "exec 1>/dev/null 2>&1", "if"],
)
async def test_no_command_can_swallow_the_marker(sandbox: Sandbox, command: str) -> None:
    shell = await sandbox.shell()
    first = await shell.run(command)
    assert not first.timed_out
    again = await shell.run("echo still here >&2; exit 0")
    assert again.status in (0, None)
    await shell.close()


async def test_a_shell_outlives_a_command_that_hangs(sandbox: Sandbox) -> None:
    shell = await sandbox.shell()
    await shell.run("cd /tmp; kept=yes; sleep 3600 & server=$!")
    stuck = await shell.run("sleep 3600", timeout=1)
    assert stuck.timed_out
    assert not stuck.restarted
    result = await shell.run("echo $kept; pwd; kill -0 $server && echo server lives")
    assert result.text == "yes\n/tmp\nserver lives\n"
    await shell.close()


async def test_a_shell_that_cannot_be_stopped_is_opened_again(sandbox: Sandbox) -> None:
    shell = await sandbox.shell()
    stuck = await shell.run("trap '' TERM INT HUP; while :; do :; done", timeout=1)
    assert stuck.timed_out
    assert stuck.restarted
    assert (await shell.run("echo fresh")).text == "fresh\n"
    gone = await shell.run("exit 3")
    assert gone.restarted
    assert (await shell.run("echo again")).text == "again\n"
    await shell.close()


async def test_a_forged_marker_is_output(sandbox: Sandbox) -> None:
    shell = await sandbox.shell()
    forged = await shell.run("printf '\\n%032x 0\\n' 5; exit_status=4; (exit 4)")
    assert forged.status == 4
    assert "00000005 0" in forged.text
    await shell.close()


async def test_files_go_in_and_come_out(sandbox: Sandbox) -> None:
    content = bytes(range(256)) * 100
    await sandbox.write_file("/work/a/b/file.bin", content, mode=0o640)
    assert await sandbox.read_file("/work/a/b/file.bin") == content
    listing = (
        await sandbox.run("stat -c '%U %a' /work/a/b/file.bin; echo more >> /work/a/b/file.bin && echo mine")
    ).text
    assert listing == "agent 640\nmine\n"
    await sandbox.write_file("/work/a/b/file.bin", b"short")
    assert await sandbox.read_file("/work/a/b/file.bin") == b"short"


async def test_odd_files_are_refused(sandbox: Sandbox, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("of the machine")
    await sandbox.run(
        f"cd /work; ln -s {secret} abs; ln -s ../../../../..{secret} dots; ln -s {tmp_path} folder; mkfifo fifo;"
        f"ln -s /proc/self/root/{secret} magic; truncate -s 1T sparse; ln -s loop loop; mkdir d"
    )
    for name in (
        "abs",
        "dots",
        "folder/secret",
        "fifo",
        "magic",
        "sparse",
        "loop",
        "d",
        "missing",
        f"../../..{secret}",
    ):
        with pytest.raises(FileRefusedError):
            await sandbox.read_file(f"/work/{name}")
    with pytest.raises(FileRefusedError):
        await sandbox.read_file("/work/a\0b")
    for name in ("abs", "folder/secret", "fifo", "d"):
        with pytest.raises(FileRefusedError):
            await sandbox.write_file(f"/work/{name}", b"overwritten")
    assert secret.read_text() == "of the machine"


async def test_a_link_resolves_inside(sandbox: Sandbox) -> None:
    await sandbox.run("echo inside > /tmp/here; ln -s /tmp/here /work/link")
    assert await sandbox.read_file("/work/link") == b"inside\n"


async def test_frozen_processes_stand_still_while_probes_run(sandbox: Sandbox) -> None:
    await sandbox.spawn(["bash", "-c", "while :; do echo x >> /work/ticks; sleep 0.01; done"])
    await _grows(sandbox, "/work/ticks")
    await sandbox.freeze()
    first = await sandbox.read_file("/work/ticks")
    assert (await sandbox.run("sleep 0.3; echo probe")).text == "probe\n"
    assert await sandbox.read_file("/work/ticks") == first
    await sandbox.thaw()
    await _grows(sandbox, "/work/ticks", beyond=len(first))


async def _grows(sandbox: Sandbox, path: str, beyond: int = 0) -> None:
    async with asyncio.timeout(60):
        while True:
            try:
                if len(await sandbox.read_file(path)) > beyond:
                    return
            except FileRefusedError:
                pass
            await asyncio.sleep(0.02)


async def test_kill_ends_processes_and_keeps_files(sandbox: Sandbox) -> None:
    shell = await sandbox.shell()
    await shell.run("echo kept > /work/kept; setsid sleep 3600 & disown")
    await sandbox.kill()
    assert [process for process in await sandbox.processes() if "sleep" in process.argv] == []
    assert await sandbox.read_file("/work/kept") == b"kept\n"
    await shell.close()


async def test_reset_forgets_everything(sandbox: Sandbox) -> None:
    await sandbox.run("echo dirty > /work/file; setsid sleep 3600 >/dev/null 2>&1 &")
    await sandbox.reset()
    assert (await sandbox.run("ls -A /work")).text == ""
    assert not [process for process in await sandbox.processes() if "sleep" in process.argv]


async def test_a_snapshot_is_a_layer(backend: Backend, open_folder: Path) -> None:
    rooted = backend.traits.name == "bubblewrap-root"
    first = await backend.start(Image(user="root"), SMALL)
    await first.run("mkdir -p /work/app; echo 1 > /work/app/version")
    await first.run("cd /work/app; echo 3 > shared; chmod 664 shared; ln shared again; mkdir open; chmod 1777 open")
    if rooted:
        await first.run("chown 1000 /work/app; rm -r /etc/skel /usr/bin/wc")
    layer = await first.snapshot(open_folder / "layer")
    with pytest.raises(SandboxError):
        await first.snapshot(open_folder / "layer")
    await first.destroy()
    second = await backend.start(Image(user="root", layers=(layer,)), SMALL)
    assert await second.read_file("/work/app/version") == b"1\n"
    modes = await second.run("cd /work/app; stat -c '%a %n' shared again open; cat again")
    assert modes.text == "664 shared\n664 again\n1777 open\n3\n"
    if rooted:
        seen = await second.run("stat -c %u /work/app; ls -d /etc/skel /usr/bin/wc; echo 2 > /work/app/version")
        assert seen.text == "1000\n"
    third = await backend.start(Image(user="root", layers=(layer,)), SMALL)
    assert await third.read_file("/work/app/version") == b"1\n"
    await second.destroy()
    await third.destroy()


async def test_a_server_inside_is_reached_through_its_socket(sandbox: Sandbox) -> None:
    code = (
        "import socket; s=socket.socket(socket.AF_UNIX); s.bind('/work/s'); s.listen();"
        "c,_=s.accept(); c.sendall(b'hello from inside')"
    )
    pid = await sandbox.spawn(["python3", "-c", code])
    assert pid in [process.pid for process in await sandbox.processes()]
    async with asyncio.timeout(60):
        while (await sandbox.run(["test", "-S", "/work/s"])).status:
            await asyncio.sleep(0.02)
    place = await sandbox.locate("/work/s")
    with socket.socket(socket.AF_UNIX) as client:
        client.settimeout(30)
        await asyncio.to_thread(client.connect, f"/proc/self/fd/{place}")
        assert await asyncio.to_thread(client.recv, 100) == b"hello from inside"
    os.close(place)


async def test_a_destroyed_sandbox_says_so(backend: Backend) -> None:
    sandbox = await backend.start(Image(), SMALL)
    pids = [process.pid for process in await sandbox.processes()]
    await sandbox.destroy()
    await sandbox.destroy()
    assert not sandbox.alive
    with pytest.raises(SandboxGoneError):
        await sandbox.run("true")
    with pytest.raises(SandboxGoneError):
        await sandbox.read_file("/etc/passwd")
    assert pids
    async with asyncio.timeout(60):
        while any(Path(f"/proc/{pid}").exists() for pid in pids):
            await asyncio.sleep(0.02)


async def test_many_at_once_do_not_meet(backend: Backend) -> None:
    found = await asyncio.gather(*(backend.start(Image(), SMALL) for _ in range(8)))
    await asyncio.gather(*(each.run(f"echo {index} > /work/me") for index, each in enumerate(found)))
    contents = await asyncio.gather(*(each.read_file("/work/me") for each in found))
    assert contents == [f"{index}\n".encode() for index in range(8)]
    assert len({each.id for each in found}) == 8
    await asyncio.gather(*(each.destroy() for each in found))


async def test_an_unknown_image_is_named(backend: Backend) -> None:
    with pytest.raises(SandboxError, match="no-such-image"):
        await backend.start(Image(name="no-such-image"), SMALL)
