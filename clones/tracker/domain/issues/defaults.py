"""What the fields of a new issue hold where nobody says anything.

A context's default is the vendor's own object: {"type": "option.single", "optionId": "10001"}...
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from clones.core import clock
from clones.tracker.domain.issues.named import key_of
from clones.tracker.models import Group, Project, SecurityScheme, User, Version
from clones.tracker.queries.fieldsets import Fieldset, IssueField
from clones.tracker.queries.kinds import default_priority
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.richtext.document import to_json
from clones.tracker.rules.richtext.wiki.blocks import read_markup


def default_values(fieldset: Fieldset, actor: Rights) -> dict[str, Any]:
    """Return the defaults of all fields that have one, by field id."""
    found: dict[str, Any] = {}
    project = fieldset.project
    for id, field in fieldset.fields.items():
        value = default_of(fieldset, field, actor)
        if value not in (None, ()):
            found[id] = value
    if "priority" in fieldset.fields:
        found["priority"] = default_priority(project)
    if project.security_scheme_id is not None:
        scheme = SecurityScheme.objects.select_related("default_level")
        found["security"] = scheme.get(id=project.security_scheme_id).default_level
    return found


def default_of(fieldset: Fieldset, field: IssueField, actor: Rights) -> Any:
    """Return the default of a custom field where its context has one, else None."""
    default = None if field.context is None else field.context.default
    if not isinstance(default, Mapping):
        return None
    name = field.kind.name
    if name in ("option", "options", "cascade"):
        return _chosen(fieldset, field, default)
    if name in ("day", "moment"):
        return _time(field, default, actor)
    return _plain(name, default) if name in _PLAIN else _record(field, default)


_PLAIN = frozenset({"text", "readonly", "url", "rich", "number", "labels"})


def _plain(name: str, default: Mapping[str, Any]) -> Any:
    if name == "number":
        number = default.get("number")
        return None if number is None else float(number)
    if name == "labels":
        return tuple(default.get("labels") or ())
    text = default.get("text") or default.get("url") or None
    if name == "rich" and text is not None:
        return to_json(read_markup(str(text)))
    return text


def _chosen(fieldset: Fieldset, field: IssueField, default: Mapping[str, Any]) -> Any:
    options = {option.id: option for option in fieldset.options(field) if not option.disabled}
    if field.kind.several:
        wanted = [key_of(one) or 0 for one in default.get("optionIds") or ()]
        return tuple(options[key] for key in wanted if key in options)
    child = options.get(key_of(default.get("cascadingOptionId")) or 0)
    return child or options.get(key_of(default.get("optionId")) or 0)


def _time(field: IssueField, default: Mapping[str, Any], actor: Rights) -> date | datetime | None:
    now = clock.now().astimezone(actor.zone)
    is_day = field.kind.name == "day"
    if default.get("useCurrent"):
        return now.date() if is_day else now
    text = default.get("date" if is_day else "dateTime")
    if not text:
        return None
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    if is_day:
        return found.date()
    return found if found.tzinfo is not None else found.replace(tzinfo=actor.zone)


def _record(field: IssueField, default: Mapping[str, Any]) -> Any:
    match field.kind.name:
        case "user":
            return User.objects.filter(account_id=str(default.get("accountId"))).first()
        case "users":
            people = User.objects.filter(account_id__in=default.get("accountIds") or ())
            return tuple(people.order_by("id"))
        case "group":
            return Group.objects.filter(uuid=str(default.get("groupId"))).first()
        case "groups":
            groups = Group.objects.filter(uuid__in=default.get("groupIds") or ())
            return tuple(groups.order_by("id"))
        case "project":
            return Project.objects.filter(id=key_of(default.get("projectId")) or 0).first()
        case "version":
            return Version.objects.filter(id=key_of(default.get("versionId")) or 0).first()
        case "versions":
            ids = [key_of(one) or 0 for one in default.get("versionIds") or ()]
            return tuple(Version.objects.filter(id__in=ids).order_by("position", "id"))
    return None
