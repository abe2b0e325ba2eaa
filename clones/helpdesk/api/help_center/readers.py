"""Who may read and edit articles: segments and permission groups."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from clones.core.operations import Call
from clones.helpdesk.api.help_center.operations import ROOT, plain_page
from clones.helpdesk.api.help_center.places import shown_sections
from clones.helpdesk.api.operations import OPERATIONS, PagedQuery, show
from clones.helpdesk.api.presenters.help_center import present_permission_group, present_segment
from clones.helpdesk.domain.help_center import check_manager
from clones.helpdesk.models import PermissionGroup, Section, UserSegment
from clones.helpdesk.queries import help_center as queries
from clones.helpdesk.queries import one
from clones.helpdesk.queries import user as user_of

SEGMENTS = f"{ROOT}/user_segments"
SEGMENT = f"{SEGMENTS}/{{user_segment_id:int}}"
GROUPS = "/guide/permission_groups"
Shown = dict[str, Any]


class SegmentsQuery(PagedQuery):
    """Filter and paging of the list of user segments."""

    built_in: bool | None = None


def _list(call: Call, rows: QuerySet[UserSegment]) -> Shown:
    page, around = plain_page(call, rows)
    return {"user_segments": [present_segment(row, show(call)) for row in page.rows], **around}


def _segment(call: Call) -> UserSegment:
    check_manager(call.actor)
    return one(UserSegment.objects.all(), "user segment", call.path["user_segment_id"])


@OPERATIONS.operation(
    "ListUserSegments",
    "GET",
    SEGMENTS,
    summary="List the segments of readers.",
    query=SegmentsQuery,
)
def list_segments(call: Call) -> Shown:
    """List segments, the oldest first."""
    check_manager(call.actor)
    rows = UserSegment.objects.all()
    if call.query.built_in is not None:
        rows = rows.filter(built_in=call.query.built_in)
    return _list(call, rows)


@OPERATIONS.operation(
    "ListApplicableUserSegments",
    "GET",
    f"{SEGMENTS}/applicable",
    summary="List the segments that articles of this account can have: all.",
    query=PagedQuery,
)
def list_applicable_segments(call: Call) -> Shown:
    """List segments, the oldest first."""
    check_manager(call.actor)
    return _list(call, UserSegment.objects.all())


@OPERATIONS.operation(
    "ListUserUserSegments",
    "GET",
    f"{ROOT}/users/{{user_id:int}}/user_segments",
    summary="List the segments that somebody belongs to.",
    query=PagedQuery,
)
def list_segments_of_user(call: Call) -> Shown:
    """List somebody's segments; agents see those that they belong to themselves."""
    keys = queries.segments_of(user_of(call.path["user_id"]))
    if not queries.manages(call.actor):
        keys &= queries.segments_of(call.actor)
    return _list(call, UserSegment.objects.filter(id__in=keys))


@OPERATIONS.operation("ShowUserSegment", "GET", SEGMENT, summary="Show a segment of readers.")
def show_segment(call: Call) -> Shown:
    """Show a segment."""
    return {"user_segment": present_segment(_segment(call), show(call, "detail"))}


@OPERATIONS.operation(
    "ListUserSegmentSections",
    "GET",
    f"{SEGMENT}/sections",
    summary="List the sections with articles for a segment.",
    query=PagedQuery,
)
def list_segment_sections(call: Call) -> Shown:
    """List the sections that have an article for a segment, the oldest first."""
    used = _segment(call).articles.filter(archived_at=None).values("section_id")
    page, around = plain_page(call, Section.objects.filter(id__in=used))
    return {"sections": shown_sections(page.rows, set(), show(call)), **around}


@OPERATIONS.operation(
    "ListPermissionGroups",
    "GET",
    GROUPS,
    summary="List the groups of rights to edit and publish articles.",
    query=PagedQuery,
)
def list_permission_groups(call: Call) -> Shown:
    """List permission groups, the oldest first."""
    page, around = plain_page(call, PermissionGroup.objects.all())
    bodies = [present_permission_group(row, show(call)) for row in page.rows]
    return {"permission_groups": bodies, **around}


@OPERATIONS.operation(
    "ShowPermissionGroup",
    "GET",
    f"{GROUPS}/{{permission_group_id:int}}",
    summary="Show a group of rights to edit and publish articles.",
)
def show_permission_group(call: Call) -> Shown:
    """Show a permission group."""
    found = one(PermissionGroup.objects.all(), "permission group", call.path["permission_group_id"])
    return {"permission_group": present_permission_group(found, show(call, "detail"))}
