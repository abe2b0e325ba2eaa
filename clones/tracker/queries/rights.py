"""What somebody may: permissions by schemes, roles and groups; what of the site they see.

A permission is held in a space (by anybody, a group, a role, a user, the space's lead) or on single
issues (by the reporter, the assignee, who stands in a field). `Rights` are made once for a request
and keep what they read for its length.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from functools import cached_property
from itertools import chain
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.db.models import Exists, Func, OuterRef, Q, QuerySet
from django.db.models.lookups import In, IsNull

from clones.core import clock
from clones.core.digits import is_digits
from clones.core.lookups import key_list
from clones.tracker.domain.errors import ISSUE_GONE, Forbidden, NotFound
from clones.tracker.models import FieldValue, Issue, Project, User
from clones.tracker.queries import hot_rights

BROWSE: Final = "BROWSE_PROJECTS"
# What stays possible in archived spaces and on archived issues.
_OF_THE_PAST: Final = frozenset({BROWSE, "VIEW_VOTERS_AND_WATCHERS", "UNARCHIVE_ISSUES"})
# Holders who hold a permission on some issues only, and the column that tells.
_ON_ISSUES: Final = {"reporter": "reporter_id", "assignee": "assignee_id", "creator": "creator_id"}
Holder = tuple[str, str | None]


class Known:
    """What is read of a user, or with None of somebody anonymous, once for a request."""

    def __init__(self, user: User | None) -> None:
        self.user = user
        self._holders: dict[str, dict[int, list[Holder]]] = {}

    @property
    def account_id(self) -> str | None:
        """The account id, None of somebody anonymous."""
        return None if self.user is None else self.user.account_id

    @cached_property
    def zone(self) -> ZoneInfo:
        """The time zone in which times are shown and calendars are read."""
        return ZoneInfo("UTC" if self.user is None else self.user.time_zone)

    @cached_property
    def asked_at(self) -> datetime:
        """The sandbox's present, as it was when this was first asked for."""
        return clock.now()

    @cached_property
    def _groups(self) -> list[tuple[int, str, str]]:
        return [] if self.user is None else hot_rights.GROUPS.all(self.user.id)

    @cached_property
    def group_ids(self) -> frozenset[int]:
        """The keys of their groups."""
        return frozenset(key for key, _, _ in self._groups)

    @cached_property
    def group_uuids(self) -> frozenset[str]:
        """The ids, in the API, of their groups."""
        return frozenset(uuid for _, uuid, _ in self._groups)

    @cached_property
    def group_names(self) -> frozenset[str]:
        """The names of their groups."""
        return frozenset(name for _, _, name in self._groups)

    @cached_property
    def _settings(self) -> dict[str, Any]:
        return {key: value for key, value in hot_rights.SETTINGS.all() if value is not None}

    @property
    def _globals(self) -> dict[str, list[str]]:
        return dict(self._settings.get("global_permissions", {}))

    @cached_property
    def _products(self) -> dict[str, list[str]]:
        """The groups by which products are had, by the application role."""
        roles: dict[str, dict[str, list[str]]] = self._settings.get("application_roles", {})
        return {key: list(role.get("groups", ())) for key, role in roles.items()}

    def has_product(self, role: str | None = None) -> bool:
        """Tell whether they have a product, by its application role; without one, any of them."""
        if self.user is None or self.user.account_type == "customer":
            return False
        groups = self._products.get(role, []) if role else chain(*self._products.values())
        return not self.group_uuids.isdisjoint(groups)

    @property
    def product_groups(self) -> frozenset[str]:
        """The uuids of the groups by which any product is had."""
        return frozenset(chain(*self._products.values()))

    @property
    def sees_emails(self) -> bool:
        """Whether they see everybody's address; nobody does who has not signed in."""
        if self.user is None:
            return False
        return self._settings.get("email_visibility", "everyone") == "everyone" or self.is_admin

    def sees_email_of(self, user: User) -> bool:
        """Tell whether they see a user's address: always their own."""
        return self.sees_emails or user == self.user

    def holds_global(self, key: str) -> bool:
        """Tell whether they hold a global permission: ADMINISTER, BULK_CHANGE..."""
        holders = self._globals.get(key, ())
        if "anyone" in holders:
            return True
        return self.user is not None and not self.group_uuids.isdisjoint(holders)

    @cached_property
    def is_admin(self) -> bool:
        """Whether they administer the site."""
        return self.holds_global("ADMINISTER") or self.holds_global("SYSTEM_ADMIN")

    @cached_property
    def _roles(self) -> dict[int, set[int]]:
        """Roles that they fill, by space."""
        found: dict[int, set[int]] = defaultdict(set)
        if self.user is not None:
            groups = key_list(sorted(self.group_ids))
            for project, role in hot_rights.ROLES.all(self.user.id, groups):
                found[project].add(role)
        return found

    @property
    def roles_by_project(self) -> Mapping[int, set[int]]:
        """The roles that they fill, by the id of the space."""
        return self._roles

    def role_ids(self, project: Project | int) -> frozenset[int]:
        """Return the roles that they fill in a space."""
        return frozenset(self._roles.get(_key(project), ()))

    @cached_property
    def _projects(self) -> list[tuple[int, int, int, bool]]:
        """Every space that is not in the trash: id, permission scheme, lead, whether archived."""
        rows = hot_rights.SPACES.all()
        return [(id, scheme, lead, at is not None) for id, scheme, lead, at in rows]

    def _holders_of(self, permission: str) -> dict[int, list[Holder]]:
        """Return who holds a permission, by scheme."""
        if permission not in self._holders:
            found: dict[int, list[Holder]] = defaultdict(list)
            for scheme, kind, parameter in hot_rights.GRANTS.all(permission):
                found[scheme].append((kind, parameter))
            self._holders[permission] = found
        return self._holders[permission]

    @cached_property
    def _members(self) -> dict[int, list[Holder]]:
        """Who sees the issues of a security level, by level."""
        found: dict[int, list[Holder]] = defaultdict(list)
        for level, kind, parameter in hot_rights.MEMBERS.all():
            found[level].append((kind, parameter))
        return found


