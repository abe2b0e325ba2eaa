"""Levels of issue security schemes, and who sees the issues that have them."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import F, Q
from pydantic import Field

from clones.core.digits import is_digits, whole_number
from clones.core.operations import Call, Reply
from clones.core.operations.inputs import CommaList, Digits
from clones.tracker.api.admin_lists import AdminBody
from clones.tracker.api.operations import Query, actor, flag, operation, show
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.access import present_level, present_members
from clones.tracker.api.query_params import ExpandQuery, PagedQuery
from clones.tracker.api.security_schemes import (
    PATH,
    ChangeBody,
    LevelBody,
    MemberBody,
    levels_of,
    members_of,
)
from clones.tracker.api.task_replies import task_reply
from clones.tracker.domain import security_schemes
from clones.tracker.domain.errors import NotFound
from clones.tracker.domain.security_schemes import LEVEL_GONE, level_of, scheme_of
from clones.tracker.models import SecurityLevel, SecurityMember

Json = dict[str, Any]
LEVELS: Final = PATH + "/{schemeId}/level"
LEVEL: Final = LEVELS + "/{levelId}"


class LevelsQuery(PagedQuery):
    """Filters and paging of issue security levels: ids, schemes, defaults."""

    ids: CommaList[Digits] = Field([], alias="id")
    schemes: CommaList[Digits] = Field([], alias="schemeId")
    default: str | None = Field(None, alias="onlyDefault")


class MembersQuery(PagedQuery, ExpandQuery):
    """Filters and paging of issue security members: ids, schemes, levels."""

    ids: CommaList[Digits] = Field([], alias="id")
    schemes: CommaList[Digits] = Field([], alias="schemeId")
    levels: CommaList[Digits] = Field([], alias="levelId")


class SchemeMembersQuery(PagedQuery, ExpandQuery):
    """Filters and paging of the members of an issue security scheme: its levels."""

    levels: CommaList[Digits] = Field([], alias="issueSecurityLevelId")


class ReplaceQuery(Query):
    """The issue security level that issues get in place of one that is deleted."""

    by: str | None = Field(None, alias="replaceWith")


class DefaultBody(AdminBody):
    """An issue security scheme and its default level."""

    level: str | None = Field(alias="defaultLevelId")
    scheme: str = Field(alias="issueSecuritySchemeId")


class DefaultsBody(AdminBody):
    """Issue security schemes and their default levels."""

    values: list[DefaultBody] = Field(alias="defaultValues")


class LevelsBody(AdminBody):
    """Levels to add to an issue security scheme."""

    levels: list[LevelBody] | None = None


class MembersBody(AdminBody):
    """Members to add to an issue security level."""

    members: list[MemberBody] | None = None


def _level(call: Call) -> SecurityLevel:
    scheme = scheme_of(call.path["schemeId"])
    found = level_of(scheme, call.path["levelId"])
    found.scheme = scheme
    return found


@operation(
    "getSecurityLevels",
    "GET",
    PATH + "/level",
    summary="List issue security levels.",
    query=LevelsQuery,
    access="admin",
)
def list_levels(call: Call) -> Json:
    """List levels: those of some ids along with those of some schemes."""
    wanted, schemes = call.query.ids, call.query.schemes
    rows = SecurityLevel.objects.select_related("scheme").order_by("id")
    if wanted or schemes:
        rows = rows.filter(Q(id__in=wanted) | Q(scheme__in=schemes))
    if flag(call.query.default):
        rows = rows.filter(scheme__default_level=F("id"))
    return page_bean(call, rows, lambda found: [_in_list(level, call) for level in found])


def _in_list(level: SecurityLevel, call: Call) -> Json:
    return {
        **present_level(level, show(call)),
        "isDefault": level.scheme.default_level_id == level.id,
        "issueSecuritySchemeId": str(level.scheme_id),
    }


@operation(
    "setDefaultLevels",
    "PUT",
    PATH + "/level/default",
    summary="Set the levels that new issues get, by scheme.",
    body=DefaultsBody,
    access="admin",
    status=204,
)
def set_defaults(call: Call) -> None:
    """Set schemes' default levels."""
    defaults = {one.scheme: one.level for one in call.body.values}
    security_schemes.set_default_levels(defaults, actor=actor(call))


