"""The administration of the site: who gets there, what leads where, and what its pages cost."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.urls import resolve

from clones.tracker.domain.numbering import new_uuid, next_id
from clones.tracker.models import (
    CustomField,
    FieldContext,
    Group,
    IssueType,
    PermissionScheme,
    Priority,
    ProjectCategory,
    Resolution,
    Screen,
    ScreenTab,
    Status,
    User,
)
from clones.tracker.web import plain_pages
from clones.tracker.web.admin.classic import AREAS as BEGINNINGS
from clones.tracker.web.admin.classic import CLASSIC
from clones.tracker.web.admin.navigation import AREAS, address_of
from clones.tracker.web.frame.entries import is_there
from tests.conftest import PRESENT
from tests.tracker.boards import counted
from tests.tracker.site import Site
from tests.tracker.web.conftest import Visit, visitor
from tests.tracker.web.pages import Page

PLACES = [
    place
    for area in AREAS
    for group in area.groups
    for place in group.places
    if place.key != "automation"  # its page is not of the administration's own
]


def test_only_admins_get_to_the_administration(site: Site) -> None:
    dev, guest = visitor(site, "dev"), visitor(site, "guest")
    for place in PLACES:
        page = dev.get(place.address, status=403)
        assert "Administrator privileges are required." in page.html
    guest.get(address_of("users"), status=403)
    visitor(site, "cara").get(address_of("users"), status=403)
    dev.post(f"{address_of('resolutions')}/add", {"name": "Mine"}, status=403)
    dev.post(f"{address_of('global-permissions')}/add", {}, status=403)
    assert "Mine" not in [one["name"] for one in site.get("resolution")]
    assert 'id="settings-menu"' not in dev.get("/jira/for-you").html


def test_the_cog_opens_a_menu_of_the_areas(site: Site) -> None:
    page = visitor(site).get("/jira/for-you")
    menu = page.html.partition('id="settings-menu"')[2].partition("</div>")[0]
    addresses = re.findall(r'role="menuitem" href="([^"]*)"', menu)
    assert addresses == [area.address for area in AREAS]
    assert 'aria-label="Settings"' in page.html


@pytest.mark.in_turn
@pytest.mark.parametrize("area", AREAS, ids=[area.key for area in AREAS])
def test_no_link_and_no_form_of_an_area_leads_nowhere(site: Site, area: object) -> None:
    """Whatever its pages lead to is opened; what they would send somewhere has a taker there."""
    ada = visitor(site)
    site.post("filter", {"name": "All", "jql": "project = LAS"}, status=200)
    seen: set[str] = set()
    waiting = [one.address for one in PLACES if one in _places(area)]
    while waiting:
        address = waiting.pop()
        if address in seen:
            continue
        seen.add(address)
        page = ada.get(address)
        assert page.main or "data-dialog-body" in page.html, address
        waiting += [one for one in _links(page) if one.startswith("/jira/settings")]
        for form in re.findall(r'<form method="post" action="([^"]*)"', page.html):
            taker = resolve(unescape(form).partition("?")[0], urlconf="clones.tracker.urls")
            assert taker.func is not plain_pages.page_not_found, (address, form)
    assert len(seen) > 10


def _places(area: object) -> list[object]:
    groups = area.groups  # type: ignore[attr-defined]
    return [place for group in groups for place in group.places]


def _links(page: Page) -> list[str]:
    main = page.html.partition("<main")[2]
    return [
        unescape(one).partition("#")[0]
        for one in re.findall(r'<a\b[^>]*href="([^"]*)"', main)
        if not one.endswith("/edit") or "/workflows/" not in one
    ]


def test_former_addresses_lead_to_the_pages_of_today(site: Site) -> None:
    ada = visitor(site)
    for address, key in {**CLASSIC, **BEGINNINGS}.items():
        page = ada.get(f"/{address.removeprefix('/')}", status=302)
        assert page.location == address_of(key)
    visitor(site, "dev").get("/secure/admin/ViewPriorities.jspa", status=403)


def test_the_sidebar_marks_the_page_at_hand(site: Site) -> None:
    page = visitor(site).get(address_of("screens"))
    side = page.html.partition('data-testid="page-layout.sidebar"')[2].partition("</nav>")[0]
    (here,) = re.findall(r'href="([^"]*)" aria-current="page"', side)
    assert here == address_of("screens")
    assert address_of("permission-schemes") in side
    assert address_of("audit-log") not in side
    assert is_there(address_of("audit-log"))


def _more(site: Site, numbers: range) -> None:
    """Make more of everything that lists have."""
    with site.writing():
        for at in numbers:
            name = f"More {at}"
            Resolution(id=next_id(Resolution), name=name, position=100 + at).save()
            Priority(id=next_id(Priority), name=name, position=100 + at).save()
            Status(id=next_id(Status), name=name, category="new").save()
            IssueType(id=next_id(IssueType), name=name).save()
            Group(id=next_id(Group), uuid=new_uuid(Group), name=name).save()
            ProjectCategory(id=next_id(ProjectCategory), name=name).save()
            PermissionScheme(id=next_id(PermissionScheme), name=name).save()
            screen = Screen(id=next_id(Screen), name=name)
            screen.save()
            ScreenTab(id=next_id(ScreenTab), screen=screen, name="Tab", position=0).save()
            kind = "com.atlassian.jira.plugin.system.customfieldtypes:textfield"
            field = CustomField(id=next_id(CustomField), name=name, type=kind, created=PRESENT)
            field.save()
            FieldContext(id=next_id(FieldContext), field=field, name=name).save()
            User(
                id=next_id(User), account_id=f"712020:{at}", account_type="atlassian",
                email=f"more{at}@site.example", display_name=name, created=PRESENT,
            ).save()  # fmt: skip


def _cost(site: Site, ada: Visit) -> dict[str, int]:
    found = {}
    for place in PLACES:
        with counted(site) as statements:
            ada.get(place.address)
        found[place.key] = len(statements)
    return found


def test_the_statements_of_a_list_do_not_grow_with_it(site: Site) -> None:
    ada = visitor(site)
    _more(site, range(2))
    _cost(site, ada)
    before = _cost(site, ada)
    _more(site, range(2, 14))
    assert _cost(site, ada) == before
    assert max(before.values()) < 40, before