class Rights(Known):
    """What a user, or with None somebody anonymous, may."""

    def __init__(self, user: User | None) -> None:
        super().__init__(user)
        self._held: dict[str, set[int]] = {}

    def is_holder(self, holder: Holder, project: int, lead: int | None) -> bool:
        """Tell whether a holder is (also) them, in a whole space whose lead is given."""
        kind, parameter = holder
        if kind == "anyone":
            return True
        user = self.user
        if user is None:
            return False
        match kind:
            case "applicationRole" | "loggedIn":
                return self.has_product(parameter)
            case "group":
                return parameter in self.group_uuids or parameter in self.group_names
            case "projectRole":
                return str(parameter) in {str(role) for role in self._roles.get(project, ())}
            case "user":
                return parameter == user.account_id
            case "projectLead":
                return lead == user.id
        return False

    def spaces_with(self, permission: str) -> set[int]:
        """Return the spaces, archived ones too, in all of which they hold a permission."""
        if permission not in self._held:
            holders = self._holders_of(permission)
            self._held[permission] = {
                project
                for project, scheme, lead, _ in self._projects
                if any(self.is_holder(holder, project, lead) for holder in holders.get(scheme, ()))
            }
        return self._held[permission]

    def projects_with(self, permission: str) -> set[int]:
        """Return the ids of the live spaces in which they hold a permission."""
        live = {project for project, _, _, archived in self._projects if not archived}
        return self.spaces_with(permission) & live

    def may(self, permission: str, project: Project) -> bool:
        """Tell whether they hold a permission in a space; archived ones can only be looked at."""
        if project.deleted_at is not None:
            return False
        if project.archived_at is not None and permission not in _OF_THE_PAST:
            return False
        return project.id in self.spaces_with(permission)

    def may_on(self, permission: str, issue: Issue) -> bool:
        """Tell whether they hold a permission on an issue, and see it."""
        past = issue.archived_at is not None or issue.project.archived_at is not None
        if past and permission not in _OF_THE_PAST:
            return False
        return self._holds_on(permission, issue) and (
            permission == BROWSE or self._holds_on(BROWSE, issue)
        )

    def _holds_on(self, permission: str, issue: Issue) -> bool:
        if issue.project.deleted_at is not None or not self._passes_level(issue):
            return False
        if issue.project_id in self.spaces_with(permission):
            return True
        holders = self._holders_of(permission).get(issue.project.permission_scheme_id, ())
        return any(self._is_holder_on(holder, issue) for holder in holders)

    def _is_holder_on(self, holder: Holder, issue: Issue) -> bool:
        kind = holder[0]
        if self.user is None:
            return False
        if kind in _ON_ISSUES:
            return bool(getattr(issue, _ON_ISSUES[kind]) == self.user.id)
        found = self._field_values(holder)
        return found is not None and found.filter(issue=issue).exists()

    def _field_values(self, holder: Holder) -> QuerySet[FieldValue] | None:
        """Return the values of fields that make them a holder, None if that is no such holder."""
        kind, parameter = holder
        number = str(parameter or "").removeprefix("customfield_")
        if not is_digits(number):
            return None
        if kind == "userCustomField":
            return FieldValue.objects.filter(field_id=int(number), user=self.user)
        if kind == "groupCustomField":
            return FieldValue.objects.filter(field_id=int(number), group__in=self.group_ids)
        return None

    def _on_issues(self, holder: Holder) -> Q | None:
        """Return the issues on which a holder is that person; None: on none."""
        if self.user is None:
            return None
        if holder[0] in _ON_ISSUES:
            return Q(**{_ON_ISSUES[holder[0]]: self.user.id})
        found = self._field_values(holder)
        return None if found is None else Q(Exists(found.filter(issue=OuterRef("pk"))))

    def _passes_level(self, issue: Issue) -> bool:
        if issue.security_level_id is None:
            return True
        project = issue.project
        return any(
            self.is_holder(holder, project.id, project.lead_id) or self._is_holder_on(holder, issue)
            for holder in self._members.get(issue.security_level_id, ())
        )

    def sees_level(self, level: int, project: Project) -> bool:
        """Tell whether they are a member of a security level in a space."""
        return any(
            self.is_holder(holder, project.id, project.lead_id)
            for holder in self._members.get(level, ())
        )

    def issues_with(self, permission: str, *, archived: bool = False) -> Q:
        """Return the condition of the issues on which they hold a permission.

        `archived` says whether archived spaces and issues are among them.
        """
        spaces = self.spaces_with(permission)
        among = {id for id, _, _, past in self._projects if archived or not past}
        found = Q(In(Unindexed("project_id"), sorted(spaces & among)))
        for holder, schemes in self.holders_on_issues(permission).items():
            where = self._on_issues(holder)
            ids = [id for id, scheme, _, _ in self._projects if scheme in schemes and id in among]
            if where is not None and ids:
                found |= Q(project_id__in=sorted(ids)) & where
        if not archived:
            found &= Q(archived_at=None)
        return found & self._level_condition()

    def holders_on_issues(self, permission: str) -> dict[Holder, set[int]]:
        """Return holders on single issues, with the schemes that name them."""
        found: dict[Holder, set[int]] = defaultdict(set)
        for scheme, holders in self._holders_of(permission).items():
            for holder in holders:
                if holder[0] in _ON_ISSUES or holder[0].endswith("CustomField"):
                    found[holder].add(scheme)
        return found

    def may_on_some(self, permission: str, project: Project | None = None) -> bool:
        """Tell whether they may come to hold a permission on single issues: as a reporter..."""
        if self.user is None:
            return False
        named = self.holders_on_issues(permission).values()
        schemes = {scheme for found in named for scheme in found}
        return any(
            scheme in schemes and (project is None or id == project.id)
            for id, scheme, _, archived in self._projects
            if not archived
        )

    def _level_condition(self) -> Q:
        found = Q(IsNull(Unindexed("security_level_id"), True))
        for level, holders in sorted(self._members.items()):
            spaces = [
                id
                for id, _, lead, _ in self._projects
                if any(self.is_holder(holder, id, lead) for holder in holders)
            ]
            if spaces:
                found |= Q(security_level=level, project_id__in=spaces)
            for where in filter(None, map(self._on_issues, holders)):
                found |= Q(security_level=level) & where
        return found


