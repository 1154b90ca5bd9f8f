"""The page on which people grade: signed in, one answer at a time. Without scripts it lacks keys and set formulas."""

from contextlib import suppress
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response
from fastapi.responses import HTMLResponse

from api.catalog.service import CatalogService
from api.core.deps import SessionDep, SettingsDep
from api.core.errors import InvalidError
from api.core.ratelimit import limited
from api.core.schemas import IdPath, SlugPath
from api.reviews.errors import ReviewerTakesPartError
from api.reviews.schemas import Vote
from api.reviews.service import ReviewService
from api.web.forms import Form, FormDep
from api.web.render import go, page_with_formulas
from api.web.viewer import ViewerDep, signed_in

router = APIRouter(
    prefix="/review/{slug}",
    tags=["pages"],
    dependencies=[Depends(signed_in), Depends(limited("write"))],
    include_in_schema=False,
)


async def _reviews(session: SessionDep, settings: SettingsDep, viewer: ViewerDep) -> ReviewService:
    return ReviewService(session, settings.secrets.raw("review"), viewer.user_id)


ReviewsDep = Annotated[ReviewService, Depends(_reviews)]


@router.get("", response_class=HTMLResponse)
async def review_page(request: Request, slug: SlugPath, session: SessionDep, reviews: ReviewsDep) -> HTMLResponse:
    """How far the queue is, and the answer that the reviewer holds."""
    state = await reviews.state(slug)
    task = await reviews.leased(slug)
    benchmark = await CatalogService(session).show(slug)
    return page_with_formulas(request, "review.html", {"benchmark": benchmark, "state": state, "task": task})


@router.post("/claim")
async def take_next(slug: SlugPath, _form: FormDep, reviews: ReviewsDep) -> Response:
    """Take the next answer."""
    await reviews.claim(slug)
    return go(f"/review/{slug}")


@router.post("/{review}/vote")
async def vote(slug: SlugPath, review: IdPath, form: FormDep, reviews: ReviewsDep) -> Response:
    """Give credits, and take the next answer."""
    task = await reviews.leased(slug)
    names = [str(one["id"]) for one in task.sheet.rubric["criteria"]] if task and task.id == review else []
    await reviews.vote(review, _vote(form, names))
    # Where nothing else waits for them, the page says so.
    with suppress(ReviewerTakesPartError):
        await reviews.claim(slug)
    return go(f"/review/{slug}")


@router.post("/{review}/release")
async def release(slug: SlugPath, review: IdPath, _form: FormDep, reviews: ReviewsDep) -> Response:
    """Give an answer back to the queue."""
    await reviews.release(review)
    return go(f"/review/{slug}")


@router.get("/{review}/images/{number}")
async def image(review: IdPath, number: Annotated[int, Path(ge=0, le=1000)], reviews: ReviewsDep) -> Response:
    """A picture of the problem, while the review is the reader's."""
    found = await reviews.picture(review, number)
    headers = {"Content-Security-Policy": "sandbox", "Cache-Control": "no-store"}
    return Response(found.content, media_type=found.media_type, headers=headers)


def _vote(form: Form, names: list[str]) -> Vote:
    """The form's credits by criterion; its fields are numbered in the rubric's order. Raises InvalidError."""
    try:
        credits = {name: float(form.text(f"credit-{place}", 5)) for place, name in enumerate(names)}
        seconds = min(86_400.0, max(0.0, float(form.text("seconds", 20) or 0)))
    except ValueError:
        raise InvalidError("choose a credit for each criterion") from None
    return Vote(credits=credits, comment=form.text("comment", 4000), seconds=seconds)
