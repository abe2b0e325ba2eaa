"""What can be set on issues: a field's schema, operations, allowed values and default.

The same for new issues (`createmeta`), issues that are there (`editmeta`) and transitions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final
from urllib.parse import urlencode

from clones.tracker.api.presenters.context import Show
from clones.tracker.api.presenters.custom_values import option_ref
from clones.tracker.api.presenters.issue_fields import security_ref
from clones.tracker.api.presenters.refs import (
    component_ref,
    group_ref,
    issue_type_ref,
    priority_ref,
    project_ref,
    resolution_ref,
    user_ref,
    version_ref,
)
from clones.tracker.domain.issues.defaults import default_of
from clones.tracker.domain.issues.planning import PERMISSIONS
from clones.tracker.models import FieldOption, Issue, IssueType, Project
from clones.tracker.queries.allowed_values import AllowedValues
from clones.tracker.queries.fieldsets import Fieldset, IssueField
from clones.tracker.queries.rights import Rights

Json = dict[str, Any]
ALWAYS_NEW: Final = ("project", "issuetype", "parent")
ALWAYS: Final = ("issuetype", "parent", "comment")
# What people look for values with, where they are too many to be listed.
_SEARCHED: Final = frozenset({"user", "users"})


def may_set(rights: Rights, id: str, project: Project, issue: Issue | None) -> bool:
    """Tell whether a permission of its own keeps somebody from setting a field."""
    permission = _OWN.get(id)
    if permission is None:
        return True
    if issue is None:
        return rights.may(permission, project)
    return rights.may_on(permission, issue)


_OWN: Final[Mapping[str, str]] = PERMISSIONS | {
    "attachment": "CREATE_ATTACHMENTS",
    "comment": "ADD_COMMENTS",
    "worklog": "WORK_ON_ISSUES",
}


class FieldMetas:
    """Shows what can be set, for any number of types of issues."""

    def __init__(self, show: Show, allowed: AllowedValues) -> None:
        self.show = show
        self.allowed = allowed

    def new(self, fieldset: Fieldset) -> dict[str, Json]:
        """Return what can be set on a new issue of a type, by field id."""
        ids = dict.fromkeys([*fieldset.screen("create"), *ALWAYS_NEW])
        metas = self.of(fieldset, ids, None)
        for id, meta in metas.items():
            field = fieldset.fields[id]
            if id == "parent":
                meta["required"] = fieldset.issue_type.subtask
            default = self._default(fieldset, field)
            meta["hasDefaultValue"] = id == "reporter" or default is not None
            if default is not None:
                meta["defaultValue"] = default
        return metas

    def of(self, fieldset: Fieldset, ids: Iterable[str], issue: Issue | None) -> dict[str, Json]:
        """Return what can be set of these fields, by their ids."""
        rights = self.show.reader
        found: dict[str, Json] = {}
        for id in ids:
            field = fieldset.fields.get(id)
            if field is None or not (field.kind.operations or id in ("issuetype", "project")):
                continue
            if may_set(rights, id, fieldset.project, issue):
                found[id] = self._meta(fieldset, field, issue)
        return found

    def _meta(self, fieldset: Fieldset, field: IssueField, issue: Issue | None) -> Json:
        found: Json = {
            "required": field.required,
            "schema": field.schema,
            "name": field.name,
            "key": field.id,
        }
        address = self._search_address(fieldset, field, issue)
        if address is not None:
            found["autoCompleteUrl"] = address
        found["operations"] = list(field.kind.operations)
        values = _VALUES.get(field.kind.name)
        if values is not None:
            found["allowedValues"] = values(self, fieldset, field, issue)
        return found

    def _search_address(
        self, fieldset: Fieldset, field: IssueField, issue: Issue | None
    ) -> str | None:
        key = "" if issue is None else issue.key
        if field.id == "assignee":
            where = {"project": fieldset.project.key} if issue is None else {"issueKey": key}
            return self.show.url(f"user/assignable/search?{urlencode(where | {'query': ''})}")
        if field.kind.name in _SEARCHED:
            query = urlencode({"fieldName": field.id, "query": ""})
            return self.show.at(f"/rest/api/1.0/users/picker?{query}")
        if field.kind.name == "labels":
            path = f"labels/{issue.id}/suggest" if issue is not None else "labels/suggest"
            if field.is_custom:
                path = f"labels/{'null' if issue is None else issue.id}/{field.id}/suggest"
            return self.show.at(f"/rest/api/1.0/{path}?query=")
        if field.id == "issuelinks":
            query = urlencode(
                {
                    "currentProjectId": "",
                    "showSubTaskParent": "true",
                    "showSubTasks": "true",
                    "currentIssueKey": key or "null",
                    "query": "",
                }
            )
            return self.show.url(f"issue/picker?{query}")
        return None

    def _default(self, fieldset: Fieldset, field: IssueField) -> Any:
        if field.id == "priority":
            return priority_ref(self.allowed.default_priority(fieldset.project), self.show)
        value = default_of(fieldset, field, self.show.reader)
        if value in (None, ()):
            return None
        shown = _DEFAULTS.get(field.kind.name)
        if shown is None:
            return value
        if field.kind.several:
            return [shown(one, self.show) for one in value]
        return shown(value, self.show)

    def issue_types(
        self, fieldset: Fieldset, field: IssueField, issue: Issue | None
    ) -> list[Json | None]:
        """Return the types that an issue can have: a new one's own, else those it may become."""
        kinds: list[IssueType] = [fieldset.issue_type]
        if issue is not None:
            kinds = [
                kind
                for kind in self.allowed.types(fieldset.project)
                if kind.hierarchy_level == fieldset.issue_type.hierarchy_level
            ]
        return [issue_type_ref(kind, self.show) for kind in kinds]

    def options(
        self, fieldset: Fieldset, field: IssueField, issue: Issue | None
    ) -> list[Json | None]:
        """Return the options that can be chosen; of a tree, the lower ones within the upper."""
        options = [one for one in fieldset.options(field) if not one.disabled]
        below: dict[int, list[FieldOption]] = {}
        for option in options:
            if option.parent_id is not None:
                below.setdefault(option.parent_id, []).append(option)
        found = []
        for option in options:
            if option.parent_id is None:
                shown = option_ref(option, self.show) or {}
                if field.kind.name == "cascade":
                    children = below.get(option.id, ())
                    shown["children"] = [option_ref(one, self.show) for one in children]
                found.append(shown)
        return list(found)


