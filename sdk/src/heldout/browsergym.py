"""Action strings in BrowserGym's spelling (`click('12')`, `fill('12', 'text')`) as actions of this service.

They are parsed and never executed: one call with literal arguments. Element ids are the numbers in brackets.
"""

import ast
import warnings
from collections.abc import Callable
from typing import Any

from heldout.models import Action

Arguments = dict[str, Any]
NOT_ACHIEVABLE = "N/A"


class NotTranslatedError(ValueError):
    """The text is no single BrowserGym call, or one that has no counterpart here."""


def _bare(name: str) -> Callable[[Arguments], tuple[str, Arguments]]:
    return lambda _: (name, {})


def _scroll(given: Arguments) -> tuple[str, Arguments]:
    across, down = float(given["delta_x"]), float(given["delta_y"])
    if abs(across) > abs(down):
        return "scroll", {"direction": "right" if across > 0 else "left"}
    return "scroll", {"direction": "up" if down < 0 else "down"}


def _options(given: Arguments) -> tuple[str, Arguments]:
    chosen = given["options"]
    return "select_option", {
        "element": given["bid"],
        "option": "|".join(map(str, chosen)) if isinstance(chosen, list) else chosen,
    }


def _renamed(name: str, **names: str) -> Callable[[Arguments], tuple[str, Arguments]]:
    return lambda given: (name, {ours: given[theirs] for ours, theirs in names.items()})


# By BrowserGym's name: its parameters in order, and what it is here. Parameters in brackets may be left out.
CALLS: dict[str, tuple[str, Callable[[Arguments], tuple[str, Arguments]]]] = {
    "noop": ("[wait_ms]", _bare("noop")),
    "click": ("bid [button] [modifiers]", _renamed("click", element="bid")),
    "hover": ("bid", _renamed("hover", element="bid")),
    "fill": ("bid value", _renamed("fill", element="bid", text="value")),
    "clear": ("bid", _renamed("clear", element="bid")),
    "select_option": ("bid options", _options),
    "drag_and_drop": ("from_bid to_bid", _renamed("drag", element="from_bid", target="to_bid")),
    "upload_file": ("bid file", _renamed("upload", element="bid", file="file")),
    "scroll": ("delta_x delta_y", _scroll),
    "mouse_move": ("x y", _renamed("mouse_hover", x="x", y="y")),
    "mouse_click": ("x y [button]", _renamed("mouse_click", x="x", y="y")),
    "mouse_drag_and_drop": (
        "from_x from_y to_x to_y",
        _renamed("mouse_drag", x="from_x", y="from_y", to_x="to_x", to_y="to_y"),
    ),
    "keyboard_press": ("key", _renamed("press", keys="key")),
    "keyboard_type": ("text", _renamed("keyboard_type", text="text")),
    "keyboard_insert_text": ("text", _renamed("keyboard_type", text="text")),
    "goto": ("url", _renamed("goto", url="url")),
    "go_back": ("", _bare("go_back")),
    "go_forward": ("", _bare("go_forward")),
    "new_tab": ("", _bare("new_tab")),
    "tab_close": ("", _bare("tab_close")),
    "tab_focus": ("index", _renamed("tab_focus", index="index")),
    "send_msg_to_user": ("text", _renamed("stop", answer="text")),
    "report_infeasible": ("reason", lambda _: ("stop", {"answer": NOT_ACHIEVABLE})),
}


def translate(text: str) -> Action:
    """The action that a BrowserGym string means. Raises NotTranslatedError with what is wrong."""
    call = _call(text)
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    if name not in CALLS:
        raise NotTranslatedError(f"no action {name!r} here; there are: {', '.join(sorted(CALLS))}")
    signature, made = CALLS[name]
    given = _given(call, name, signature.split())
    if given.pop("button", "left") != "left" or given.pop("modifiers", None):
        raise NotTranslatedError("only plain clicks with the left button")
    tool, arguments = made(given)
    return Action.of({"name": tool, "arguments": arguments})


def _call(text: str) -> ast.Call:
    try:
        # Python 3.12 and later warn of an escape such as "\d", which selectors are full of.
        with warnings.catch_warnings(action="ignore"):
            tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise NotTranslatedError("an action is one call, such as click('12')") from None
    if not isinstance(tree, ast.Call):
        raise NotTranslatedError("an action is one call, such as click('12')")
    return tree


def _given(call: ast.Call, name: str, parameters: list[str]) -> Arguments:
    names = [parameter.strip("[]") for parameter in parameters]
    if len(call.args) > len(names):
        raise NotTranslatedError(f"{name} takes {len(names)} arguments")
    given: dict[str, ast.expr] = dict(zip(names, call.args, strict=False))
    given |= {keyword.arg or "**": keyword.value for keyword in call.keywords}
    needed = {parameter for parameter in parameters if not parameter.startswith("[")}
    if not needed <= set(given) <= set(names):
        raise NotTranslatedError(f"{name} is written as {name}({', '.join(parameters)})")
    try:
        return {key: ast.literal_eval(value) for key, value in given.items()}
    except (ValueError, TypeError, RecursionError, MemoryError, SyntaxError):
        raise NotTranslatedError("arguments are plain texts, numbers and lists; nothing is computed") from None
