"""What post functions do to an issue: values for its fields, read from what rules say.

A rule that says something impossible (an option that is gone, a field that the issue has not) is
passed over, as the vendor's are: the transition itself goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, time
from typing import Any, Final

from django.db.models import Model, Q

from clones.tracker.domain.fieldset import Field, Planned, apply, fields_of
from clones.tracker.domain.history import Changes
from clones.tracker.models import (
    Component,
    FieldOption,
    Group,
    Issue,
    Priority,
    Resolution,
    SecurityLevel,
    User,
    Version,
)
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.rule_values import values_of
from clones.tracker.rules.richtext.document import to_json
from clones.tracker.rules.richtext.plain import document_of_plain
from clones.tracker.rules.workflow import Assign, CallWebhook, Copy, Effect, SetField, Value

NOTHING: Final = object()


def perform(
    effects: Iterable[Effect], issue: Issue, changes: Changes, *, actor: Rights
) -> list[str]:
    """Do what post functions say, one after the other, and return the webhooks to call.

    Columns of `issue` are set, not written; other rows are written.
    """
    called: list[str] = []
    for effect in effects:
        match effect:
            case CallWebhook(webhook):
                called.append(webhook)
            case Assign():
                _set(issue, "assignee", _assignee(effect, issue, actor), changes)
            case SetField(field, value, append):
                found = [] if value == "" else _spoken(field, value)
                _take(issue, field, found, changes, append=append and bool(found))
            case Copy(source, target, from_parent):
                origin = issue.parent if from_parent else issue
                if origin is not None:
                    _copy(origin, source, issue, target, changes)
    return called


def _set(issue: Issue, field: str, value: Any, changes: Changes) -> None:
    if value is NOTHING:
        return
    fieldset = fields_of(issue.project, issue.issue_type)
    if field not in fieldset.fields:
        return
    apply(Planned(fieldset, values={field: value}), issue, changes)


def _assignee(effect: Assign, issue: Issue, actor: Rights) -> Any:
    match effect.to:
        case "nobody":
            return None
        case "current":
            return actor.user
        case "lead":
            return issue.project.lead
        case "reporter":
            return issue.reporter
        case "default":
            return issue.project.lead if issue.project.assignee_type == "PROJECT_LEAD" else None
    found = User.objects.filter(account_id=effect.account, active=True).first()
    return NOTHING if found is None else found


def _spoken(field: str, text: str) -> list[Value]:
    """Return the values that a rule's text names, one for each part of a list."""
    parts = text.replace(",", " ").split() if field == "labels" else [text]
    return [Value(part, part, _number(part), _moment(part)) for part in parts]


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _moment(text: str) -> datetime | date | None:
    try:
        return datetime.fromisoformat(text) if len(text) > 10 else date.fromisoformat(text)
    except ValueError:
        return None


def _copy(origin: Issue, source: str, issue: Issue, target: str, changes: Changes) -> None:
    if {source, target} <= {"description", "environment"}:
        _set(issue, target, getattr(origin, source), changes)
        return
    _take(issue, target, values_of(source, [origin]).get(origin.id, []), changes, append=False)


def _take(
    issue: Issue, field: str, values: Sequence[Value], changes: Changes, *, append: bool
) -> None:
    """Give a field values, whatever they were of, as far as they can be its own."""
    known = fields_of(issue.project, issue.issue_type).fields.get(field)
    if known is None:
        return
    kind = known.kind.name
    if kind in _TEXTS:
        text = "".join(
            [*(_before(issue, field) if append else ()), ", ".join(value.text for value in values)]
        )
        _set(issue, field, _text(kind, text), changes)
        return
    reader = _READERS.get(kind)
    if reader is None:
        return
    found = [item for item in (reader(value, issue, known) for value in values) if item is not None]
    if values and not found:
        return
    if not known.kind.several:
        _set(issue, field, found[0] if found else None, changes)
        return
    if append:
        kept = [
            reader(value, issue, known) for value in values_of(field, [issue]).get(issue.id, [])
        ]
        found = [*(item for item in kept if item is not None), *found]
    _set(issue, field, tuple(dict.fromkeys(found)), changes)


_TEXTS: Final = frozenset({"text", "url", "rich", "readonly", "epic_name", "summary"})


def _before(issue: Issue, field: str) -> list[str]:
    return [value.text for value in values_of(field, [issue]).get(issue.id, [])]


def _text(kind: str, text: str) -> Any:
    if not text:
        return None
    return to_json(document_of_plain(text)) if kind == "rich" else text


def _row(model: Any) -> Callable[[Value, Issue, Field], Any]:
    def read(value: Value, issue: Issue, field: Field) -> Model | None:
        del issue, field
        found: Model | None = _one(model.objects.order_by("id"), value, "name")
        return found

    return read


def _one(rows: Any, value: Value, name: str) -> Any:
    if value.id.isascii() and value.id.isdigit() and len(value.id) <= 18:
        found = rows.filter(id=int(value.id)).first()
        if found is not None:
            return found
    return rows.filter(**{f"{name}__iexact": value.text}).first() if name else None


def _user(value: Value, issue: Issue, field: Field) -> User | None:
    del issue, field
    return User.objects.filter(account_id=value.id, active=True).first()


def _group(value: Value, issue: Issue, field: Field) -> Group | None:
    del issue, field
    return Group.objects.filter(Q(uuid=value.id) | Q(name=value.text)).order_by("id").first()


def _version(value: Value, issue: Issue, field: Field) -> Version | None:
    del field
    rows = Version.objects.filter(project=issue.project_id).order_by("id")
    found: Version | None = _one(rows, value, "name")
    return found


def _component(value: Value, issue: Issue, field: Field) -> Component | None:
    del field
    rows = Component.objects.filter(project=issue.project_id).order_by("id")
    found: Component | None = _one(rows, value, "name")
    return found


def _option(value: Value, issue: Issue, field: Field) -> FieldOption | None:
    del issue
    number = field.id.removeprefix("customfield_")
    if not number.isdigit():
        return None
    rows = FieldOption.objects.filter(context__field=int(number), disabled=False).order_by("id")
    found: FieldOption | None = _one(rows, value, "value")
    return found


def _day(value: Value, issue: Issue, field: Field) -> date | None:
    del issue, field
    return value.moment.date() if isinstance(value.moment, datetime) else value.moment


def _moment_of(value: Value, issue: Issue, field: Field) -> datetime | None:
    del field
    if value.moment is None or isinstance(value.moment, datetime):
        return value.moment
    return datetime.combine(value.moment, time(), tzinfo=issue.created.tzinfo)


def _figure(value: Value, issue: Issue, field: Field) -> float | None:
    del issue, field
    return value.number


def _label(value: Value, issue: Issue, field: Field) -> str | None:
    del issue, field
    return value.text.strip().replace(" ", "_") or None


_READERS: Final[dict[str, Callable[[Value, Issue, Field], Any]]] = {
    "number": _figure,
    "day": _day,
    "moment": _moment_of,
    "option": _option,
    "options": _option,
    "cascade": _option,
    "user": _user,
    "users": _user,
    "group": _group,
    "groups": _group,
    "version": _version,
    "versions": _version,
    "components": _component,
    "labels": _label,
    "priority": _row(Priority),
    "resolution": _row(Resolution),
    "security": _row(SecurityLevel),
}