Values = Callable[[FieldMetas, Fieldset, IssueField, Issue | None], list[Any]]


def _refs(
    rows: Callable[[AllowedValues, Project], Iterable[Any]], ref: Callable[[Any, Show], Any]
) -> Values:
    """Return what lists what a space offers."""
    return lambda at, fieldset, field, issue: [
        ref(row, at.show) for row in rows(at.allowed, fieldset.project)
    ]


_VALUES: Final[Mapping[str, Values]] = {
    "issuetype": FieldMetas.issue_types,
    "project": lambda at, fieldset, field, issue: (
        [] if field.is_custom else [project_ref(fieldset.project, at.show)]
    ),
    "priority": _refs(AllowedValues.priorities, priority_ref),
    "resolution": _refs(AllowedValues.resolutions, resolution_ref),
    "security": _refs(AllowedValues.levels, security_ref),
    "components": _refs(AllowedValues.components, component_ref),
    "versions": _refs(AllowedValues.versions, version_ref),
    "version": _refs(AllowedValues.versions, version_ref),
    "option": FieldMetas.options,
    "options": FieldMetas.options,
    "cascade": FieldMetas.options,
}
_DEFAULTS: Final[Mapping[str, Callable[[Any, Show], Any]]] = {
    "option": option_ref,
    "options": option_ref,
    "cascade": option_ref,
    "user": user_ref,
    "users": user_ref,
    "group": group_ref,
    "groups": group_ref,
    "version": version_ref,
    "versions": version_ref,
    "project": project_ref,
    "day": lambda value, show: show.day(value),
    "moment": lambda value, show: show.when(value),
    "rich": lambda value, show: show.rich(value),
}


def present_edit_meta(
    issue: Issue, fieldset: Fieldset, show: Show, *, screen: Iterable[str] | None = None
) -> dict[str, Json]:
    """Return what can be set on an issue: of a screen (a transition's), else of its own."""
    metas = FieldMetas(show, AllowedValues(show.reader, [issue.project]))
    if screen is not None:
        return metas.of(fieldset, screen, issue)
    ids = dict.fromkeys([*fieldset.screen("edit"), *ALWAYS])
    return metas.of(fieldset, ids, issue)


def present_create_project(
    project: Project, fieldsets: Iterable[Fieldset], show: Show, metas: FieldMetas | None
) -> Json:
    """Return a space with the types of which issues can be made; with `metas`, their fields."""
    found = project_ref(project, show) or {}
    shown: Json = {"expand": "issuetypes"}
    shown |= {name: found[name] for name in ("self", "id", "key", "name", "avatarUrls")}
    shown["issuetypes"] = [present_create_type(one, show, metas) for one in fieldsets]
    return shown


def present_create_type(fieldset: Fieldset, show: Show, metas: FieldMetas | None = None) -> Json:
    """Return a type of which issues can be made."""
    kind = fieldset.issue_type
    found = issue_type_ref(kind, show) or {}
    found.pop("avatarId")
    if kind.project_id is not None:
        found["scope"] = {"type": "PROJECT", "project": {"id": str(kind.project_id)}}
    if metas is not None:
        found |= {"expand": "fields", "fields": metas.new(fieldset)}
    return found
