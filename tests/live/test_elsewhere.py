"""What proves somebody in one sandbox and clone proves nobody anywhere else, nor opens its files.

Every proof that a sandbox hands out is shown at every clone of two sandboxes, by their names and on
the bare host, alone and beside a session of the other one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import httpx
import pytest

from clones.core.accounts.authentication import basic_header
from clones.core.accounts.handover import mint_handover
from clones.core.models import Account
from clones.core.server import server
from clones.core.tenancy import unit_of_work
from sandlot.client import ControlClient, http_client
from tests.conftest import bind
from tests.live.conftest import account

# Of each clone, what answers 200 to whoever is signed in, and to nobody else: its API, its pages.
API = {
    "helpdesk": "/api/v2/tickets.json?per_page=5",
    "tracker": "/rest/api/3/myself",
    "billing": "/v1/customers?limit=5",
}
PAGES = {
    "helpdesk": "/agent/filters",
    "tracker": "/jira/for-you",
    "billing": "/panel?email=nobody@example.com",
    "mail": "/folders/inbox",
}
SIGN_IN = {
    "helpdesk": ("/auth/v2/login/signin", "email"),
    "tracker": ("/login", "username"),
    "mail": ("/signin", "email"),
}
COOKIES = {"helpdesk": "_helpdesk_session", "tracker": "_tracker_session", "mail": "mail_session"}
ROLES = {"helpdesk": "admin", "tracker": "admin", "billing": "admin"}


@dataclass(frozen=True, slots=True)
class Proof:
    """What proves somebody to one clone of one sandbox: headers, cookies, or a hand-over."""

    sandbox: str
    clone: str
    name: str
    to: str  # what it opens there: `api` or `page`
    headers: dict[str, str] = field(default_factory=dict)
    cookie: str = ""
    handover: str = ""


@pytest.fixture
def http() -> Iterator[httpx.Client]:
    with http_client(follow_redirects=False) as client:
        yield client


@pytest.fixture
def other(control: ControlClient, sandbox: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A fork: the same rows under the same keys, so that only the sandbox tells them apart."""
    found: dict[str, Any] = control.post(f"/v1/sandboxes/{sandbox['id']}/fork")
    yield found
    control.delete(f"/v1/sandboxes/{found['id']}")


def url_of(sandbox: dict[str, Any], clone: str) -> str:
    return str(sandbox["apps"][clone]["url"])


def somebody(sandbox: dict[str, Any], clone: str) -> dict[str, Any]:
    if clone in ROLES:
        return account(sandbox, clone, ROLES[clone])
    found: dict[str, Any] = sandbox["apps"][clone]["accounts"][0]
    return found


def session_of(http: httpx.Client, sandbox: dict[str, Any], clone: str) -> str:
    """Sign in to a clone's pages and return the session."""
    path, name = SIGN_IN[clone]
    who = somebody(sandbox, clone)
    answer = http.post(
        url_of(sandbox, clone) + path, data={name: who["email"], "password": who["password"]}
    )
    assert answer.status_code == 302, answer.text
    found = answer.cookies[COOKIES[clone]]
    http.cookies.clear()
    return found


def handover_of(sandbox: dict[str, Any], clone: str) -> str:
    """Return what the helpdesk's pages hand over to a clone."""
    row = server().registry.get(sandbox["id"])
    with bind(row), unit_of_work("read"):
        number = Account.objects.filter(clone="helpdesk", role="admin", active=True).first()
    assert number is not None
    return mint_handover(row, clone, number.id)


def proofs_of(http: httpx.Client, sandbox: dict[str, Any]) -> list[Proof]:
    """Return everything by which somebody can prove who they are in a sandbox."""
    id, desk, site = sandbox["id"], somebody(sandbox, "helpdesk"), somebody(sandbox, "tracker")
    key = somebody(sandbox, "billing")["secret_key"]
    token = basic_header(f"{desk['email']}/token", desk["api_token"])
    found = [
        Proof(id, "helpdesk", "token", "api", token),
        Proof(id, "helpdesk", "password", "api", basic_header(desk["email"], desk["password"])),
        Proof(id, "helpdesk", "oauth", "api", {"Authorization": f"Bearer {desk['oauth_token']}"}),
        Proof(id, "tracker", "token", "api", basic_header(site["email"], site["api_token"])),
        Proof(id, "billing", "bearer", "api", {"Authorization": f"Bearer {key}"}),
        Proof(id, "billing", "basic", "api", basic_header(key, "")),
        Proof(id, "billing", "hand-over", "page", handover=handover_of(sandbox, "billing")),
    ]  # fmt: skip
    found += [
        Proof(id, clone, "session", "page", cookie=session_of(http, sandbox, clone))
        for clone in SIGN_IN
    ]
    return found


