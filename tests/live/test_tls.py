"""`--tls`: the same over https, for clients that trust the server's own authority and no others."""

from __future__ import annotations

import contextlib
import hashlib
import json
import random
import shutil
import socket
import ssl
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from http.client import HTTPResponse
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from clones.config.body import LONGEST_BODY
from clones.core.accounts.authentication import basic_header
from episodes.browser import BrowserError, BrowserPool, find_browser
from sandlot.cli.episodes import play
from sandlot.client import http_client
from tests.billing.public_client import REQUIREMENTS as STRIPE
from tests.clients import client_python, run_client
from tests.live.apart import Apart, serve_apart, with_world
from tests.live.conftest import account
from tests.live.test_tenancy import auth_of
from tests.live.test_zenpy import REQUIREMENTS as ZENPY
from tests.live.test_zenpy import SCRIPT as ZENPY_SHIFT

pytestmark = pytest.mark.slow(shares="secure")

ROOT = Path(__file__).resolve().parents[2]
STRIPE_SCRIPT = Path(__file__).with_name("stripe_over_tls.py")
PRESENT = datetime(2026, 6, 16, 14, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def secure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Apart]:
    """A server with two workers that speaks TLS."""
    data = tmp_path_factory.mktemp("tls")
    with_world(data)
    with serve_apart(data, "--tls", "--workers", "2") as found:
        yield found


@pytest.fixture(scope="module")
def made(secure: Apart) -> list[dict[str, Any]]:
    """Two sandboxes, one of each worker."""
    return [secure.control.post("/v1/sandboxes", {"size": "tiny"}) for _ in range(2)]


@pytest.fixture(scope="module")
def authority(secure: Apart) -> Path:
    """The certificate that clients are told to trust."""
    return secure.data / "tls" / "ca.pem"


def url_of(sandbox: dict[str, Any], clone: str) -> str:
    return str(sandbox["apps"][clone]["url"])


def shown_certificate(url: str, authority: Path) -> dict[str, Any]:
    """Return the certificate that is shown for a sandbox's name, as Python verified it."""
    parts = urlsplit(url)
    context = ssl.create_default_context(cafile=str(authority))
    with (
        socket.create_connection(("127.0.0.1", parts.port or 443)) as plain,
        context.wrap_socket(plain, server_hostname=parts.hostname) as wrapped,
    ):
        return dict(wrapped.getpeercert() or {})


def test_the_authority_is_told_and_its_key_is_not_for_others(
    secure: Apart, authority: Path
) -> None:
    assert f"authority     {authority}" in secure.said()
    assert stat.S_IMODE((authority.parent / "ca-key.pem").stat().st_mode) == 0o600


def test_every_address_is_https_and_its_certificate_is_for_its_very_name(
    made: list[dict[str, Any]], authority: Path
) -> None:
    for sandbox in made:
        assert sandbox["origin"].startswith("https://127.0.0.1:")
        for clone in ("helpdesk", "billing", "mail"):
            url = url_of(sandbox, clone)
            found = shown_certificate(url, authority)
            assert found["subjectAltName"] == (("DNS", urlsplit(url).hostname),)
    assert urlsplit(url_of(made[0], "helpdesk")).port != urlsplit(url_of(made[1], "helpdesk")).port


def test_who_does_not_trust_the_authority_is_not_answered(
    made: list[dict[str, Any]], authority: Path
) -> None:
    with http_client() as http, pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY"):
        http.get(f"{url_of(made[0], 'helpdesk')}/api/v2/tickets/1.json")
    with pytest.raises(ssl.SSLCertVerificationError, match="not valid for"):
        shown_certificate(
            url_of(made[0], "helpdesk").replace("helpdesk.sb-", "helpdesk.xx-"), authority
        )


def test_addresses_in_answers_are_https_too(made: list[dict[str, Any]], authority: Path) -> None:
    with http_client(authority=authority) as http:
        for sandbox in made:
            for root in (url_of(sandbox, "helpdesk"), sandbox["origin"]):
                answer = http.get(f"{root}/api/v2/tickets/1.json", auth=auth_of(sandbox))
                assert answer.json()["ticket"]["url"] == f"{root}/api/v2/tickets/1.json"


def test_plain_http_is_not_answered(made: list[dict[str, Any]]) -> None:
    with http_client() as http, pytest.raises(httpx.TransportError):
        http.get(f"{made[0]['origin'].replace('https', 'http')}/api/v2/tickets/1.json")


def test_an_unmodified_zenpy_which_speaks_https_works_a_shift(
    made: list[dict[str, Any]], authority: Path
) -> None:
    admin = account(made[0], "helpdesk", "admin")
    netloc = made[0]["origin"].removeprefix("https://")
    arguments = (netloc, admin["email"], admin["api_token"], "https")
    python = client_python("zenpy", ZENPY)
    distrusting = run_client(python, ZENPY_SHIFT, *arguments)
    assert "CERTIFICATE_VERIFY_FAILED" in distrusting.stderr
    done = run_client(python, ZENPY_SHIFT, *arguments, REQUESTS_CA_BUNDLE=str(authority))
    assert done.returncode == 0, done.stderr


