"""What the page of an issue shows and changes of the request that it is."""

from __future__ import annotations

from tests.tracker.boards import counted, history
from tests.tracker.desk_site import open_desk
from tests.tracker.site import Site
from tests.tracker.test_desk_approvals import hardware
from tests.tracker.web.conftest import visitor
from tests.tracker.web.desk_pages import customer, fields_of, organization, portal


def test_agents_say_who_takes_part(site: Site) -> None:
    desk = open_desk(site)
    mate = desk.customer("mia", "Mia Lund")
    firm = organization(desk, "Northwind", "mia")
    key = desk.ask()["issueKey"]
    at, dev = f"/browse/{key}", visitor(site, "dev")
    page = dev.get(at)
    assert page.links("View in portal")["View in portal"] == portal(desk, key)
    dev.post(f"{at}/desk/participants", {"account": mate, "on": "1"})
    shown = desk.get(f"request/{key}/participant")["values"]
    assert [one["accountId"] for one in shown] == [mate]
    assert "Mia Lund" in dev.get(at).part("issue.views.request-participants")
    dev.change(at, f"{at}/desk/participants")  # the first form takes her away
    assert desk.get(f"request/{key}/participant")["values"] == []
    page = dev.post(f"{at}/desk/participants", {"account": "", "on": "1"}, 422)
    assert "You must provide at least one accountId." in page.said
    dev.post(f"{at}/desk/organizations", {"organization": firm, "on": "1"})
    assert desk.get(f"request/{key}", by="mia")["issueKey"] == key
    assert "Northwind" in dev.get(at).part("issue.views.organizations")
    dev.post(f"{at}/desk/organizations", {"organization": firm, "on": "0"})
    desk.get(f"request/{key}", by="mia", status=404)


def test_the_request_type_is_changed_with_a_history(site: Site) -> None:
    desk = open_desk(site)
    key = desk.ask()["issueKey"]
    at, dev = f"/browse/{key}", visitor(site, "dev")
    assert "Get IT help" in dev.get(at).part("issue.views.request-type")
    wanted = desk.types["Fix an account problem"]
    dev.post(f"{at}/desk/request-type", {"type": wanted})
    assert desk.get(f"request/{key}")["requestTypeId"] == wanted
    assert history(site, key)[-1] == ("Request Type", "Get IT help", "Fix an account problem")
    # One for another type of issues is not for this issue.
    page = dev.post(f"{at}/desk/request-type", {"type": desk.types["Report a system problem"]}, 422)
    assert "The request type is not valid for this issue." in page.said
    assert desk.get(f"request/{key}")["requestTypeId"] == wanted


def test_those_who_are_asked_approve_or_decline(site: Site) -> None:
    desk = open_desk(site)
    key, other = hardware(desk, "dev"), hardware(desk, "ada", "dev")
    dev = visitor(site, "dev")
    at = f"/browse/{key}"
    page = dev.get(at)
    assert "Pending 0 of 1 approval needed" in page.part("issue.views.approvals-panel")
    asked = desk.get(f"request/{key}/approval")["values"][0]["id"]
    dev.post(f"{at}/desk/approvals/{asked}", {"decision": "approve"})
    assert fields_of(site, key)["status"]["name"] == "Waiting for support"
    page = dev.get(at)
    assert "Approved 1 of 1" in page.part("issue.views.approvals-panel")
    assert not page.has_form(f"/desk/approvals/{asked}")
    page = dev.post(f"{at}/desk/approvals/{asked}", {"decision": "decline"}, 422)
    assert "This approval has already been answered." in page.said
    asked = desk.get(f"request/{other}/approval")["values"][0]["id"]
    dev.post(f"/browse/{other}/desk/approvals/{asked}", {"decision": "decline"})
    assert fields_of(site, other)["resolution"]["name"] == "Won't Do"


def test_replies_reach_customers_and_notes_do_not(site: Site) -> None:
    desk = open_desk(site)
    key = desk.ask()["issueKey"]
    at, dev = f"/browse/{key}", visitor(site, "dev")
    form = dev.get(at).form(f"{at}/comments")
    assert form["internal"] == "1"
    dev.post(f"{at}/comments", {**form, "body": "He shouts."})
    dev.post(f"{at}/comments", {**form, "body": "We look into it.", "internal": "0"})
    assert [one["public"] for one in desk.get(f"request/{key}/comment")["values"]] == [False, True]
    page = customer(site).get(portal(desk, key))
    assert "We look into it." in page.main
    assert "He shouts." not in page.main


def test_the_rating_of_the_customer_is_shown(site: Site) -> None:
    desk = open_desk(site)
    key = desk.ask()["issueKey"]
    at, dev = f"/browse/{key}", visitor(site, "dev")
    assert "issue.views.satisfaction" not in dev.get(at).html
    cara = customer(site)
    moves = desk.get(f"request/{key}/transition", by="cara")["values"]
    done = next(one["id"] for one in moves if one["name"] == "Resolve this issue")
    cara.post(portal(desk, f"{key}/transition/{done}"), {"body": "It works now."})
    assert fields_of(site, key)["resolution"] is not None
    cara.post(portal(desk, f"{key}/feedback"), {"rating": "4", "comment": "Quick."})
    panel = dev.get(at).part("issue.views.satisfaction")
    assert "4 of 5" in panel
    assert "Quick." in panel


def test_the_panels_take_as_many_statements_for_much_as_for_little(site: Site) -> None:
    desk = open_desk(site)
    key = desk.ask()["issueKey"]
    dev = visitor(site, "dev")
    counts = []
    for many in (2, 4):
        for number in range(many):
            mate = desk.customer(f"c{many}{number}", f"Customer {many}{number}")
            desk.post(f"request/{key}/participant", {"accountIds": [mate]}, status=200)
        dev.get(f"/browse/{key}")
        with counted(site) as statements:
            dev.get(f"/browse/{key}")
        counts.append(len(statements))
    assert counts[0] == counts[1]
