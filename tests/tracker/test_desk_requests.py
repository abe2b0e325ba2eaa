"""Requests: asking, who sees them, finding them, moving them on, rating them."""

from __future__ import annotations

from typing import Any

import pytest

from clones.core.models import Job
from clones.tracker.domain import people
from clones.tracker.domain.slas import JOB
from clones.tracker.models import Issue, Request, ServiceDesk
from tests.tracker.conftest import Site
from tests.tracker.desk_site import OPT_IN, open_desk

GONE = (
    "The request does not exist or you do not have permission to view it.",
    "sd.request.error.not.found",
)


def test_a_customer_asks_and_reads_what_became_of_it(site: Site) -> None:
    desk = open_desk(site)
    made = desk.ask(values={"description": "It says *no*.", "priority": {"id": "2"}})
    assert (made["issueKey"], made["serviceDeskId"]) == ("IT-1", desk.id)
    assert made["summary"] == "It does not print"
    assert made["requestTypeId"] == desk.types["Get IT help"]
    assert made["reporter"]["accountId"] == site.ids["cara"]
    assert made["createdDate"]["friendly"].startswith("Today ")
    assert set(made["createdDate"]) == {"iso8601", "jira", "friendly", "epochMillis"}
    values = {one["fieldId"]: one for one in made["requestFieldValues"]}
    assert list(values) == ["summary", "description", "priority"]
    assert values["summary"] == {
        "fieldId": "summary",
        "label": "What can we help you with?",
        "value": "It does not print",
    }
    assert values["description"]["value"] == "It says *no*."
    assert values["description"]["renderedValue"] == {"html": "<p>It says <b>no</b>.</p>"}
    assert values["priority"]["value"]["name"] == "High"
    status = made["currentStatus"]
    assert (status["status"], status["statusCategory"]) == ("Waiting for support", "INDETERMINATE")
    assert made["_links"]["web"].endswith(f"/servicedesk/customer/portal/{desk.id}/IT-1")
    assert made["_links"]["jiraRest"].endswith(f"/rest/api/2/issue/{made['issueId']}")
    # The issue is the customer's, of the type that the form stands for.
    fields = site.get("issue/IT-1", by="dev")["fields"]
    assert fields["reporter"]["accountId"] == fields["creator"]["accountId"] == site.ids["cara"]
    assert fields["issuetype"]["name"] == "[System] Service request"
    assert fields["customfield_10010"]["requestType"]["name"] == "Get IT help"
    assert fields["customfield_10010"]["currentStatus"]["status"] == "Waiting for support"
    with site.store():
        assert Request.objects.get().channel == "api"
    # The same by id, and a document in place of markup.
    assert desk.get(f"request/{made['issueId']}", by="cara")["issueKey"] == "IT-1"
    paragraph = {"type": "paragraph", "content": [{"type": "text", "text": "As a document."}]}
    text = {"type": "doc", "version": 1, "content": [paragraph]}
    other = desk.ask(values={"description": text}, isAdfRequest=True)
    assert other["requestFieldValues"][1]["value"] == "As a document."


