"""Compose file, Kubernetes base, proxy and image: read by their formats' own checkers, and against the code."""

import json
import re
import shutil
import subprocess
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import compose_spec
import kubernetes_validate
import pytest
import typer
import yaml

from api.cli.main import MODULES, built
from api.core.settings import Settings
from api.lanes.models import Lane
from tests.support.external_postgres import RIGHTS, certificate, free_port
from tests.support.proxy import local_proxy

INFRA = Path(__file__).parents[2] / "infra"
KUBERNETES = INFRA / "kubernetes"
VERSION = "1.33"
SETTINGS = {f"HELDOUT_{name.upper()}" for name in Settings.model_fields}
COMMANDS = {name for names in MODULES.values() for name in names}


def compose() -> dict[str, Any]:
    return dict(yaml.safe_load((INFRA / "compose" / "compose.yaml").read_text()))


def services() -> dict[str, dict[str, Any]]:
    return {name: service for name, service in compose()["services"].items() if "heldout/server" in service["image"]}


def resources(folder: Path = KUBERNETES) -> list[tuple[Path, dict[str, Any]]]:
    """What the kustomization lists, folders by their own kustomizations; a file that it does not list is a fault."""
    listed = yaml.safe_load((folder / "kustomization.yaml").read_text())["resources"]
    files = {name for name in listed if name.endswith(".yaml")}
    assert files == {path.name for path in folder.glob("*.yaml")} - {"kustomization.yaml"}
    found = [
        (folder / name, item) for name in sorted(files) for item in yaml.safe_load_all((folder / name).read_text())
    ]
    for name in sorted(set(listed) - files):
        found += resources((folder / name).resolve())
    return found


def core() -> list[dict[str, Any]]:
    """All but what an operator of the cluster defines."""
    return [item for _, item in resources() if not item["apiVersion"].startswith("ray.io/")]


def templates() -> dict[str, dict[str, Any]]:
    kinds = ("Deployment", "Job")
    return {item["metadata"]["name"]: item["spec"]["template"] for item in core() if item["kind"] in kinds}


def test_compose_is_what_its_specification_allows() -> None:
    read = compose()
    assert len(compose_spec.PyCompose.from_json(json.dumps(read))) == len(read["services"])
    read["services"]["serve"]["helthcheck"] = read["services"]["serve"].pop("healthcheck")
    with pytest.raises(ValueError, match="helthcheck"):
        compose_spec.PyCompose.from_json(json.dumps(read))


def test_compose_names_what_there_is() -> None:
    read = compose()
    for name, service in read["services"].items():
        assert set(service.get("depends_on", ())) <= read["services"].keys(), name
        for mount in service.get("volumes", ()):
            source = mount.split(":")[0]
            made_by_hand = ("./secrets", "./proxy", "./files", "./overall", "database")
            assert source.startswith(made_by_hand) or (INFRA / "compose" / source).resolve().exists(), mount
            kept_out = ["git", "check-ignore", "-q", str(INFRA / "compose" / source / "any")]
            if source.startswith(made_by_hand[:-1]) and (INFRA.parent / ".git").exists():
                assert subprocess.run(kept_out, cwd=INFRA, check=False).returncode == 0, f"{source} could be committed"
    for name, service in services().items():
        assert set(service.get("environment", ())) <= SETTINGS, name
        words = " ".join(service["command"])
        assert re.search(r"heldout-server (\S+)", words)[1] in COMMANDS, words  # type: ignore[index]
    lanes = [
        service["environment"].get("HELDOUT_WORKER_LANES", "")
        for service in services().values()
        if "worker" in str(service["command"])
    ]
    assert sorted(",".join(lanes).split(",")) == sorted(lane.value for lane in Lane), "each lane is some worker's, once"


def test_in_compose_nobody_is_root_and_the_web_process_has_its_own_keys_alone() -> None:
    for name, service in services().items():
        assert (service["user"], service["read_only"], service["cap_drop"]) == ("1000:1000", True, ["ALL"]), name
        assert "no-new-privileges:true" in service["security_opt"]
    overall = "./overall:/data/overall"
    assert services()["serve"]["volumes"] == ["./secrets/service.json:/data/secrets/service.json:ro", f"{overall}:ro"]
    assert overall in services()["admin"]["volumes"], "a backup holds the combined boards"
    assert services()["host"]["volumes"] == ["./secrets/host.json:/data/secrets/host.json:ro"]
    for name in ("serve", "host", "worker-inline"):
        assert "PASSWORD" not in str(services()[name]["environment"]), "the owner's password is for migrations"
    text = (INFRA / "compose" / "compose.yaml").read_text()
    assert not re.search(r"://[^/\s]*:[^/\s]*@", text), "a password in an address"
    made = (INFRA / "compose" / "make-database.sh").read_text()
    for right in RIGHTS:
        assert right.split(" password")[0] in made.replace(":'password'", "")


