"""The service beside a bare route that selects the same rows, in one process and with one pool.

Garbage is collected as in the service's own process.
"""

import sys

import uvicorn
from fastapi import Depends, FastAPI
from fastapi.responses import JSONResponse
from sqlalchemy import TextClause, text

from api.accounts.principal import Public
from api.app import create_app
from api.core.deps import SessionDep
from api.core.settings import Settings
from api.processes import freeze_imports

_COLUMNS = "p.id, p.type, p.subject, p.statement, p.choices, p.answer_format, p.images, p.episode"
# `bare` is what most would write, and sorts all problems of the split; the index has them in order.
_BARE = {
    "bare": "from problem p join split s on s.id = p.split_id where s.name = 'test'",
    "indexed": "from problem p where p.split_id = (select s.id from split s where s.name = 'test')",
}


def make(settings: Settings) -> FastAPI:
    """The application with `/bare` and `/indexed`, which have no key, agreement, budget or ledger."""
    app = create_app(settings)
    for name, rows in _BARE.items():
        _add(app, f"/{name}", text(f"select {_COLUMNS} {rows} order by p.position limit 20"))
    return app


def _add(app: FastAPI, path: str, statement: TextClause) -> None:
    @app.get(path, dependencies=[Depends(Public())])
    async def bare(session: SessionDep) -> JSONResponse:
        result = await (await session.connection()).execute(statement)
        return JSONResponse([{**row, "id": str(row["id"])} for row in result.mappings().all()])


if __name__ == "__main__":
    chosen = Settings()
    app = make(chosen)
    freeze_imports()
    uvicorn.run(app, host=chosen.host, port=int(sys.argv[1]), log_level="warning", access_log=False)
