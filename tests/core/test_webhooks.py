"""What leaves the house goes to listed hosts only, once per address, in time and in bounds."""

from __future__ import annotations

import base64
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler

import httpx
import pytest

from clones.core.webhooks import wire
from clones.core.webhooks.addresses import Flaw, flaw_of
from clones.core.webhooks.hosts import InvalidHosts, is_listed, read_hosts
from clones.core.webhooks.messages import Answer, Header, NoAnswer, Outcome, Outgoing, compact
from clones.core.webhooks.signatures import hmac_sha256, hmac_sha256_hex
from tests.receiving import answer, receiving

LOOPBACK = read_hosts("127.0.0.1:1,localhost")


def post(url: str, body: bytes = b"{}") -> Outgoing:
    return Outgoing("POST", url, (Header("X-One", "1"), Header("X-Two", "zwei")), body)


@pytest.mark.parametrize(
    ("listed", "url", "expected"),
    [
        ("hooks.example.com", "https://hooks.example.com/x", True),
        ("hooks.example.com", "http://hooks.example.com/x", True),
        ("hooks.example.com", "http://hooks.example.com:80/x", True),
        ("Hooks.Example.com.", "http://HOOKS.example.com/x", True),
        ("hooks.example.com", "http://hooks.example.com./x", True),
        ("hooks.example.com", "http://hooks.example.com:8080/x", False),
        ("hooks.example.com:8080", "http://hooks.example.com:8080/x", True),
        ("hooks.example.com:443", "http://hooks.example.com/x", False),
        ("hooks.example.com", "http://other.hooks.example.com/", False),
        ("hooks.example.com", "http://hooks.example.com.evil.example/", False),
        ("hooks.example.com", "http://hooks.example.com@evil.example/", False),
        ("hooks.example.com", "ftp://hooks.example.com/", False),
        ("[::1]:80", "http://[::1]/", True),
        ("a.example, b.example:8443", "https://b.example:8443/", True),
        ("", "http://127.0.0.1/", False),
    ],
)
def test_only_listed_hosts_are_reached(listed: str, url: str, expected: bool) -> None:
    read = httpx.URL(url)
    name = read.raw_host.decode("ascii")
    assert is_listed(read.scheme, name, read.port, read_hosts(listed)) is expected


@pytest.mark.parametrize("text", ["http://a.example", "a.example:0", "a.example:99999", "a b"])
def test_a_list_that_cannot_be_read_is_refused(text: str) -> None:
    with pytest.raises(InvalidHosts):
        read_hosts(text)


def test_a_request_goes_out_as_it_is() -> None:
    with receiving() as host:
        outcome = wire.send(post(host.url, "é".encode()), read_hosts(f"127.0.0.1:{host.port}"))
    assert isinstance(outcome, Answer)
    assert (outcome.status, outcome.body, outcome.is_success) == (200, "taken", True)
    (got,) = host.received
    assert (got.method, got.path, got.body) == ("POST", "/hook", "é".encode())
    assert (got.headers["X-One"], got.headers["X-Two"]) == ("1", "zwei")
    assert got.headers["Cookie"] is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Host", "other.example"),
        ("host", "other.example"),
        ("Content-Length", "0"),
        ("Transfer-Encoding", "chunked"),
        ("Connection", "upgrade"),
        ("Upgrade", "h2c"),
        ("Expect", "100-continue"),
        ("X-One: 1\r\nX-Two", "2"),
        ("X-One", "1\r\n\r\nGET / HTTP/1.1"),
        ("X-\xe9", "1"),
        ("X-One", "\u0434"),
        ("", "1"),
    ],
)
def test_nothing_is_sent_whose_headers_say_where_it_ends_or_whose_it_is(
    name: str, text: str
) -> None:
    with receiving() as host:
        odd = Outgoing(
            "POST", host.url, (Header("X-Two", "2"), Header(name, text)), b"0\r\n\r\nGET"
        )
        outcome = wire.send(odd, read_hosts(f"127.0.0.1:{host.port}"))
        usual = wire.send(post(host.url), read_hosts(f"127.0.0.1:{host.port}"))
    assert isinstance(outcome, NoAnswer)
    assert outcome.reason.startswith("Nothing was sent: ")
    assert usual.is_success
    assert len(host.received) == 1


def test_nobody_connects_to_a_host_that_is_not_listed() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        outcome = wire.send(post(f"http://127.0.0.1:{port}/"), LOOPBACK)
        listening.settimeout(0.2)
        with pytest.raises(TimeoutError):
            listening.accept()
    assert isinstance(outcome, NoAnswer)
    assert "not among those that webhooks may reach" in outcome.reason
    assert not outcome.timed_out