def test_what_speaks_with_others_has_a_way_out() -> None:
    """Sign-in, mail, judges and participants' endpoints are not on the inner network, which has no way out."""
    read = compose()
    assert read["networks"]["inside"]["internal"] is True
    for name, service in services().items():
        if name == "serve" or "worker" in str(service["command"]):
            assert "outside" in service["networks"], name
    assert services()["host"]["networks"] == ["inside"], "worlds need nobody"
    policies = {item["metadata"]["name"]: item["spec"] for item in core() if item["kind"] == "NetworkPolicy"}
    ports = {entry["port"] for rule in policies["heldout"]["egress"] for entry in rule.get("ports", ())}
    mail = Settings.model_fields["smtp_port"].default
    assert {53, 443, mail, 4318, 5432, 6432} <= ports


def test_web_processes_believe_the_proxy_alone_and_it_comes_from_that_address() -> None:
    """Which of its addresses a name has is the engine's choice where two containers share two networks."""
    read = compose()["services"]
    believed = read["serve"]["environment"]["HELDOUT_TRUSTED_PROXIES"]
    assert read["proxy"]["networks"]["inside"] == {"ipv4_address": believed}
    (pool,) = compose()["networks"]["inside"]["ipam"]["config"]
    assert ip_address(believed) in ip_network(pool["subnet"])
    assert ip_address(believed) not in ip_network(pool["ip_range"]), "nobody else is given it"
    (alias,) = read["serve"]["networks"]["inside"]["aliases"]
    assert f"server {alias}:8080 resolve" in (INFRA / "proxy" / "nginx.conf").read_text()
    config = next(item["data"] for item in core() if item["kind"] == "ConfigMap")
    assert config["HELDOUT_TRUSTED_PROXIES"] == "", "which addresses are an ingress' own, an overlay knows"


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="kubectl is not installed")
def test_kubectl_renders_the_base_as_it_is_read_here() -> None:
    done = subprocess.run(["kubectl", "kustomize", str(KUBERNETES)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rendered = [(item["kind"], item["metadata"]["name"]) for item in yaml.safe_load_all(done.stdout)]
    assert sorted(rendered) == sorted((item["kind"], item["metadata"]["name"]) for _, item in resources())


@pytest.mark.parametrize("item", core(), ids=lambda item: f"{item['kind']}-{item['metadata']['name']}")
def test_kubernetes_knows_every_field(item: dict[str, Any]) -> None:
    kubernetes_validate.validate(item, VERSION, strict=True)
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(item | {"specs": {}}, VERSION, strict=True)


def test_pods_have_no_rights_and_limits_and_known_settings() -> None:
    config = next(item["data"] for item in core() if item["kind"] == "ConfigMap")
    assert set(config) <= SETTINGS
    lanes = []
    for name, template in templates().items():
        spec = template["spec"]
        assert spec["securityContext"]["runAsNonRoot"] is True, name
        assert spec["automountServiceAccountToken"] is False
        (container,) = spec["containers"]
        security = container["securityContext"]
        assert (security["readOnlyRootFilesystem"], security["allowPrivilegeEscalation"]) == (True, False)
        assert security["capabilities"] == {"drop": ["ALL"]}
        assert {"cpu", "memory"} == set(container["resources"]["limits"])
        assert container["command"][1] in COMMANDS
        assert {mount["name"] for mount in container["volumeMounts"]} == {volume["name"] for volume in spec["volumes"]}
        for variable in container["env"]:
            assert variable["name"] in SETTINGS
            if variable["name"] == "HELDOUT_WORKER_LANES":
                lanes += variable["value"].split(",")
            if variable["name"] in ("HELDOUT_DATABASE_URL", "HELDOUT_RATE_STORAGE"):
                assert "secretKeyRef" in variable["valueFrom"]
    assert sorted(lanes) == sorted(lane.value for lane in Lane)
    keys = [volume for volume in templates()["serve"]["spec"]["volumes"] if volume["name"] == "keys"]
    assert str(keys).count(".json") == 2, "the web process has service.json alone"
    assert "service.json" in str(keys)
    assert not [item for item in core() if item["kind"] == "Secret"]


def test_the_operator_s_pod_may_do_what_the_migration_may_and_reaches_what_it_reaches() -> None:
    pod = yaml.safe_load((KUBERNETES / "admin" / "pod.yaml").read_text())
    kubernetes_validate.validate(pod, VERSION, strict=True)
    migration = templates()["migrate"]
    assert pod["metadata"]["labels"] == migration["metadata"]["labels"], "the network policy knows it by these"
    (own,), (other,) = pod["spec"]["containers"], migration["spec"]["containers"]
    assert (own["image"], own["securityContext"]) == (other["image"], other["securityContext"])
    assert pod["spec"]["securityContext"] == migration["spec"]["securityContext"]
    assert pod["spec"]["automountServiceAccountToken"] is False
    assert {variable["name"] for variable in own["env"]} <= SETTINGS
    assert {mount["name"] for mount in own["volumeMounts"]} == {volume["name"] for volume in pod["spec"]["volumes"]}


def test_the_selectors_find_their_pods_and_the_autoscalers_their_deployments() -> None:
    labels = {name: template["metadata"]["labels"].items() for name, template in templates().items()}
    for item in core():
        name, spec = item["metadata"]["name"], item.get("spec", {})
        if item["kind"] == "Deployment":
            assert spec["selector"]["matchLabels"].items() <= labels[name]
        if item["kind"] == "Service":
            assert spec["selector"].items() <= labels[name]
        if item["kind"] == "HorizontalPodAutoscaler":
            assert spec["scaleTargetRef"]["name"] in labels
    ends = templates()["serve"]["spec"]["containers"][0]
    assert (ends["readinessProbe"]["httpGet"]["path"], ends["livenessProbe"]["httpGet"]["path"]) == (
        "/readyz",
        "/healthz",
    )


def test_autoscalers_by_queue_are_valid_and_ask_for_the_lanes_that_their_workers_grade() -> None:
    folder = KUBERNETES / "by-queue"
    (rule,) = yaml.safe_load((folder / "adapter.yaml").read_text())["rules"]["external"]
    scalers = list(yaml.safe_load_all((folder / "autoscalers.yaml").read_text()))
    assert len(scalers) == 2
    for item in scalers:
        kubernetes_validate.validate(item, VERSION, strict=True)
        (container,) = templates()[item["spec"]["scaleTargetRef"]["name"]]["spec"]["containers"]
        lanes = next(one["value"] for one in container["env"] if one["name"] == "HELDOUT_WORKER_LANES")
        (metric,) = (one["external"]["metric"] for one in item["spec"]["metrics"])
        assert metric["selector"]["matchLabels"] == {"lane": lanes}
        assert metric["name"] == rule["name"]["as"] == rule["seriesQuery"].split("{")[0]


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed: make test-packages")
def test_nginx_reads_the_proxy_s_configuration(tmp_path: Path) -> None:
    certificate(tmp_path)
    text = local_proxy(tmp_path, [free_port()], free_port(), free_port())
    (tmp_path / "nginx.conf").write_text(text)
    check = ["nginx", "-t", "-p", str(tmp_path), "-c", str(tmp_path / "nginx.conf")]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (tmp_path / "nginx.conf").write_text(text.replace("proxy_read_timeout", "proxy_red_timeout"))
    assert subprocess.run(check, capture_output=True, check=False).returncode != 0


def test_the_image_is_nobody_s_and_its_packages_are_those_of_the_lock_file() -> None:
    lines = (INFRA / "images" / "server" / "Dockerfile").read_text().splitlines()
    final = lines[len(lines) - 1 - next(n for n, line in enumerate(reversed(lines)) if line.startswith("FROM")) :]
    assert "USER 1000:1000" in final
    assert final.index("USER 1000:1000") > max(n for n, line in enumerate(final) if line.startswith(("RUN", "COPY")))
    text = "\n".join(lines)
    assert "--frozen" in text
    assert "cyclonedx" in text
    # The packages of the set-up script, without which worlds do not run.
    required = re.search(r"^required=\((.*)\)$", (INFRA / "setup.sh").read_text(), re.MULTILINE)
    assert required
    assert set(required[1].split()) <= set((INFRA / "images" / "server" / "packages").read_text().split())
    allowed = {line[1:] for line in (INFRA.parent / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    assert {"uv.lock", "pyproject.toml", "api", "migrations"} <= allowed
    assert all((INFRA.parent / name).exists() for name in allowed)
    commands = typer.main.get_command(built(MODULES)).commands  # type: ignore[attr-defined]
    assert "serve" in commands
    assert lines[-1] == 'CMD ["heldout-server", "serve"]'


def test_the_bill_of_materials_lists_what_is_installed_and_no_tools(tmp_path: Path) -> None:
    uv = shutil.which("uv") or shutil.which(INFRA.parent / ".venv" / "bin" / "uv")
    if uv is None:
        pytest.skip("uv is not installed")
    done = subprocess.run(
        ["make", "-s", "sbom", f"UV={uv}", f"SBOM={tmp_path / 'sbom.json'}"], cwd=INFRA.parent, check=False
    )
    assert done.returncode == 0
    read = json.loads((tmp_path / "sbom.json").read_text())
    assert read["bomFormat"] == "CycloneDX"
    names = {component["name"] for component in read["components"]}
    assert {"fastapi", "psycopg", "heldout", "ray", "redis"} <= names
    assert not names & {"pytest", "mypy", "compose-spec"}
