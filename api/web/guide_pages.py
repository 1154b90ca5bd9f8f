"""The documentation at /guide, as `make docs` builds it from docs/; an instance without it says how to get it."""

from pathlib import Path

from fastapi.staticfiles import StaticFiles
from starlette.responses import Response
from starlette.types import Scope

from api.core.errors import NotFoundError
from api.core.middleware import PAGES_CSP

FOLDER = Path(__file__).parent / "guide"
# The theme's search brings its one style sheet as an element; a browser's console names the digest of another.
_SEARCH_STYLE = "'sha256-NwSx/R2V/U4jnW0Tq5pQ53Y/rzPVJ4dqE7D6UTA/J1k='"
_CSP = PAGES_CSP.replace("style-src 'self'", f"style-src 'self' {_SEARCH_STYLE}")


class GuideNotBuiltError(NotFoundError):
    """This instance has no documentation of its own."""

    code = "guide_not_built"
    title = "The documentation has not been built"


class Guide(StaticFiles):
    """The files of a built site. It may be built, and built again, while the service runs."""

    def __init__(self, folder: Path | None = None) -> None:
        super().__init__(directory=folder or FOLDER, html=True, check_dir=False)

    async def check_config(self) -> None:
        """Nothing: a folder that is missing is said to whoever asks for a page."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file, which a browser asks for again before it shows a copy of its own."""
        if not (Path(str(self.directory)) / "index.html").is_file():
            raise GuideNotBuiltError("Run `make docs` in the checkout that this service runs from.")
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"
        response.headers["Content-Security-Policy"] = _CSP
        return response