@pytest.mark.parametrize(
    ("body", "by", "status", "error"),
    [
        (
            {"requestTypeId": "999"},
            "cara",
            404,
            (
                "The request type does not exist or you do not have permission to view it.",
                "sd.request.type.error.not.found",
            ),
        ),
        (
            {"serviceDeskId": "999"},
            "cara",
            404,
            (
                "The service desk does not exist or you do not have permission to view it.",
                "sd.servicedesk.error.not.found",
            ),
        ),
        (
            {"requestFieldValues": {"description": "No title"}},
            "cara",
            400,
            ("What can we help you with? is required.", "sd.request.create.error.field.required"),
        ),
        (
            {"requestFieldValues": {"summary": "x", "labels": ["a"]}},
            "cara",
            400,
            (
                "The field 'labels' is not part of this request type, or cannot be set.",
                "sd.request.create.error.field.unknown",
            ),
        ),
        (
            {"raiseOnBehalfOf": "{dana}"},
            "cara",
            403,
            (
                "You do not have permission to raise a request on behalf of another customer.",
                "sd.request.create.error.raise.on.behalf.permission",
            ),
        ),
        (
            {"requestParticipants": ["{dana}"]},
            "cara",
            403,
            (
                "You do not have permission to add participants to a request.",
                "sd.request.create.error.participants.permission",
            ),
        ),
        (
            {"raiseOnBehalfOf": "nobody"},
            "dev",
            404,
            ("The user with the accountId 'nobody' does not exist.", "sd.user.error.not.found"),
        ),
        (
            {"requestFieldValues": {"summary": "x", "attachment": ["abc"]}},
            "cara",
            400,
            (
                "The temporary attachment with id 'abc' does not exist.",
                "sd.attachment.error.temporary.not.found",
            ),
        ),
        (
            {},
            "guest",
            404,
            (
                "The service desk does not exist or you do not have permission to view it.",
                "sd.servicedesk.error.not.found",
            ),
        ),
    ],
)
def test_unverified_what_cannot_be_asked(
    site: Site, body: dict[str, Any], by: str, status: int, error: tuple[str, str]
) -> None:
    desk = open_desk(site)
    people = {"{dana}": site.ids["dana"]}
    given = {
        key: [people.get(one, one) for one in value]
        if isinstance(value, list)
        else people.get(value, value)
        if isinstance(value, str)
        else value
        for key, value in body.items()
    }
    whole = {
        "serviceDeskId": desk.id,
        "requestTypeId": desk.types["Get IT help"],
        "requestFieldValues": {"summary": "It stops"},
        **given,
    }
    assert desk.error(desk.post("request", whole, by=by, status=status)) == error
    with site.store():
        assert not Issue.objects.filter(project__key="IT").exists()


def test_customers_see_their_own_and_never_what_agents_say_among_themselves(site: Site) -> None:
    desk = open_desk(site)
    desk.customer("otto", "Otto Lund")
    mine, others = desk.ask()["issueKey"], desk.ask("Otto's", by="otto")["issueKey"]
    said = desk.post(f"request/{mine}/comment", {"body": "Have you *tried*?", "public": True})
    inside = desk.post(f"request/{mine}/comment", {"body": "Who is he?", "public": False})
    assert (said["public"], inside["public"]) == (True, False)
    assert said["author"]["accountId"] == site.ids["dev"]
    answer = desk.post(f"request/{mine}/comment", {"body": "I have."}, by="cara")
    assert answer["public"] is True
    # Who sees what.
    page = desk.get(f"request/{mine}/comment", by="cara")
    assert [one["body"] for one in page["values"]] == ["Have you *tried*?", "I have."]
    page = desk.get(f"request/{mine}/comment")
    assert [one["id"] for one in page["values"]] == [said["id"], inside["id"], answer["id"]]
    assert desk.get(f"request/{mine}/comment?public=false")["size"] == 1
    assert desk.get(f"request/{mine}/comment?internal=false")["size"] == 2
    shown = desk.get(f"request/{mine}/comment/{said['id']}?expand=renderedBody", by="cara")
    assert shown["renderedBody"] == {"html": "<p>Have you <b>tried</b>?</p>"}
    assert desk.error(
        desk.get(f"request/{mine}/comment/{inside['id']}", by="cara", status=404)
    ) == (
        "The comment does not exist or you do not have permission to view it.",
        "sd.customerrequest.comment.error.not.found",
    )
    page = desk.get(f"request/{mine}/comment?start=1&limit=1")
    assert ([one["id"] for one in page["values"]], page["isLastPage"]) == ([inside["id"]], False)
    assert "start=2&limit=1" in page["_links"]["next"]
    assert "start=0&limit=1" in page["_links"]["prev"]
    # Another's request is not there, nor are any issue of the platform.
    assert desk.error(desk.get(f"request/{others}", by="cara", status=404)) == GONE
    assert site.get(f"issue/{mine}", by="cara", status=404)["errorMessages"] == [
        "Issue does not exist or you do not have permission to see it."
    ]
    found = site.get(
        "search/jql?jql=project=IT%20or%20created%20is%20not%20empty", by="cara", status=400
    )
    assert "project" in str(found["errorMessages"])
    assert desk.get("request", by="cara")["values"][0]["issueKey"] == mine
    assert desk.get("request", by="cara")["size"] == 1
    # What cannot be said.
    refused = desk.post(
        f"request/{mine}/comment", {"body": "x", "public": False}, by="cara", status=403
    )
    assert desk.error(refused)[0] == "Only agents can add internal comments."
    empty = desk.post(f"request/{mine}/comment", {"public": True}, by="cara", status=400)
    assert desk.error(empty)[0] == "The comment body cannot be empty."