class Unindexed(Func):
    """A column that SQLite looks for no index on.

    What somebody may see is most of a site: an index on it is read whole, and all that it finds has
    to be sorted, where issues in the order that is asked for are at hand after a few rows.
    """

    template, arity = "%(expressions)s", 1

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """Write the column with a plus before it, which changes no value."""
        return self.as_sql(compiler, connection, template="+%(expressions)s", **context)


def _key(project: Project | int) -> int:
    return project if isinstance(project, int) else project.id


def visible_projects(rights: Rights) -> QuerySet[Project]:
    """Return the spaces that somebody sees, archived ones too, by name.

    A space is seen, too, by those who may browse only some of its issues.
    """
    schemes = {scheme for named in rights.holders_on_issues(BROWSE).values() for scheme in named}
    found = Q(id__in=sorted(rights.spaces_with(BROWSE)))
    if rights.user is not None and schemes:
        found |= Q(permission_scheme__in=sorted(schemes))
    return Project.objects.filter(found, deleted_at=None).order_by("name", "id")


def visible_issues(rights: Rights) -> QuerySet[Issue]:
    """Return the issues that somebody sees, archived ones left out, in no order."""
    return Issue.objects.filter(rights.issues_with(BROWSE))


def find_issue(rights: Rights, id_or_key: str | int) -> Issue:
    """Return the issue with an id or a key, also a former one; keys in any case.

    Raises:
        NotFound: there is none, or they do not see it.
    """
    text = str(id_or_key).strip()
    found: Issue | None
    if is_digits(text):
        found = hot_rights.ISSUE_BY_ID.first(int(text)) if len(text) <= 18 else None
    else:
        found = hot_rights.ISSUE_BY_KEY.first(text.upper())
        if found is None:
            found = hot_rights.ISSUE_BY_FORMER_KEY.first(text.upper())
    if found is None or not rights.may_on(BROWSE, found):
        raise NotFound(ISSUE_GONE)
    return found


