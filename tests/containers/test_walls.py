"""From the agents' network only the data plane answers, and it cannot read what is true."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import docker
import pytest

from tests.containers.stack import Stack

METADATA = ("169.254.169.254", 80)
OUTSIDE = (("1.1.1.1", 443), ("8.8.8.8", 53))

# Prints, for each address, whether it takes a connection; names are resolved too.
PROBE = """
import json, socket
from concurrent.futures import ThreadPoolExecutor
def answers(place):
    try:
        socket.create_connection(place, timeout=3).close()
    except OSError:
        return False
    return True
with ThreadPoolExecutor(64) as pool:
    print(json.dumps(list(pool.map(answers, {places!r}))))
"""


def reached(stack: Stack, places: list[tuple[str, int]], *, network: str = "agents") -> list[bool]:
    """Tell which addresses take connections from a container in a network."""
    found: list[bool] = json.loads(stack.as_agent(PROBE.format(places=places), network=network))
    return found


def reached_from(stack: Stack, service: str, places: list[tuple[str, int]]) -> list[bool]:
    """Tell which addresses take connections from a service's own container."""
    found: list[bool] = json.loads(stack.python(service, PROBE.format(places=places)))
    return found


@contextmanager
def listening() -> Iterator[list[tuple[str, int]]]:
    """Listen on this machine; yield its addresses as containers might know them."""
    with socket.create_server(("0.0.0.0", 0)) as server:  # noqa: S104 - the wall is what is tested
        port = server.getsockname()[1]
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
            asked.connect(("192.0.2.1", 9))  # sends nothing: says which address leads out
            yield [(asked.getsockname()[0], port)]


@pytest.fixture(scope="module")
def neighbour(stack: Stack, engine: docker.DockerClient) -> Iterator[tuple[str, int]]:
    """A server in a network of its own on the same machine: as near as the outside can come."""
    network = engine.networks.create(f"{stack.project}-outside")
    container = engine.containers.run(
        stack.images.base,
        ["python3", "-m", "http.server", "8000"],
        network=network.name,
        detach=True,
    )
    try:
        container.reload()
        place = (container.attrs["NetworkSettings"]["Networks"][network.name]["IPAddress"], 8000)
        stack.until(lambda: _takes(place), "the neighbour does not listen", 30.0)
        yield place
    finally:
        container.remove(force=True)
        network.remove()


def _takes(place: tuple[str, int]) -> bool:
    with socket.socket() as asked:
        asked.settimeout(1)
        return asked.connect_ex(place) == 0


def everything_else(stack: Stack) -> list[tuple[str, int]]:
    """Return the addresses of what agents must not reach, in every network that it is in."""
    ports = {"control": 8801, "postgres": 5432, "redis": 6379}
    services = [found.labels["com.docker.compose.service"] for found in stack.containers()]
    places = []
    for service in services:
        if service in ports:
            networks = stack.container(service).attrs["NetworkSettings"]["Networks"]
            places += [(entry["IPAddress"], ports[service]) for entry in networks.values()]
            places.append((service, ports[service]))
    return places


def test_what_agents_are_kept_from_does_listen(stack: Stack) -> None:
    """The probe finds each of them where it may be reached: refusals below are the walls' doing."""
    stores = [
        (stack.address("postgres", "stores"), 5432),
        (stack.address("redis", "stores"), 6379),
    ]
    assert reached(stack, stores, network="stores") == [True, True]
    control = [(stack.address("control", "operators"), 8801)]
    assert reached(stack, control, network="operators") == [True]


def test_agents_reach_the_data_plane_and_nothing_else(
    stack: Stack, neighbour: tuple[str, int]
) -> None:
    web = stack.ports["web"]
    assert reached(stack, [("web", web), (stack.address("web", "agents"), web)]) == [True, True]
    elsewhere = [(stack.address("web", name), web) for name in ("stores", "public")]
    with listening() as here:
        closed = [
            *everything_else(stack), *elsewhere, *here, neighbour, METADATA, *OUTSIDE,
            ("example.com", 80),
        ]  # fmt: skip
        gateways = [
            (entry["Gateway"], port)
            for container in stack.containers()
            for entry in container.attrs["NetworkSettings"]["Networks"].values()
            if entry["Gateway"]
            for port in (here[0][1], stack.ports["control"], web)
        ]
        places = [*closed, *gateways]
        found = reached(stack, places)
    assert [place for place, answer in zip(places, found, strict=True) if answer] == []


def test_the_data_plane_reaches_neither_the_control_plane_nor_the_outside(
    stack: Stack, neighbour: tuple[str, int]
) -> None:
    networks = stack.container("control").attrs["NetworkSettings"]["Networks"]
    places = [(entry["IPAddress"], 8801) for entry in networks.values()]
    places += [("control", 8801), ("control-plane", 8801), neighbour, METADATA, *OUTSIDE]
    for service in ("web", "worker", "beat"):
        found = reached_from(stack, service, places)
        assert [place for place, answer in zip(places, found, strict=True) if answer] == [], service
    assert reached_from(stack, "web", [("postgres", 5432), ("redis", 6379)]) == [True, True]


def test_agents_beside_the_one_container_reach_its_data_plane_alone(embedded: Stack) -> None:
    inside, web = embedded.address("sandlot", "agents"), embedded.ports["web"]
    assert reached(embedded, [(inside, web), ("sandlot", web)]) == [True, True]
    operators = (embedded.address("sandlot", "operators"), 8801)
    assert reached(embedded, [operators], network="operators") == [True]
    with listening() as here:
        places = [
            (inside, 8801), operators, ("control-plane", 8801), *here, METADATA, *OUTSIDE,
        ]  # fmt: skip
        assert not any(reached(embedded, places))


LOOK = """
import importlib.util, pathlib
def entries(place):
    try:
        return sorted(path.name for path in pathlib.Path(place).iterdir())
    except OSError as error:
        return [type(error).__name__]
import json
print(json.dumps({
    "private": [*entries("/data/worlds"), *entries("/data/episodes")],
    "secrets": entries("/run/secrets"),
    "token": pathlib.Path("/data/control-token").exists(),
    "packages": [name for name in ("episodes", "snapshots", "sandlot", "fastapi", "playwright")
                 if importlib.util.find_spec(name)],
}))
"""


def test_data_plane_processes_can_read_no_answers(stack: Stack) -> None:
    """Neither stories nor recorded episodes, nor the code that judges, nor the token."""
    with stack.client() as client:
        client.post("/v1/worlds", {"name": "kestrel", "size": "tiny", "seed": 1})
    seen = json.loads(stack.python("control", LOOK))
    assert len(seen["private"]) > 0
    assert "control-token" in seen["secrets"]
    assert "episodes" in seen["packages"]
    for service in ("web", "worker", "beat"):
        assert json.loads(stack.python(service, LOOK)) == {
            "private": [],
            "secrets": ["postgres-password", "redis-password"],
            "token": False,
            "packages": [],
        }, service


def test_the_stacks_role_is_no_superuser(stack: Stack) -> None:
    code = (
        "from django.conf import settings; import psycopg, json; "
        "found = settings.DATABASES['default']; "
        "raw = psycopg.connect(dbname='postgres', host=found['HOST'], user=found['USER'], "
        "password=found['PASSWORD']); "
        "print(json.dumps(raw.execute('SELECT rolname, rolsuper, rolcreatedb FROM pg_roles "
        "WHERE rolname = current_user').fetchone()))"
    )
    assert json.loads(stack.python("web", code)) == ["sandlot", False, True]
