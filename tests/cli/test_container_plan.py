"""What `sandlot serve --runtime docker` makes of compose.yaml."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from sandlot.cli.containers.plan import COMPOSE, BadPlan, Plan, Wishes, make_plan

FILE = yaml.safe_load(COMPOSE.read_text())


def plan(compose: Path = COMPOSE, **variables: str) -> Plan:
    return make_plan(Wishes("p", (8800, 8802, 8803), Path("/secrets"), variables), compose)


def test_every_service_is_there_and_web_as_often_as_asked_for() -> None:
    names = [container.name for container in plan().containers]
    assert sorted(names) == sorted({*FILE["services"], "web-0", "web-1", "web-2"} - {"web"})
    for container in plan().containers:
        assert all(names.index(other) < names.index(container.name) for other in container.after)


def test_each_web_container_has_its_port_and_the_control_plane_knows_it() -> None:
    found = {container.name: container for container in plan().containers}
    assert found["web-1"].options["ports"] == {"8802/tcp": ("127.0.0.1", 8802)}
    assert found["web-1"].options["command"][-1] == "8802"
    assert found["control"].options["command"][-6:] == [
        "--web", "web-0:8800", "--web", "web-1:8802", "--web", "web-2:8803",
    ]  # fmt: skip
    processes = {found[f"web-{n}"].options["environment"]["SANDLOT_PROCESS"] for n in range(3)}
    assert len(processes) == 3


def test_walls_limits_and_secrets_are_those_of_the_file() -> None:
    found = {container.name: container for container in plan().containers}
    for name, container in found.items():
        service = FILE["services"][name.partition("-")[0]]
        assert set(container.networks) == {f"p_{network}" for network in service["networks"]}
        assert container.options["read_only"] is True
        assert container.options["cap_drop"] == ["ALL"]
        assert container.options["nano_cpus"] > 0
        secrets = {entry for entry in container.options["volumes"] if "/run/secrets/" in entry}
        assert secrets == {
            f"/secrets/{secret}:/run/secrets/{secret}:ro" for secret in service["secrets"]
        }
    assert found["control"].networks["p_operators"] == ("control", "control-plane")
    networks = plan().networks
    assert networks["p_agents"]["internal"]
    assert networks["p_stores"]["internal"]
    assert set(plan().volumes) == {f"p_{volume}" for volume in FILE["volumes"]}


def test_variables_are_filled_in() -> None:
    found = {c.name: c for c in plan(SANDLOT_WEB_MEMORY="3g", SANDLOT_REDIS_IMAGE="r").containers}
    assert found["web-0"].options["mem_limit"] == "3g"
    assert found["redis"].image == "r"
    assert found["postgres"].image == "postgres:18"
    assert '"$(cat /run/secrets/redis-password)"' in found["redis"].options["command"][-1]
    assert not any("$$" in str(c.options) or "${" in str(c.options) for c in found.values())


def test_what_is_not_known_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadPlan, match="run from a checkout"):
        plan(tmp_path / "compose.yaml")
    spoilt = {**FILE, "services": {**FILE["services"]}}
    spoilt["services"]["redis"] = {**FILE["services"]["redis"], "network_mode": "host"}
    (tmp_path / "compose.yaml").write_text(yaml.safe_dump(spoilt))
    with pytest.raises(BadPlan, match="network_mode"):
        plan(tmp_path / "compose.yaml")
