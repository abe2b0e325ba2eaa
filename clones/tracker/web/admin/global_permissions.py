"""Global permissions: which groups hold them."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.inputs import PageForm
from clones.core.web.lists import Action, Cell, ListPage, ListRow, Panel
from clones.core.web.posted import posted_text
from clones.tracker.domain import global_permissions as permissions
from clones.tracker.models import Group
from clones.tracker.queries.people import find_group
from clones.tracker.rules.permission_catalogue import GLOBAL, PERMISSIONS
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import act, admin_form, admin_page, ask
from clones.tracker.web.admin.inputs import groups, select
from clones.tracker.web.admin.lists import admin_view
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.settings.forms import FormPage

HERE: Final = "global-permissions"
AT: Final = address_of(HERE)
GROUPS: Final = address_of("groups")
# What the vendor keeps for itself on its own sites is not given away here either.
SHOWN: Final = tuple(key for key in PERMISSIONS if key in GLOBAL and key != "SYSTEM_ADMIN")
PUBLIC: Final = "anyone"


@admin_page
def listing(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """List the global permissions, each with its groups (the vendor's GlobalPermissions page)."""
    held = permissions.holders()
    uuids = {uuid for key in SHOWN for uuid in held.get(key, ())}
    names = dict(Group.objects.filter(uuid__in=sorted(uuids)).values_list("uuid", "name"))
    panels = []
    for key in SHOWN:
        found = PERMISSIONS[key]
        mine = sorted(held.get(key, ()), key=lambda uuid: (names.get(uuid) or uuid).casefold())
        rows = [_row(key, uuid, names) for uuid in mine if uuid == PUBLIC or uuid in names]
        add = Action("Add group", f"{AT}/add?permission={key}", f"to {found.name}")
        panels.append(
            Panel(["Group"], rows, found.name, found.description, "No group has it.", [add])
        )
    page = ListPage("Global permissions", HERE, panels, "What groups may on the whole site.")
    return admin_view(request, who, page)


def _row(key: str, uuid: str, names: dict[str, str]) -> ListRow:
    if uuid == PUBLIC:
        return ListRow([Cell("Public")])
    name = names[uuid]
    remove = Action(
        "Remove", f"{AT}/remove", f"{name} from {PERMISSIONS[key].name}", post=True,
        sends={"permission": key, "group": uuid},
    )  # fmt: skip
    return ListRow([Cell(name, f"{GROUPS}/{uuid}")], [remove])


@admin_page
def add(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Let a group hold a global permission."""

    def write(sent: PageForm) -> str:
        group = find_group(sent.text("group"), None)
        permission = sent.text("permission")
        permissions.grant_global(permission, group, actor=who.rights)
        return f"{group.name} has the permission “{PERMISSIONS[permission].name}” now"

    pairs = [(key, PERMISSIONS[key].name) for key in SHOWN]
    now = request.GET.get("permission")
    inputs = [
        select("permission", "Permission", pairs, now, required=True),
        select("group", "Group", groups(), required=True, none="Choose a group"),
    ]
    sheet = FormPage("Add global permission", request.path, AT, inputs, "Add")
    return ask(request, who, sheet, write, here=HERE)


@admin_form
def remove(request: SandboxRequest, who: Visitor) -> HttpResponse:
    """Take a global permission from a group."""

    def write() -> str:
        group = find_group(posted_text(request, "group"), None)
        permission = posted_text(request, "permission", strip=False)
        permissions.revoke_global(permission, group, actor=who.rights)
        return f"{group.name} has the permission “{PERMISSIONS[permission].name}” no more"

    return act(request, who, write, back=AT, here=HERE)
