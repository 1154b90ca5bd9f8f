"""Places in an oracle's actions, which can only be filled in once the observation before the action is known.

`{{output}}`: what the last action printed (the `output` of its data); `{{element link 'Orders'}}`: the number of the
first element of that role and name (`{{element link 'Orders' 2}}`: of the second); `{{site shop}}`: the address of one
of the session's sites.
"""

import json
import re
from typing import Any

from envs.base import Action, Observation

OUTPUT = "{{output}}"
ELEMENT = re.compile(r"\{\{element (\w+) '(.*?)'(?: (\d+))?\}\}")
SITE = re.compile(r"\{\{site (\w+)\}\}")


def has_places(actions: Any) -> bool:
    """Whether actions can only be known once the observations before them are."""
    text = json.dumps(actions, ensure_ascii=False)
    return OUTPUT in text or bool(ELEMENT.search(text) or SITE.search(text))


def resolve(action: Action, observation: Observation) -> Action:
    """An oracle's action with its places filled in; one that cannot be found stays as text, which no action takes."""
    return Action.model_validate(_filled(action.model_dump(exclude_none=True), observation))


def _filled(value: Any, observation: Observation) -> Any:
    if isinstance(value, str):
        value = value.replace(OUTPUT, str(observation.data.get("output") or "").strip())
        value = ELEMENT.sub(lambda match: _element(observation.text, match), value)
        return SITE.sub(lambda match: _site(observation, match), value)
    if isinstance(value, list):
        return [_filled(item, observation) for item in value]
    if isinstance(value, dict):
        return {key: _filled(item, observation) for key, item in value.items()}
    return value


def _element(text: str, wanted: re.Match[str]) -> str:
    line = re.compile(rf"^\t*\[(\d+)\] {re.escape(wanted[1])} {re.escape(repr(wanted[2]))}(?: |$)", re.MULTILINE)
    found = line.findall(text)
    index = int(wanted[3] or 1) - 1
    return str(found[index]) if index < len(found) else f"no {wanted[1]} {wanted[2]!r} is shown"


def _site(observation: Observation, wanted: re.Match[str]) -> str:
    sites = observation.data.get("sites")
    return str(sites.get(wanted[1], wanted[0])) if isinstance(sites, dict) else wanted[0]
