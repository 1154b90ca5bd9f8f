"""A release records which sandbox images it was published with, and a host that has others plays none of it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from api.core.settings import Settings
from api.hosting.server import Host
from api.worker.exporting import export_benchmark, restore_benchmark
from api.worker.importing import NoImageError
from envs import engine, registry
from envs.sandbox import images
from packs.pack import Pack
from packs.read import read_pack
from packs.write import write_pack
from tests.support.service import Service
from tests.support.sessions import Player, echo_pack
from tests.support.sql import sql
from tests.support.unsteady import Imaged, ImagedSpec, instead_of_echo

NAME = "owners/machine:2"
Build = Callable[[str], str]


class Machine:
    """A backend that has the images of `make images`."""

    async def digest(self, name: str) -> str:
        return images.digest(name, images.built_images())


async def _machine() -> Machine:
    return Machine()


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Build:
    """Records a digest of the image, as a build does; gives the digest."""
    monkeypatch.setenv("HELDOUT_IMAGES", str(tmp_path))
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/no-engine.sock")
    instead_of_echo(monkeypatch, Imaged, spec=ImagedSpec, image=lambda spec: spec.image)
    monkeypatch.setattr(engine, "backend", _machine)

    def record(digit: str) -> str:
        folder = tmp_path / "owners_machine_2"
        folder.mkdir(exist_ok=True)
        (folder / "digests").write_text(f"rootfs sha256:{digit * 64}\nrecipe sha256:{'e' * 64}\n")
        return f"rootfs sha256:{digit * 64}"

    return record


def imaged() -> Pack:
    """The echo pack, each of its episodes in the image."""
    pack = echo_pack()
    lines = []
    for line in pack.references:
        assert line.episode
        episode = line.episode.model_copy(update={"spec": {**line.episode.spec, "image": NAME}})
        lines.append(line.model_copy(update={"episode": episode}))
    return replace(pack, references=tuple(lines))


async def test_a_host_with_another_image_refuses(settings: Settings, service: Service, build: Build) -> None:
    published = build("a")
    await service.publish(imaged())
    assert (await service.client.get("/v1/benchmarks/parrot")).json()["sandbox_images"] == {NAME: [published]}
    assert published in (await service.client.get("/b/parrot")).text
    player = Player(await service.reader())
    async with Host.running(settings) as host:
        problems = await player.episodes()
        session = (await player.opened(problems[0]))["id"]
        await player.said(session, 1, "hello")
        build("b")
        refused = await player.open(problems[1])
        assert (refused.status_code, refused.json()["code"]) == (503, "sandbox_image_differs")
        # The world that is rebuilt from the log would be another one, too.
        for held in list(host.episodes.epochs):
            await host.episodes.drop(held)
        service.app.state.step_cache.forget(session)
        assert (await player.say(session, 2, "there?")).json()["code"] == "sandbox_image_differs"
        items = [{"problem": problems[2], "trajectory": [{"text": "finish[9]"}]}]
        body = {"benchmark": "parrot", "split": "dev", "model": {"name": "m"}, "items": items}
        posted = await player.caller.post("/v1/submissions", json=body)
        await service.work()
        await service.work()
        told = (await player.caller.get(posted.headers["location"])).json()
        assert (told["state"], told["score"]) == ("grading", None)
        async with service.admin.session() as database:
            assert (await sql(database, "select sum(used) from daily_budget")).scalar_one() == 1
            assert (
                await sql(database, "select count(*) from live_session where outcome is not null")
            ).scalar_one() == 0
        build("a")
        assert (await player.said(session, 2, "there?"))["observation"]["text"] == "there?"


async def test_an_image_that_nobody_has_is_refused_unless_the_pack_names_its_digest(
    service: Service, build: Build, tmp_path: Path
) -> None:
    with pytest.raises(NoImageError, match=NAME):
        await service.publish(imaged())
    assert (await service.client.get("/v1/benchmarks/parrot")).status_code == 404
    pinned = (f"docker sha256:{'c' * 64}", f"rootfs sha256:{'d' * 64}")
    head = imaged().benchmark.model_copy(update={"sandbox_images": {NAME: pinned}})
    write_pack(tmp_path / "pack", head, imaged().problems, imaged().references)
    build("a")
    await service.publish(read_pack(tmp_path / "pack", registry))
    shown = (await service.client.get("/v1/benchmarks/parrot")).json()
    assert shown["sandbox_images"] == {NAME: list(pinned)}
    assert shown["digest"] == imaged().digest


async def test_an_export_keeps_the_digests(service: Service, build: Build) -> None:
    published = build("a")
    await service.publish(imaged())
    async with service.admin.session() as session:
        content = await export_benchmark(session, service.settings, "parrot", "a long passphrase", bytes(16))
        await sql(session, "truncate benchmark, release, vault.reference cascade")
    build("b")
    async with service.admin.session() as session:
        await restore_benchmark(session, service.settings, content, "a long passphrase")
    assert (await service.client.get("/v1/benchmarks/parrot")).json()["sandbox_images"] == {NAME: [published]}
