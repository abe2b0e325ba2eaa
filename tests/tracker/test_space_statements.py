"""How many statements lists of spaces and people take does not grow with their rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from clones.core.clock import now
from clones.tracker.domain.numbering import new_uuid, next_ids
from clones.tracker.models import (
    Component,
    FormerProjectKey,
    Group,
    GroupMember,
    NotificationScheme,
    PermissionGrant,
    PermissionScheme,
    Project,
    ProjectCategory,
    ProjectRole,
    RoleActor,
    SecurityLevel,
    SecurityMember,
    SecurityScheme,
    User,
    Version,
)
from tests.tracker.site import Site

LISTS = """
project
project/search?expand=lead,description,url,issueTypes,permissions,insight
project/search?orderBy=issueCount&properties=a
project/LAS
project/LAS/components
project/LAS/component?orderBy=-issueCount
component?projectIdsOrKeys=LAS,OPS
project/LAS/versions?expand=issuesstatus,driver,operations
project/LAS/roledetails
projectCategory
role
users/search
user/search?query=
user/assignable/search?project=LAS
user/permission/search?query=&projectKey=LAS&permissions=EDIT_ISSUES
user/viewissue/search?query=&projectKey=IT
group/bulk
group/member?groupname=jira-users
groupuserpicker?query=a
permissionscheme?expand=all
notificationscheme?expand=all
notificationscheme/project
issuesecurityschemes
issuesecurityschemes/search
issuesecurityschemes/level
issuesecurityschemes/level/member
applicationrole
auditing/record
"""


def rows_of(model: Any, count: int, make: Callable[[int, int], Any]) -> list[Any]:
    """Write rows of a model: `make` gets their place and their key."""
    made = [make(place, key) for place, key in enumerate(next_ids(model, count))]
    model.objects.bulk_create(made)
    return made


def fill(tag: str, count: int) -> None:
    """Add `count` of everything to the site."""
    las = Project.objects.get(key="LAS")
    group = Group.objects.get(name="jira-users")
    users = rows_of(User, count, lambda place, key: User(
        id=key, account_id=f"712020:{tag}{place}", account_type="atlassian", created=now(),
        email=f"{tag}{place}@many.example", display_name=f"A{tag} {place}"))  # fmt: skip
    rows_of(GroupMember, count, lambda place, key: GroupMember(
        id=key, group=group, user=users[place]))  # fmt: skip
    rows_of(Group, count, lambda place, key: Group(
        id=key, name=f"a{tag}-{place}", uuid=new_uuid(Group)))  # fmt: skip
    categories = rows_of(ProjectCategory, count, lambda place, key: ProjectCategory(
        id=key, name=f"{tag}{place}"))  # fmt: skip
    roles = rows_of(ProjectRole, count, lambda place, key: ProjectRole(
        id=key, name=f"{tag}{place}"))  # fmt: skip
    rows_of(RoleActor, count, lambda place, key: RoleActor(
        id=key, role=roles[place], user=users[place]))  # fmt: skip
    rows_of(Component, count, lambda place, key: Component(
        id=key, project=las, name=f"{tag}{place}", lead=users[place]))  # fmt: skip
    rows_of(Version, count, lambda place, key: Version(
        id=key, project=las, name=f"{tag}{place}", driver=users[place], position=key))  # fmt: skip
    schemes = rows_of(PermissionScheme, count, lambda place, key: PermissionScheme(
        id=key, name=f"{tag}{place}"))  # fmt: skip
    rows_of(PermissionGrant, count, lambda place, key: PermissionGrant(
        id=key, scheme=schemes[place], permission="BROWSE_PROJECTS", holder_type="user",
        parameter=users[place].account_id))  # fmt: skip
    rows_of(NotificationScheme, count, lambda place, key: NotificationScheme(
        id=key, name=f"{tag}{place}"))  # fmt: skip
    security = rows_of(SecurityScheme, count, lambda place, key: SecurityScheme(
        id=key, name=f"{tag}{place}"))  # fmt: skip
    levels = rows_of(SecurityLevel, count, lambda place, key: SecurityLevel(
        id=key, scheme=security[place], name="Level"))  # fmt: skip
    rows_of(SecurityMember, count, lambda place, key: SecurityMember(
        id=key, level=levels[place], holder_type="user",
        parameter=users[place].account_id))  # fmt: skip
    spaces(las, tag, count, categories, users, schemes, security)


def spaces(las: Project, tag: str, count: int, *of: list[Any]) -> None:
    """Add spaces like LAS, each with a category, a lead, schemes and a former key of its own."""
    categories, users, schemes, security = of

    def make(place: int, key: int) -> Project:
        found = Project.objects.get(id=las.id)
        found.id, found.key, found.name = key, f"{tag}{place}X", f"{tag} {place}"
        found.uuid, found.category, found.lead = new_uuid(Project), categories[place], users[place]
        found.permission_scheme, found.security_scheme = schemes[place], security[place]
        return found

    made = rows_of(Project, count, make)
    rows_of(FormerProjectKey, count, lambda place, key: FormerProjectKey(
        id=key, key=f"{tag}{place}F", project=made[place]))  # fmt: skip


@contextmanager
def counted(site: Site) -> Iterator[list[str]]:
    """Count the statements of what is done within."""
    found: list[str] = []

    def note(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        found.append(sql)
        return execute(sql, *rest)

    with site.store() as binding:
        binding.wrapper.execute_wrappers.append(note)
    yield found
    with site.store() as binding:
        binding.wrapper.execute_wrappers.remove(note)


def test_lists_take_as_many_statements_for_few_rows_as_for_many(site: Site) -> None:
    """Each list, with two and with twelve more of everything."""
    counts: dict[str, list[int]] = {}
    for tag, number in (("B", 2), ("C", 12)):
        with site.writing():
            fill(tag, number)
        for address in LISTS.split():
            site.get(address)
            with counted(site) as statements:
                site.get(address)
            counts.setdefault(address, []).append(len(statements))
    assert {address: found for address, found in counts.items() if found[0] != found[1]} == {}
    assert all(1 < found[0] < 25 for found in counts.values()), counts
