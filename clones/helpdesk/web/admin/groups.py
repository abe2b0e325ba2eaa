"""Admin Center's groups: the list, and the page of each with its members."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Count, Q, QuerySet

from clones.core.web.inputs import Input, PageForm
from clones.core.web.resource_pages import AskedField
from clones.helpdesk.domain import group_members
from clones.helpdesk.domain.organizations import GROUP
from clones.helpdesk.models import Group, GroupMembership, User
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.admin import keys
from clones.helpdesk.web.admin.inputs import checks
from clones.helpdesk.web.admin.resources import AdminPages


class GroupPages(AdminPages[Group]):
    """The pages of groups."""

    resource = GROUP
    entry = "admin_groups"
    page_name = "admin_group"
    title = "Groups"
    noun = "group"
    columns = ("Name", "Description", "Members", "Default")
    empty = "No groups."
    create_label = "Create group"
    asks = (AskedField("name"), AskedField("description"), AskedField("is_public"))
    leaves = "Its tickets keep their history and lose their group."

    def new(self) -> Group:
        """Return a group that everybody sees."""
        return Group(is_public=True)

    def rows(self) -> QuerySet[Group]:
        """Return the groups with how many work in each."""
        return (
            super().rows().annotate(people=Count("memberships", Q(memberships__user__active=True)))
        )

    def cells(self, record: Any) -> tuple[object, ...]:
        """Return what the list shows of a group."""
        default = "Default" if record.default else "-"
        return record.name, record.description, str(record.people), default

    def inputs(self, found: Group | None) -> list[Input]:
        """Return what is asked of a group, with who is in it."""
        agents = User.objects.filter(role__in=("agent", "admin"), active=True).order_by(
            "name", "id"
        )
        members = GroupMembership.objects.filter(group=found).values_list("user", flat=True)
        names = agents.values_list("id", "name")
        return [*super().inputs(found), checks("members", "Group members", members, names)]

    def values(self, sent: PageForm, found: Group | None) -> dict[str, Any]:
        """Return what was sent, with who is to be in the group."""
        members = set(keys.numbers_in(sent.several("members")))
        return {**super().values(sent, found), "members": members}

    def save(self, found: Group | None, values: dict[str, Any], agent: Agent) -> Group:
        """Write a group, and let those join and leave that the form says."""
        members = values.pop("members")
        saved = super().save(found, values, agent)
        _set_members(saved, members, agent.user)
        return saved


PAGES: Final = GroupPages()


def _set_members(group: Group, wanted: set[int], actor: User) -> None:
    """Let those join and leave that the form says, each as the API would."""
    standing = {item.user_id: item for item in GroupMembership.objects.filter(group=group)}
    for key in sorted(wanted - standing.keys()):
        group_members.add_group_member(actor=actor, user_id=key, group_id=group.id)
    for key in sorted(standing.keys() - wanted):
        group_members.remove_group_member(standing[key], actor=actor)