def test_an_unmodified_stripe_lists_charges(made: list[dict[str, Any]], authority: Path) -> None:
    key = account(made[1], "billing", "admin")["secret_key"]
    python = client_python("stripe", STRIPE)
    done = run_client(python, STRIPE_SCRIPT, made[1]["origin"], str(authority), key)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["distrusted"] is True
    assert len(found["charges"]) == 2


def test_a_large_file_goes_both_ways_unharmed(made: list[dict[str, Any]], authority: Path) -> None:
    content = random.Random(4).randbytes(12 * 1024 * 1024)
    with http_client(authority=authority, auth=auth_of(made[0])) as http:
        answer = http.post(
            f"{url_of(made[0], 'helpdesk')}/api/v2/uploads.json?filename=plan.bin",
            content=content,
            headers={"Content-Type": "application/binary"},
        )
        assert answer.status_code == 201, answer.text
        back = http.get(answer.json()["upload"]["attachment"]["content_url"])
    assert hashlib.sha256(back.content).digest() == hashlib.sha256(content).digest()


class SecureWire:
    """One kept connection to a sandbox's helpdesk, written to by hand, over TLS."""

    def __init__(self, sandbox: dict[str, Any], authority: Path) -> None:
        parts = urlsplit(url_of(sandbox, "helpdesk"))
        plain = socket.create_connection(("127.0.0.1", parts.port or 443), timeout=30)
        context = ssl.create_default_context(cafile=str(authority))
        self.socket = context.wrap_socket(plain, server_hostname=parts.hostname)
        self._about = f"Host: {parts.netloc}\r\n" + "".join(
            f"{name}: {text}\r\n" for name, text in basic_header(*auth_of(sandbox)).items()
        )

    def head(self, line: str, *lines: str) -> None:
        """Send a request's head."""
        more = "".join(f"{one}\r\n" for one in lines)
        self.socket.sendall(f"{line} HTTP/1.1\r\n{self._about}{more}\r\n".encode())

    def rest(self) -> bytes:
        """Return what comes till the connection ends."""
        found = b""
        with contextlib.suppress(OSError):
            while piece := self.socket.recv(65_536):
                found += piece
        return found


def changes_of(secure: Apart, sandbox: dict[str, Any]) -> Any:
    """Return what has changed in a sandbox up to now."""
    return secure.control.get(f"/v1/sandboxes/{sandbox['id']}/diff")


UPLOAD = "POST /api/v2/uploads.json?filename=a.txt"


@pytest.fixture
def wire(made: list[dict[str, Any]], authority: Path) -> Iterator[SecureWire]:
    found = SecureWire(made[0], authority)
    with found.socket:
        yield found


def test_chunks_without_end_are_not_read_to_their_end(
    secure: Apart, made: list[dict[str, Any]], authority: Path, wire: SecureWire
) -> None:
    piece = b"100000\r\n" + b"x" * 0x100000 + b"\r\n"
    sent, before = 0, changes_of(secure, made[0])
    wire.head(UPLOAD, "Transfer-Encoding: chunked")
    with contextlib.suppress(OSError):  # of whichever kind: the line was ended
        while sent < 1_000:
            wire.socket.sendall(piece)
            sent += 1
    assert 50 < sent < 200
    assert wire.rest()[:12] in (b"", b"HTTP/1.1 413")
    with http_client(authority=authority, auth=auth_of(made[0])) as http:
        assert http.get(f"{url_of(made[0], 'helpdesk')}/api/v2/users/me.json").status_code == 200
    assert changes_of(secure, made[0]) == before


@pytest.mark.parametrize(
    ("framing", "body"),
    [
        ("Content-Length: 20", b"half of "),
        ("Transfer-Encoding: chunked", b"8\r\nhalf of \r\n"),
        ("Transfer-Encoding: chunked", b"ffff\r\nhalf of \r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked", b"zz\r\nhalf of \r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked", b"fffffffffffffffff\r\nhalf of \r\n0\r\n\r\n"),
        ("Transfer-Encoding: chunked", b"2\r\nhalf of \r\n0\r\n\r\n"),
    ],
    ids=["short", "no last chunk", "a long chunk", "no length", "beyond all", "a short chunk"],
)
def test_lengths_that_lie_carry_no_file(
    secure: Apart, made: list[dict[str, Any]], wire: SecureWire, framing: str, body: bytes
) -> None:
    before = changes_of(secure, made[0])
    wire.head(UPLOAD, framing)
    wire.socket.sendall(body)
    wire.socket.shutdown(socket.SHUT_WR)
    assert b" 201 " not in wire.rest()
    assert changes_of(secure, made[0]) == before


