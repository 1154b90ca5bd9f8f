"""JSON of uploaded containers."""

from datetime import datetime

from api.core.schemas import Model


class ContainerPublic(Model):
    """A container's archive: an image (`docker save`, OCI layout) or a tar of files. `missing`: the parts that have not
    come, by number from 0."""

    id: str
    name: str
    size: int
    sha256: str
    part_bytes: int
    parts: int
    missing: list[int]
    created_at: datetime


class ContainerPage(Model):
    items: list[ContainerPublic]
