"""Unmodified extractors take a whole desk out: each stream has what the desk's own API counts.

`tap-zendesk` and Airbyte's source make their addresses of a subdomain of the vendor's: the server
serves that domain, and `at_vendors_names.py` lets the names resolve to it. The machine's clock may
be before or after the world's, so both begin in the far past.

Not offered by Airbyte's own discovery, by a fault of its own: ticket forms, account attributes and
their definitions, for which it calls a method that its kit has no longer. Streams of the community
are refused, as is said of each account that has none, and left out of the whole sync.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.clients import client_python, run_client
from tests.live.apart import serve_apart, with_world
from tests.live.conftest import account
from tests.live.zendesk_counts import Counted

# Their environments are made by the first test that asks for one.
pytestmark = [pytest.mark.slow(shares="desk"), pytest.mark.timeout(900), pytest.mark.in_turn(at=1)]

DOMAIN = "zendesk.com"
START = "2000-01-01T00:00:00Z"
SCRIPT = Path(__file__).with_name("at_vendors_names.py")
TAP = ("tap-zendesk==2.8.2",)
AIRBYTE = ("airbyte-source-zendesk-support==4.9.1", "airbyte-cdk==6.61.6")
COMMUNITY = {"posts", "post_comment_votes", "post_comments", "post_votes", "topics"}
# What a merge reads of Airbyte's streams: one of each way to page.
SOME = {"groups", "organizations", "satisfaction_ratings", "user_identities", "users"}
# Lists of the API by the stream that reads them: where they are, and under which key.
LISTS = {
    "automations": ("automations", "automations"),
    "brands": ("brands", "brands"),
    "categories": ("help_center/categories", "categories"),
    "custom_roles": ("custom_roles", "custom_roles"),
    "articles": ("help_center/articles", "articles"),
    "group_memberships": ("group_memberships", "group_memberships"),
    "groups": ("groups", "groups"),
    "macros": ("macros", "macros"),
    "organization_fields": ("organization_fields", "organization_fields"),
    "organization_memberships": ("organization_memberships", "organization_memberships"),
    "organizations": ("organizations", "organizations"),
    "satisfaction_ratings": ("satisfaction_ratings", "satisfaction_ratings"),
    "schedules": ("business_hours/schedules", "schedules"),
    "sections": ("help_center/sections", "sections"),
    "sla_policies": ("slas/policies", "sla_policies"),
    "tags": ("tags", "tags"),
    "ticket_activities": ("activities", "activities"),
    "ticket_fields": ("ticket_fields", "ticket_fields"),
    "ticket_metrics": ("ticket_metrics", "ticket_metrics"),
    "ticket_skips": ("skips", "skips"),
    "tickets": ("tickets", "tickets"),
    "triggers": ("triggers", "triggers"),
    "user_fields": ("user_fields", "user_fields"),
}
# Streams that read the parts of others, and those that have no list of their own.
PARTS = {
    "article_attachments",
    "article_comment_votes",
    "article_comments",
    "article_votes",
    "audit_logs",
    "ticket_audits",
    "ticket_comments",
    "ticket_metric_events",
    "user_identities",
    "users",
}
Records = dict[str, list[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Desk:
    """A desk at a name of the vendor's, and where extractors leave their files."""

    sandbox: dict[str, Any]
    port: int
    authority: Path
    folder: Path

    @property
    def subdomain(self) -> str:
        """What an extractor is told of the desk's address."""
        host = urlsplit(self.sandbox["apps"]["helpdesk"]["url"]).hostname or ""
        return host.removesuffix(f".{DOMAIN}")

    @property
    def admin(self) -> dict[str, Any]:
        """The account whose credentials extractors have."""
        return account(self.sandbox, "helpdesk", "admin")

    def write(self, name: str, value: Any) -> str:
        """Write a file of JSON for an extractor and return its path."""
        path = self.folder / name
        path.write_text(json.dumps(value), encoding="utf-8")
        return str(path)

    def run(self, python: Path, command: str, *arguments: str, code: int = 0) -> str:
        """Run an extractor's own command, which ends with a code, and return what it printed."""
        trusted = str(self.authority)
        named = (DOMAIN, str(self.port), command)
        done = run_client(
            python, SCRIPT, *named, *arguments, REQUESTS_CA_BUNDLE=trusted, SSL_CERT_FILE=trusted
        )
        assert done.returncode == code, (done.stderr or done.stdout)[-4000:]
        return done.stdout


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """A desk in the tiny world."""
    data = tmp_path_factory.mktemp("extractors")
    with_world(data)
    with serve_apart(data, "--tls", "--domain", DOMAIN, "--workers", "1") as server:
        sandbox = server.control.post("/v1/sandboxes", {"size": "tiny"})
        yield Desk(sandbox, server.port, data / "tls" / "ca.pem", data)


@pytest.fixture(scope="module")
def counted(desk: Desk) -> Iterator[Counted]:
    """What the desk's own API says."""
    found = Counted(desk.sandbox, desk.authority)
    yield found
    found.close()


