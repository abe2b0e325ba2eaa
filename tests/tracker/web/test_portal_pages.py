"""The portal: signing in, asking with a form, following a request, sharing, approving, rating."""

from __future__ import annotations

from urllib.parse import urlencode

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from tests.tracker.boards import counted
from tests.tracker.desk_site import OPT_IN, open_desk
from tests.tracker.site import Site
from tests.tracker.test_desk_approvals import hardware
from tests.tracker.web.conftest import visitor
from tests.tracker.web.desk_pages import (
    PORTALS,
    customer,
    fields_of,
    keys,
    mailed,
    move,
    organization,
    portal,
    row,
)

REQUESTS = "/servicedesk/customer/user/requests"
APPROVALS = "/servicedesk/customer/user/approvals"


def test_customers_sign_in_to_the_portals_alone(site: Site) -> None:
    desk = open_desk(site)
    client = Client(headers={"host": f"tracker.{site.row.id}.localhost:8800"})
    answer = client.get(portal(desk))
    login = "/servicedesk/customer/user/login"
    assert answer.headers["Location"] == f"{login}?{urlencode({'destination': portal(desk)})}"
    card = site.cards["cara"]
    sent = {"username": card.login, "password": "wrong", "destination": portal(desk)}
    assert client.post(login, sent).status_code == 401
    answer = client.post(login, {**sent, "password": card.secrets["password"]})
    assert answer.headers["Location"] == portal(desk)
    assert client.get(portal(desk)).status_code == 200
    assert client.get(login).headers["Location"] == PORTALS
    cara = customer(site)
    assert cara.get("/", 302).location == PORTALS
    assert cara.get("/jira/for-you", 403).status == 403
    assert cara.post("/servicedesk/customer/user/logout").location == login
    assert cara.get(PORTALS, 302).location.startswith(login)
    # Elsewhere they are led to the portals too.
    elsewhere = Client(headers={"host": f"tracker.{site.row.id}.localhost:8800"})
    sent = {"username": card.login, "password": card.secrets["password"]}
    assert elsewhere.post("/login", sent).headers["Location"] == PORTALS


def test_portals_show_what_can_be_asked_for(site: Site) -> None:
    desk, cara = open_desk(site), customer(site)
    assert portal(desk) in cara.get(PORTALS).links("IT help").values()
    page = cara.get(PORTALS, q="hardware")
    assert "Request new hardware" in page.main
    page = cara.get(portal(desk))
    shown = desk.get(f"servicedesk/{desk.id}/requesttype", by="cara")["values"]
    for kind in shown:
        assert (kind["name"] in page.main) is bool(kind["groupIds"])
    groups = desk.get(f"servicedesk/{desk.id}/requesttypegroup", by="cara")["values"]
    page = cara.get(portal(desk, f"group/{groups[1]['id']}"))
    assert "Request a new account" in page.main
    assert "Get IT help" not in page.main
    assert cara.get(portal(desk, "group/999"), 404).status == 404
    assert "There is no portal" in customer(site, "guest").get(PORTALS).main
    assert customer(site, "guest").get(portal(desk), 404).status == 404


def test_a_request_is_asked_for_with_its_form(site: Site) -> None:
    desk, cara = open_desk(site), customer(site)
    kind = desk.types["Request new hardware"]
    at = portal(desk, f"create/{kind}")
    page = cara.get(at)
    assert "Who answers for the cost." in page.main
    form = page.form(at)
    sent = {**form, "summary": "A laptop", "description": " "}
    page = cara.post(at, sent, 422)
    assert page.said == ["Why do you need this? is required."]
    assert page.form(at)["summary"] == "A laptop"
    assert site.get("search/jql?jql=project%20%3D%20IT")["issues"] == []
    file = SimpleUploadedFile("old.txt", b"broken", "text/plain")
    approver = next(name for name in form if name.startswith("customfield_"))
    more = {"description": "It is *old*.", "duedate": "2026-07-01", "file": file}
    page = cara.post(at, {**sent, **more, approver: [site.ids["dana"]]})
    assert page.location == portal(desk, "IT-1")
    request = desk.get("request/IT-1?expand=attachment", by="cara")
    values = {one["fieldId"]: one["value"] for one in request["requestFieldValues"]}
    assert (values["summary"], values["duedate"]) == ("A laptop", "2026-07-01")
    assert [one["filename"] for one in request["attachments"]["values"]] == ["old.txt"]
    assert request["currentStatus"]["status"] == "Waiting for approval"
    assert request["reporter"]["accountId"] == site.ids["cara"]
    page = cara.get(page.location)
    assert page.part("flag") == "Your request was sent"
    assert page.part("request-status") == "Waiting for approval"
    assert "It is old" in page.main
    link = page.links("old.txt")["old.txt"]
    assert cara.get(link).html == "broken"
    assert customer(site, "guest").get(link, 404).status == 404
    assert ("Dana Ruiz", "Your approval is required on this request.") in mailed(site)


