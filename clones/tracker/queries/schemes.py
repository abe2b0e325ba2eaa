"""Reading the schemes of admins: those that are not a team-managed space's own, and their users."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from django.db.models import Exists, OuterRef, Q, QuerySet

from clones.tracker.models import (
    IssueType,
    IssueTypeScheme,
    IssueTypeSchemeItem,
    IssueTypeScreenScheme,
    IssueTypeScreenSchemeItem,
    Project,
    Screen,
    ScreenScheme,
)


def classic_type_schemes() -> QuerySet[IssueTypeScheme]:
    """Return the schemes of types that are not a team-managed space's own."""
    own = Project.objects.filter(issue_type_scheme=OuterRef("pk"), style="next-gen")
    return IssueTypeScheme.objects.filter(~Exists(own) | Q(is_default=True))


def classic_type_screens() -> QuerySet[IssueTypeScreenScheme]:
    """Return the schemes of screens by type that are not a team-managed space's own."""
    own = Project.objects.filter(screen_scheme=OuterRef("pk"), style="next-gen")
    return IssueTypeScreenScheme.objects.filter(~Exists(own) | Q(is_default=True))


def classic_screen_schemes() -> QuerySet[ScreenScheme]:
    """Return the screen schemes that are not a team-managed space's own."""
    spaces = Project.objects.filter(style="next-gen").values("screen_scheme")
    own = IssueTypeScreenSchemeItem.objects.filter(screen_scheme=OuterRef("pk"), scheme__in=spaces)
    return ScreenScheme.objects.filter(~Exists(own))


def spaces_of_type_schemes(schemes: Collection[int]) -> Mapping[int, list[Project]]:
    """Return the spaces that use schemes of types, by the scheme's id."""
    found: dict[int, list[Project]] = defaultdict(list)
    rows = Project.objects.filter(issue_type_scheme__in=schemes, deleted_at=None)
    for project in rows.select_related("category").order_by("id"):
        found[project.issue_type_scheme_id].append(project)
    return found


def types_of_schemes(schemes: Collection[int]) -> Mapping[int, list[IssueType]]:
    """Return the types of schemes in their order, by the scheme's id."""
    found: dict[int, list[IssueType]] = defaultdict(list)
    rows = IssueTypeSchemeItem.objects.filter(scheme__in=schemes).select_related("issue_type")
    for item in rows.order_by("position", "id"):
        found[item.scheme_id].append(item.issue_type)
    return found


def spaces_of_type_screens(schemes: Collection[int]) -> Mapping[int, list[Project]]:
    """Return the spaces that use schemes of screens by type, by the scheme's id."""
    found: dict[int, list[Project]] = defaultdict(list)
    rows = Project.objects.filter(screen_scheme__in=schemes, deleted_at=None)
    for project in rows.select_related("category").order_by("id"):
        found[project.screen_scheme_id].append(project)
    return found


def uses_of_screen_schemes(schemes: Collection[int]) -> Mapping[int, list[IssueTypeScreenScheme]]:
    """Return what screen schemes are used in, by the screen scheme's id."""
    found: dict[int, dict[int, IssueTypeScreenScheme]] = defaultdict(dict)
    rows = IssueTypeScreenSchemeItem.objects.filter(screen_scheme__in=schemes)
    for item in rows.select_related("scheme").order_by("scheme_id"):
        found[item.screen_scheme_id][item.scheme_id] = item.scheme
    return {id: list(some.values()) for id, some in found.items()}


def owners_of_screens(screens: Collection[int]) -> Mapping[int, int]:
    """Return the team-managed spaces whose own screens are, by the screen's id."""
    found: dict[int, int] = {}
    own = Project.objects.filter(style="next-gen")
    spaces = dict(own.values_list("screen_scheme_id", "id"))
    rows = IssueTypeScreenSchemeItem.objects.filter(scheme__in=spaces)
    for item in rows.select_related("screen_scheme"):
        for id in _screens(item.screen_scheme):
            if id in screens:
                found[id] = spaces[item.scheme_id]
    return found


def shows_screen(project: Project, screen: Screen) -> bool:
    """Tell whether a space shows a screen for one of its types."""
    items = IssueTypeScreenSchemeItem.objects.filter(scheme=project.screen_scheme_id)
    rows = items.select_related("screen_scheme")
    return any(screen.id in _screens(item.screen_scheme) for item in rows)


def _screens(scheme: ScreenScheme) -> set[int]:
    ids = (scheme.default_id, scheme.create_id, scheme.edit_id, scheme.view_id)
    return {id for id in ids if id is not None}
