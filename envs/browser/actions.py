"""Actions as text or as tool calls become commands. They are parsed, never executed.

Text comes in three spellings: `click [12]` and `page.get_by_role("link", name="Cart").click()` (WebArena's two action
sets), and `modify_radio("q1", "yes")` (TurkingBench, BrowserGym). Of a longer text the first span between three
backticks counts, as published.
"""

import ast
import math
import re

from pydantic import JsonValue

from envs import python_text
from envs.base import Action, ToolCall
from envs.browser.playwright_code import CodeError, parse_code
from envs.browser.verbs import BY_NAME, Command, Kind, Parameter, Value, Verb

LONGEST_ACTION = 50_000
FENCE = re.compile(r"```(?:[a-z]+\n)?(.+?)```", re.DOTALL)
CALL = re.compile(r"(?:self\s*\.\s*)?(?:actions\s*\.\s*)?([a-z_]+)\s*\(", re.IGNORECASE)
WORD = re.compile(r"[a-z_]+", re.IGNORECASE)
UNACHIEVABLE = "N/A"


class ActionSyntaxError(ValueError):
    """The text is not an action; the message says why and may be shown to the participant."""


def parse(action: Action) -> Command:
    """The command an action means. Raises ActionSyntaxError with what is wrong and what would be right."""
    return _from_tool(action.tool) if action.tool else from_text(action.text or "")


def from_text(text: str) -> Command:
    """The command a text means; see `parse`."""
    if len(text) > LONGEST_ACTION:
        raise ActionSyntaxError(f"an action has at most {LONGEST_ACTION} characters")
    fenced = FENCE.search(text)
    body = (fenced[1] if fenced else text).strip()
    if body.startswith("page."):
        try:
            return parse_code(body)
        except CodeError as error:
            raise ActionSyntaxError(str(error)) from error
    if CALL.match(body):
        return _from_call(body)
    word = WORD.match(body)
    if not word:
        raise ActionSyntaxError(f"an action starts with its name, such as `click [12]`; this starts with {body[:20]!r}")
    verb = _verb(word[0])
    return _bracketed(verb, body[word.end() :])


def _verb(name: str) -> Verb:
    lowered = name.lower()
    if lowered not in BY_NAME:
        raise ActionSyntaxError(f"there is no action {name[:40]!r}; there are: {', '.join(sorted(BY_NAME))}")
    return BY_NAME[lowered]


def _pattern(parameters: tuple[Parameter, ...]) -> re.Pattern[str]:
    pieces = []
    for parameter in parameters:
        if parameter.kind is Kind.FREE:
            inner = r"\[(.*)\]"
        elif parameter.kind is Kind.WORD:
            inner = r"\[?\s*([a-z]+)\s*\]?"
        elif parameter.kind is Kind.FLAG:
            inner = r"\[\s*(0|1|true|false)\s*\]"
        else:
            inner = r"\[\s*(-?[0-9.]+)\s*\]"
        pieces.append(inner)
    return re.compile(r"\s*" + r"\s*,?\s*".join(pieces), re.DOTALL | re.IGNORECASE)


def _bracketed(verb: Verb, rest: str) -> Command:
    # Optional parameters are left off one by one, so that the greedy text takes an inner bracket but not a flag's.
    for count in range(len(verb.parameters), -1, -1):
        given = verb.parameters[:count]
        if any(parameter.default is None for parameter in verb.parameters[count:]):
            break
        match = _pattern(given).match(rest)
        if match:
            return _command(verb, dict(zip((item.name for item in given), match.groups(), strict=True)))
    raise ActionSyntaxError(f"`{verb.name}` is written as `{usage(verb)}`")


def usage(verb: Verb) -> str:
    """How a verb is written as text."""
    return " ".join([verb.name, *(f"[{parameter.name}]" for parameter in verb.parameters)])


def _from_call(body: str) -> Command:
    try:
        tree = python_text.expression(body)
    except ValueError as error:
        raise ActionSyntaxError('a call is one line such as `modify_text("name", "value")`') from error
    if not isinstance(tree, ast.Call):
        raise ActionSyntaxError("one call at a time, and nothing after it")
    function = tree.func
    name = (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )
    if name == "report_infeasible":
        return Command("stop", {"answer": UNACHIEVABLE})
    verb = _verb("stop" if name == "send_msg_to_user" else name)
    values = [_literal(item) for item in tree.args]
    if len(values) > len(verb.parameters):
        raise ActionSyntaxError(f"`{verb.name}` takes {len(verb.parameters)} arguments, not {len(values)}")
    given = {parameter.name: value for parameter, value in zip(verb.parameters, values, strict=False)}
    for keyword in tree.keywords:
        if keyword.arg is None or keyword.arg in given:
            raise ActionSyntaxError(f"`{verb.name}` got an argument twice or by two stars")
        given[keyword.arg] = _literal(keyword.value)
    return _command(verb, given)


def _literal(node: ast.expr) -> JsonValue:
    sign = -1 if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) else 1
    inner = node.operand if isinstance(node, ast.UnaryOp) and sign == -1 else node
    if isinstance(inner, ast.Constant) and isinstance(inner.value, str | int | float | bool | None):
        if sign == -1 and isinstance(inner.value, int | float):
            return -inner.value
        if sign == 1:
            return inner.value
    raise ActionSyntaxError("arguments are plain texts and numbers; nothing is computed")


def _from_tool(call: ToolCall) -> Command:
    return _command(_verb(call.name), dict(call.arguments))


def _command(verb: Verb, given: dict[str, JsonValue]) -> Command:
    known = {parameter.name: parameter for parameter in verb.parameters}
    if unknown := sorted(set(given) - set(known)):
        raise ActionSyntaxError(f"`{verb.name}` has no argument {unknown[0]!r}; it has: {', '.join(known) or 'none'}")
    arguments: dict[str, Value] = {}
    for name, parameter in known.items():
        value = given.get(name)
        if value is not None:
            arguments[name] = _coerce(verb, parameter, value)
        elif parameter.default is not None:
            arguments[name] = parameter.default
        else:
            raise ActionSyntaxError(f"`{verb.name}` needs `{name}`: {parameter.about}")
    return Command(verb.name, arguments)


def _coerce(verb: Verb, parameter: Parameter, value: JsonValue) -> Value:
    if isinstance(value, list | dict):
        raise ActionSyntaxError(f"`{parameter.name}` of `{verb.name}` is one value, not several")
    text = str(value).strip()
    if parameter.kind in (Kind.ELEMENT, Kind.WHOLE):
        if not re.fullmatch(r"[0-9]{1,15}", text):
            raise ActionSyntaxError(f"`{parameter.name}` of `{verb.name}` is a whole number, not {text[:20]!r}")
        return int(text)
    if parameter.kind is Kind.NUMBER:
        return _number(verb, parameter, text)
    if parameter.kind is Kind.FLAG:
        return text.lower() in ("1", "true")
    if parameter.kind is Kind.WORD and text.lower() not in parameter.options:
        raise ActionSyntaxError(f"`{parameter.name}` of `{verb.name}` is one of: {', '.join(parameter.options)}")
    if parameter.kind is Kind.WORD:
        return text.lower()
    return _free(value)


def _number(verb: Verb, parameter: Parameter, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ActionSyntaxError(f"`{parameter.name}` of `{verb.name}` is a number, not {text[:20]!r}")
    return number


def _free(value: JsonValue) -> str:
    # Published answers are spreadsheet cells: a whole number may come as 3.0.
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
