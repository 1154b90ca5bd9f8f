"""The HTTP interface as a page: every operation with its parameters, body and result, from the OpenAPI document."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import HTMLResponse

from api.accounts.principal import Public
from api.core.ratelimit import limited
from api.web.render import page

router = APIRouter(
    tags=["pages"], dependencies=[Depends(Public()), Depends(limited("public"))], include_in_schema=False
)
_METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True)
class Field:
    """A parameter, or a field of a body or a result; `where` is path, query or header for a parameter."""

    name: str
    type: str
    required: bool
    text: str
    where: str = ""


@dataclass(frozen=True)
class Operation:
    """One operation; `body` and `result` name a schema, and are empty where there is none."""

    id: str
    method: str
    path: str
    text: str
    parameters: list[Field]
    body: str
    result: str
    media: list[str]


@dataclass(frozen=True)
class Group:
    """The operations of a tag."""

    name: str
    text: str
    operations: list[Operation]


@dataclass(frozen=True)
class Schema:
    """An object that goes over HTTP."""

    name: str
    text: str
    fields: list[Field]


@router.get("/docs", response_class=HTMLResponse)
async def api_page(request: Request) -> HTMLResponse:
    """Every operation and every object of the interface."""
    document = request.app.openapi()
    return page(request, "api.html", {"groups": list(groups(document)), "schemas": list(schemas(document))})


def groups(document: Mapping[str, Any]) -> Iterator[Group]:
    """The operations by tag, in the document's order of tags."""
    found: dict[str, list[Operation]] = {}
    for path, methods in document["paths"].items():
        for method in _METHODS:
            if method in methods:
                found.setdefault(methods[method]["tags"][0], []).append(_operation(method, path, methods[method]))
    for tag in document["tags"]:
        yield Group(tag["name"], tag["description"], found.get(tag["name"], []))


def schemas(document: Mapping[str, Any]) -> Iterator[Schema]:
    """The objects by name."""
    for name, schema in sorted(document["components"]["schemas"].items()):
        if schema.get("properties"):
            yield Schema(name, schema.get("description", ""), _fields(schema))


def _operation(method: str, path: str, operation: Mapping[str, Any]) -> Operation:
    body = operation.get("requestBody", {}).get("content", {})
    success: Mapping[str, Any] = next(
        (reply for code, reply in operation["responses"].items() if code.startswith("2")), {}
    )
    content = success.get("content", {})
    parameters = [
        Field(one["name"], type_of(one["schema"]), one.get("required", False), one.get("description", ""), one["in"])
        for one in operation.get("parameters", ())
    ]
    return Operation(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        text=operation.get("description", ""),
        parameters=parameters,
        body=", ".join(type_of(one.get("schema", {})) for one in body.values()),
        result=type_of(content.get("application/json", {}).get("schema", {})) if content else "",
        media=[name for name in content if name != "application/json"],
    )


def _fields(schema: Mapping[str, Any]) -> list[Field]:
    required = set(schema.get("required", ()))
    return [
        Field(name, type_of(field), name in required, field.get("description", ""))
        for name, field in schema["properties"].items()
    ]


def type_of(schema: Mapping[str, Any]) -> str:
    """A schema in a few words; the names of objects are kept as they are."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return f'"{schema["const"]}"'
    if "enum" in schema:
        return " or ".join(f'"{value}"' for value in schema["enum"])
    if options := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(dict.fromkeys(type_of(option) for option in options))
    if schema.get("type") == "array":
        return f"list of {type_of(schema.get('items', {}))}"
    if schema.get("format") == "date-time":
        return "time"
    return str(schema.get("type", "any JSON"))
