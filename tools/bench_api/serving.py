"""The service beside a bare route that selects the same rows, in one process and with one pool.

Garbage is collected as in the service's own process.
"""

import sys

import uvicorn
from fastapi import Depends, FastAPI
from fastapi.responses import JSONResponse
from sqlalchemy import text

from api.accounts.principal import Public
from api.app import create_app
from api.core.deps import SessionDep
from api.core.settings import Settings
from api.processes import freeze_imports

_BARE = text(
    """select p.id, p.type, p.subject, p.statement, p.choices, p.answer_format, p.images, p.episode
       from problem p join split s on s.id = p.split_id where s.name = 'test' order by p.position limit 20"""
)


def make(settings: Settings) -> FastAPI:
    """The application with `/bare`, which has no key, agreement, budget or ledger."""
    app = create_app(settings)

    @app.get("/bare", dependencies=[Depends(Public())])
    async def bare(session: SessionDep) -> JSONResponse:
        result = await (await session.connection()).execute(_BARE)
        return JSONResponse([{**row, "id": str(row["id"])} for row in result.mappings().all()])

    return app


if __name__ == "__main__":
    chosen = Settings()
    app = make(chosen)
    freeze_imports()
    uvicorn.run(app, host=chosen.host, port=int(sys.argv[1]), log_level="warning", access_log=False)