def test_a_body_beyond_the_limit_is_not_waited_for(wire: SecureWire) -> None:
    wire.head(UPLOAD, f"Content-Length: {LONGEST_BODY + 1}")
    said = wire.rest()
    assert said.startswith(b"HTTP/1.1 413")
    assert b"connection: close" in said.lower()


def test_who_sends_slowly_is_answered_and_keeps_nobody_waiting(
    made: list[dict[str, Any]], authority: Path, wire: SecureWire
) -> None:
    wire.head(UPLOAD, "Transfer-Encoding: chunked")
    with http_client(authority=authority, auth=auth_of(made[0])) as http:
        for letter in b"slow":
            wire.socket.sendall(b"1\r\n%c\r\n" % letter)
            asked = http.get(f"{url_of(made[0], 'helpdesk')}/api/v2/users/me.json")
            assert asked.status_code == 200
    wire.socket.sendall(b"0\r\n\r\n")
    with HTTPResponse(wire.socket) as response:
        response.begin()
        assert response.status == 201
        assert json.loads(response.read())["upload"]["attachment"]["size"] == len("slow")


def test_many_clients_at_once_meet_their_own_sandbox(
    made: list[dict[str, Any]], authority: Path
) -> None:
    def visit(number: int) -> set[str]:
        sandbox = made[number % len(made)]
        url = url_of(sandbox, "helpdesk")
        with http_client(authority=authority, auth=auth_of(sandbox)) as http:
            answers = [http.get(f"{url}/api/v2/tickets/1.json") for _ in range(10)]
        return {answer.json()["ticket"]["url"].removeprefix(url) for answer in answers}

    with ThreadPoolExecutor(24) as threads:
        found = list(threads.map(visit, range(48)))
    assert found == [{"/api/v2/tickets/1.json"}] * 48


def test_a_published_sandbox_speaks_tls_on_its_ports(
    secure: Apart, made: list[dict[str, Any]], authority: Path
) -> None:
    found = secure.control.post(f"/v1/sandboxes/{made[0]['id']}/publish")["published"]
    with http_client(authority=authority, auth=auth_of(made[0])) as http:
        ticket = http.get(f"{found['helpdesk']}/api/v2/tickets/1.json").json()["ticket"]
        page = http.get(f"{found['helpdesk']}/agent/dashboard")
    assert found["helpdesk"].startswith("https://127.0.0.1:")
    assert ticket["url"].startswith(found["helpdesk"])
    assert page.status_code == 302
    secure.control.delete(f"/v1/sandboxes/{made[0]['id']}/publish")


@pytest.mark.in_turn
@pytest.mark.parametrize("space", ["api", pytest.param("browser", marks=pytest.mark.browser)])
def test_an_episode_is_played_over_tls(secure: Apart, space: str) -> None:
    found = play(secure.control, "H05", "oracle", {"space": space, "seed": 13})
    assert found["manifest"]["outcome"] == "completed", found["manifest"]
    assert found["manifest"]["success"]


@pytest.mark.browser
def test_chromium_trusts_this_authority_and_no_other(
    made: list[dict[str, Any]], authority: Path, tmp_path: Path
) -> None:
    program = find_browser(note=ROOT / ".sandlot" / "browser")
    start = f"{url_of(made[0], 'helpdesk')}/agent/dashboard"
    options: dict[str, Any] = {
        "origins": [url_of(made[0], "helpdesk")], "start_url": start, "now": PRESENT,
    }  # fmt: skip
    with BrowserPool(program, authority=authority) as pool:
        seen = pool.open("ep-trusting", **options).observe()
        assert 'textbox "Password"' in seen.tree
    from clones.config.authority import make_authority  # noqa: PLC0415 - an extra

    other = make_authority(tmp_path / "other")
    for untold in (None, other):
        with BrowserPool(program, authority=untold) as pool:
            try:
                seen = pool.open("ep-distrusting", **options).observe()
            except BrowserError as error:
                assert "CERT" in str(error)  # noqa: PT017 - either way it is not shown
            else:
                assert "Password" not in seen.tree


def test_a_server_that_finds_an_authority_keeps_it(authority: Path, tmp_path: Path) -> None:
    """Clients that were told of it before a restart go on trusting it."""
    shutil.copytree(authority.parent, tmp_path / "tls")
    with serve_apart(tmp_path, "--tls", "--workers", "1") as again:
        assert (tmp_path / "tls" / "ca.pem").read_bytes() == authority.read_bytes()
        with http_client(authority=authority) as http:
            answer = http.get(f"https://127.0.0.1:{again.port}/api/v2/tickets/1.json")
        assert answer.status_code == 401
