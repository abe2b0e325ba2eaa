"""The flags of `sandlot serve` that say where: --host, --domain, --workers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import psutil
import pytest

from sandlot.cli.episodes import play
from sandlot.client import http_client
from tests.live.apart import Apart, serve_apart, with_world
from tests.live.test_tenancy import auth_of

pytestmark = pytest.mark.slow(shares="named")

DOMAIN = "sandlot.example"
WORKERS = 3


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Apart]:
    """A server on every address of this machine, under a domain that no name server knows."""
    data = tmp_path_factory.mktemp("named")
    with_world(data)
    flags = ("--host", "0.0.0.0", "--domain", "Sandlot.Example.", "--workers", str(WORKERS))  # noqa: S104 - what is tested
    with serve_apart(data, *flags) as found:
        yield found


@pytest.fixture(scope="module")
def made(named: Apart) -> list[dict[str, Any]]:
    return [named.control.post("/v1/sandboxes", {"size": "tiny"}) for _ in range(WORKERS)]


def own_addresses() -> list[str]:
    found = [
        one.address
        for addresses in psutil.net_if_addrs().values()
        for one in addresses
        if one.family.name == "AF_INET"
    ]
    assert "127.0.0.1" in found
    return found


def test_addresses_are_under_the_domain(named: Apart, made: list[dict[str, Any]]) -> None:
    for sandbox in made:
        assert sandbox["origin"] == f"http://{DOMAIN}:{named.port}"
        host = urlsplit(sandbox["apps"]["helpdesk"]["url"]).hostname
        assert host == f"helpdesk.{sandbox['id']}.{DOMAIN}"


def test_sandboxes_are_spread_over_the_workers(named: Apart, made: list[dict[str, Any]]) -> None:
    ports = [urlsplit(sandbox["apps"]["billing"]["url"]).port for sandbox in made]
    assert sorted(ports, key=str) == sorted(
        [named.port, named.control_port + 1, named.control_port + 2], key=str
    )


def test_every_worker_answers_for_every_sandbox_by_its_name(
    named: Apart, made: list[dict[str, Any]]
) -> None:
    ports = [urlsplit(sandbox["apps"]["helpdesk"]["url"]).port for sandbox in made]
    with http_client({port: f"127.0.0.1:{port}" for port in ports if port}) as http:
        for sandbox in made:
            host = urlsplit(sandbox["apps"]["helpdesk"]["url"]).hostname
            for other in made:
                port = urlsplit(other["apps"]["helpdesk"]["url"]).port
                answer = http.get(
                    f"http://{host}:{port}/api/v2/users/me.json", auth=auth_of(sandbox)
                )
                assert answer.json()["user"]["url"].startswith(f"http://{host}:{port}/")


def test_names_under_another_domain_are_of_no_sandbox(
    named: Apart, made: list[dict[str, Any]]
) -> None:
    host = f"helpdesk.{made[0]['id']}.localhost"
    answer = httpx.get(
        f"http://127.0.0.1:{named.port}/agent/dashboard", headers={"Host": host}, trust_env=False
    )
    assert answer.status_code == 404


def test_every_address_of_the_machine_answers(named: Apart, made: list[dict[str, Any]]) -> None:
    host = urlsplit(made[0]["apps"]["helpdesk"]["url"]).netloc
    for address in own_addresses():
        answer = httpx.get(
            f"http://{address}:{named.port}/api/v2/users/me.json",
            auth=auth_of(made[0]),
            headers={"Host": host},
            trust_env=False,
        )
        assert answer.status_code == 200


def test_a_published_sandbox_is_at_the_domain(named: Apart, made: list[dict[str, Any]]) -> None:
    path = f"/v1/sandboxes/{made[1]['id']}/publish"
    origin = named.control.post(path)["published"]["helpdesk"]
    assert origin.startswith(f"http://{DOMAIN}:")
    netloc = origin.removeprefix("http://")
    answer = httpx.get(
        f"http://127.0.0.1:{urlsplit(origin).port}/api/v2/users/me.json",
        auth=auth_of(made[1]),
        headers={"Host": netloc},
        trust_env=False,
    )
    assert answer.json()["user"]["url"].startswith(origin)
    named.control.delete(path)


@pytest.mark.parametrize("space", ["api", pytest.param("browser", marks=pytest.mark.browser)])
def test_an_episode_is_played_under_the_domain(named: Apart, space: str) -> None:
    found = play(named.control, "H05", "oracle", {"space": space, "seed": 13})
    assert found["manifest"]["outcome"] == "completed", found["manifest"]
    assert found["manifest"]["success"]


def test_the_control_plane_is_on_loopback_unless_it_is_told_otherwise(named: Apart) -> None:
    for address in own_addresses():
        if address.startswith("127."):
            continue
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"http://{address}:{named.control_port}/healthz", trust_env=False)


def test_each_plane_is_on_the_address_alone_that_is_named_for_it(tmp_path: Path) -> None:
    """Loopback has more addresses than one: what listens on one of them is not on the others."""
    with_world(tmp_path)
    flags = ("--host", "127.0.0.2", "--control-host", "127.0.0.3", "--workers", "1")
    with serve_apart(tmp_path, *flags, control="127.0.0.3") as one:
        assert one.control.get("/v1/sandboxes") == {"sandboxes": []}
        for address in ("127.0.0.1", "127.0.0.2"):
            with pytest.raises(httpx.ConnectError):
                httpx.get(f"http://{address}:{one.control_port}/healthz", trust_env=False)
        sandbox = one.control.post("/v1/sandboxes", {"size": "tiny"})
        assert sandbox["origin"] == f"http://127.0.0.2:{one.port}"
        with http_client({one.port: f"127.0.0.2:{one.port}"}, auth=auth_of(sandbox)) as http:
            url = sandbox["apps"]["helpdesk"]["url"]
            assert http.get(f"{url}/api/v2/users/me.json").status_code == 200
        for address in ("127.0.0.1", "127.0.0.3"):
            with pytest.raises(httpx.ConnectError):
                httpx.get(f"http://{address}:{one.port}/", trust_env=False)