@pytest.fixture(scope="module")
def tapped(desk: Desk) -> Records:
    """What `tap-zendesk` took, by stream, after its own discovery."""
    python = client_python("tap-zendesk", TAP)
    given = {
        "subdomain": desk.subdomain,
        "start_date": START,
        "access_token": desk.admin["oauth_token"],
    }
    config = ("--config", desk.write("tap.json", given))
    catalog = json.loads(desk.run(python, "tap_zendesk:main", *config, "--discover"))
    found: Records = {stream["stream"]: [] for stream in catalog["streams"]}
    for stream in catalog["streams"]:
        whole = next(entry for entry in stream["metadata"] if entry["breadcrumb"] == [])
        whole["metadata"]["selected"] = True
    chosen = ("--catalog", desk.write("tap-catalog.json", catalog))
    for line in desk.run(python, "tap_zendesk:main", *config, *chosen).splitlines():
        message = json.loads(line)
        if message["type"] == "RECORD":
            found[message["stream"]].append(message["record"])
    return found


def keys(records: list[dict[str, Any]]) -> set[Any]:
    """Return the ids of records; their names where they have no ids."""
    return {record.get("id", record.get("name")) for record in records}


def test_the_tap_leaves_out_only_what_the_account_lacks(tapped: Records) -> None:
    """Its sixteenth stream is of Talk: it says so and goes on."""
    assert sorted(tapped) == sorted(
        "tickets groups users organizations ticket_audits ticket_comments ticket_fields"
        " ticket_forms group_memberships macros satisfaction_ratings tags ticket_metrics"
        " ticket_metric_events sla_policies".split()
    )
    assert all(tapped.values())


@pytest.mark.parametrize(
    "stream",
    "groups organizations ticket_fields ticket_forms group_memberships macros satisfaction_ratings"
    " tags ticket_metrics".split(),
)
def test_a_stream_of_the_tap_has_what_the_api_lists(
    tapped: Records, counted: Counted, stream: str
) -> None:
    assert keys(tapped[stream]) == counted.ids(stream, stream)
    assert len(tapped[stream]) == len(keys(tapped[stream]))


def test_streams_of_the_tap_have_what_the_api_counts(tapped: Records, counted: Counted) -> None:
    for stream in ("groups", "organizations", "ticket_fields", "satisfaction_ratings", "tags"):
        assert len(tapped[stream]) == counted.count(stream), stream
    live = counted.ids("users", "users")
    gone = counted.ids("deleted_users", "deleted_users")
    assert keys(tapped["users"]) == live | gone
    assert len(live) == counted.count("users")
    assert len(gone) == counted.count("deleted_users")
    deleted = counted.ids("deleted_tickets", "deleted_tickets")
    assert keys(tapped["tickets"]) == counted.ids("tickets", "tickets") | deleted
    assert len(tapped["tickets"]) == counted.count("tickets") + len(deleted)
    assert keys(tapped["sla_policies"]) == counted.ids("slas/policies", "sla_policies")


def test_histories_of_the_tap_are_whole(tapped: Records, counted: Counted) -> None:
    by_ticket = defaultdict[int, int](int)
    for audit in tapped["ticket_audits"]:
        by_ticket[audit["ticket_id"]] += 1
    for ticket in sorted(by_ticket):
        assert by_ticket[ticket] == counted.count(f"tickets/{ticket}/audits"), ticket
    live = counted.ids("tickets", "tickets")
    assert by_ticket.keys() == live
    said = sum(counted.count(f"tickets/{ticket}/comments") for ticket in sorted(live))
    assert len(tapped["ticket_comments"]) == len(keys(tapped["ticket_comments"])) == said


def test_events_of_the_tap_are_told_to_the_last(tapped: Records, counted: Counted) -> None:
    """An export by time may tell a record twice, at the edge of two pages; no other is."""
    page = counted.get("incremental/ticket_metric_events.json", start_time=0)
    told = keys(page["ticket_metric_events"])
    while not page["end_of_stream"]:
        start = page["end_time"]
        page = counted.get("incremental/ticket_metric_events.json", start_time=start)
        told |= keys(page["ticket_metric_events"])
    assert keys(tapped["ticket_metric_events"]) == told


@dataclass(frozen=True, slots=True)
class Read:
    """What Airbyte's source read: its records and the last status, by stream."""

    records: Records
    statuses: dict[str, str]