def test_agents_ask_for_customers(site: Site) -> None:
    desk, dev = open_desk(site), customer(site, "dev")
    at = portal(desk, f"create/{desk.types['Get IT help']}")
    form = dev.get(at).form(at)
    dev.post(at, {**form, "summary": "She rang", "customer": site.ids["cara"]})
    fields = fields_of(site, "IT-1")
    assert fields["reporter"]["accountId"] == site.ids["cara"]
    assert fields["creator"]["accountId"] == site.ids["dev"]
    assert dev.get(portal(desk, "IT-1")).links("View as agent") == {"View as agent": "/browse/IT-1"}
    cara = customer(site)
    assert "customer" not in cara.get(at).form(at)
    cara.post(at, {**form, "summary": "Sly", "customer": site.ids["dev"]}, 403)
    assert "View as agent" not in cara.get(portal(desk, "IT-1")).text


def test_what_is_said_and_done_on_a_request(site: Site) -> None:
    desk = open_desk(site)
    key = desk.ask()["issueKey"]
    at, cara = portal(desk, key), customer(site)
    mailed(site)
    desk.post(f"request/{key}/comment", {"body": "Among us", "public": False})
    desk.post(f"request/{key}/comment", {"body": "Is it *on*?"})
    assert mailed(site) == [("Cara Holm", "Dev Anand commented on your request:")]
    page = cara.get(at)
    assert "Is it on ?" in page.main
    assert "Among us" not in page.main
    assert "The comment body cannot be empty." in cara.post(f"{at}/comment", {"body": ""}, 422).said
    file = SimpleUploadedFile("photo.txt", b"dark", "text/plain")
    cara.post(f"{at}/comment", {"body": "See here", "file": file})
    said = desk.get(f"request/{key}/comment?expand=attachment")["values"][-1]
    assert (said["public"], said["author"]["accountId"]) == (True, site.ids["cara"])
    assert [one["filename"] for one in said["attachments"]["values"]] == ["photo.txt"]
    assert mailed(site) == []
    moves = desk.get(f"request/{key}/transition", by="cara")["values"]
    page = cara.get(at)
    assert all(one["name"] in page.main for one in moves)
    done = next(one["id"] for one in moves if one["name"] == "Resolve this issue")
    page = cara.post(f"{at}/transition/999", {"body": ""}, 422)
    assert "is not available for this request." in page.text
    cara.post(f"{at}/transition/{done}", {"body": "I found the switch."})
    assert fields_of(site, key)["resolution"]["name"] == "Done"
    assert desk.get(f"request/{key}/comment")["values"][-1]["body"] == "I found the switch."
    page = cara.get(at)
    assert "The status changed to Resolved" in page.main
    assert page.part("request-status") == "Resolved"
    assert "The rating must be" in cara.post(f"{at}/feedback", {"rating": "9"}, 422).text
    cara.post(f"{at}/feedback", {"rating": "5", "comment": "Fine"})
    found = desk.get(f"request/{key}/feedback", by="cara", **OPT_IN)
    assert (found["rating"], found["comment"]["body"]) == (5, "Fine")
    cara.post(f"{at}/feedback", {"way": "remove"})
    desk.get(f"request/{key}/feedback", by="cara", status=404, **OPT_IN)


def test_requests_are_shared(site: Site) -> None:
    desk = open_desk(site)
    mate = desk.customer("mia", "Mia Lund")
    desk.customer("otto", "Otto Berg")
    key = desk.ask()["issueKey"]
    organization(desk, "Northwind", "cara", "otto")
    at, cara = portal(desk, key), customer(site)
    for login in ("mia", "otto"):
        assert customer(site, login).get(at, 404).status == 404
    mailed(site)
    page = cara.post(f"{at}/participants", {"on": "1", "email": "no@where.example"}, 422)
    assert "There is no customer with the address no@where.example." in page.said
    cara.post(f"{at}/participants", {"on": "1", "email": "mia@firm.example"})
    assert mailed(site) == [("Mia Lund", "Cara Holm shared a request with you.")]
    mia = customer(site, "mia")
    assert key in mia.get(at).main
    assert not mia.get(at).has_form("/participants")
    mia.post(f"{at}/participants", {"on": "0", "account": mate}, 403)
    page = cara.get(at)
    assert "Share with Northwind" in page.main
    cara.change(at, f"{at}/organizations")
    assert key in customer(site, "otto").get(at).main
    assert keys(customer(site, "otto").get(REQUESTS)) == []
    assert keys(customer(site, "otto").get(REQUESTS, reporter="all")) == [key]
    assert keys(mia.get(REQUESTS, reporter="participant")) == [key]
    # Who wants no mail of it gets none.
    mia.change(at, f"{at}/notification")
    assert desk.get(f"request/{key}/notification", by="mia") == {"subscribed": False}
    desk.post(f"request/{key}/comment", {"body": "Hello"})
    assert [name for name, _ in mailed(site)] == ["Cara Holm"]
    cara.post(f"{at}/participants", {"on": "0", "account": mate})
    assert mia.get(at, 404).status == 404


