"""The SDK's models against the service's OpenAPI document, field by field; what one of the two lacks is named."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

import heldout._records
import heldout._releases
import heldout.combined
import heldout.containers
import heldout.endpoints
import heldout.exposure
import heldout.keys
import heldout.matches
import heldout.models
import heldout.organisations
import heldout.owning
import heldout.packs
from api.app import create_app
from api.core.settings import Settings
from heldout._records import Received, Sent

# Each model of the SDK, and every schema of the service that is read into it or made from it.
SCHEMAS: dict[str, tuple[str, ...]] = {
    "Access": ("AccessPublic",),
    "Action": ("Action",),
    "Agreement": ("AgreementPublic",),
    "AgreementState": ("AgreementState",),
    "AnswerMeasured": ("AnswerMeasured",),
    "Benchmark": ("BenchmarkPublic", "BenchmarkSummary"),
    "Budget": ("Budget",),
    "Calibration": ("CalibrationReport",),
    "Choice": ("ChoicePublic",),
    "Column": ("ColumnPublic",),
    "Criterion": ("Criterion", "CriterionEdit"),
    "CriterionMeasured": ("CriterionMeasured",),
    "RubricPage": ("RubricPage",),
    "RubricsDrafted": ("RubricsDrafted",),
    "RubricsPublished": ("RubricsPublished",),
    "RubricSummary": ("RubricSummary",),
    "RubricText": ("RubricPublic",),
    "Dispute": ("DisputeOwn",),
    "DisputePage": ("DisputeOwnPage",),
    "DeviceCode": ("DeviceAuthorization",),
    "Container": ("ContainerPublic",),
    "ContainerPage": ("ContainerPage",),
    "ContainerReport": ("ContainerReport",),
    "EndpointRun": ("EndpointRunPublic",),
    "EndpointRunPage": ("EndpointRunPage",),
    "Entry": ("EntryPublic",),
    "EntryMove": ("EntryMove",),
    "Episode": ("EpisodeListed",),
    "Image": ("ImagePublic",),
    "Interval": ("Interval",),
    "Invitation": ("InvitationPublic",),
    "Invited": ("InvitationCreated",),
    "Item": ("ItemCreate",),
    "ItemChange": ("ItemChange",),
    "ItemMeasured": ("ItemMeasured",),
    "ItemMove": ("ItemMove",),
    "ItemResult": ("ItemPublic",),
    "ItemStatistics": ("ItemStatistics",),
    "Challenge": ("ChallengePublic",),
    "ChallengePage": ("ChallengePage",),
    "MatchPage": ("MatchPage",),
    "MatchStatus": ("MatchPublic",),
    "Opponent": ("MatchOpponent",),
    "RankedMatch": ("MatchListed",),
    "Rating": ("RatingPublic",),
    "RatingPage": ("RatingPage",),
    "ItemStatisticsPage": ("ItemStatisticsPublic",),
    "JudgeMeasured": ("JudgeMeasured",),
    "Key": ("KeyPublic",),
    "KeyList": ("KeyList",),
    "LedgerCheck": ("LedgerCheck",),
    "Limits": ("Limits",),
    "Login": ("DeviceToken",),
    "Me": ("Me",),
    "Member": ("MemberPublic",),
    "Membership": ("OrganisationPublic",),
    "Model": ("ModelInfo", "ModelListed", "ModelPublic"),
    "Mover": ("Mover",),
    "NewKey": ("KeyCreated",),
    "Observation": ("ObservationPublic",),
    "Organisation": ("OrganisationDetail",),
    "OverallBoard": ("OverallPage",),
    "OverallPart": ("OverallPart",),
    "OverallRow": ("OverallRow",),
    "OwnedEntries": ("OwnedEntryPage",),
    "OwnerJob": ("OwnerJobPublic",),
    "Pack": ("PackPublic",),
    "PackExport": ("PackExport",),
    "PackFault": ("PackFault",),
    "PackPage": ("PackPage",),
    "PackPreview": ("PackPreview",),
    "Page": (
        "AccessPage",
        "BenchmarkPage",
        "EpisodePage",
        "LeaderboardPage",
        "LedgerPage",
        "ProblemPage",
        "SubmissionPage",
    ),
    "PartScore": ("PartScore",),
    "PresetCost": ("PresetCost",),
    "PresetCosts": ("PresetCosts",),
    "PreviewImage": ("PreviewImage",),
    "PreviewProblem": ("PreviewProblem",),
    "Problem": ("ProblemPublic",),
    "Regrade": ("RegradePublic",),
    "RegradeBegun": ("RegradeBegun",),
    "RegradePage": ("RegradePage",),
    "RegradePreview": ("RegradePreview",),
    "Release": ("ReleasePublic",),
    "ReleaseCalled": ("ReleaseCalled",),
    "ReleaseDiff": ("ReleaseDiff",),
    "ReleaseListed": ("ReleaseListed",),
    "ReleasePage": ("ReleasePage",),
    "ReleaseSchedule": ("ReleaseSchedule",),
    "Retired": ("Retired",),
    "Deleted": ("Deleted",),
    "Reviewer": ("ReviewerPublic",),
    "ReviewerPage": ("ReviewerPage",),
    "ScoreBand": ("BandPublic",),
    "Served": ("LedgerRow",),
    "ServiceLimits": ("ServiceLimits",),
    "SessionStatus": ("SessionPublic",),
    "Split": ("SplitPublic",),
    "SplitCount": ("SplitCount",),
    "SplitRules": ("SplitRules",),
    "StepResult": ("StepPublic",),
    "SubmissionFeedback": ("SubmissionFeedback",),
    "SubmissionStatus": ("SubmissionPublic",),
    "Tool": ("Tool",),
    "TranscriptStep": ("TranscriptStep",),
    "Usage": ("Usage",),
    "Verdict": ("VerdictPublic",),
    "WrongAnswer": ("WrongAnswer",),
}
ANYTHING = {"string", "number", "integer", "boolean", "array", "object", "null"}


def sdk_models() -> dict[str, type[BaseModel]]:
    return {
        name: value
        for module in (
            heldout._releases,
            heldout.models,
            heldout.organisations,
            heldout.combined,
            heldout.containers,
            heldout.endpoints,
            heldout.matches,
            heldout.exposure,
            heldout.keys,
            heldout.owning,
            heldout.packs,
        )
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Received | Sent) and value not in (Received, Sent)
    }


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The schemas of the service by name."""
    folder: Path = tmp_path_factory.mktemp("instance")
    return dict(create_app(Settings(data_dir=folder)).openapi()["components"]["schemas"])


