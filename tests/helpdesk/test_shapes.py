"""Bodies have the keys and types of the service's own, and operations its names and paths."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from clones.helpdesk.api.entry import operations
from tests.helpdesk.conftest import Answer, Desk
from tests.helpdesk.replaying import MISSING, REQUESTS, Stage
from tools.facts_helpdesk import Shape

FACTS = Path(__file__).parents[1] / "facts" / "helpdesk"
SKELETONS: dict[str, dict[str, str]] = json.loads((FACTS / "skeletons.json").read_text())
OPERATIONS: list[dict[str, str]] = json.loads((FACTS / "operations.json").read_text())

# Where our answers differ from the recorded ones, and the fact about sandboxes or recordings
# that it comes from. At most twenty.
ACCEPTED = {
    "metadata.system.ip_address": "requests have no address worth telling in a sandbox",
    "metadata.system.location": "nor a place",
    "metadata.system.latitude": "nor a place",
    "metadata.system.longitude": "nor a place",
    "recipient_address.domain_verification_code": "nobody asks for a proof of a domain",
    "last_login_at": "nobody has signed in yet",
    "photo": "nobody in a sandbox has a picture",
    "execution.group": "the recorded views are all grouped",
    "execution.group_by": "the same",
    "{id}/invocations 200 links.next": "a webhook of a sandbox has invocations for one page",
    "/webhooks 200 links": "only lists of more than one page were recorded with links",
    "/webhooks 200 meta.after_cursor": "and with cursors",
    "/webhooks 200 meta.before_cursor": "the same",
    "DELETE /api/v2/deleted_tickets/{id}.json 200 job_status.total": (
        "jobs of a sandbox know their records when they are taken in"
    ),
    "generated_timestamp": "later recordings of tickets show it too",
    "job_type": "later recordings of jobs show it too",
}
# Products that are no part of this clone.
OUTSIDE = ("community", "/guide/", "services/jira")
# What the service has beyond its own description: variants of list paths, documented in prose.
BESIDE = {
    "ListRecentTickets",
    "ListUserRequestedTickets",
    "ListUserAssignedTickets",
    "ListUserCcdTickets",
    "ListOrganizationTickets",
    "ListUserGroups",
    "ListOrganizationUsers",
    "ListGroupUsers",
    "ListUserOrganizations",
    "ListMembershipsOfOrganization",
    "ListMembershipsOfUser",
    "ListSubscriptionsOfOrganization",
    "ListSubscriptionsOfUser",
    "ListAssignableGroupMembershipsByGroup",
    "ShowUserGroupMembershipById",
    "CreateUserGroupMembership",
    "DeleteUserGroupMembership",
    "ShowUserOrganizationMembership",
    "CreateUserOrganizationMembership",
    "DeleteUserOrganizationMembership",
    "ListTicketSkipsOfTicket",
    "ListUserTags",
    "SetTagsUser",
    "PutTagsUser",
    "DeleteTagsUser",
    "ListOrganizationTags",
    "SetTagsOrganization",
    "PutTagsOrganization",
    "DeleteTagsOrganization",
    "ShowMetricsOfTicket",
    "ListOpenRequests",
    "ListSolvedRequests",
    "ListCcdRequests",
    # The service's webhooks have a description of their own.
    "ListWebhooks",
    "CreateOrCloneWebhook",
    "TestWebhook",
    "ShowWebhook",
    "UpdateWebhook",
    "PatchWebhook",
    "DeleteWebhook",
    "ListWebhookInvocations",
    "ListWebhookInvocationAttempts",
    "ShowWebhookSigningSecret",
    "ResetWebhookSigningSecret",
    # Business hours are documented in prose only.
    "ListSchedules",
    "ShowSchedule",
    "CreateSchedule",
    "UpdateSchedule",
    "DeleteSchedule",
    "UpdateScheduleIntervals",
    "ListScheduleHolidays",
    "ShowScheduleHoliday",
    "CreateScheduleHoliday",
    "UpdateScheduleHoliday",
    "DeleteScheduleHoliday",
    # The same holds of agents' availability.
    "ListUnifiedAgentStatuses",
    "ShowAgentAvailability",
    "UpdateAgentUnifiedStatus",
    "UpdateMyUnifiedStatus",
    # And of side conversations; the last is the address that messages give for their files.
    "ListSideConversations",
    "ShowSideConversation",
    "CreateSideConversation",
    "ReplyToSideConversation",
    "UpdateSideConversation",
    "ListSideConversationEvents",
    "ExportSideConversationEvents",
    "ImportSideConversation",
    "ImportSideConversationEvents",
    "CreateSideConversationAttachment",
    "DownloadSideConversationAttachment",
    # Counts and lists that the service documents in prose, or that its clients ask for.
    "CountUserRequestedTickets",
    "CountUserAssignedTickets",
    "CountUserCcdTickets",
    "CountTicketIncidents",
    "CountOrganizationTickets",
    "CountOrganizationUsers",
    "CountGroupUsers",
    "CountUserGroups",
    "CountUserOrganizations",
    "ListReceivedSatisfactionRatings",
    "ListUserRequests",
    "ListUserSessions",
    "ListOrganizationRequests",
    "ListSkips",
    "ListApps",
    "ListOwnedApps",
    "ListAppInstallations",
    "ListUserViews",
    "DeleteCustomStatus",
}


# The help center has one, too.
OF_THE_HELP_CENTER = ("/api/v2/help_center/", "/api/v2/guide/")


def test_every_operation_is_the_vendors() -> None:
    known = {(fact["method"], fact["path"]): fact["id"] for fact in OPERATIONS}
    wrong = []
    for name, operation in operations().all.items():
        path = re.sub(r"\{\w+(:int)?\}", "{}", operation.path)
        if operation.path.startswith(OF_THE_HELP_CENTER):
            continue
        if known.get((operation.method, path)) != name and name not in BESIDE:
            wrong.append((name, operation.method, path, known.get((operation.method, path))))
    assert wrong == []


def compare(name: str, body: Any, used: set[str] | None = None) -> list[str]:
    """Return how a body differs from what was recorded, where that is not accepted."""
    recorded = SKELETONS[name]
    shape = Shape()
    shape.add(body)
    ours = shape.facts()
    problems = dict[str, str]()
    for path, kinds in recorded.items():
        types = set(kinds.rstrip("?").split("|"))
        if path not in ours:
            parent = path.rpartition(".")[0]
            there = ours.get(parent, "") != "null"  # what is null itself is told once
            certain = recorded.get(parent, "object") == "object" and parent in {*ours, ""} and there
            if not kinds.endswith("?") and certain and not path.endswith("]"):
                problems[path] = "is missing"
            continue
        strange = set(ours[path].rstrip("?").split("|")) - types
        if strange:
            problems[path] = f"is {sorted(strange)}, not {sorted(types)}"
    for path in ours:
        parent = path.rpartition(".")[0]
        known = recorded.get(parent or ".", "").rstrip("?")
        if path not in recorded and not path.endswith("]") and "object" in known.split("|"):
            problems[path] = "was never seen"
    accepted = {
        path: [ending for ending in ACCEPTED if f"{name} {path}".endswith(ending)]
        for path in problems
    }
    if used is not None:
        used.update(ending for endings in accepted.values() for ending in endings)
    return [f"{path} {text}" for path, text in problems.items() if not accepted[path]]


def operation_of(name: str) -> str | None:
    """Return the id of the operation that a recorded exchange is of, if it is there."""
    method, path, _ = name.split()
    plain = path.removesuffix(".json").replace("{id}", "{}")
    known = {
        (item.method, re.sub(r"\{\w+(:int)?\}", "{}", item.path)): item.id
        for item in operations().all.values()
    }
    return known.get((method, plain))


REPLAYED = [name for name in sorted(REQUESTS) if not any(part in name for part in OUTSIDE)]


def _is_there(answer: Answer) -> bool:
    """Tell whether a record is shown, and not as one that was deleted."""
    return answer.status != 404 and not next(iter(answer.body.values())).get("deleted", False)


def replay(desk: Desk, name: str, used: set[str] | None = None) -> list[str]:
    """Return how our answers to the requests of an exchange differ from the recorded ones."""
    status = int(name.split()[2])
    stage = Stage(desk)
    problems = []
    for request in REQUESTS[name]:
        answer = stage.replay(name, request)
        if answer.status != status:
            problems.append(f"status {answer.status}: {answer.body}")
            continue
        if status == 204 and _is_there(desk.call("GET", stage.address, by="olga")):
            problems.append("is there still")
        body = answer.body if answer.raw else ""
        problems += compare(name, body, used)
        problems += headers_missing(answer, name.split(maxsplit=1)[0], request["body"])
    return problems


def headers_missing(answer: Answer, method: str, sent: Any) -> list[str]:
    """Return the headers that every recorded answer of its kind has, and ours has not.

    The exchanges at hand were kept without theirs: the vendor is known to send these.
    """
    done = answer.status < 400
    wanted = {
        "x-zendesk-api-version": "v2",
        "cache-control": "max-age=0, private, must-revalidate" if done else "no-cache",
        "x-request-id": r"\S+",
        "x-rate-limit": "700",
        "x-rate-limit-remaining": r"\d+",
        "rate-limit-reset": r"\d+",
    }
    if answer.status != 204:
        wanted["Content-Type"] = "application/json; charset=utf-8"
    if method == "GET":
        wanted["etag"] = 'W/"[0-9a-f]{32}"'
    if answer.status == 201:
        record = next(iter(answer.body.values()))
        wanted |= {"Location": re.escape(record["url"])} if "url" in record else {}
    if answer.status == 204 and sent:
        (name,) = sent
        wanted["x-zendesk-api-warn"] = rf'.*:unpermitted_keys=>\["{name}.id", "{name}"\].*'
    return [
        f"header {name}: {answer.headers.get(name)}"
        for name, form in wanted.items()
        if not re.fullmatch(form, answer.headers.get(name, ""))
    ]


@pytest.mark.parametrize("name", REPLAYED)
def test_a_recorded_request_is_answered_as_recorded(desk: Desk, name: str) -> None:
    assert operation_of(name) is not None
    assert replay(desk, name) == []


def test_all_recorded_exchanges_of_the_support_product_are_looked_at() -> None:
    assert len(SKELETONS) == len(REQUESTS) == 78
    assert len(REPLAYED) == 68


def test_few_differences_are_accepted_and_each_occurs(desk: Desk) -> None:
    used = set[str]()
    for name in REPLAYED:
        replay(desk, name, used)
        for rule in desk.get("automations.json", by="olga")["automations"]:
            if rule["title"].startswith("text"):  # another like it would be refused
                desk.call("DELETE", f"automations/{rule['id']}.json", by="olga")
    assert set(ACCEPTED) - used == set()
    assert len(ACCEPTED) <= 20


def test_every_operation_describes_its_arguments() -> None:
    for operation in operations().all.values():
        schema = operation.schema()
        assert set(schema["required"]) <= set(schema["properties"]), operation.id
        assert operation.summary.endswith("."), operation.id


def test_every_operation_that_asks_for_ids_describes_them(desk: Desk) -> None:
    found = set()
    for operation in operations().all.values():
        if not operation.path.endswith("_many"):
            continue
        named: dict[str, Any] = {
            "ticket": {},
            "user": {},
        }  # the same changes for each: `ids` says for whom
        answer = desk.call(operation.method, operation.path, named, by="olga")
        if answer.status == 400 and "missing: ids" in str(answer.body):
            described = operation.schema()["properties"]["ids"]
            kind = described.get("anyOf", [described])[0]
            of = "string" if operation.id == "ShowManyJobStatuses" else "integer"
            assert (kind["type"], kind["items"]) == ("array", {"type": of}), operation.id
            assert "ids" in operation.arguments
            found.add(operation.id)
    assert {"TicketsUpdateMany", "TicketsShowMany", "UpdateManyUsers", "GetViewCounts"} < found
    assert len(found) >= 19


def test_every_list_in_pages_describes_its_paging(desk: Desk) -> None:
    ticket = desk.ticket()["id"]
    ids = {"ticket_id": ticket, "request_id": ticket, "user_id": desk.ids["olga"]}
    paged, silent = set(), list[str]()
    for operation in operations().all.values():
        names = re.findall(r"\{(\w+):int\}", operation.path)
        if operation.method != "GET" or "{" in re.sub(r"\{\w+:int\}", "", operation.path):
            continue
        path = re.sub(
            r"\{(\w+):int\}", lambda found: str(ids.get(found[1], MISSING)), operation.path
        )
        answer = desk.call("GET", path, by="olga")
        if answer.status != 200 or "next_page" not in answer.body:
            continue
        if desk.call("GET", f"{path}?per_page=x", by="olga").status == 200:
            continue  # all at once, though it says how many
        paged.add((operation.id, *names))
        if not {"page", "per_page"} <= set(operation.schema()["properties"]):
            silent.append(operation.id)
    assert silent == []
    assert {("ListTicketComments", "ticket_id"), ("ListTickets",), ("ListTags",)} < paged
    assert len(paged) > 40
