"""No page of any clone takes a form that its own pages did not make, or sends a browser away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote, urlsplit

import pytest
from django.test import Client

from clones.core.journal import canonical_changes, journal
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from clones.core.vendors import clone_named
from episodes.worlds import WorldKey, world_image
from snapshots.library import Library
from snapshots.sandboxes import Sandboxes
from tests.conftest import bind
from tests.page_routes import addresses_of
from tests.pages_of_clones import BEGIN, SIGN_IN, Window
from tests.tiers import EVERYTHING

FORGED = {
    "no token": {},
    "an empty one": {"authenticity_token": "", "atl_token": "", "token": ""},
    "another's": {"authenticity_token": "x" * 40, "atl_token": "x" * 40, "token": "x" * 40},
}
# What nobody has to be signed in for: pages that lead on, and forms that must come from this host.
OF_NOBODY = (
    "/access/unauthenticated",
    "/issues",
    "/servicedesk/customer/user/login",
    *(path for path, _ in SIGN_IN.values()),
)
AWAY = (
    "https://evil.example/", "//evil.example/", "/\\evil.example/", "\\\\evil.example/",
    "\t//evil.example/", "/\t/evil.example", "javascript:alert(1)", "data:text/html,x",
    "https:evil.example", "///evil.example", "/%09/evil.example", "/%2f/evil.example",
    "//evil.example/agent", "/agent/\\evil.example", "/agent@evil.example", "http://[evil/agent",
    "//evil.example/jira", "/jira/..//evil.example", "\u2028//evil.example/agent",
    "/agent\r\nX-A: b",
)  # fmt: skip
# Of many pages that lead on, but not where they are asked to, each is asked a part before a merge.
MANY, PARTS = 100, 1 if EVERYTHING else 5
INSIDE = "/agent/inside"
LEADING = (
    "return_to", "back", "next", "dest-url", "redirect", "redirect_to", "url", "continue", "goto",
    "destination", "returnUrl", "referer", "from", "origin", "callback", "redirect_uri",
)  # fmt: skip


@pytest.fixture(scope="module")
def row(sandboxes: Sandboxes, library: Library) -> Iterator[SandboxRow]:
    """A sandbox of the tiny world that nothing here may change."""
    found = sandboxes.create(world_image(library, WorldKey("kestrel", "tiny", 1)))
    yield found
    sandboxes.delete(found.id)


def changed(row: SandboxRow) -> list[dict[str, Any]]:
    with bind(row), unit_of_work("read"):
        return canonical_changes(journal().changes(server().registry.mark(row.id, "base") or 0))


def pages_of(clone: str) -> list[str]:
    """Return an address of each page of a clone, without those of its API."""
    found = clone_named(clone)
    assert found is not None
    return [path for path in addresses_of(found.urlconf) if not found.is_api(path)]


@pytest.mark.sweeps
@pytest.mark.slow(shares="row")
@pytest.mark.parametrize("clone", sorted(BEGIN))
def test_a_form_without_the_sessions_token_changes_nothing(row: SandboxRow, clone: str) -> None:
    window, wrong = Window(row, clone), []
    pages = pages_of(clone)
    for path in pages:
        for name, fields in FORGED.items():
            for method in ("post", "put", "patch", "delete"):
                if method != "post" and name != "no token":
                    continue
                sent: Any = getattr(window.client, method)(path, fields)
                if not 400 <= sent.status_code < 500 and path not in OF_NOBODY:
                    wrong.append((method, path, name, sent.status_code))
    assert wrong == []
    assert changed(row) == []
    print(f"{clone}: {len(pages)} pages")


@pytest.mark.sweeps
@pytest.mark.slow(shares="row")
@pytest.mark.parametrize("clone", sorted(BEGIN))
def test_opening_a_page_changes_nothing(row: SandboxRow, clone: str) -> None:
    """What a picture in a mail can ask for: any page, by reading."""
    window = Window(row, clone)
    for path in pages_of(clone):
        sent: Any = window.client.get(path)
        assert sent.status_code < 500, path
        if sent.status_code == 302 and "sign" in sent.headers["Location"]:
            window = Window(row, clone)  # a page that signs out
    assert changed(row) == []


def leads_on(client: Client, path: str, address: str) -> str:
    """Return where a page leads to that is asked to lead to an address by all names for one."""
    query = "&".join(f"{name}={quote(address, safe='')}" for name in LEADING)
    sent: Any = client.get(f"{path}?{query}", headers={"referer": address.strip()})
    return str(sent.headers["Location"]) if sent.status_code in (301, 302, 303, 307, 308) else ""


@pytest.mark.sweeps
@pytest.mark.slow(shares="row")
@pytest.mark.parametrize("clone", sorted(SIGN_IN))
def test_no_page_leads_out_of_the_house(row: SandboxRow, clone: str) -> None:
    window, stranger = (
        Window(row, clone),
        Client(headers={"host": f"{clone}.{row.id}.localhost:8800"}),
    )
    own = f"{clone}.{row.id}.localhost:8800"
    tried, wrong = 0, []
    pages = pages_of(clone)
    parts, inside = PARTS if len(pages) > MANY else 1, BEGIN[clone][1]
    for number, path in enumerate(pages):
        for who in (window.client, stranger):
            if not leads_on(who, path, INSIDE):
                continue
            follows = urlsplit(leads_on(who, path, inside)).path == inside
            for address in AWAY if follows else AWAY[number % parts :: parts]:
                tried += 1
                to = leads_on(who, path, address)
                place = urlsplit(to)
                odd = "\\" in to.partition("?")[0]
                if place.scheme not in ("", "http") or place.netloc not in ("", own) or odd:
                    wrong.append((path, address, to))
    assert wrong == []
    assert tried > 50


@pytest.mark.parametrize("clone", sorted(SIGN_IN))
def test_who_signs_in_stays_in_the_house(row: SandboxRow, clone: str) -> None:
    window = Window(row, clone)
    path, name = SIGN_IN[clone]
    card = window.card
    for address in AWAY:
        client = Client(headers={"host": f"{clone}.{row.id}.localhost:8800"})
        form = dict.fromkeys(LEADING, address)
        form |= {name: card.login, "password": card.secrets["password"]}
        sent: Any = client.post(path, form)
        assert sent.status_code == 302, address
        to = sent.headers["Location"]
        assert to.startswith("/"), (address, to)
        assert not to.startswith(("//", "/\\", "/\t")), (address, to)
        assert urlsplit(to).netloc == "", (address, to)
