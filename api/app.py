"""The web application: the list of routers is the table of contents."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import Depends, FastAPI
from fastapi.staticfiles import StaticFiles

from api.accounts import group_routes, organisation_routes
from api.accounts import routes as accounts_routes
from api.catalog import access_routes
from api.catalog import routes as catalog_routes
from api.containers import routes as container_routes
from api.core import errors, openapi
from api.core.db import Database, Role
from api.core.known_query import known_query
from api.core.middleware import Envelope
from api.core.outage import Outage
from api.core.ratelimit import make_limiter
from api.core.settings import Settings
from api.core.slow_clients import TimedBodies
from api.core.telemetry import Measured
from api.core.traces import Traced
from api.disputes import routes as dispute_routes
from api.endpoints import routes as endpoint_routes
from api.feedback import routes as feedback_routes
from api.hosting.client import HostClient
from api.leaderboard import routes as leaderboard_routes
from api.leaks import routes as leaks_routes
from api.ledger import routes as ledger_routes
from api.login import routes as login_routes
from api.login.providers import Providers
from api.matches import routes as match_routes
from api.operations import metrics
from api.operations import routes as operations_routes
from api.owner_jobs import routes as owner_jobs_routes
from api.page_cache.entrance import CachedPages, KeptPages
from api.page_cache.versions import CurrentVersions
from api.problems import routes as problems_routes
from api.regrades import routes as regrades_routes
from api.reviews import routes as reviews_routes
from api.rubrics import routes as rubric_routes
from api.sessions import channel as session_channel
from api.sessions import routes as sessions_routes
from api.sessions.cache import StepCache
from api.sessions.channel import Channels
from api.sessions.steps import StepEntrance, StepHandler
from api.submissions import routes as submissions_routes
from api.uploads import routes as uploads_routes
from api.web import (
    access_pages,
    account_pages,
    api_page,
    benchmark_pages,
    device_pages,
    exposure_pages,
    feedback_pages,
    job_pages,
    judge_pages,
    login_pages,
    match_pages,
    operator_pages,
    organisation_pages,
    owner_pages,
    pack_pages,
    pages,
    problem_pages,
    profile_pages,
    render,
    review_pages,
    rubric_pages,
    run_pages,
    trajectory_pages,
    usage_pages,
)
from api.web.guide_pages import Guide

ROUTERS = (
    catalog_routes.public,
    catalog_routes.router,
    problems_routes.router,
    submissions_routes.router,
    submissions_routes.reading,
    sessions_routes.router,
    sessions_routes.stepping,
    sessions_routes.reading,
    session_channel.router,
    metrics.router,
    operations_routes.router,
    operations_routes.public,
    leaderboard_routes.public,
    leaderboard_routes.router,
    reviews_routes.router,
    reviews_routes.owners,
    accounts_routes.router,
    leaderboard_routes.participants,
    feedback_routes.participants,
    feedback_routes.owners,
    ledger_routes.router,
    leaks_routes.router,
    regrades_routes.public,
    regrades_routes.owners,
    access_routes.router,
    uploads_routes.router,
    owner_jobs_routes.router,
    rubric_routes.router,
    dispute_routes.public,
    dispute_routes.participants,
    dispute_routes.owners,
    match_routes.public,
    match_routes.opening,
    match_routes.playing,
    container_routes.router,
    endpoint_routes.router,
    endpoint_routes.reading,
    organisation_routes.reading,
    organisation_routes.router,
    group_routes.router,
    login_routes.beginning,
    login_routes.polling,
    login_routes.leaving,
    pages.router,
    benchmark_pages.router,
    benchmark_pages.joining,
    problem_pages.router,
    profile_pages.router,
    trajectory_pages.router,
    match_pages.router,
    login_pages.router,
    login_pages.leaving,
    device_pages.router,
    account_pages.router,
    usage_pages.router,
    run_pages.router,
    organisation_pages.public,
    organisation_pages.router,
    operator_pages.router,
    access_pages.router,
    exposure_pages.router,
    feedback_pages.router,
    owner_pages.router,
    review_pages.router,
    job_pages.router,
    judge_pages.router,
    rubric_pages.router,
    api_page.router,
    pack_pages.router,
)


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    app.state.database = Database.of(app.state.settings, Role.WEB)
    database = app.state.database
    async with HostClient(database) as app.state.host_client, Channels(database) as app.state.channels:
        app.state.page_versions = CurrentVersions(database)
        app.state.steps = StepHandler(database, app.state.host_client, app.state.step_cache)
        yield
    await app.state.database.close()


def create_app(settings: Settings) -> FastAPI:
    """The application for these settings. Nothing is read from the environment here."""
    app = FastAPI(
        title="Heldout",
        version="1",
        summary="Benchmarks whose test sets stay unseen",
        lifespan=_lifespan,
        max_body_size=settings.max_body_bytes,
        docs_url=None,
        redoc_url=None,
        openapi_url="/v1/openapi.json",
        openapi_tags=openapi.TAGS,
        generate_unique_id_function=openapi.operation_id,
        dependencies=[Depends(known_query)],
        responses={
            code: {"model": errors.Problem, "content": {errors.MEDIA_TYPE: {}}, "description": text}
            for code, text in (("4XX", "the request has to be changed"), ("5XX", "an error on our side"))
        },
    )
    app.state.settings = settings
    app.state.limiter = make_limiter(settings)
    app.state.limits_away = Outage("limits.unreachable")
    app.state.providers = Providers(settings)
    errors.install(app)
    render.install(app)
    for router in ROUTERS:
        app.include_router(router)
    openapi.install(app)
    app.mount("/static", StaticFiles(directory=Path(__file__).parent / "web" / "static"), name="static")
    app.mount("/guide", Guide(), name="guide")
    app.state.step_cache = StepCache()
    app.state.watched = Counter()
    app.state.kept_pages = KeptPages()
    app.add_middleware(CachedPages, pages=app.state.kept_pages)
    app.add_middleware(StepEntrance)
    app.add_middleware(TimedBodies)
    app.add_middleware(Measured, access_log=settings.access_log)
    app.add_middleware(Traced)
    app.add_middleware(Envelope)
    return app