def shown_to(http: httpx.Client, at: str, clone: str, proof: Proof, also: str = "") -> list[bool]:
    """Tell whether a proof opens a clone's API and its pages, a cookie `also` sent beside it."""
    opened = []
    # The cookie goes under every name that a clone has for one.
    text = proof.cookie or proof.handover or also
    cookies = "; ".join(f"{name}={text}" for name in (*COOKIES.values(), "billing_session") if text)
    headers = {**proof.headers, **({"Cookie": cookies} if cookies else {})}
    for path in (API.get(clone), PAGES.get(clone)):
        if path is None:
            continue
        query = f"{'&' if '?' in path else '?'}handover={proof.handover}" if proof.handover else ""
        answer = http.get(at + path + query, headers=headers)
        http.cookies.clear()
        assert answer.status_code in (200, 302, 401, 403, 404), (at, path, proof, answer.text)
        opened.append(answer.status_code == 200)
    return opened


def test_a_proof_opens_its_own_clone_of_its_own_sandbox_alone(
    http: httpx.Client, sandbox: dict[str, Any], other: dict[str, Any]
) -> None:
    tried, wrong = 0, []
    proofs = proofs_of(http, sandbox) + proofs_of(http, other)
    for proof, place, clone in product(proofs, (sandbox, other), PAGES):
        own = (proof.sandbox, proof.clone) == (place["id"], clone)
        found = shown_to(http, url_of(place, clone), clone, proof)
        tried += len(found)
        if any(found) != own:
            wrong.append((place["id"], clone, proof, found))
    assert wrong == []
    assert tried == 2 * len(proofs) * (len(API) + len(PAGES))


def test_a_session_of_another_sandbox_beside_it_changes_nothing(
    http: httpx.Client, sandbox: dict[str, Any], other: dict[str, Any]
) -> None:
    proofs = [proof for proof in proofs_of(http, sandbox) if proof.headers]
    strange = [session_of(http, other, clone) for clone in SIGN_IN]
    for proof, cookie, place in product(proofs, strange, (sandbox, other)):
        found = shown_to(http, url_of(place, proof.clone), proof.clone, proof, cookie)
        # A proof that is none here is not made up for by a session that is good in another place.
        assert found[0] is (place is sandbox), (proof, place["id"])


def test_on_the_bare_host_only_the_proof_says_where(
    http: httpx.Client, sandbox: dict[str, Any], other: dict[str, Any]
) -> None:
    for proof, clone in product(proofs_of(http, sandbox), PAGES):
        found = shown_to(http, sandbox["origin"], clone, proof)
        assert any(found) is (proof.clone == clone and proof.to == "api"), (clone, proof)
    desk = somebody(sandbox, "helpdesk")
    token = basic_header(f"{desk['email']}/token", desk["api_token"])
    named = {**token, "Cookie": f"_helpdesk_session={session_of(http, other, 'helpdesk')}"}
    made = http.post(
        f"{sandbox['origin']}/api/v2/tickets.json",
        json={"ticket": {"subject": "where", "comment": {"body": "here"}}},
        headers=named,
    )
    assert made.status_code == 201
    path = f"/api/v2/tickets/{made.json()['ticket']['id']}.json"
    there = somebody(other, "helpdesk")
    seen = http.get(
        url_of(other, "helpdesk") + path,
        headers=basic_header(f"{there['email']}/token", there["api_token"]),
    )
    assert seen.status_code == 404


@pytest.mark.parametrize(
    "header",
    ["X-Forwarded-Host", "X-Host", "X-Original-Host", "Forwarded", "X-Forwarded-Server", "Origin"],
)
def test_no_other_header_names_a_host(
    header: str, http: httpx.Client, sandbox: dict[str, Any], other: dict[str, Any]
) -> None:
    foreign = url_of(other, "helpdesk").removeprefix("http://")
    desk = somebody(other, "helpdesk")
    proof = basic_header(f"{desk['email']}/token", desk["api_token"])
    says = f"host={foreign}" if header == "Forwarded" else foreign
    answer = http.get(
        url_of(sandbox, "helpdesk") + API["helpdesk"], headers={**proof, header: says}
    )
    assert answer.status_code == 401


@pytest.mark.parametrize(
    "form",
    [
        "{name}.", "{name}:80:80", "x@{name}", "{name}/x", "{name}#x", "{name}?x", "{name}%00",
        "x.{name}", "{name}.evil.example", "{name}\\x", "{name},{own}", "[{name}]",
    ],
)  # fmt: skip
def test_a_host_of_another_form_is_of_no_sandbox(
    form: str, http: httpx.Client, sandbox: dict[str, Any], other: dict[str, Any]
) -> None:
    own = url_of(sandbox, "helpdesk").removeprefix("http://").partition(":")[0]
    foreign = url_of(other, "helpdesk").removeprefix("http://").partition(":")[0]
    desk = somebody(sandbox, "helpdesk")
    proof = basic_header(f"{desk['email']}/token", desk["api_token"])
    said = form.format(name=foreign, own=own)
    answer = http.get(sandbox["origin"] + "/agent/filters", headers={"Host": said})
    assert answer.status_code in (400, 404), answer.text
    # What is of no sandbox is the bare host, where the proof names one: never the host's.
    answer = http.get(sandbox["origin"] + API["helpdesk"], headers={"Host": said, **proof})
    assert answer.status_code in (200, 400, 404), answer.text
    assert list(server().requests.read(other["id"])) == []


