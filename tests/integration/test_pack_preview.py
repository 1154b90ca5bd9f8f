"""What an owner sees of an uploaded pack before it is published: as participants will, pictures included."""

import base64
import io
import tarfile
from importlib import resources
from uuid import UUID, uuid4

from api.catalog.models import ProblemRow
from api.worker import examiner
from tests.integration.test_owner_jobs import OWNER
from tests.integration.test_uploads import checked
from tests.support.service import Service
from tests.support.sql import sql
from tests.support.visitor import enter


def starter() -> tuple[bytes, bytes]:
    """The example that `heldout packs new` writes, packed, and its picture."""
    out = io.BytesIO()
    found = resources.as_file(resources.files("heldout") / "starter")
    with found as folder, tarfile.open(fileobj=out, mode="w") as made:
        for path in sorted(folder.rglob("*.*")):
            content = path.read_bytes().replace(b'owner = "my-organisation"', b'owner = "owners"')
            entry = tarfile.TarInfo(path.relative_to(folder).as_posix())
            entry.size = len(content)
            made.addfile(entry, io.BytesIO(content))
        return out.getvalue(), (folder / "assets/square.png").read_bytes()


async def test_pictures_are_in_the_preview_over_http_and_on_the_page(service: Service) -> None:
    owner = await service.reader("o@example.org", "owners", scopes=OWNER)
    content, picture = starter()
    pack = await checked(service, owner, content)
    assert (pack["state"], pack["faults"]) == ("checked", [])
    items = (await owner.get(f"/v1/packs/{pack['id']}/preview")).raise_for_status().json()["items"]
    images = [image for item in items for image in item["images"]]
    assert [image["path"] for image in images] == ["square.png"]
    assert images[0]["data"] == "data:image/png;base64," + base64.b64encode(picture).decode()
    member = await enter(service, "olga@example.org", "owners")
    shown = await member.get(f"/packs/{pack['id']}")
    assert f'<img class="picture" src="{images[0]["data"]}"' in shown.text
    assert "img-src 'self' data:" in shown.headers["content-security-policy"]
    async with service.admin.session() as session:
        kept = (await sql(session, "select pictures from pack_upload")).scalar_one()
    assert base64.b64encode(picture) not in kept


def test_the_first_of_each_type_is_shown_too() -> None:
    split, other = uuid4(), uuid4()

    def row(position: int, kind: str, of: UUID = split) -> ProblemRow:
        return ProblemRow(
            release_id=uuid4(),
            split_id=of,
            position=position,
            name=f"p{position}",
            type=kind,
            subject="s",
            statement="",
            choices=[],
            images=[],
        )

    kinds = ["a", "a", "b", "a", "a", "a", "c", "b", "c", "d"]
    rows = [row(position, kind) for position, kind in enumerate(kinds)]
    found = examiner._first([*rows, row(0, "e", other)], split)
    assert [one.name for one in found] == ["p0", "p1", "p2", "p3", "p4", "p6", "p9"]