@dataclass(frozen=True, slots=True)
class Airbyte:
    """Airbyte's source, told of a desk."""

    desk: Desk
    python: Path
    config: str

    def run(self, *arguments: str, code: int = 0) -> list[dict[str, Any]]:
        """Run the source's own command and return its messages."""
        command = "source_zendesk_support.run:run"
        given = (*arguments, "--config", self.config)
        said = self.desk.run(self.python, command, *given, code=code)
        return [json.loads(line) for line in said.splitlines()]

    def offered(self) -> list[dict[str, Any]]:
        """Return the streams that the source discovers."""
        (found,) = [item for item in self.run("discover") if item["type"] == "CATALOG"]
        streams: list[dict[str, Any]] = found["catalog"]["streams"]
        return streams

    def read(self, streams: list[dict[str, Any]], code: int = 0) -> Read:
        """Read some streams to their ends, or to where the source gives up."""
        chosen = [
            {
                "stream": stream,
                "sync_mode": stream["supported_sync_modes"][-1],
                "destination_sync_mode": "append",
            }
            for stream in streams
        ]
        catalog = self.desk.write("airbyte-catalog.json", {"streams": chosen})
        found = Read({stream["name"]: [] for stream in streams}, {})
        for message in self.run("read", "--catalog", catalog, code=code):
            if message["type"] == "RECORD":
                found.records[message["record"]["stream"]].append(message["record"]["data"])
            elif message["type"] == "TRACE" and message["trace"]["type"] == "STREAM_STATUS":
                told = message["trace"]["stream_status"]
                found.statuses[told["stream_descriptor"]["name"]] = told["status"]
        return found


@pytest.fixture(scope="module")
def airbyte(desk: Desk) -> Airbyte:
    """Airbyte's source in its own environment."""
    admin = desk.admin
    given = {
        "subdomain": desk.subdomain,
        "start_date": START,
        "credentials": {
            "credentials": "api_token",
            "email": admin["email"],
            "api_token": admin["api_token"],
        },
    }
    return Airbyte(desk, client_python("airbyte", AIRBYTE), desk.write("airbyte.json", given))


@pytest.fixture(scope="module")
def offered(airbyte: Airbyte) -> list[dict[str, Any]]:
    """The streams that Airbyte's source discovers."""
    return airbyte.offered()


def test_airbyte_finds_the_account_fit_and_offers_each_stream(
    airbyte: Airbyte, offered: list[dict[str, Any]]
) -> None:
    (said,) = [item for item in airbyte.run("check") if item["type"] == "CONNECTION_STATUS"]
    assert said["connectionStatus"]["status"] == "SUCCEEDED"
    assert {stream["name"] for stream in offered} == LISTS.keys() | PARTS | COMMUNITY


def check_lists(read: Read, counted: Counted) -> None:
    """Hold the streams that lists are read by against the lists."""
    for stream in sorted(read.records.keys() & LISTS.keys()):
        path, key = LISTS[stream]
        listed = counted.ids(path, key)
        if stream == "tickets":
            listed |= counted.ids("deleted_tickets", "deleted_tickets")
        assert keys(read.records[stream]) == listed, stream
        assert len(read.records[stream]) == len(listed), stream


def check_people(read: Read, counted: Counted) -> None:
    """Hold people, deleted ones too, and their identities against the API."""
    live = counted.ids("users", "users")
    assert keys(read.records["users"]) == live | counted.ids("deleted_users", "deleted_users")
    identities = read.records["user_identities"]
    by_person = defaultdict[int, int](int)
    for identity in identities:
        by_person[identity["user_id"]] += 1
    for person in sorted(live)[::10]:
        listed = counted.ids(f"users/{person}/identities", "identities")
        assert by_person[person] == len(listed), person
    assert len(identities) == len(keys(identities)) > len(live)


def test_airbyte_reads_streams_of_each_way_to_page(
    airbyte: Airbyte, offered: list[dict[str, Any]], counted: Counted
) -> None:
    some = [stream for stream in offered if stream["name"] in SOME]
    read = airbyte.read(some)
    assert read.statuses == dict.fromkeys(SOME, "COMPLETE")
    check_lists(read, counted)
    check_people(read, counted)


@pytest.mark.everything
def test_airbyte_reads_everything_that_is_built(
    airbyte: Airbyte, offered: list[dict[str, Any]], counted: Counted
) -> None:
    read = airbyte.read([stream for stream in offered if stream["name"] not in COMMUNITY])
    assert read.statuses == dict.fromkeys(LISTS.keys() | PARTS, "COMPLETE")
    check_lists(read, counted)
    check_people(read, counted)
    articles = sorted(counted.ids("help_center/articles", "articles"))
    for stream, part in (("article_comments", "comments"), ("article_votes", "votes")):
        listed = [counted.ids(f"help_center/articles/{item}/{part}", part) for item in articles]
        assert keys(read.records[stream]) == set().union(*listed), stream
    tickets = counted.ids("tickets", "tickets")
    audits = sum(counted.count(f"tickets/{ticket}/audits") for ticket in sorted(tickets))
    assert len(keys(read.records["ticket_audits"])) == audits
    said = sum(counted.count(f"tickets/{ticket}/comments") for ticket in sorted(tickets))
    assert len(keys(read.records["ticket_comments"])) == said


@pytest.mark.everything
def test_airbyte_is_refused_a_product_that_is_not_built(
    airbyte: Airbyte, offered: list[dict[str, Any]]
) -> None:
    """As of an account without it: the streams are told to be some that it may not read."""
    read = airbyte.read([stream for stream in offered if stream["name"] in COMMUNITY], code=1)
    assert read.statuses == dict.fromkeys(COMMUNITY, "INCOMPLETE")
    assert not any(read.records.values())