def test_unverified_comments_of_a_request_that_one_does_not_see_are_none(site: Site) -> None:
    desk = open_desk(site)
    key = desk.ask()["issueKey"]
    desk.post(f"request/{key}/comment", {"body": "Hello"})
    assert desk.get(f"request/{key}/comment", by="guest")["values"] == []
    assert desk.error(desk.get("request/IT-99/comment", by="guest", status=404)) == GONE


def test_unverified_agents_are_offered_what_the_portal_offers(site: Site) -> None:
    desk = open_desk(site)
    path = f"request/{desk.ask()['issueKey']}/transition"
    assert desk.get(path) == {**desk.get(path, by="cara")}
    assert desk.get(f"{path}?limit=2")["isLastPage"] is False
    assert desk.error(desk.get("request/IT-99/transition", status=404)) == GONE


def test_requests_are_found_by_owner_status_words_and_desk(site: Site) -> None:
    desk = open_desk(site)
    otto = desk.customer("otto", "Otto Lund")
    first = desk.ask("Printer is broken")["issueKey"]
    second = desk.ask(
        "Screen is broken", kind="Report a system problem", values={"description": "x"}
    )
    third = desk.ask("Otto's printer", by="otto")["issueKey"]
    fourth = desk.ask(
        "For Otto", by="dev", raiseOnBehalfOf=otto, requestParticipants=[site.ids["cara"]]
    )
    assert fourth["reporter"]["accountId"] == otto
    desk.post(f"request/{first}/transition", {"id": "71"}, by="cara", status=204)

    def keys(query: str, by: str = "cara") -> list[str]:
        return [one["issueKey"] for one in desk.get(f"request?{query}", by=by)["values"]]

    # The one that changed last is first.
    assert keys("") == [first, fourth["issueKey"], second["issueKey"]]
    assert keys("requestOwnership=OWNED_REQUESTS") == [first, second["issueKey"]]
    assert keys("requestOwnership=PARTICIPATED_REQUESTS") == [fourth["issueKey"]]
    assert keys("requestOwnership=OWNED_REQUESTS&requestOwnership=PARTICIPATED_REQUESTS") == keys(
        ""
    )
    assert keys("requestStatus=CLOSED_REQUESTS") == [first]
    assert keys("requestStatus=OPEN_REQUESTS") == [fourth["issueKey"], second["issueKey"]]
    assert keys("searchTerm=print*%20broken") == [first]
    assert keys(f"serviceDeskId={desk.id}&requestTypeId={second['requestTypeId']}") == [
        second["issueKey"]
    ]
    assert keys("requestOwnership=ALL_REQUESTS", by="dev") == [
        first, fourth["issueKey"], third, second["issueKey"],
    ]  # fmt: skip
    page = desk.get("request?limit=1&start=1", by="cara")
    assert (page["size"], page["start"], page["limit"], page["isLastPage"]) == (1, 1, 1, False)
    for query, text in {
        "requestOwnership=X": "The value 'X' is not valid for the parameter 'requestOwnership'.",
        "requestStatus=X": "The value 'X' is not valid for the parameter 'requestStatus'.",
        "requestTypeId=1": "'serviceDeskId' is required when 'requestTypeId' is given.",
        "organizationId=1": "'organizationId' can only be used with requestOwnership=ORGANIZATION.",
        "approvalStatus=X": "'approvalStatus' can only be used with requestOwnership=APPROVER.",
        "start=x": "The value 'x' is not a valid number for the parameter 'start'.",
    }.items():
        assert desk.error(desk.get(f"request?{query}", by="cara", status=400))[0] == text


def test_a_request_is_shown_with_what_is_asked_for(site: Site) -> None:
    desk = open_desk(site)
    key = desk.ask()["issueKey"]
    words = "participant,status,sla,requestType,serviceDesk,attachment,action,comment"
    for by, works in (("dev", True), ("cara", False)):
        shown = desk.get(f"request/{key}?expand={words}", by=by)
        assert shown["serviceDesk"]["projectKey"] == "IT"
        assert shown["requestType"]["name"] == "Get IT help"
        assert [one["status"] for one in shown["status"]["values"]] == ["Waiting for support"]
        assert ("sla" in shown) is works
        assert shown["actions"]["addParticipant"] == {"allowed": True}
        assert [shown[name]["size"] for name in ("participants", "attachments", "comments")] == [
            0
        ] * 3
    many = desk.get(f"request?expand={words}&requestOwnership=ALL_REQUESTS")["values"]
    assert many == [desk.get(f"request/{key}?expand={words}")]