def forms(schema: dict[str, Any], known: dict[str, Any]) -> set[str]:
    """The forms a value may have: JSON types, a text's format, an array's items as `array of ...`."""
    if "$ref" in schema:
        return forms(known[schema["$ref"].rpartition("/")[2]], known)
    if "anyOf" in schema:
        return set().union(*(forms(option, known) for option in schema["anyOf"]))
    kind = schema.get("type")
    if kind is None:
        return ANYTHING
    if kind == "array":
        return {f"array of {item}" for item in forms(schema.get("items", {}), known)}
    # Our own formats say which characters a text has; in a program it is a text.
    if kind == "string" and schema.get("format") in ("date-time", "binary"):
        return {f"string ({schema['format']})"}
    return {kind, "integer"} if kind == "number" else {kind}


def differences(
    model: type[BaseModel], schema: dict[str, Any], served: dict[str, Any], *, of_several: bool
) -> Iterator[str]:
    """What a model lacks, has too much, or takes in another form than `schema` has it.

    What is received must be read whole; what is sent must be known to the service, and hold all that it asks for.
    """
    sent = issubclass(model, Sent)
    own = model.model_json_schema(mode="serialization" if sent else "validation")
    mine, theirs = own.get("properties", {}), schema["properties"]
    for name in sorted(theirs.keys() - mine.keys()):
        yield f"lacks {name}"
    for name in sorted(mine.keys() - theirs.keys() if not of_several else ()):
        yield f"has {name}, which the service does not"
    for name in sorted(mine.keys() & theirs.keys()):
        here, there = forms(mine[name], own.get("$defs", {})), forms(theirs[name], served)
        wrong = here - there if sent else there - here
        if wrong - ({"null"} if sent else set()):
            yield f"{name} may be {', '.join(sorted(wrong))} on one side alone"
    for name in () if sent else sorted(set(own.get("required", ())) - set(schema.get("required", ()))):
        yield f"needs {name}, which the service may leave out"


def test_every_model_is_compared() -> None:
    assert sdk_models().keys() == SCHEMAS.keys()


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_model_has_the_fields_of_the_service(name: str, served: dict[str, Any]) -> None:
    model, schemas = sdk_models()[name], SCHEMAS[name]
    found = [
        f"{schema}: {text}"
        for schema in schemas
        for text in differences(model, served[schema], served, of_several=len(schemas) > 1)
    ]
    together = set().union(*(served[schema]["properties"] for schema in schemas))
    found += [f"has {field}, which no schema does" for field in sorted(model.model_fields.keys() - together)]
    assert found == []


def test_a_field_that_the_service_adds_is_noticed(served: dict[str, Any]) -> None:
    schema = served["EntryPublic"]
    more = schema | {"properties": schema["properties"] | {"energy": {"type": "number"}}}
    less = schema | {"properties": {k: v for k, v in schema["properties"].items() if k != "adjusted"}}
    other = schema | {"properties": schema["properties"] | {"score": {"type": "string"}}}
    model = sdk_models()["Entry"]
    told = [list(differences(model, one, served, of_several=False)) for one in (more, less, other)]
    assert told[0] == ["lacks energy"]
    assert told[1][0] == "has adjusted, which the service does not"
    assert told[2] == ["score may be string on one side alone"]
