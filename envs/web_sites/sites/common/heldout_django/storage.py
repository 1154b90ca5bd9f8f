"""Files of a session: what it uploaded itself, over what came with the site's content."""

from pathlib import Path

import tenancy
from django.core.files.storage import FileSystemStorage


class SessionStorage(FileSystemStorage):
    """Writes below the session's media folder; reads there, and then below the template's."""

    @property
    def base_location(self) -> str:
        """The session's media folder."""
        return str(tenancy.folder() / tenancy.MEDIA)

    @property
    def location(self) -> str:
        """As `base_location`, absolute."""
        return str(Path(self.base_location).absolute())

    def path(self, name: str) -> str:
        """Where a file is, or where it would be written."""
        return str(tenancy.media(name) or super().path(name))

    def delete(self, name: str) -> None:
        """Take an uploaded file away; what came with the content is shared and stays."""
        own = Path(super().path(name))
        own.unlink(missing_ok=True)

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        """Counted, not drawn: the same upload gets the same name when a session is replayed."""
        del max_length
        number, wanted = 1, Path(name)
        while self.exists(str(wanted)):
            number += 1
            wanted = Path(name).with_name(f"{Path(name).stem}-{number}{Path(name).suffix}")
        return str(wanted)