def test_a_customer_moves_a_request_on_as_the_portal_offers(site: Site) -> None:
    desk = open_desk(site)
    key = desk.ask()["issueKey"]
    offered = desk.get(f"request/{key}/transition", by="cara")["values"]
    assert offered == [
        {"id": "51", "name": "Escalate"},
        {"id": "71", "name": "Resolve this issue"},
        {"id": "81", "name": "Cancel request"},
    ]
    refused = desk.post(f"request/{key}/transition", {"id": "31"}, by="cara", status=400)
    assert desk.error(refused) == (
        "The transition with id '31' is not available for this request.",
        "sd.customer.transition.error.not.available",
    )
    body = {"id": "71", "additionalComment": {"body": "It works again."}}
    desk.post(f"request/{key}/transition", body, by="cara", status=204)
    fields = site.get(f"issue/{key}", by="dev")["fields"]
    assert (fields["status"]["name"], fields["resolution"]["name"]) == ("Resolved", "Done")
    assert fields["comment"]["comments"][0]["jsdPublic"] is True
    page = desk.get(f"request/{key}/status", by="cara")
    assert [(one["status"], one["statusCategory"]) for one in page["values"]] == [
        ("Resolved", "DONE"),
        ("Waiting for support", "INDETERMINATE"),
    ]
    assert desk.get(f"request/{key}/status?limit=1", by="cara")["isLastPage"] is False
    # What the portal calls a status is not always its name.
    other = desk.ask()["issueKey"]
    desk.post(f"request/{other}/transition", {"id": "51"}, by="cara", status=204)
    assert site.get(f"issue/{other}", by="dev")["fields"]["status"]["name"] == "Escalated"
    shown = desk.get(f"request/{other}", by="cara")["currentStatus"]["status"]
    assert shown == "Waiting for support"


def test_people_take_part_and_are_told(site: Site) -> None:
    desk = open_desk(site)
    otto = desk.customer("otto", "Otto Lund")
    key = desk.ask()["issueKey"]
    assert desk.get(f"request/{key}/participant")["values"] == []
    page = desk.post(
        f"request/{key}/participant", {"accountIds": [otto, otto]}, by="cara", status=200
    )
    assert [one["accountId"] for one in page["values"]] == [otto]
    assert desk.get(f"request/{key}", by="otto")["issueKey"] == key
    desk.post(f"request/{desk.ask()['issueKey']}/participant", {"accountIds": [otto]}, status=200)
    assert desk.get(f"request/{key}/participant", by="otto")["size"] == 1
    assert desk.get(f"request/{key}/participant?start=1", by="otto")["values"] == []
    assert desk.get(f"request/{key}/notification", by="otto") == {"subscribed": True}
    assert desk.get(f"request/{key}/notification", by="dev") == {"subscribed": False}
    for by, verb in (("otto", "delete"), ("dev", "put"), ("dev", "put")):
        getattr(desk, verb)(f"request/{key}/notification", by=by)
    assert desk.get(f"request/{key}/notification", by="otto") == {"subscribed": False}
    assert desk.get(f"request/{key}/notification", by="dev") == {"subscribed": True}
    assert site.get(f"issue/{key}", by="dev")["fields"]["customfield_10022"][0]["accountId"] == otto
    # Who may say who takes part: the reporter and agents; whom: those who may use the desk.
    refused = desk.post(f"request/{key}/participant", {"accountIds": [otto]}, by="otto", status=403)
    assert desk.error(refused)[1] == "sd.request.participants.error.permission"
    with site.writing():
        stranger = people.create_user("A Stranger", "s@x.example", account_type="customer")
    wrong = desk.post(
        f"request/{key}/participant", {"accountIds": [stranger.account_id]}, status=400
    )
    assert (
        desk.error(wrong)[0] == "The user 'A Stranger' does not have access to this service desk."
    )
    nobody = desk.post(f"request/{key}/participant", {"accountIds": []}, status=400)
    assert desk.error(nobody)[0] == "You must provide at least one accountId."
    named = desk.post(f"request/{key}/participant", {"usernames": ["otto"]}, status=400)
    assert desk.error(named)[1] == "sd.user.error.usernames.unsupported"
    page = desk.delete(f"request/{key}/participant", {"accountIds": [otto]}, by="cara", status=200)
    assert page["values"] == []
    assert desk.error(desk.get(f"request/{key}", by="otto", status=404)) == GONE


