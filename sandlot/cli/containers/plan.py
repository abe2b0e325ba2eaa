"""What containers there are to be, read from `compose/compose.yaml`: one truth for both runtimes.

Of the compose format this reads what that file uses; what it does not know it refuses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

COMPOSE = Path(__file__).resolve().parents[3] / "compose" / "compose.yaml"
VARIABLE = re.compile(r"\$(?:\$|\{(\w+):-([^}]*)\})")
SECONDS = re.compile(r"^(\d+)s$")
NANO = 1_000_000_000
SECRETS = "/run/secrets"

# Keys of a service that become options of the engine, and those that are read here.
OPTIONS = {
    "command", "environment", "user", "read_only", "cap_drop", "security_opt", "sysctls", "init",
    "shm_size", "mem_limit", "pids_limit",
}  # fmt: skip
READ = {
    "image", "build", "restart", "depends_on", "networks", "ports", "volumes", "secrets", "tmpfs",
    "cpus", "healthcheck",
}  # fmt: skip


class BadPlan(Exception):
    """Raised when the compose file is not there, or says what this runtime does not know."""


@dataclass(frozen=True, slots=True)
class ContainerPlan:
    """One container: `options` are the engine's, `networks` maps each network to its aliases."""

    name: str
    image: str
    options: Mapping[str, Any]
    networks: Mapping[str, tuple[str, ...]]
    after: tuple[str, ...]
    checked: bool
    """Whether it has a health check; others count as healthy while they run."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The containers in the order in which they start, with networks and volumes by name."""

    containers: tuple[ContainerPlan, ...]
    networks: Mapping[str, Mapping[str, Any]]
    volumes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wishes:
    """What a caller may choose.

    `web_ports` gives each web container its port; `variables` are those of the compose file.
    """

    project: str
    web_ports: tuple[int, ...]
    secrets: Path
    variables: Mapping[str, str]


def make_plan(wishes: Wishes, compose: Path = COMPOSE) -> Plan:
    """Return the plan that the compose file makes with a caller's wishes.

    Raises:
        BadPlan: the file is not there, or says what is not known here.
    """
    try:
        text = compose.read_text()
    except FileNotFoundError as error:
        raise BadPlan(f"there is no {compose}: run from a checkout of Sandlot") from error
    found = yaml.safe_load(text)
    services: dict[str, dict[str, Any]] = {}
    for name, service in found["services"].items():
        if name != "web":
            services[name] = _filled(service, wishes.variables)
            continue
        for number, port in enumerate(wishes.web_ports):
            variables = {**wishes.variables, "SANDLOT_WEB_PORTS": str(port)}
            services[f"web-{number}"] = _filled(service, variables)
            services[f"web-{number}"]["environment"]["SANDLOT_PROCESS"] = f"web{number}-"
    services["control"]["command"] = _command_of_control(
        services["control"]["command"], wishes.web_ports
    )
    containers = [_container(name, service, wishes) for name, service in services.items()]
    return Plan(
        containers=_in_order(containers),
        networks={
            f"{wishes.project}_{name}": {
                "internal": network.get("internal", False),
                "options": network.get("driver_opts", {}),
            }
            for name, network in found["networks"].items()
        },
        volumes=tuple(f"{wishes.project}_{name}" for name in found["volumes"]),
    )


def _filled(value: Any, variables: Mapping[str, str]) -> Any:
    """Return a part of the file with its variables filled in."""
    if isinstance(value, str):
        return VARIABLE.sub(
            lambda match: "$" if match[1] is None else variables.get(match[1]) or match[2], value
        )
    if isinstance(value, list):
        return [_filled(entry, variables) for entry in value]
    if isinstance(value, dict):
        return {name: _filled(entry, variables) for name, entry in value.items()}
    return deepcopy(value)


def _command_of_control(command: list[str], ports: tuple[int, ...]) -> list[str]:
    """Return the control plane's command for web containers of these names and ports."""
    at = command.index("--web")
    web = [word for number, port in enumerate(ports) for word in ("--web", f"web-{number}:{port}")]
    return [*command[:at], *web, *command[at + 2 :]]


def _container(name: str, service: Mapping[str, Any], wishes: Wishes) -> ContainerPlan:
    unknown = service.keys() - OPTIONS - READ
    if unknown:
        raise BadPlan(f"compose.yaml: this runtime does not know {sorted(unknown)} of {name}")
    options = {key: service[key] for key in OPTIONS & service.keys()}
    if "cpus" in service:
        options["nano_cpus"] = int(float(service["cpus"]) * NANO)
    options["tmpfs"] = dict(entry.split(":", 1) for entry in service.get("tmpfs", []))
    options["volumes"] = [
        *(_mount(entry, wishes.project) for entry in service.get("volumes", [])),
        *(
            f"{wishes.secrets / secret}:{SECRETS}/{secret}:ro"
            for secret in service.get("secrets", [])
        ),
    ]
    options["ports"] = dict(_published(entry) for entry in service.get("ports", []))
    check = _health(service.get("healthcheck"))
    options["healthcheck"] = check
    networks = service["networks"]
    given = networks if isinstance(networks, dict) else dict.fromkeys(networks)
    return ContainerPlan(
        name=name,
        image=service["image"],
        options=options,
        networks={
            f"{wishes.project}_{network}": (name, *((entry or {}).get("aliases") or ()))
            for network, entry in given.items()
        },
        after=tuple(service.get("depends_on", {})),
        checked=check["test"] != ["NONE"],
    )


def _mount(entry: str, project: str) -> str:
    source, rest = entry.split(":", 1)
    if source.startswith("."):
        return f"{(COMPOSE.parent / source).resolve()}:{rest}"
    return f"{project}_{source}:{rest}"


def _published(entry: str) -> tuple[str, tuple[str, int]]:
    """Return `address:port:port` as the engine takes it."""
    address, port, inside = entry.split(":")
    return f"{inside}/tcp", (address, int(port))


def _health(check: Mapping[str, Any] | None) -> dict[str, Any]:
    if check is None:
        return {"test": ["NONE"]}
    found: dict[str, Any] = {}
    for name, value in check.items():
        seconds = SECONDS.match(str(value))
        found[name] = int(seconds[1]) * NANO if seconds else value
    return found


def _in_order(containers: list[ContainerPlan]) -> tuple[ContainerPlan, ...]:
    """Return the containers so that each comes after those that it needs."""
    found: list[ContainerPlan] = []
    waiting = list(containers)
    while waiting:
        started = {container.name for container in found}
        ready = [container for container in waiting if started.issuperset(container.after)]
        if not ready:
            raise BadPlan("compose.yaml: services that wait for each other")
        found += ready
        waiting = [container for container in waiting if container not in ready]
    return tuple(found)