def find_project(rights: Rights, id_or_key: str | int, *, deleted: bool = False) -> Project:
    """Return the space with an id or a key; `deleted` lets admins find those in the trash.

    Raises:
        NotFound: there is none, or they do not see it.
    """
    text = str(id_or_key)
    by_id = is_digits(text)
    found: Project | None = None
    if by_id and len(text) <= 18:
        found = Project.objects.filter(id=int(text)).first()
    elif not by_id:
        found = Project.objects.filter(key=text).first()
        if found is None:
            found = Project.objects.filter(former_keys__key=text).first()
    if found is None or not _sees(rights, found, deleted=deleted):
        raise NotFound(f"No project could be found with {'id' if by_id else 'key'} '{text}'.")
    return found


def _sees(rights: Rights, project: Project, *, deleted: bool) -> bool:
    if rights.is_admin and (deleted or project.deleted_at is None):
        return True
    if project.deleted_at is not None:
        return False
    return visible_projects(rights).filter(id=project.id).exists()


def require(rights: Rights, permission: str, on: Project | Issue, *messages: str) -> None:
    """Hold somebody to a permission.

    Raises:
        Forbidden: they have not got it; with these messages.
    """
    has = rights.may(permission, on) if isinstance(on, Project) else rights.may_on(permission, on)
    if not has:
        raise Forbidden(*messages)
