"""The manifests of compose/k8s are valid, whole, and say what compose.yaml says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from tests.project.paths import ROOT

COMPOSE = yaml.safe_load((ROOT / "compose" / "compose.yaml").read_text())
FOLDER = ROOT / "compose" / "k8s"
KUSTOMIZATION = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())
VERSIONS = ("1.30", "1.34")
OURS = ("control", "web", "worker", "beat")


def manifests() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every object of the resources, each with its place."""
    for name in KUSTOMIZATION["resources"]:
        for found in yaml.safe_load_all((FOLDER / name).read_text()):
            yield f"{name}: {found['kind']} {found['metadata']['name']}", found


MANIFESTS = dict(manifests())


def of_kind(*kinds: str) -> dict[str, dict[str, Any]]:
    return {
        found["metadata"]["name"]: found for found in MANIFESTS.values() if found["kind"] in kinds
    }


def pods() -> dict[str, dict[str, Any]]:
    return {
        name: found["spec"]["template"]
        for name, found in of_kind("Deployment", "StatefulSet").items()
    }


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("place", MANIFESTS)
def test_each_object_is_valid(place: str, version: str) -> None:
    kubernetes_validate.validate(MANIFESTS[place], version, strict=True)


def test_what_is_wrong_is_found() -> None:
    spoilt = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "x"},
        "spec": {"prots": []},
    }
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(spoilt, VERSIONS[0], strict=True)


def test_every_file_is_a_resource_and_every_name_is_there() -> None:
    files = {path.name for path in FOLDER.glob("*.yaml")} - {"kustomization.yaml"}
    assert files == set(KUSTOMIZATION["resources"])
    for generator in KUSTOMIZATION["configMapGenerator"]:
        for file in generator.get("files", []):
            assert (FOLDER / file).is_file()
    claims = of_kind("PersistentVolumeClaim").keys()
    generated = {
        entry["name"]
        for entry in [*KUSTOMIZATION["configMapGenerator"], *KUSTOMIZATION["secretGenerator"]]
    }
    secrets = {Path(file).name for file in KUSTOMIZATION["secretGenerator"][0]["files"]}
    assert secrets == set(COMPOSE["secrets"])
    for name, pod in pods().items():
        for volume in pod["spec"]["volumes"]:
            if "persistentVolumeClaim" in volume:
                assert volume["persistentVolumeClaim"]["claimName"] in claims, name
            if "configMap" in volume:
                assert volume["configMap"]["name"] in generated, name
            if "secret" in volume:
                assert {item["key"] for item in volume["secret"]["items"]} <= secrets, name


def test_the_same_services_run_with_the_same_settings() -> None:
    assert pods().keys() == COMPOSE["services"].keys()
    settings = dict(
        line.split("=", 1) for line in KUSTOMIZATION["configMapGenerator"][0]["literals"]
    )
    for name in OURS:
        environment = COMPOSE["services"][name]["environment"]
        assert settings.items() <= environment.items(), name
    for name in ("postgres", "redis"):
        image = pods()[name]["spec"]["containers"][0]["image"]
        assert COMPOSE["services"][name]["image"].endswith(f":-{image}}}")
    assert (FOLDER / "role.sh").read_text() == (ROOT / "compose/postgres/role.sh").read_text()


def test_each_process_is_given_its_own_secrets_and_folders() -> None:
    for name, pod in pods().items():
        volumes = {volume["name"]: volume for volume in pod["spec"]["volumes"]}
        given = {item["key"] for item in volumes["secrets"]["secret"]["items"]}
        assert given == set(COMPOSE["services"][name]["secrets"]), name
        places = {mount["mountPath"] for mount in pod["spec"]["containers"][0]["volumeMounts"]} & {
            "/data",
            "/data/worlds",
            "/data/episodes",
        }
        in_compose = {entry.split(":")[1] for entry in COMPOSE["services"][name].get("volumes", [])}
        assert places == in_compose & {"/data", "/data/worlds", "/data/episodes"}, name


def test_every_container_is_locked_up() -> None:
    for name, pod in pods().items():
        spec = pod["spec"]
        assert spec["automountServiceAccountToken"] is False
        assert spec["securityContext"]["runAsNonRoot"] is True
        assert not spec.get("hostNetwork")
        for container in [*spec["containers"], *spec.get("initContainers", [])]:
            security = container["securityContext"]
            assert security["readOnlyRootFilesystem"] is True, name
            assert security["allowPrivilegeEscalation"] is False, name
            assert security["capabilities"] == {"drop": ["ALL"]}, name
            assert container["resources"]["limits"].keys() == {"cpu", "memory"}, name


def test_who_shares_the_volume_shares_the_node() -> None:
    for name in OURS:
        pod = pods()[name]
        (term,) = pod["spec"]["affinity"]["podAffinity"][
            "requiredDuringSchedulingIgnoredDuringExecution"
        ]
        assert term["labelSelector"]["matchLabels"].items() <= pod["metadata"]["labels"].items()
        assert term["topologyKey"] == "kubernetes.io/hostname"


# The walls: who may open connections to whom, as the policies of both sides allow it.


def selects(selector: dict[str, Any], labels: dict[str, str]) -> bool:
    return bool(selector.get("matchLabels", {}).items() <= labels.items())


def allows(labels: dict[str, str], other: dict[str, str], port: int, way: str) -> bool:
    """Tell whether policies let one pod speak (Egress) to, or hear (Ingress) another on a port."""
    for policy in of_kind("NetworkPolicy").values():
        spec = policy["spec"]
        if way not in spec["policyTypes"] or not selects(spec["podSelector"], labels):
            continue
        for rule in spec.get(way.lower(), []):
            peers = rule["to" if way == "Egress" else "from"]
            if any(entry["port"] == port for entry in rule["ports"]) and any(
                "namespaceSelector" not in peer and selects(peer["podSelector"], other)
                for peer in peers
            ):
                return True
    return False


def test_the_walls_are_those_of_compose() -> None:
    nobody = of_kind("NetworkPolicy")["nobody"]["spec"]
    assert nobody == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    labels = {name: pod["metadata"]["labels"] for name, pod in pods().items()}
    labels |= {"agent": {"sandlot/role": "agent"}, "operator": {"sandlot/role": "operator"}}
    ports = {"control": 8801, "web": 8800, "postgres": 5432, "redis": 6379}
    open_ways = {
        (one, other)
        for one in labels
        for other, port in ports.items()
        if allows(labels[other], labels[one], port, "Ingress")
        and (one == "operator" or allows(labels[one], labels[other], port, "Egress"))
    }
    stores = {(one, other) for one in OURS for other in ("postgres", "redis")}
    assert open_ways == {("agent", "web"), ("control", "web"), ("operator", "control"), *stores}


def test_only_names_of_the_cluster_lead_out() -> None:
    for policy in of_kind("NetworkPolicy").values():
        for rule in policy["spec"].get("egress", []):
            for peer in rule["to"]:
                assert "ipBlock" not in peer
                if "namespaceSelector" in peer:
                    assert peer["podSelector"]["matchLabels"] == {"k8s-app": "kube-dns"}
                    assert {entry["port"] for entry in rule["ports"]} == {53}
