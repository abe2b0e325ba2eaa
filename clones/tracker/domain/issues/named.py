"""Records that clients name by an id, a key or a name; the vendor's words where there is none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from clones.core.digits import is_digits
from clones.tracker.domain.errors import NotFound
from clones.tracker.models import (
    Component,
    FieldOption,
    Group,
    Issue,
    Priority,
    Project,
    Resolution,
    SecurityLevel,
    Sprint,
    User,
    Version,
)
from clones.tracker.queries.fieldsets import IssueField
from clones.tracker.queries.kinds import priorities_of
from clones.tracker.queries.rights import Rights, find_issue, find_project

Row = TypeVar("Row", Priority, Resolution, SecurityLevel, Component, Version)


class BadValue(Exception):
    """Raised when a value is none of its field: `text` is about it, `by_field` about others too."""

    def __init__(self, text: str = "", *, by_field: Mapping[str, str] | None = None) -> None:
        super().__init__(text or str(by_field))
        self.text = text
        self.by_field = by_field


def key_of(asked: Any) -> int | None:
    """Return the number that an id is, None if it is none."""
    text = str(asked)
    if isinstance(asked, bool) or not is_digits(text):
        return None
    return int(text)


def _named(asked: Any, rows: Iterable[Row], by_id: str, by_name: str, else_: str) -> Row:
    """Return the row that {"id"} or {"name"} names."""
    if isinstance(asked, Mapping):
        if asked.get("id") is not None:
            key = key_of(asked["id"])
            for row in rows:
                if row.id == key:
                    return row
            raise BadValue(by_id.format(asked["id"]))
        if asked.get("name") is not None:
            name = str(asked["name"])
            found = [row for row in rows if row.name.casefold() == name.casefold()]
            if found:
                return next((row for row in found if row.name == name), found[0])
            raise BadValue(by_name.format(name))
    raise BadValue(else_)


def find_priority(asked: Any, project: Project) -> Priority | None:
    """Return a priority that the space offers."""
    if asked is None:
        return None
    text = "Specify a valid 'id' or 'name' for priority"
    everywhere = _named(asked, Priority.objects.order_by("position", "id"), text, text, text)
    if everywhere not in priorities_of(project):
        raise BadValue("The priority selected is invalid.")
    return everywhere


def find_resolution(asked: Any) -> Resolution | None:
    """Return a resolution."""
    if asked is None:
        return None
    text = "Specify a valid 'id' or 'name' for resolution"
    return _named(asked, Resolution.objects.order_by("position", "id"), text, text, text)


def find_level(asked: Any, project: Project, actor: Rights) -> SecurityLevel | None:
    """Return a security level of the space's scheme that the actor is a member of."""
    if asked is None or (isinstance(asked, Mapping) and str(asked.get("id")) == "-1"):
        return None
    rows = [
        level
        for level in SecurityLevel.objects.filter(scheme=project.security_scheme_id).order_by("id")
        if actor.sees_level(level.id, project)
    ]
    text = "Specify a valid 'id' or 'name' for security"
    return _named(asked, rows, text, text, text)


def find_component(asked: Any, project: Project) -> Component:
    """Return a component of the space."""
    rows = Component.objects.filter(project=project).order_by("id")
    return _named(
        asked,
        rows,
        "Component id '{}' is not valid",
        "Component name '{}' is not valid",
        "Specify a valid 'id' or 'name' for components",
    )


def find_version(field: IssueField, asked: Any, project: Project) -> Version | None:
    """Return a version of the space that is not archived, None for none."""
    if asked is None and not field.kind.several:
        return None
    rows = Version.objects.filter(project=project, archived=False).order_by("position", "id")
    return _named(
        asked,
        rows,
        "Version id '{}' is not valid",
        "Version name '{}' is not valid",
        f"Specify a valid 'id' or 'name' for {_called(field)}",
    )


def chosen_option(
    field: IssueField, asked: Any, options: Sequence[FieldOption]
) -> FieldOption | None:
    """Return the option that was chosen, None for none; disabled ones cannot be."""
    if asked is None:
        return None
    if isinstance(asked, Mapping):
        if asked.get("id") is not None:
            if str(asked["id"]) == "-1":
                return None
            key = key_of(asked["id"])
            for option in options:
                if option.id == key and not option.disabled:
                    return option
            raise BadValue(f"Option id '{asked['id']}' is not valid")
        value = asked.get("value", asked.get("name"))
        if value is not None:
            for option in options:
                if option.value == value and not option.disabled:
                    return option
            raise BadValue(f"Option value '{value}' is not valid")
    raise BadValue(f"Specify a valid 'id' or 'name' for {field.name}")


def find_user(field: IssueField, asked: Any) -> User | None:
    """Return the user of an account id, None for none."""
    account = asked
    if isinstance(asked, Mapping):
        if not {"accountId", "id"} & set(asked):
            raise BadValue(f"Specify a valid value for {_called(field)}")
        account = asked.get("accountId", asked.get("id"))
    elif asked is not None:
        raise BadValue(f"Specify a valid value for {_called(field)}")
    if account is None:
        return None
    found = User.objects.filter(account_id=str(account).replace("\0", "")).first()
    if found is None:
        raise BadValue(f"Specify a valid value for {_called(field)}")
    return found


def find_group(field: IssueField, asked: Any) -> Group | None:
    """Return a group by its name or id; a bare text is a name. None for none."""
    if asked is None:
        if field.kind.several:
            raise BadValue(f"Specify a valid value for {field.name}")
        return None
    rows = Group.objects.order_by("id")
    if isinstance(asked, Mapping):
        if asked.get("groupId") is not None:
            rows = rows.filter(uuid=str(asked["groupId"]))
        else:
            rows = rows.filter(name=str(asked.get("name", "")))
    else:
        rows = rows.filter(name=str(asked))
    found = rows.first()
    if found is None:
        raise BadValue(f"Specify a valid value for {field.name}")
    return found


def find_project_named(asked: Any, actor: Rights) -> Project | None:
    """Return the space of an id or key that the actor sees, None for none."""
    if asked is None:
        return None
    named = asked.get("id", asked.get("key")) if isinstance(asked, Mapping) else None
    text = "Specify a valid project ID or key"
    if named is None:
        raise BadValue(text)
    try:
        return find_project(actor, str(named))
    except NotFound as error:
        raise BadValue(text) from error


def find_issue_named(asked: Any, actor: Rights) -> Issue:
    """Return the issue of an id or key that the actor sees."""
    named = asked.get("id", asked.get("key")) if isinstance(asked, Mapping) else None
    text = "Could not find issue by id or key."
    if named is None:
        raise BadValue(text)
    try:
        return find_issue(actor, str(named))
    except NotFound as error:
        raise BadValue(text) from error


def find_sprint(asked: Any) -> Sprint:
    """Return a sprint that has not been completed."""
    key = key_of(asked)
    if key is None:
        raise BadValue("Number value expected as the Sprint id.")
    found = Sprint.objects.filter(id=key).first()
    if found is None:
        raise BadValue(f"Sprint with id '{key}' does not exist.")
    if found.state == "closed":
        raise BadValue("Issue can be assigned only active or future sprints.")
    return found


def _called(field: IssueField) -> str:
    return field.name if field.is_custom else field.id
