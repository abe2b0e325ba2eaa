"""Nothing of one sandbox is in another, by any door that the clones declare.

Two sandboxes have the same rows under the same keys; in one of them each column of words says so.
Every list of each API and the pages that links lead to, of staff and of customers, by name and by
published port, are asked for in both by turns; what the one has handed out is shown to the other.
A clone that is new is among them by what it declares.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
import pytest
from django.apps import apps

from clones.core.accounts import account_cards
from clones.core.accounts.authentication import basic_header
from clones.core.server import server
from clones.core.tenancy import unit_of_work
from clones.core.vendors import Clone, clones
from sandlot.cli.serving import RunningServer
from sandlot.client import ControlClient, http_client
from tests.conftest import bind
from tests.live.test_elsewhere import SIGN_IN, handover_of, url_of
from tests.live.test_planted_markup import plant
from tests.tiers import EVERYTHING

MARK: Final = "zz-planted"
# A secret of ours, wherever it stands in a text.
SECRET: Final = re.compile(r"(?<![0-9A-Za-z])([a-z2-7]{10}[a-zA-Z][0-9A-Za-z]{29})(?![0-9A-Za-z])")
LINK: Final = re.compile(r'href="(/[^"#]*)')
SIGNING_OUT: Final = re.compile(r"log_?out|sign_?out", re.IGNORECASE)
PAGES: Final = 60 if EVERYTHING else 12  # of one person at one clone
Sandbox = dict[str, Any]


@pytest.fixture
def http() -> Iterator[httpx.Client]:
    with http_client(follow_redirects=False) as client:
        yield client


@pytest.fixture
def pair(control: ControlClient, sandbox: Sandbox) -> Iterator[tuple[Sandbox, Sandbox]]:
    """A sandbox whose words are marked, and one like it; both have ports of their own."""
    other = control.post(f"/v1/sandboxes/{sandbox['id']}/fork")
    row = server().registry.get(sandbox["id"])
    with bind(row), unit_of_work("write"):
        planted = [name for model in apps.get_models() for name in plant(model)]
    for clone in clones():
        tables = [name for name in planted if name.startswith((f"{clone.name}_", "core_message"))]
        assert tables or clone.operations is None, clone.name
    for one in (sandbox, other):
        control.post(f"/v1/sandboxes/{one['id']}/publish")
    yield tuple(control.get(f"/v1/sandboxes/{one['id']}") for one in (sandbox, other))
    control.delete(f"/v1/sandboxes/{other['id']}")


def origins_of(sandbox: Sandbox, clone: Clone) -> tuple[str, str]:
    """Return where a clone of a sandbox is found: by its name, and by its port."""
    published: str = sandbox["published"][clone.name]
    return url_of(sandbox, clone.name), published


def people_of(sandbox: Sandbox, clone: Clone) -> list[dict[str, Any]]:
    """Return one account of each role, admins before the others."""
    found: dict[str, dict[str, Any]] = {}
    for account in sandbox["apps"][clone.name]["accounts"]:
        found.setdefault(account["role"], account)
    return [found[role] for role in sorted(found)]


def secrets_of(account: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the secrets of an account, by their names."""
    for name, value in account.items():
        if isinstance(value, str) and SECRET.search(value.rpartition("_")[2]):
            yield name, value


def presented(account: dict[str, Any], secret: str) -> Iterator[dict[str, str]]:
    """Yield the headers by which a secret may be shown, for any vendor."""
    login = str(account.get("email") or account.get("login") or "")
    yield {"Authorization": f"Bearer {secret}"}
    yield basic_header(f"{login}/token", secret)
    yield basic_header(login, secret)
    yield basic_header(secret, "")
    yield {"Cookie": "; ".join(f"{clone.session_cookie}={secret}" for clone in clones())}


def doors_of(clone: Clone) -> list[str]:
    """Return addresses of a clone that tell who is known there."""
    listing = [clone.probes.listing] if clone.probes is not None else []
    return [*listing, "/"]


def seen(http: httpx.Client, address: str, headers: dict[str, str]) -> tuple[int, str]:
    answer = http.get(address, headers=headers)
    http.cookies.clear()
    return answer.status_code, urlsplit(answer.headers.get("location", "")).path


def assert_unknown(found: tuple[int, str], nobody: tuple[int, str]) -> None:
    """Fail unless somebody was taken for nobody, or told that the proof is none."""
    assert found == nobody or found[0] in (401, 403)


def test_no_secret_of_a_sandbox_is_known_in_another(
    http: httpx.Client, running: RunningServer, control: ControlClient, sandbox: Sandbox
) -> None:
    """By whichever way it is shown, at whichever clone, host and port, nor to the control plane."""
    other = control.post(f"/v1/sandboxes/{sandbox['id']}/fork")
    for one in (sandbox, other):
        control.post(f"/v1/sandboxes/{one['id']}/publish")
    own, strange = (control.get(f"/v1/sandboxes/{one['id']}") for one in (sandbox, other))
    doors = [
        origin + path
        for clone in clones()
        for origin in origins_of(strange, clone)
        for path in doors_of(clone)
    ]
    nobody = {door: seen(http, door, {}) for door in doors}
    opened = set()
    for door, stranger in nobody.items():
        told = seen(http, door, {"Authorization": f"Bearer {running.token}"})
        assert_unknown(told, stranger)
    for clone in clones():
        for account in people_of(own, clone):
            for name, secret in secrets_of(account):
                for headers in presented(account, secret):
                    for door in doors:
                        assert_unknown(seen(http, door, headers), nobody[door])
                    at_control = f"{running.control_url}/v1/sandboxes"
                    assert seen(http, at_control, headers)[0] == 401
                    for door in doors_of(clone):
                        here = seen(http, url_of(own, clone.name) + door, headers)
                        if here[0] == 200:
                            opened.add((clone.name, name))
    # At home they do open something.
    assert {clone.name for clone in clones() if clone.probes is not None} <= {
        name for name, _ in opened
    }
    control.delete(f"/v1/sandboxes/{other['id']}")


