"""The groups, the global permissions and the owner of a fresh site."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from clones.tracker.domain.groups import add_group
from clones.tracker.domain.people import create_user
from clones.tracker.domain.settings import set_setting
from clones.tracker.models import Group, User

ADMINS: Final = ("site-admins", "administrators", "jira-administrators")
STAFF: Final = ("jira-users", "jira-core-users", "jira-software-users", "jira-servicedesk-users")
# The groups of somebody who builds things, and of an agent of service desks.
DEVELOPER: Final = ("jira-users", "jira-software-users")
AGENT: Final = ("jira-users", "jira-servicedesk-users")
OWNER: Final = ("site-admins", "administrators", "jira-administrators", *STAFF)
_OF_STAFF: Final = (
    "BULK_CHANGE",
    "CREATE_SHARED_OBJECTS",
    "CREATE_PROJECT",
    "MANAGE_GROUP_FILTER_SUBSCRIPTIONS",
    "USER_PICKER",
)


@dataclass(frozen=True, slots=True)
class InstalledPeople:
    """The owner of a fresh site, and its groups by name."""

    owner: User
    groups: dict[str, Group]


def install_people(*, owner_name: str, owner_email: str) -> InstalledPeople:
    """Make the groups with their global permissions and products, and the owner, an admin.

    Nobody can sign in until `people.open_account`.
    """
    groups = {name: add_group(name) for name in (*ADMINS, *STAFF)}
    admins = [groups[name].uuid for name in ADMINS]
    everybody = [*admins, *(groups[name].uuid for name in STAFF)]
    held = dict.fromkeys(("ADMINISTER", "SYSTEM_ADMIN"), admins)
    set_setting("global_permissions", {**held, **dict.fromkeys(_OF_STAFF, everybody)})
    set_setting(
        "application_roles",
        {
            role: {"groups": [*admins, groups[name].uuid], "default": [groups[name].uuid]}
            for role, name in (
                ("jira-core", "jira-core-users"),
                ("jira-software", "jira-software-users"),
                ("jira-servicedesk", "jira-servicedesk-users"),
            )
        },
    )
    return InstalledPeople(create_user(owner_name, owner_email, groups=OWNER), groups)
