"""People at the pages of the small site's desk: agents, and customers at its portal."""

from __future__ import annotations

import re
from typing import Any

from clones.core.models import Message
from tests.tracker.desk_site import Desk
from tests.tracker.site import Site
from tests.tracker.web.conftest import Visit, visitor
from tests.tracker.web.pages import Page

HOME = "/jira/servicedesk/projects/IT"
PORTALS = "/servicedesk/customer/portals"


def customer(site: Site, login: str = "cara") -> Visit:
    """Return a customer signed in, whose forms have their token."""
    found = visitor(site, login)
    html = found.get(PORTALS).html
    found.token = html.partition('data-token="')[2].partition('"')[0]
    return found


def portal(desk: Desk, rest: str = "") -> str:
    """Return the address of the desk's portal, or of a page of it."""
    return f"/servicedesk/customer/portal/{desk.id}" + (f"/{rest}" if rest else "")


def keys(page: Page) -> list[str]:
    """Return the keys of the rows of a list, in their order."""
    return re.findall(r'data-key="([^"]+)"', page.html)


def row(page: Page, key: str) -> str:
    """Return the words of a request's row."""
    html = page.html.partition(f'data-key="{key}"')[2].partition("</tr>")[0]
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def mailed(site: Site) -> list[tuple[str, str]]:
    """Return what customers were mailed, to whom and the first line; and forget it."""
    with site.writing():
        rows = Message.objects.filter(clone="tracker", about__startswith="tracker.request:")
        found = [(one.recipients[0].partition(" <")[0], one.text) for one in rows.order_by("id")]
        rows.delete()
    return [(name.strip('"'), text.partition("\n")[0]) for name, text in found]


def organization(desk: Desk, name: str, *logins: str) -> str:
    """Make an organization of the desk's with these people."""
    made: str = desk.post("organization", {"name": name})["id"]
    accounts = [desk.site.ids[login] for login in logins]
    desk.post(f"organization/{made}/user", {"accountIds": accounts}, status=204)
    desk.post(f"servicedesk/{desk.id}/organization", {"organizationId": made}, status=204)
    return made


def fields_of(site: Site, key: str) -> Any:
    """Return the fields of an issue, as an agent sees them."""
    return site.get(f"issue/{key}", by="dev")["fields"]


def move(site: Site, key: str, name: str, **fields: Any) -> None:
    """Take a request through a transition, as an agent."""
    found = site.get(f"issue/{key}/transitions", by="dev")["transitions"]
    number = next(one["id"] for one in found if one["name"] == name)
    body = {"transition": {"id": number}, **({"fields": fields} if fields else {})}
    site.post(f"issue/{key}/transitions", body, by="dev", status=204)