def strings_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if isinstance(inner, str):
                yield inner if name != "nextPageToken" else f"nextPageToken={inner}"
            else:
                yield from strings_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings_in(inner)


def lists_of(clone: Clone) -> list[str]:
    """Return the addresses of a clone's operations that read, and name no record."""
    if clone.operations is None:
        return []
    return [
        operation.path
        for operation in clone.operations.all.values()
        if operation.method == "GET" and not operation.parameters
    ]


def authorization(clone: Clone, sandbox: Sandbox) -> dict[str, str]:
    """Return what proves the first admin of a sandbox."""
    row = server().registry.get(sandbox["id"])
    with bind(row), unit_of_work("read"):
        cards = [card for card in account_cards(row) if card.clone == clone.name]
    card = next((one for one in cards if one.role == "admin"), cards[0])
    return clone.authorization(card)


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_no_answer_of_an_api_shows_another_sandbox(
    http: httpx.Client, pair: tuple[Sandbox, Sandbox]
) -> None:
    marked, clean = pair
    shown: dict[str, int] = {}
    for clone in clones():
        proofs = [authorization(clone, one) for one in pair] if clone.operations else []
        handed_out: set[str] = set()
        for path in lists_of(clone):
            for at, origin in enumerate(origins_of(marked, clone)):
                there = http.get(origin + path, headers=proofs[0])
                here = http.get(origins_of(clean, clone)[at] + path, headers=proofs[1])
                assert here.status_code < 500, (path, here.text)
                assert MARK not in here.text, path
                shown[clone.name] = shown.get(clone.name, 0) + there.text.count(MARK)
                handed_out |= addresses_in(there, path)
        for address in sorted(handed_out)[:200]:
            for headers in (proofs[1], {}):
                moved = http.get(url_of(clean, clone.name) + address, headers=headers)
                assert moved.status_code < 500, address
                assert MARK not in moved.text, address
    assert all(shown[clone.name] > 20 for clone in clones() if clone.operations), shown


def addresses_in(answer: httpx.Response, path: str) -> set[str]:
    """Return what leads on from an answer: next pages, and files by a secret in their address."""
    try:
        found = set(strings_in(answer.json()))
    except json.JSONDecodeError:
        return set()
    joined = "&" if "?" in path else "?"
    pages = {path + joined + one for one in found if one.startswith("nextPageToken=")}
    links = {one for one in found if one.startswith("http") and leads_on(one)}
    return pages | {urlsplit(one)._replace(scheme="", netloc="").geturl() for one in links}


def leads_on(address: str) -> bool:
    return bool(SECRET.search(address) or re.search(r"[?&](page|cursor|after|startAt)", address))


def sessions_of(http: httpx.Client, sandbox: Sandbox, clone: Clone) -> list[tuple[str, str]]:
    """Return a session of each role at a clone's pages, and the first page that it is led to."""
    if clone.name not in SIGN_IN:
        assert clone.takes_handover, f"how does one come to the pages of {clone.name}?"
        return [(handover_of(sandbox, clone.name), "/panel?email=nobody@example.com")]
    path, name = SIGN_IN[clone.name]
    found = []
    for account in people_of(sandbox, clone):
        sent = {name: account["email"], "password": account["password"]}
        answer = http.post(url_of(sandbox, clone.name) + path, data=sent)
        session = answer.cookies.get(clone.session_cookie)
        http.cookies.clear()
        assert answer.status_code == 302, (clone.name, account["role"], answer.text)
        assert session is not None
        found.append((session, urlsplit(answer.headers["location"]).path or "/"))
    return found


def page(http: httpx.Client, address: str, cookie: str) -> str:
    answer = http.get(address, headers={"Cookie": cookie})
    http.cookies.clear()
    assert answer.status_code < 500, (address, cookie)
    return answer.text


def pages(http: httpx.Client, origin: str, cookie: str, start: str) -> list[str]:
    """Open pages from link to link, and return their addresses."""
    found: list[str] = []
    waiting = [start, "/", "/hc/en-us", "/hc/requests", "/servicedesk/customer/portals"]
    while waiting and len(found) < PAGES:
        path = waiting.pop(0)
        if path in found or SIGNING_OUT.search(path):
            continue
        found.append(path)
        links = sorted(set(LINK.findall(page(http, origin + path, cookie))))
        waiting += [link.replace("&amp;", "&") for link in links]
    return found


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_no_page_shows_another_sandbox(http: httpx.Client, pair: tuple[Sandbox, Sandbox]) -> None:
    """Of nobody: of who is signed in, of customers, of who shows the other one's session."""
    shown: dict[str, int] = {}
    for clone in clones():
        both = [sessions_of(http, one, clone) for one in pair]
        for (theirs, start), (own, _) in zip(*both, strict=True):
            for at in range(2):
                there, here = (origins_of(one, clone)[at] for one in pair)
                cookies = [f"{clone.session_cookie}={text}" for text in (theirs, own)]
                for path in pages(http, here, cookies[1], start):
                    told = page(http, there + path, cookies[0]).count(MARK)
                    shown[clone.name] = shown.get(clone.name, 0) + told
                    for cookie in (cookies[1], cookies[0], "; ".join(cookies)):
                        assert MARK not in page(http, here + path, cookie), (path, cookie)
    assert all(shown[name] > 0 for name in SIGN_IN), shown