@pytest.mark.parametrize(
    "place",
    [
        "127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0",
        "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "127.0.0.1.", "x@127.0.0.1",
        "hooks.example.com@127.0.0.1", "127.0.0.1%00", "127.0.0.1\\@hooks.example.com", "LOCALHOST",
        "127.0.0.1\u3002", "\u2460\u2461\u2466.0.0.1", "127.000.000.001",
    ],
)  # fmt: skip
def test_no_other_name_leads_to_the_control_port(place: str) -> None:
    """Where webhooks may reach one port of this machine, they reach no other of it."""
    with socket.create_server(("127.0.0.1", 0)) as control, receiving() as host:
        port = control.getsockname()[1]
        hosts = read_hosts(f"127.0.0.1:{host.port},localhost:{host.port},hooks.example.com")
        for url in (
            f"http://{place}:{port}/v1/sandboxes",
            f"http://{place}:{port}@127.0.0.1:{port}/",
        ):
            outcome = wire.send(post(url), hosts, timeout=1)
            assert isinstance(outcome, NoAnswer), url
        control.settimeout(0.05)
        with pytest.raises(TimeoutError):
            control.accept()


def test_redirects_are_answers_and_are_not_followed() -> None:
    with receiving() as other, receiving() as host:
        host.respond = lambda _, handler: answer(handler, 302, Location=other.url)
        hosts = read_hosts(f"127.0.0.1:{host.port},127.0.0.1:{other.port}")
        outcome = wire.send(post(host.url), hosts)
    assert isinstance(outcome, Answer)
    assert (outcome.status, outcome.is_success) == (302, False)
    assert outcome.header("location") == other.url
    assert other.received == []


def test_an_answer_that_drips_is_cut_off_in_time() -> None:
    stop = threading.Event()

    def drip(_: int, handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "100000")
        handler.end_headers()
        while not stop.wait(0.05):
            handler.wfile.write(b".")
            handler.wfile.flush()

    with receiving(drip) as host:
        begun = time.monotonic()
        outcome = wire.send(post(host.url), read_hosts(f"127.0.0.1:{host.port}"), timeout=0.5)
        stop.set()
    assert time.monotonic() - begun < 5
    assert outcome == NoAnswer("No answer came within 0.5 seconds.", timed_out=True)


def test_a_long_answer_is_cut_and_nul_is_no_text() -> None:
    with receiving(lambda _, handler: answer(handler, 200, b"\0" + b"x" * 10_000_000)) as host:
        outcome = wire.send(post(host.url), read_hosts(f"127.0.0.1:{host.port}"))
    assert isinstance(outcome, Answer)
    assert len(outcome.body) == wire.BODY_LIMIT
    assert outcome.body.startswith("\ufffdx")


def test_a_host_that_is_away_is_a_failure_with_a_reason() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    outcome = wire.send(post(f"http://127.0.0.1:{port}/"), read_hosts(f"127.0.0.1:{port}"))
    assert isinstance(outcome, NoAnswer)
    assert "ConnectError" in outcome.reason
    assert not outcome.timed_out


@pytest.mark.parametrize(
    ("address", "flaw"),
    [
        ("https://a.example/hook?x={id}#end", None),
        ("HTTP://a.example:8080", None),
        ("http://[::1]/", None),
        ("http://[::1/", "unreadable"),
        ("http://a.example:port/", "unreadable"),
        ("http://a.example:99999/", "unreadable"),
        ("", "scheme"),
        ("a.example/hook", "scheme"),
        ("ftp://a.example/", "scheme"),
        ("https:///hook", "host"),
        ("http://:80/", "host"),
        ("http://a.example:0/", "host"),
        ("http://a.example/a b", "spaces"),
        ("http://a.example/\x01", "spaces"),
        ("http://ana@a.example/", "credentials"),
        ("http://:secret@a.example/", "credentials"),
        # The first flaw counts.
        ("ftp://ana@a.example/a b", "scheme"),
        ("http://ana@a.example/a b", "spaces"),
    ],
)
def test_the_first_flaw_of_an_address_is_told(address: str, flaw: Flaw | None) -> None:
    assert flaw_of(address) == flaw


def test_signatures_are_of_secret_and_message() -> None:
    """The second case of RFC 4231."""
    secret, message = "Jefe", b"what do ya want for nothing?"
    digest = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    assert hmac_sha256_hex(secret, message) == digest
    assert hmac_sha256(secret, message) == base64.b64encode(bytes.fromhex(digest)).decode()


def test_bodies_have_no_spaces_and_letters_as_they_are() -> None:
    assert compact({"b": ["é", 1], "a": None}) == '{"b":["é",1],"a":null}'


def test_no_answer_has_no_status_and_no_headers() -> None:
    late: Outcome = NoAnswer("too late", timed_out=True)
    busy: Outcome = Answer(503, (("retry-after", "7"),), "")
    assert (late.status, late.header("Retry-After"), late.is_success) == (None, None, False)
    assert (busy.status, busy.header("Retry-After"), busy.is_success) == (503, "7", False)
    assert (late.timed_out, busy.timed_out, Answer(204, (), "").is_success) == (True, False, True)