def test_unverified_a_resolved_request_is_rated_by_its_reporter(site: Site) -> None:
    desk = open_desk(site)
    key = desk.ask()["issueKey"]
    path, given = (
        f"request/{key}/feedback",
        {"type": "csat", "rating": 4, "comment": {"body": "Ok"}},
    )
    early = desk.post(path, given, by="cara", status=400, **OPT_IN)
    assert desk.error(early)[0] == "Feedback can only be given for a resolved request."
    assert desk.error(desk.get(path, by="cara", status=412)) == (
        "This is an experimental API. Set the header 'X-ExperimentalApi: opt-in' to use it.",
        "sd.rest.experimental.api.opt.in",
    )
    desk.post(f"request/{key}/transition", {"id": "71"}, by="cara", status=204)
    none = desk.get(path, by="cara", status=404, **OPT_IN)
    assert desk.error(none)[0] == "No feedback has been given for this request."
    assert desk.post(path, given, by="cara", **OPT_IN) == given
    assert desk.get(path, by="dev", **OPT_IN) == given
    assert desk.post(path, {"rating": 5}, by="cara", **OPT_IN) == {"type": "csat", "rating": 5}
    for body, text in (
        ({"rating": 6}, "The rating must be a whole number between 1 and 5."),
        ({"rating": 3, "type": "nps"}, "The feedback type must be 'csat'."),
    ):
        assert desk.error(desk.post(path, body, by="cara", status=400, **OPT_IN))[0] == text
    other = desk.post(path, given, by="dev", status=403, **OPT_IN)
    assert desk.error(other)[0] == "Only the reporter of a request can give feedback on it."
    desk.delete(path, by="cara", **OPT_IN)
    desk.delete(path, by="cara", status=404, **OPT_IN)


def test_unverified_a_request_is_shared_with_the_one_organization_of_its_reporter(
    site: Site,
) -> None:
    desk = open_desk(site)
    otto = desk.customer("otto", "Otto Lund")
    firm = desk.post("organization", {"name": "Firm"})["id"]
    desk.post(f"organization/{firm}/user", {"accountIds": [otto, site.ids["cara"]]}, status=204)
    before = desk.ask("Before")["issueKey"]
    desk.post(f"servicedesk/{desk.id}/organization", {"organizationId": firm}, status=204)
    key = desk.ask("After")["issueKey"]
    assert desk.get(f"request/{key}", by="otto")["summary"] == "After"
    assert desk.error(desk.get(f"request/{before}", by="otto", status=404)) == GONE
    query = f"requestOwnership=ORGANIZATION&organizationId={firm}"
    assert [one["issueKey"] for one in desk.get(f"request?{query}", by="otto")["values"]] == [key]
    assert desk.get("request?requestOwnership=ALL_ORGANIZATIONS", by="otto")["size"] == 1
    refused = desk.get(f"request?{query}", by="dev", status=400)
    assert (
        desk.error(refused)[0] == "The organization does not exist or you are not a member of it."
    )
    shared = site.get(f"issue/{key}", by="dev")["fields"]["customfield_10002"]
    assert [(one["id"], one["name"]) for one in shared] == [(firm, "Firm")]


def test_a_desk_goes_with_its_space_and_follows_its_key(site: Site) -> None:
    desk = open_desk(site)
    key = desk.ask()["issueKey"]
    desk.send(("a.txt", "text/plain", b"a"))
    site.put("project/IT", {"key": "HELP"}, status=200)
    assert desk.get(f"request/{key}", by="cara")["issueKey"] == "HELP-1"
    assert desk.get("servicedesk/HELP")["projectKey"] == "HELP"
    [queued] = desk.get(f"servicedesk/{desk.id}/queue/1/issue")["values"]
    assert queued["key"] == "HELP-1"
    site.delete("project/HELP?enableUndo=true")
    assert desk.get("servicedesk", by="cara")["values"] == []
    assert desk.error(desk.get(f"request/{key}", by="cara", status=404)) == GONE
    site.post("project/HELP/restore", status=200)
    assert desk.get(f"request/{key}", by="cara")["issueKey"] == "HELP-1"
    site.delete("project/HELP?enableUndo=false")
    with site.store():
        assert not Request.objects.exists()
        assert not ServiceDesk.objects.exists()
        assert not Job.objects.filter(kind=JOB, state="pending").exists()
