"""What a participant can do in a browser: one table of verbs, from which the tools and the text forms follow."""

from dataclasses import dataclass, field
from enum import StrEnum

from pydantic import JsonValue

from envs.base import Tool


class Kind(StrEnum):
    """What a parameter may be. `FREE` is any text, `WORD` one of the parameter's `options`."""

    ELEMENT = "element"
    FREE = "free"
    WORD = "word"
    FLAG = "flag"
    WHOLE = "whole"
    NUMBER = "number"


Value = str | int | float | bool


@dataclass(frozen=True)
class Parameter:
    """A parameter of a verb; without a `default` it must be given."""

    name: str
    kind: Kind
    about: str
    default: Value | None = None
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Verb:
    """A verb: its parameters in order, what it does, and the other names it goes by."""

    name: str
    about: str
    parameters: tuple[Parameter, ...] = ()
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Command:
    """A parsed action: the verb's name and its checked arguments, defaults filled in."""

    verb: str
    arguments: dict[str, Value] = field(default_factory=dict)

    def text(self, name: str) -> str:
        """An argument as text."""
        return str(self.arguments[name])

    def whole(self, name: str) -> int:
        """An argument as a whole number."""
        return int(self.arguments[name])

    def number(self, name: str) -> float:
        """An argument as a number."""
        return float(self.arguments[name])

    def flag(self, name: str) -> bool:
        """An argument as true or false."""
        return bool(self.arguments[name])


ELEMENT = Parameter("element", Kind.ELEMENT, "id in brackets in the observation")
NAME = Parameter("name", Kind.FREE, "name attribute of the field")
X = Parameter("x", Kind.NUMBER, "pixels from the left of the viewport, or a fraction below 1")
Y = Parameter("y", Kind.NUMBER, "pixels from the top of the viewport, or a fraction below 1")
MODES = ("accessibility", "html", "screenshot")


def _value(about: str) -> Parameter:
    return Parameter("value", Kind.FREE, about)