def test_requests_are_listed_and_narrowed(site: Site) -> None:
    desk, cara = open_desk(site), customer(site)
    first, second = desk.ask("Printer")["issueKey"], desk.ask("Screen")["issueKey"]
    desk.ask("Agent's own", by="dev")
    assert set(keys(cara.get(REQUESTS))) == {first, second}
    move(site, first, "Resolve this issue", resolution={"name": "Done"})
    assert keys(cara.get(REQUESTS)) == [second]
    page = cara.get(f"{REQUESTS}?status=closed")
    assert keys(page) == [first]
    assert "Resolved" in row(page, first)
    assert keys(cara.get(f"{REQUESTS}?status=all&filter=print")) == [first]
    assert keys(cara.get(f"{REQUESTS}?status=all&portalId=999")) == []
    assert keys(cara.get(f"{REQUESTS}?status=all&reporter=org-999")) == [first, second]
    counts = []
    for many in (2, 4):
        for number in range(many):
            desk.ask(f"Nr {number}")
        cara.get(REQUESTS)
        with counted(site) as statements:
            cara.get(REQUESTS)
        counts.append(len(statements))
    assert counts[0] == counts[1] < 40


def test_approvers_decide_in_the_portal(site: Site) -> None:
    desk = open_desk(site)
    key, other = hardware(desk, "dana"), hardware(desk, "dana")
    dana = customer(site, "dana")
    page = dana.get(APPROVALS)
    assert set(keys(page)) == {key, other}
    at = portal(desk, key)
    [asked] = desk.get(f"request/{key}/approval")["values"]
    assert not customer(site).get(at).has_form(f"/approvals/{asked['id']}")
    dana.post(f"{at}/approvals/{asked['id']}", {"decision": "decline"})
    assert fields_of(site, key)["resolution"]["name"] == "Won't Do"
    assert keys(dana.get(APPROVALS)) == [other]
    page = dana.get(f"{APPROVALS}?status=completed")
    assert keys(page) == [key]
    assert "Declined" in row(page, key)
    customer(site).post(f"{at}/approvals/{asked['id']}", {"decision": "approve"}, 403)


def test_a_request_takes_as_many_statements_for_much_as_for_little(site: Site) -> None:
    desk = open_desk(site)
    key = desk.ask()["issueKey"]
    at, cara = portal(desk, key), customer(site)
    counts = []
    for many in (2, 4):
        for number in range(many):
            desk.post(f"request/{key}/comment", {"body": f"Say {number}"}, by="cara")
            [file] = desk.send((f"{many}{number}.txt", "text/plain", b"x"))
            body = {"temporaryAttachmentIds": [file]}
            desk.post(f"request/{key}/attachment", body, by="cara")
        cara.get(at)
        with counted(site) as statements:
            cara.get(at)
        counts.append(len(statements))
    assert counts[0] == counts[1]


def test_a_customer_reads_times_in_their_zone(site: Site) -> None:
    cara = customer(site)
    at = "/servicedesk/customer/user/profile"
    cara.change(at, at, zone="Asia/Tokyo")
    assert site.get("myself", by="cara")["timeZone"] == "Asia/Tokyo"
    assert "is not a valid time zone." in cara.post(at, {"zone": "Nowhere"}, 422).text
    assert visitor(site, "dev").get(PORTALS).links("Open Tracker")


def test_what_is_refused_keeps_the_help_center_round_it(site: Site) -> None:
    open_desk(site)
    cara = customer(site)
    for path, status in (("/jira/for-you", 403), (f"{PORTALS[:-1]}/x", 404), ("/nowhere", 404)):
        page = cara.get(path, status)
        assert {"Help center", "Requests", "Go to the help center"} <= set(page.links()), path
        assert 'data-testid="portal-header"' in page.html, path
        assert 'aria-label="Sidebar"' not in page.html, path
