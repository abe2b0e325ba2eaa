"""What the portal shows to whom: the same as the requests API, and nothing of the desk's own."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from clones.core.journal import act
from clones.core.tenancy import unit_of_work
from clones.helpdesk.domain.tickets import create_ticket, update_ticket
from clones.helpdesk.domain.values import NewComment, Via
from clones.helpdesk.models import (
    CustomStatus,
    Organization,
    OrganizationMembership,
    Ticket,
    TicketField,
    User,
)
from tests.helpdesk.web.conftest import AGENT, Office
from tests.helpdesk.web.desk import write_many
from tests.helpdesk.web.shelf import Shelf
from tests.helpdesk.web.visitors import HOME, MARA, NEW, Visitor, add_customer

PRIVATE = "Looks like the retry of the card terminal."


def writing(office: Office, change: Callable[[], Any]) -> Any:
    """Write into the sandbox directly."""
    with office.bound(), unit_of_work("write"), act(actor="test", label="prepare"):
        return change()


def share(office: Office, **flags: bool) -> None:
    writing(office, lambda: Organization.objects.filter(name="Acme Works").update(**flags))


def copied(office: Office) -> Visitor:
    visitor = add_customer(office, "Cora Copied")
    with office.bound(), unit_of_work("read"):
        key = User.objects.get(name="Cora Copied").id
    copies = Ticket.objects.filter(id=office.keys.broken)
    writing(office, lambda: copies.update(email_cc_ids=[key]))
    return visitor


def member(office: Office) -> Visitor:
    return add_customer(office, "Mo Member", member=True)


def sharing_member(office: Office) -> Visitor:
    share(office, shared_tickets=True)
    return member(office)


def chosen_member(office: Office) -> Visitor:
    visitor = member(office)
    places = OrganizationMembership.objects.filter
    writing(office, lambda: places(user__name="Mo Member").update(view_tickets=True))
    return visitor


def unrestricted(office: Office) -> Visitor:
    return add_customer(office, "Uma Open", member=True, ticket_restriction="organization")


def outsider(office: Office) -> Visitor:
    share(office, shared_tickets=True)
    return add_customer(office, "Otto Outside")


# Who sees which tickets: own ones, those they are copied on, and their organization's.
ALL = ("charged", "broken", "closed")
Named = tuple[str, ...]
KINDS: list[tuple[Callable[[Office], Visitor], Named, Named, Named]] = [
    (lambda office: Visitor(office, MARA), ALL, (), ()),
    (copied, (), ("broken",), ()),
    (member, (), (), ()),
    (sharing_member, (), (), ALL),
    (chosen_member, (), (), ALL),
    (unrestricted, (), (), ALL),
    (outsider, (), (), ()),
]
NAMES = ("requester", "copied", "member", "sharing", "chosen", "unrestricted", "outsider")


@pytest.mark.parametrize(("make", "own", "ccd", "theirs"), KINDS, ids=NAMES)
def test_the_portal_shows_what_the_api_shows(
    office: Office,
    make: Callable[[Office], Visitor],
    own: Named,
    ccd: Named,
    theirs: Named,
) -> None:
    visitor, keys = make(office), office.keys
    wanted = [{getattr(keys, name) for name in names} for names in (own, ccd, theirs)]
    with office.bound(), unit_of_work("read"):
        company = Organization.objects.get(name="Acme Works").id
    tab = visitor.get(f"{HOME}/organization")
    shown = [set(visitor.listed(path)) for path in (HOME, f"{HOME}/ccd", f"{HOME}/organization")]
    assert shown == wanted
    assert tab.status == (200 if theirs else 404)
    assert ("Organization requests" in visitor.get().text) is bool(theirs)
    assert set(visitor.asked_of_api("requests.json")) == wanted[0] | wanted[1]
    assert set(visitor.asked_of_api("requests/ccd.json")) == wanted[1]
    assert set(visitor.asked_of_api("requests/search.json?cc_id=true")) == wanted[1]
    search = f"requests/search.json?organization_id={company}"
    assert set(visitor.asked_of_api(search)) == wanted[2]
    for name in ALL:
        key = getattr(keys, name)
        seen = any(key in keys for keys in wanted)
        page = visitor.get(f"{HOME}/{key}")
        status, body = visitor.api(f"requests/{key}/comments.json")
        assert (page.status, status) == ((200, 200) if seen else (404, 404)), name
        if seen:
            assert page.html.count('data-test-id="request-comment"') == len(body["comments"])
            assert PRIVATE not in page.html
    assert office.changed("helpdesk_ticket") == [] or make is copied


def test_a_page_tells_the_public_conversation_only(office: Office) -> None:
    mara = Visitor(office, MARA)
    page = mara.get(f"{HOME}/{office.keys.charged}")
    _, body = mara.api(f"requests/{office.keys.charged}/comments.json")
    assert [comment["plain_body"] for comment in body["comments"]] != []
    assert "my card was charged twice" in page.text
    assert "retry of the card terminal" not in page.html
    assert "Ben Okafor" not in page.html
    hostile = mara.get(f"{HOME}/{office.keys.broken}").html
    assert "<script>alert" not in hostile
    assert "evil.example" not in hostile
    assert "Laser head &lt;b&gt;smells&lt;/b&gt;" in hostile
    address = re.search(r'href="(http[^"]+/attachments/token/[^"]+)"', hostile)
    assert address is not None
    assert mara.client.get(address.group(1).partition(":8800")[2]).content == b"<b>smoke</b>"


def test_unverified_a_request_of_which_nothing_is_public_is_none(office: Office) -> None:
    """Also a wall of the API: the description is an internal note."""

    def prepare() -> int:
        agent, mara = (
            User.objects.get(id=office.keys.agent),
            User.objects.get(id=office.keys.customer),
        )
        note = NewComment("She is on the list of bad debtors.", public=False)
        changes = {"subject": "Watch her"}
        made = create_ticket(
            actor=agent, changes=changes, comment=note, via=Via("web"), requester=mara
        )
        return made.ticket_id

    key = writing(office, prepare)
    mara = Visitor(office, MARA)
    assert mara.get(f"{HOME}/{key}").status == 404
    assert key not in mara.listed()
    assert mara.api(f"requests/{key}.json")[0] == 404
    assert key not in mara.asked_of_api("requests.json")
    assert mara.asked_of_api("requests/search.json?query=debtors") == []

    def answer() -> None:
        agent, ticket = User.objects.get(id=office.keys.agent), Ticket.objects.get(id=key)
        update_ticket(
            ticket, actor=agent, changes={}, comment=NewComment("Hello Mara"), via=Via("web")
        )

    writing(office, answer)
    page = mara.get(f"{HOME}/{key}")
    assert "Hello Mara" in page.text
    assert "debtors" not in page.html
    assert key in mara.listed()
    assert mara.api(f"requests/{key}.json")[1]["request"]["description"] == "Hello Mara"
    assert mara.listed(query="debtors") == mara.asked_of_api("requests/search.json?query=debtors")
    assert mara.listed(query="debtors") == []
    assert mara.listed(query="hello mara") == [key]


@pytest.mark.parametrize(
    ("status", "label"),
    [
        ("new", "Open"),
        ("open", "Open"),
        ("pending", "Awaiting your reply"),
        ("hold", "Open"),
        ("solved", "Solved"),
        ("closed", "Solved"),
    ],
)
def test_statuses_have_the_names_for_end_users(office: Office, status: str, label: str) -> None:
    key = office.keys.charged

    def prepare() -> None:
        category = "solved" if status == "closed" else status
        custom = CustomStatus.objects.get(status_category=category, default=True)
        Ticket.objects.filter(id=key).update(status=status, custom_status=custom)

    writing(office, prepare)
    mara = Visitor(office, MARA)
    found = re.search(r'data-test-id="request-status">([^<]+)<', mara.get(f"{HOME}/{key}").html)
    assert found is not None
    assert found.group(1) == label
    filters = {"Open": "open", "Awaiting your reply": "answered", "Solved": "solved"}
    for name, value in filters.items():
        assert (key in mara.listed(status=value)) is (name == label)


def test_a_custom_status_is_shown_by_its_name_for_end_users(office: Office) -> None:
    def prepare() -> None:
        custom = CustomStatus.objects.get(status_category="open", default=True)
        custom.id, custom.default, custom.end_user_label = (
            custom.id + 1,
            False,
            "With our engineers",
        )
        custom.agent_label = "Escalated"
        custom.save(force_insert=True)
        Ticket.objects.filter(id=office.keys.broken).update(custom_status=custom)

    writing(office, prepare)
    mara = Visitor(office, MARA)
    assert "With our engineers" in mara.get().text
    page = mara.get(f"{HOME}/{office.keys.broken}").text
    assert "With our engineers" in page
    assert "Escalated" not in page


def test_lists_are_searched_sorted_and_paged(office: Office) -> None:
    def prepare() -> list[int]:
        return write_many(User.objects.get(id=office.keys.customer), 40)

    many = writing(office, prepare)
    mara = Visitor(office, MARA)
    assert mara.listed(query="number 17.") == [many[17]] == mara.listed(query="Question 017")
    oldest = mara.listed(sort_by="created_at", sort_order="asc")
    assert oldest[:3] == [office.keys.closed, office.keys.charged, office.keys.broken]
    assert oldest[3:] == many[:27]
    assert mara.listed(sort_by="created_at", sort_order="asc", page=2) == many[27:]
    assert mara.listed(sort_by="created_at", sort_order="desc")[0] == many[-1]
    assert mara.listed(sort_by="<b>", sort_order="x", page="0") == mara.listed()
    assert "No requests match" in mara.get(query="nothing like that").text
    page = mara.get(query="Question", page=2).html
    assert "?query=Question&amp;page=1" in page


def test_the_sidebar_shows_visible_fields_only(office: Office) -> None:
    keys = office.keys

    def prepare() -> None:
        TicketField.objects.filter(id=keys.product).update(
            visible_in_portal=True, title_in_portal="What it is about"
        )
        values = {str(keys.product): "area_laser", str(keys.serial): "SN-secret"}
        Ticket.objects.filter(id=keys.broken).update(custom_fields=values)

    writing(office, prepare)
    page = Visitor(office, MARA).get(f"{HOME}/{keys.broken}")
    assert "What it is about Laser head" in page.text
    assert "SN-secret" not in page.html
    assert "Urgent" not in page.html
    assert "Ana Lima" in page.text


def test_strangers_are_led_to_sign_in_and_back(office: Office) -> None:
    stranger = Visitor(office, None)
    for path in (HOME, f"{HOME}/ccd", f"{HOME}/organization", f"{HOME}/2", "/hc/requests/2"):
        assert stranger.get(path).location.startswith("/access/unauthenticated?return_to=%2Fhc%2F")
    form = {"email": MARA, "password": office.passwords[MARA], "return_to": f"{HOME}/2?x=1"}
    answer = stranger.client.post("/auth/v2/login/signin", form)
    assert answer.headers["Location"] == f"{HOME}/2?x=1"
    assert stranger.get("/hc/requests/2").location == f"{HOME}/2"
    assert stranger.get("/auth/v2/login/signin").location == HOME


def test_what_is_not_there_leads_back_to_the_portal(office: Office) -> None:
    mara = Visitor(office, MARA)
    for path in (f"{HOME}/999999", f"{HOME}/{2**70}", "/hc/en-us/nowhere", "/hc/de/requests"):
        page = mara.get(path)
        assert (page.status, "There is no such page" in page.text) == (404, True), path
        assert "Go to the help center" in page.text
        assert 'data-test-id="portal-user-menu-button"' in page.html
    stranger = Visitor(office, None).get("/hc/en-us/nowhere")
    assert (stranger.status, "portal-head" in stranger.html) == (404, False)


def test_the_first_page_leads_on_while_there_is_nothing_to_read(office: Office) -> None:
    assert [Visitor(office, None).get(path).status for path in ("/hc", "/hc/en-us")] == [200, 200]
    Shelf(office).empty()
    for path in ("/hc", "/hc/en-us"):
        assert Visitor(office, None).get(path).location == NEW
        assert Visitor(office, MARA).get(path).location == HOME


def test_agents_see_the_portal_too(ana: Office) -> None:
    page = ana.get(HOME)
    assert page.status == 200
    assert "Agent workspace" in page.text
    assert ana.get(f"{HOME}/{ana.keys.charged}").status == 200
    assert PRIVATE not in ana.get(f"{HOME}/{ana.keys.charged}").html
    assert 'href="/hc/en-us"' in ana.get("/agent/dashboard").html
    assert AGENT in ana.passwords


def test_pages_wear_the_brand_and_are_walled_in(office: Office) -> None:
    for visitor, path in ((Visitor(office, None), NEW), (Visitor(office, MARA), HOME)):
        page = visitor.get(path)
        assert "Kestrel Laser" in page.text
        assert "unsafe" not in page.headers["Content-Security-Policy"]
        assert page.headers["Cache-Control"] == "no-store"
        assert "zendesk" not in page.html.lower().replace("zendeskgarden", "")