VERBS = (
    Verb("noop", "Do nothing and look again."),
    Verb("click", "Click an element in its middle.", (ELEMENT,), ("click_element",)),
    Verb("hover", "Move the pointer over an element.", (ELEMENT,)),
    Verb(
        "type",
        "Click a field and type after what is there.",
        (
            ELEMENT,
            Parameter("text", Kind.FREE, "what to type"),
            Parameter("enter", Kind.FLAG, "press Enter afterwards", default=True),
        ),
    ),
    Verb("fill", "Replace what is in a field.", (ELEMENT, Parameter("text", Kind.FREE, "the new content"))),
    Verb("clear", "Empty a field.", (ELEMENT,)),
    Verb(
        "select_option",
        "Choose an option of a select by its label or value.",
        (ELEMENT, Parameter("option", Kind.FREE, "label or value; several are joined by |")),
    ),
    Verb(
        "upload",
        "Give one of the session's files to a file field.",
        (ELEMENT, Parameter("file", Kind.FREE, "name of the file")),
    ),
    Verb(
        "drag",
        "Drag one element onto another.",
        (ELEMENT, Parameter("target", Kind.ELEMENT, "id of the element to drop on")),
    ),
    Verb(
        "press",
        "Press a key or a combination such as Ctrl+a.",
        (Parameter("keys", Kind.FREE, "keys joined by +"),),
        ("keyboard_press", "key_press"),
    ),
    Verb(
        "keyboard_type",
        "Type where the focus is.",
        (Parameter("text", Kind.FREE, "what to type"),),
    ),
    Verb(
        "scroll",
        "Scroll the page by one window.",
        (Parameter("direction", Kind.WORD, "where to", options=("up", "down", "left", "right")),),
    ),
    Verb("mouse_click", "Click at a point.", (X, Y)),
    Verb("mouse_hover", "Move the pointer to a point.", (X, Y), ("mouse_move",)),
    Verb(
        "mouse_drag",
        "Drag from one point to another.",
        (X, Y, Parameter("to_x", Kind.NUMBER, "as x"), Parameter("to_y", Kind.NUMBER, "as y")),
        ("mouse_drag_and_drop",),
    ),
    Verb("goto", "Open an address.", (Parameter("url", Kind.FREE, "an address of this session's sites"),)),
    Verb("go_back", "Back in the tab's history."),
    Verb("go_forward", "Forward in the tab's history."),
    Verb("new_tab", "Open an empty tab."),
    Verb(
        "tab_focus",
        "Go to a tab.",
        (Parameter("index", Kind.WHOLE, "number of the tab, from 0"),),
        ("page_focus",),
    ),
    Verb("tab_close", "Close the current tab.", (), ("close_tab", "page_close")),
    Verb(
        "dialog",
        "Answer the dialog that is open.",
        (
            Parameter("decision", Kind.WORD, "what to do", options=("accept", "dismiss")),
            Parameter("text", Kind.FREE, "what to enter in a prompt", default=""),
        ),
    ),
    Verb(
        "observe",
        "Look again, in another mode.",
        (
            Parameter("mode", Kind.WORD, "what to look at", default="accessibility", options=MODES),
            Parameter("whole_page", Kind.FLAG, "not only the viewport", default=False),
            Parameter("marks", Kind.FLAG, "element ids drawn on the screenshot", default=False),
        ),
    ),
    Verb(
        "stop", "End, with the answer if one is asked for.", (Parameter("answer", Kind.FREE, "the answer", default=""),)
    ),
    Verb("modify_text", "Set a text field by name.", (NAME, _value("the new text"))),
    Verb("modify_checkbox", "Check exactly these boxes.", (NAME, _value("values joined by |; empty for none"))),
    Verb("modify_radio", "Choose a radio button.", (NAME, _value("its value"))),
    Verb("modify_select", "Choose an option of a select.", (NAME, _value("its value or label"))),
    Verb("modify_range", "Set a slider.", (NAME, _value("a number"))),
    Verb("submit", "Send the form whose field was modified last, or else the page's first."),
    Verb("get_html", "See the page's HTML."),
    Verb("capture_screen", "See a picture of the window.", (), ("take_screenshot", "take_page_screenshots")),
    Verb("scroll_to_element", "Scroll until a field can be seen.", (NAME,)),
    Verb("wait_for_element", "Wait until a field is on the page.", (NAME,)),
    Verb("wait", "Let the page's clocks run.", (Parameter("seconds", Kind.NUMBER, "at most 5", default=1),)),
    Verb("maximize_window", "Use the largest window.", (), ("maximize",)),
)

FORM_VERBS = frozenset({"modify_text", "modify_checkbox", "modify_radio", "modify_select", "modify_range"})
FORM_VERBS |= {
    "submit",
    "get_html",
    "capture_screen",
    "scroll_to_element",
    "wait_for_element",
    "wait",
    "maximize_window",
}
BY_NAME = {name: verb for verb in VERBS for name in (verb.name, *verb.aliases)}

_SCHEMAS: dict[Kind, dict[str, JsonValue]] = {
    Kind.ELEMENT: {"type": "integer", "minimum": 0},
    Kind.FREE: {"type": "string"},
    Kind.WORD: {"type": "string"},
    Kind.FLAG: {"type": "boolean"},
    Kind.WHOLE: {"type": "integer", "minimum": 0},
    Kind.NUMBER: {"type": "number"},
}


def tools(forms: bool = False) -> tuple[Tool, ...]:
    """The verbs as tools with JSON Schemas; `forms` adds those that name a form's fields."""
    chosen = [verb for verb in VERBS if forms or verb.name not in FORM_VERBS]
    return tuple(Tool(name=verb.name, description=verb.about, parameters=_schema(verb)) for verb in chosen)


def _schema(verb: Verb) -> dict[str, JsonValue]:
    properties: dict[str, JsonValue] = {}
    for parameter in verb.parameters:
        schema = _SCHEMAS[parameter.kind] | {"description": parameter.about}
        if parameter.options:
            schema["enum"] = list(parameter.options)
        if parameter.default is not None:
            schema["default"] = parameter.default
        properties[parameter.name] = schema
    required: list[JsonValue] = [item.name for item in verb.parameters if item.default is None]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
