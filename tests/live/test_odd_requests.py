"""Requests that no client sends are answered in the clone's own words, and never by a failure.

Methods, paths, queries, headers, types and encodings of bodies; each at addresses of each vendor's
API that list, read, make and change something.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from django.test import Client

from clones.core.accounts import account_cards
from clones.core.tenancy import SandboxRow, unit_of_work
from clones.core.vendors import clone_named
from episodes.worlds import WorldKey, world_image
from snapshots.library import Library
from snapshots.sandboxes import Sandboxes
from tests.conftest import bind

ADDRESSES = {
    "helpdesk": (
        "/api/v2/tickets.json", "/api/v2/tickets/5.json", "/api/v2/search.json?query=x",
        "/api/v2/users/me.json", "/api/v2/users/create_or_update.json", "/api/v2/uploads.json",
        "/api/v2/incremental/tickets.json?start_time=0", "/api/v2/views/count_many.json",
        "/api/v2/custom_objects", "/api/v2/tickets/update_many.json?ids=5",
    ),
    "tracker": (
        "/rest/api/3/issue", "/rest/api/3/issue/LAS-1", "/rest/api/3/search/jql",
        "/rest/api/2/search",
        "/rest/api/3/myself", "/rest/agile/1.0/board", "/rest/servicedeskapi/request",
        "/rest/api/3/issue/LAS-1/attachments", "/rest/api/3/field/search", "/rest/api/3/bulk/queue",
    ),
    "billing": (
        "/v1/customers", "/v1/charges", "/v1/refunds", "/v1/customers/search", "/v1/invoices",
        "/v1/subscriptions", "/v1/balance", "/v1/events",
    ),
}  # fmt: skip
METHODS = (
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "OPTIONS",
    "TRACE",
    "PROPFIND",
    "get",
    "X",
)
PATHS = (
    "{}/",
    "{}//",
    "{};x=1",
    "{}%00",
    "{}%ff",
    "{}/..",
    "{}/%2e%2e/x",
    "{}.json.json",
    "{}.xml",
    "{}%20",
    "/{}",
    "{}/²",
    "{}/" + "9" * 400,
    "{}/" + "a" * 4_000,
    "{}%0d%0aX:%20b",
    "{}/%f0%9f%94%a5",
    "{}\\x",
)
QUERIES = (
    "page=0",
    "page=-1",
    "page=²",
    "page=" + "9" * 40,
    "page[size]=x",
    "page[size]=-1",
    "page[size]=1e9",
    "page[after]=%00",
    "page[after]=bnVsbA==",
    "page[after]=W10=",
    "page[]=1",
    "page=1&page=2",
    "per_page=x",
    "per_page=1e3",
    "startAt=-1",
    "startAt=99999999999999999999",
    "maxResults=x",
    "maxResults=-5",
    "limit=x",
    "limit=101",
    "limit=-1",
    "starting_after=x",
    "ending_before=%ff",
    "sort=-",
    "sort=a,b",
    "sort_by=%00",
    "sort_order=x",
    "orderBy=+-x",
    "include=" + "a," * 500,
    "expand=" + "a," * 500,
    "expand[]=a&expand[b]=c",
    "expand[" * 20 + "]" * 20,
    "fields=*all,-x,%00",
    "query=%ff%fe",
    "query=" + "a" * 5_000,
    "jql=%22",
    "jql=" + "(" * 500,
    "ids=1,x",
    "ids=" + "1," * 3_000,
    "created[gt]=x",
    "created=1&created[gt]=2",
    "nextPageToken=x",
    "nextPageToken=W10",
    "=x",
    "&&&",
    "%",
    "a=%zz",
    "callback=alert",
    "lang=x",
    "start_time=x",
    "start_time=-1",
    "start_time=9999999999999",
    "cursor=x",
    "external_id=%00",
    "locale=%f0",
    "async=x",
)
HEADERS: tuple[dict[str, str], ...] = (
    {"Accept": "application/xml"},
    {"Accept": "x"},
    {"Accept-Language": "x" * 500},
    {"Accept-Language": "de;q=x"},
    {"Accept-Encoding": "br;q=x"},
    {"If-None-Match": "\xff"},
    {"If-Modified-Since": "x"},
    {"Range": "bytes=9-1"},
    {"If-Match": "*"},
    {"X-HTTP-Method-Override": "DELETE"},
    {"Content-Length": "x"},
    {"Expect": "x"},
    {"Cookie": "a=" + "b" * 9_000},
    {"Cookie": "\xff=\x80;;;=; _helpdesk_session"},
    {"Idempotency-Key": "\xff" * 300},
    {"Stripe-Version": "x"},
    {"Stripe-Account": "acct_x"},
    {"X-Atlassian-Token": "x"},
    {"X-On-Behalf-Of": "\xff"},
    {"Authorization": ""},
    {"Authorization": "Basic"},
    {"Authorization": "Basic ="},
    {"Authorization": "Basic /w=="},
    {"Authorization": "Bearer"},
    {"Authorization": "Bearer " + "a" * 9_000},
    {"Authorization": "Digest x"},
    {"X-Forwarded-Proto": "https"},
    {"Time-Zone": "x"},
    {"X-Zendesk-Marketplace-Name": "\xff"},
    {"Origin": "null"},
)
GOOD = {"ticket": {"subject": "x", "comment": {"body": "x"}}, "jql": "project = LAS", "fields": {}}
TEXT = json.dumps(GOOD)
BODIES: tuple[tuple[str, bytes, dict[str, str]], ...] = (
    ("application/json", b"", {}),
    ("application/json", b"null", {}),
    ("application/json", b"[]", {}),
    ("application/json", b'"x"', {}),
    ("application/json", b"1e999", {}),
    ("application/json", b"NaN", {}),
    ("application/json", b"\xef\xbb\xbf" + TEXT.encode(), {}),
    ("application/json", TEXT.encode("utf-16"), {}),
    ("application/json; charset=utf-16", TEXT.encode("utf-16"), {}),
    ("application/json; charset=x", TEXT.encode(), {}),
    ("application/json; charset=latin-1", b'{"ticket":{"subject":"\xe9"}}', {}),
    ("application/json", b'{"ticket":{"subject":"\xed\xa0\x80"}}', {}),
    ("application/json", b'{"ticket":{"subject":"\\ud800"}}', {}),
    ("application/json", b'{"a":1,"a":2,"ticket":1,"ticket":[]}', {}),
    ("application/json", b"[" * 50_000, {}),
    ("application/json", b'{"ticket":' * 3_000 + b"1" + b"}" * 3_000, {}),
    ("application/json", b'{"ticket":{"id":' + b"9" * 5_000 + b"}}", {}),
    ("application/json", gzip.compress(TEXT.encode()), {"Content-Encoding": "gzip"}),
    ("application/json", TEXT.encode(), {"Content-Encoding": "x"}),
    ("application/xml", b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", {}),
    ("text/plain", TEXT.encode(), {}),
    ("", TEXT.encode(), {}),
    ("x", TEXT.encode(), {}),
    ("application/x-www-form-urlencoded", b"a=b&a[b]=c&a[]=d&%ff=%fe&=", {}),
    ("application/x-www-form-urlencoded", b"a=b&" * 3_000, {}),
    ("application/x-www-form-urlencoded; charset=utf-7", b"+AGE-=b", {}),
    ("application/x-www-form-urlencoded; charset=x", b"a=b", {}),
    ("application/x-www-form-urlencoded", b"metadata" + b"[a]" * 200 + b"=1", {}),
    ("multipart/form-data", b"x", {}),
    ("multipart/form-data; boundary=", b"x", {}),
    ("multipart/form-data; boundary=\xff".encode("latin-1").decode("latin-1"), b"x", {}),
    ("multipart/form-data; boundary=b", b"--b\r\n\r\n", {}),
    ("multipart/form-data; boundary=b", b"--b\r\nContent-Disposition: form-data; name=a\r\n", {}),
    (
        "multipart/form-data; boundary=b",
        (
            b'--b\r\nContent-Disposition: form-data; name="file"; filename="../\x00"\r\n'
            b"Content-Type: \xff\r\nContent-Transfer-Encoding: base64\r\n\r\n!!!\r\n--b--\r\n"
        ),
        {},
    ),
    ("multipart/form-data; boundary=b", b"--b\r\nX: y\r\n\r\nz\r\n" * 1_500 + b"--b--", {}),
)


# What the vendor of the tracker refuses otherwise than in JSON: who is nobody, and forged uploads.
IN_OTHER_KINDS = {
    ("tracker", 401, "text/html;charset=UTF-8"),
    ("tracker", 403, "text/plain"),
}


class Odd(NamedTuple):
    """A request, in so far as it is not as usual."""

    method: str
    path: str
    headers: dict[str, str]
    content_type: str = "application/json"
    body: bytes = b""


def odd_requests(path: str) -> Iterator[Odd]:
    """Yield what is sent to an address."""
    plain, _, query = path.partition("?")
    for method in METHODS:
        yield Odd(method, path, {}, body=TEXT.encode())
    for form in PATHS:
        for method in ("GET", "POST"):
            yield Odd(method, form.format(plain), {}, body=TEXT.encode())
    for odd in QUERIES:
        yield Odd("GET", f"{plain}?{query}&{odd}" if query else f"{plain}?{odd}", {})
    for headers in HEADERS:
        yield Odd("GET", path, headers)
        yield Odd("POST", path, headers, body=TEXT.encode())
    for content_type, body, headers in BODIES:
        for method in ("POST", "PUT"):
            yield Odd(method, path, headers, content_type, body)


@pytest.fixture(scope="module")
def row(sandboxes: Sandboxes, library: Library) -> Iterator[SandboxRow]:
    """A sandbox of the tiny world, rewound after each address."""
    found = sandboxes.create(world_image(library, WorldKey("kestrel", "tiny", 1)))
    yield found
    sandboxes.delete(found.id)


@pytest.mark.in_turn
@pytest.mark.slow(shares="row")
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("clone", sorted(ADDRESSES))
def test_no_request_breaks_or_is_answered_by_nothing(
    row: SandboxRow, sandboxes: Sandboxes, clone: str
) -> None:
    described = clone_named(clone)
    assert described is not None
    with bind(row), unit_of_work("read"):
        card = next(
            card for card in account_cards(row) if card.clone == clone and card.role == "admin"
        )
    client = Client(
        raise_request_exception=False,
        headers={"host": f"{clone}.{row.id}.localhost:8800", **described.authorization(card)},
    )
    tried, wrong = 0, []
    for path in ADDRESSES[clone]:
        for odd in odd_requests(path):
            answer: Any = client.generic(
                odd.method, odd.path, odd.body, odd.content_type, headers=odd.headers
            )
            tried += 1
            said = flaw_of(answer, odd.method, clone if described.is_api(odd.path) else "")
            if said:
                wrong.append(
                    (
                        said,
                        odd.method,
                        odd.path[:120],
                        odd.headers,
                        odd.content_type,
                        odd.body[:60],
                        answer.content[:120],
                    )
                )
        sandboxes.reset(row.id)
    print(f"{clone}: {tried} requests", *wrong, sep="\n")
    assert wrong == []


def flaw_of(answer: Any, method: str, clone: str) -> str:
    """Return what is wrong with an answer, "" if nothing is; `clone` is whose API gave it."""
    status, kind = answer.status_code, answer.headers.get("Content-Type", "")
    if status >= 500:
        return f"answers {status}"
    if status in (204, 301, 302, 303, 304) or method in ("HEAD", "OPTIONS"):
        return ""
    if status < 300 and not answer.content:
        return f"answers {status} with nothing"
    if (
        status >= 400
        and clone
        and "json" not in kind
        and (clone, status, kind) not in IN_OTHER_KINDS
    ):
        return f"answers {status} as {kind}"
    if "json" in kind and answer.content:
        json.loads(answer.content)
    return ""
