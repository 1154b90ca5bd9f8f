"""Every object of the OpenAPI document has an example, and each is what its schema says."""

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from api.app import create_app
from api.core.settings import Settings


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder: Path = tmp_path_factory.mktemp("instance")
    return dict(create_app(Settings(data_dir=folder)).openapi())


def _faults(schema: dict[str, Any], value: Any, document: dict[str, Any]) -> list[str]:
    whole = {**schema, "components": document["components"]}
    return [fault.message[:120] for fault in Draft202012Validator(whole).iter_errors(value)]


def test_every_object_has_an_example_that_is_right(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    named = {name: schema for name, schema in schemas.items() if schema.get("properties")}
    assert [name for name, schema in named.items() if not schema.get("examples")] == []
    found = {name: _faults(schema, schema["examples"][0], document) for name, schema in named.items()}
    assert {name: faults for name, faults in found.items() if faults} == {}


def test_every_body_and_every_response_has_an_example_that_is_right(document: dict[str, Any]) -> None:
    wrong, count = {}, 0
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            media = [*operation.get("requestBody", {}).get("content", {}).items()]
            media += [one for reply in operation["responses"].values() for one in reply.get("content", {}).items()]
            for kind, one in media:
                if one.get("schema"):
                    count += 1
                    if "example" not in one or (faults := _faults(one["schema"], one["example"], document)):
                        wrong[f"{method} {path} {kind}"] = faults if "example" in one else ["none"]
    assert wrong == {}
    assert count > 100


def test_an_example_that_is_wrong_is_noticed(document: dict[str, Any]) -> None:
    schema = document["components"]["schemas"]["LeakCreate"]
    assert _faults(schema, {"text": "a", "submission": "b"}, document)
    assert _faults(document["components"]["schemas"]["KeyCreate"], {"name": "a", "scopes": []}, document)
