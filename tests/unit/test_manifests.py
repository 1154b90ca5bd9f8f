"""The cluster's manifests: whole, consistent with the code and the lock file, and without a secret in them."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from api.core.settings import Settings
from envs.hosts import SLOTS

ROOT = Path(__file__).parents[2]
FILES = [ROOT / "infra" / "kuberay" / "hosts.yaml"]
DOCUMENTS: list[dict[str, Any]] = [item for file in FILES for item in yaml.safe_load_all(file.read_text())]


def one(kind: str) -> dict[str, Any]:
    (found,) = [item for item in DOCUMENTS if item["kind"] == kind]
    return found


def pods() -> dict[str, dict[str, Any]]:
    spec = one("RayCluster")["spec"]
    groups = {"head": spec["headGroupSpec"]} | {group["groupName"]: group for group in spec["workerGroupSpecs"]}
    return {name: group["template"] for name, group in groups.items()}


def containers(template: dict[str, Any]) -> list[dict[str, Any]]:
    return [*template["spec"]["containers"], *template["spec"].get("initContainers", [])]


def test_every_document_is_named() -> None:
    kinds = {(item["apiVersion"], item["kind"]) for item in DOCUMENTS}
    assert kinds == {("ray.io/v1", "RayCluster"), ("networking.k8s.io/v1", "NetworkPolicy")}
    assert all(item["metadata"]["name"] for item in DOCUMENTS)


def test_ray_is_the_one_of_the_lock_file_and_asks_for_a_token() -> None:
    locked = tomllib.loads((ROOT / "uv.lock").read_text())["package"]
    (version,) = [item["version"] for item in locked if item["name"] == "ray"]
    spec = one("RayCluster")["spec"]
    assert (spec["rayVersion"], spec["authOptions"]) == (version, {"mode": "token"})


def test_nodes_declare_the_slots_that_hosts_take() -> None:
    spec = one("RayCluster")["spec"]
    head = {item["name"]: item["value"] for item in pods()["head"]["spec"]["containers"][0]["env"]}
    for group in spec["workerGroupSpecs"]:
        # The operator puts the text on a command line: quoted twice.
        declared = yaml.safe_load(yaml.safe_load(group["rayStartParams"]["resources"]))
        assert declared[SLOTS] % int(head["HELDOUT_HOST_SLOTS"]) == 0
        assert group["minReplicas"] <= group["replicas"] <= group["maxReplicas"]


@pytest.mark.parametrize("name", ["head", "sandboxes"])
def test_containers_are_limited_and_have_no_rights(name: str) -> None:
    template = pods()[name]
    assert template["spec"]["securityContext"]["runAsNonRoot"] is True
    assert template["spec"]["automountServiceAccountToken"] is False
    for container in containers(template):
        assert {"cpu", "memory"} <= set(container["resources"]["limits"])
        assert container["securityContext"]["allowPrivilegeEscalation"] is False
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
        volumes = {volume["name"] for volume in template["spec"]["volumes"]}
        assert {mount["name"] for mount in container["volumeMounts"]} <= volumes


def test_settings_exist_and_secrets_come_from_a_secret() -> None:
    known = {f"HELDOUT_{name.upper()}" for name in Settings.model_fields} | {"HELDOUT_SANDBOX"}
    for template in pods().values():
        for container in containers(template):
            for item in container.get("env", []):
                assert item["name"] in known | {"RAY_USAGE_STATS_ENABLED"}
                if "DATABASE" in item["name"]:
                    assert "secretKeyRef" in item["valueFrom"], item
    text = "".join(file.read_text() for file in FILES)
    assert "kind: Secret" not in text
    assert not re.search(r"://[^/\s]*:[^/\s]*@", text), "a password in an address"


def test_the_hosts_are_closed_to_everybody_else() -> None:
    policy, labels = one("NetworkPolicy")["spec"], {"app.kubernetes.io/part-of": "heldout"}
    assert policy["policyTypes"] == ["Ingress", "Egress"]
    assert policy["ingress"] == [{"from": [{"podSelector": {"matchLabels": labels}}]}]
    for template in pods().values():
        shown = template["metadata"]["labels"]
        assert labels.items() <= shown.items()
        assert shown["app.kubernetes.io/component"] in policy["podSelector"]["matchExpressions"][0]["values"]