@operation(
    "getSecurityLevelMembers",
    "GET",
    PATH + "/level/member",
    summary="List the members of issue security levels.",
    query=MembersQuery,
    access="admin",
)
def list_members(call: Call) -> Json:
    """List members: those of some ids, schemes and levels."""
    wanted, schemes = call.query.ids, call.query.schemes
    levels = call.query.levels
    rows = SecurityMember.objects.select_related("level").order_by("id")
    if schemes or levels:
        rows = rows.filter(Q(level__scheme__in=schemes) | Q(level__in=levels))
    if wanted:
        rows = rows.filter(id__in=wanted)
    return page_bean(call, rows, lambda found: present_members(found, as_numbers=False))


@operation(
    "getIssueSecurityLevelMembers",
    "GET",
    PATH + "/{issueSecuritySchemeId}/members",
    summary="List the members of the levels of an issue security scheme.",
    query=SchemeMembersQuery,
    access="admin",
)
def list_members_of_scheme(call: Call) -> Json:
    """List the members of a scheme's levels."""
    scheme = scheme_of(call.path["issueSecuritySchemeId"])
    rows = SecurityMember.objects.filter(level__scheme=scheme).select_related("level")
    levels = call.query.levels
    if levels:
        rows = rows.filter(level__in=levels)
    return page_bean(
        call, rows.order_by("id"), lambda found: present_members(found, as_numbers=True)
    )


@operation(
    "addSecurityLevel",
    "PUT",
    LEVELS,
    summary="Add levels to an issue security scheme.",
    body=LevelsBody,
    access="admin",
    status=204,
)
def add_levels(call: Call) -> None:
    """Add levels to a scheme."""
    security_schemes.add_levels(
        scheme_of(call.path["schemeId"]), levels_of(call.body.levels), actor=actor(call)
    )


@operation(
    "updateSecurityLevel",
    "PUT",
    LEVEL,
    summary="Change an issue security level's name or description.",
    body=ChangeBody,
    access="admin",
    status=204,
)
def update_level(call: Call) -> None:
    """Change a level."""
    security_schemes.update_level(
        _level(call), call.body.name, call.body.description, actor=actor(call)
    )


@operation(
    "removeLevel",
    "DELETE",
    LEVEL,
    summary="Remove an issue security level, or put another in its place: a task.",
    query=ReplaceQuery,
    access="admin",
    status=303,
)
def remove_level(call: Call) -> Reply:
    """Begin to remove a level."""
    level = _level(call)
    by = level_of(level.scheme, call.query.by) if call.query.by else None
    return task_reply(call, security_schemes.remove_level(level, by, actor=actor(call)))


@operation(
    "addSecurityLevelMembers",
    "PUT",
    LEVEL + "/member",
    summary="Let more people see the issues of a level.",
    body=MembersBody,
    access="admin",
    status=204,
)
def add_members(call: Call) -> None:
    """Add members to a level."""
    level = _level(call)
    security_schemes.add_members(level, members_of(call.body.members), actor=actor(call))


@operation(
    "removeMemberFromSecurityLevel",
    "DELETE",
    LEVEL + "/member/{memberId}",
    summary="Take somebody from a level.",
    access="admin",
    status=204,
)
def remove_member(call: Call) -> None:
    """Take a member from a level."""
    level, text = _level(call), call.path["memberId"]
    found = None
    if is_digits(text):
        found = SecurityMember.objects.filter(level=level, id=int(text)).first()
    if found is None:
        raise NotFound(f"Issue security level member with ID {text} not found.")
    found.level = level
    security_schemes.remove_member(found, actor=actor(call))


@operation(
    "getIssueSecurityLevel",
    "GET",
    "/rest/api/3/securitylevel/{id}",
    summary="Show an issue security level.",
    access="anyone",
)
def show_level(call: Call) -> Json:
    """Show a level."""
    text = call.path["id"]
    found = None
    if whole_number(text) is not None:
        found = SecurityLevel.objects.filter(id=int(text)).first()
    if found is None:
        raise NotFound(LEVEL_GONE.format(text))
    return present_level(found, show(call))
