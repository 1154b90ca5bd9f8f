"""Crowdsourcing pages in a browser: forms to fill in, served inside the session, judged by what was submitted."""

from envs.web_forms.environment import WebForms, WebFormsSpec


def create() -> WebForms:
    """A fresh environment."""
    return WebForms()


__all__ = ["WebForms", "WebFormsSpec", "create"]
