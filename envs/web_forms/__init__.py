"""Crowdsourcing pages in a browser: forms to fill in, served inside the session, judged by what was submitted."""

from envs.base import Environment
from envs.definition import EnvironmentDefinition
from envs.web_forms.spec import PROBES, WebFormsSpec


def _create() -> Environment:
    from envs.web_forms.environment import WebForms

    return WebForms()


async def _close() -> None:
    from envs.browser import chromium

    await chromium.shared().close()


ENVIRONMENT = EnvironmentDefinition(name="web_forms", spec=WebFormsSpec, probes=PROBES, create=_create, close=_close)
