"""The environment: one page, one form, until it is submitted."""

from dataclasses import replace
from typing import Any

from pydantic import JsonValue

from envs.base import Evidence, Observation, Probe, SpecError, parse_probe, parse_spec
from envs.browser.actions import from_text
from envs.browser.episode import BrowserEpisode
from envs.browser.errors import ActionFailed
from envs.browser.options import Options
from envs.browser.page_functions import page_function
from envs.browser.perform import perform
from envs.browser.session import BrowserSession
from envs.browser.verbs import Command, tools
from envs.web_forms.libraries import Elsewhere
from envs.web_forms.page import HOST, FormSite, document
from envs.web_forms.spec import PROBES, WebFormsSpec

# A page of a busy machine that was read before its scripts had run would seem to have no fields.
LOAD_SECONDS = 45.0


class WebForms(BrowserEpisode):
    """One form. Probes of type `form` see `{submitted, seen, visible, fields, pictures, missing,
    script_errors}`.

    `submitted`: the last payload, null before the first. `seen`: values read from the page at the end by name.
    `visible`: names displayed at the end. `fields`: name, type, options, bounds of each field. `pictures`, `missing`:
    how often each outside host was asked for images and for anything else that no copy stands for.
    """

    def __init__(self) -> None:
        super().__init__()
        self.site = FormSite("")
        self.elsewhere = Elsewhere()

    async def start(self, spec: dict[str, Any], seed: int) -> tuple[WebFormsSpec, BrowserSession]:
        """See `BrowserEpisode`. The seed changes nothing: the page is the same for everybody."""
        del seed
        read = parse_spec(WebFormsSpec, spec)
        self.site = FormSite(document(read.template, read.inputs, read.title))
        load_timeout = min(LOAD_SECONDS, read.timeout)
        options = replace(
            Options(),
            files=read.uploads(),
            timeout=read.timeout,
            load_timeout=load_timeout,
            published_lines=read.lines == "published",
        )
        session = BrowserSession({HOST: self.site}, self.elsewhere, options)
        self._session = session
        await session.open()
        try:
            await perform(session, from_text(f"goto [http://{HOST}/]"))
        except ActionFailed as error:
            raise SpecError(f"the page cannot be opened: {error}") from error
        return read, session

    def opening(self, observation: Observation) -> Observation:
        """The first observation, with the tools."""
        return observation.model_copy(update={"tools": tools(forms=True)})

    async def facts(self) -> dict[str, JsonValue]:
        """The page's fields, so that actions by name can be chosen; the published harness names them too."""
        if self.session.dialog:
            return {}
        return {"fields": list(await self.fields())}

    async def done(self, command: Command | None) -> bool:
        """A submitted form is the end."""
        del command
        return self.site.submitted is not None

    async def look(self, probe: Probe) -> Evidence:
        """The form as it was left."""
        try:
            parse_probe(PROBES, probe)
        except SpecError as error:
            return Evidence(name=probe.name, error=str(error), fault=True)
        fields = await self.fields()
        return Evidence(name=probe.name, value=self.evidence(fields))

    async def fields(self) -> list[dict[str, Any]]:
        """Every field of the page in front. Raises ActionFailed when the page does not answer."""
        if self.session.dialog:
            await self.session.answer_dialog(accept=False, text="")
        page = next((tab.page for tab in self.session.tabs if f"//{HOST}/" in tab.url), None)
        if page is None:
            return []
        found = await self.session.run(page.evaluate(page_function("read_form")))
        return list(found or [])

    def evidence(self, fields: list[dict[str, Any]]) -> dict[str, JsonValue]:
        """What a grader sees of the form."""
        return {
            "submitted": self.site.submitted,
            "seen": {item["name"]: _value(item) for item in fields},
            "visible": [item["name"] for item in fields if item["visible"]],
            "fields": list(fields),
            "pictures": dict(self.elsewhere.pictures),
            "missing": dict(self.elsewhere.missing),
            "script_errors": self.session.script_errors,
        }


def _value(item: dict[str, Any]) -> JsonValue:
    values = [str(value) for value in item["values"]]
    if item["type"] == "checkbox":
        return list(values)
    return "" if not values else values[0] if len(values) == 1 else list(values)