def test_files_are_of_one_sandbox(
    http: httpx.Client, sandbox: dict[str, Any], other: dict[str, Any]
) -> None:
    desk, there = somebody(sandbox, "helpdesk"), somebody(other, "helpdesk")
    proof = basic_header(f"{desk['email']}/token", desk["api_token"])
    foreign = basic_header(f"{there['email']}/token", there["api_token"])
    own, away = url_of(sandbox, "helpdesk"), url_of(other, "helpdesk")
    made = http.post(
        f"{own}/api/v2/uploads.json?filename=a.txt", content=b"zebra-quartz", headers=proof
    ).json()["upload"]
    at = httpx.URL(made["attachment"]["content_url"])
    assert http.get(at).content == b"zebra-quartz"
    strange = [url_of(other, clone) for clone in PAGES] + [url_of(sandbox, "tracker")]
    for base in (*strange, url_of(sandbox, "billing"), url_of(sandbox, "mail")):
        for headers in ({}, proof, foreign):
            moved = http.get(base + at.raw_path.decode(), headers=headers)
            assert b"zebra-quartz" not in moved.content, (base, headers)
    # On the bare host the file's own token says whose it is.
    assert http.get(sandbox["origin"] + at.raw_path.decode()).content == b"zebra-quartz"
    # The token of an upload attaches nothing there, and what deletes it does not either.
    answer = http.post(
        f"{away}/api/v2/tickets.json",
        json={"ticket": {"subject": "x", "comment": {"body": "x", "uploads": [made["token"]]}}},
        headers=foreign,
    )
    assert answer.status_code == 422, answer.text
    gone = http.delete(f"{away}/api/v2/uploads/{made['token']}.json", headers=foreign)
    assert gone.status_code == 404, gone.text
    assert http.get(at).content == b"zebra-quartz"


def test_a_files_address_is_good_as_it_is_or_not_at_all(
    http: httpx.Client, sandbox: dict[str, Any]
) -> None:
    desk = somebody(sandbox, "helpdesk")
    proof = basic_header(f"{desk['email']}/token", desk["api_token"])
    made = http.post(
        f"{url_of(sandbox, 'helpdesk')}/api/v2/uploads.json?filename=a.txt",
        content=b"zebra-quartz",
        headers=proof,
    ).json()["upload"]["attachment"]["content_url"]
    token = made.partition("/attachments/token/")[2].split("/")[0].split("?")[0]
    for place in range(len(token)):
        turned = "b" if token[place] != "b" else "c"
        forged = made.replace(token, token[:place] + turned + token[place + 1 :])
        answer = http.get(forged)
        assert answer.status_code in (401, 404), (place, answer.status_code)
        assert b"zebra-quartz" not in answer.content


def test_an_issues_file_is_of_one_sandbox(
    http: httpx.Client, sandbox: dict[str, Any], other: dict[str, Any]
) -> None:
    site, there = somebody(sandbox, "tracker"), somebody(other, "tracker")
    proof = basic_header(site["email"], site["api_token"])
    foreign = basic_header(there["email"], there["api_token"])
    own = url_of(sandbox, "tracker")
    asked = http.post(
        f"{own}/rest/api/3/search/jql",
        json={"jql": "created < now()", "maxResults": 1},
        headers=proof,
    )
    key = asked.json()["issues"][0]["id"]
    made = http.post(
        f"{own}/rest/api/3/issue/{key}/attachments",
        files={"file": ("a.txt", b"zebra-quartz")},
        headers={**proof, "X-Atlassian-Token": "no-check"},
    ).json()[0]
    path = httpx.URL(made["content"]).raw_path.decode()
    opened = http.get(own + path + "?redirect=false", headers=proof)
    assert opened.content == b"zebra-quartz"
    for headers in ({}, proof, foreign):
        for base in (url_of(other, "tracker"), url_of(sandbox, "helpdesk"), url_of(other, "mail")):
            moved = http.get(base + path, headers=headers)
            assert b"zebra-quartz" not in moved.content, (base, headers)
            assert moved.status_code in (302, 401, 403, 404), (base, moved.status_code)
    assert http.get(own + path).status_code in (401, 403, 404)
