"""What post functions do to an issue: values for its fields, read from what rules say.

A rule that says something impossible (an option that is gone, a field that the issue has not) is
passed over, as the vendor's are: the transition itself goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, time
from functools import cached_property
from typing import Any, Final

from django.db.models import Model, Q

from clones.core.digits import is_digits
from clones.tracker.domain.fieldset import Fieldset, IssueField, Planned, apply
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
from clones.tracker.queries.fields import Layouts
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.rule_values import values_of
from clones.tracker.rules.field_catalogue import custom_number
from clones.tracker.rules.richtext.document import to_json
from clones.tracker.rules.richtext.plain import document_of_plain
from clones.tracker.rules.workflow import Assign, CallWebhook, Copy, Effect, FactValue, SetField

NOTHING: Final = object()


def perform(
    effects: Iterable[Effect], issue: Issue, changes: Changes, *, actor: Rights
) -> list[str]:
    """Do what post functions say, one after the other, and return the webhooks to call.

    Columns of `issue` are set, not written; other rows are written.
    """
    wanted = list(effects)
    return _Performance(issue, changes, actor, wanted).run() if wanted else []


class _Performance:
    """Does the effects of one transition."""

    def __init__(
        self, issue: Issue, changes: Changes, actor: Rights, effects: Sequence[Effect]
    ) -> None:
        self.issue = issue
        self.changes = changes
        self.actor = actor
        self.effects = effects

    @cached_property
    def fieldset(self) -> Fieldset:
        """The fields of the issue: of the custom ones, those that the effects set."""
        numbers = [custom_number(_target(effect)) for effect in self.effects]
        project = self.issue.project
        layouts = Layouts([project], fields=[one for one in numbers if one is not None])
        return Fieldset(project, self.issue.issue_type, layouts)

    def run(self) -> list[str]:
        """Do all of it; return the webhooks to call."""
        called: list[str] = []
        for effect in self.effects:
            match effect:
                case CallWebhook(webhook):
                    called.append(webhook)
                case Assign():
                    self.set("assignee", _assignee(effect, self.issue, self.actor))
                case SetField(field, value, append):
                    found = [] if value == "" else _spoken(field, value)
                    self.take(field, found, append=append and bool(found))
                case Copy():
                    self.copy(effect)
        return called

    def set(self, field: str, value: Any) -> None:
        """Give a field a value of its kind."""
        if value is NOTHING or field not in self.fieldset.fields:
            return
        apply(Planned(self.fieldset, values={field: value}), self.issue, self.changes)

    def copy(self, effect: Copy) -> None:
        """Give a field what another one has."""
        origin = self.issue.parent if effect.from_parent else self.issue
        if origin is None:
            return
        source, target = effect.source, effect.target
        if {source, target} <= {"description", "environment"}:
            self.set(target, getattr(origin, source))
            return
        self.take(target, values_of(source, [origin]).get(origin.id, []), append=False)

    def before(self, field: str) -> Sequence[FactValue]:
        """Return what a field has by now."""
        return values_of(field, [self.issue]).get(self.issue.id, [])

    def take(self, field: str, values: Sequence[FactValue], *, append: bool) -> None:
        """Give a field values, whatever they were of, as far as they can be its own."""
        known = self.fieldset.fields.get(field)
        if known is None:
            return
        kind = known.kind.name
        kept = self.before(field) if append else ()
        if kind in _TEXTS:
            said = ", ".join(value.text for value in values)
            self.set(field, _text(kind, "".join([*(value.text for value in kept), said])))
            return
        reader = _READERS.get(kind)
        if reader is None:
            return
        read = [reader(value, self.issue, known) for value in values]
        found = [item for item in read if item is not None]
        if values and not found:
            return
        if not known.kind.several:
            self.set(field, found[0] if found else None)
            return
        held = [reader(value, self.issue, known) for value in kept]
        whole = dict.fromkeys(item for item in [*held, *found] if item is not None)
        self.set(field, tuple(whole))


def _target(effect: Effect) -> str:
    """Return the field that an effect sets, "" of none."""
    match effect:
        case SetField(field):
            return field
        case Copy(_, target):
            return target
    return ""


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


def _spoken(field: str, text: str) -> list[FactValue]:
    """Return the values that a rule's text names, one for each part of a list."""
    parts = text.replace(",", " ").split() if field == "labels" else [text]
    return [FactValue(part, part, _number(part), _moment(part)) for part in parts]


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


_TEXTS: Final = frozenset({"text", "url", "rich", "readonly", "epic_name", "summary"})


def _text(kind: str, text: str) -> Any:
    if not text:
        return None
    return to_json(document_of_plain(text)) if kind == "rich" else text


def _row(model: Any) -> Callable[[FactValue, Issue, IssueField], Any]:
    def read(value: FactValue, issue: Issue, field: IssueField) -> Model | None:
        del issue, field
        found: Model | None = _one(model.objects.order_by("id"), value, "name")
        return found

    return read


def _one(rows: Any, value: FactValue, name: str) -> Any:
    if is_digits(value.id):
        found = rows.filter(id=int(value.id)).first()
        if found is not None:
            return found
    return rows.filter(**{f"{name}__iexact": value.text}).first() if name else None


def _user(value: FactValue, issue: Issue, field: IssueField) -> User | None:
    del issue, field
    return User.objects.filter(account_id=value.id, active=True).first()


def _group(value: FactValue, issue: Issue, field: IssueField) -> Group | None:
    del issue, field
    return Group.objects.filter(Q(uuid=value.id) | Q(name=value.text)).order_by("id").first()


def _version(value: FactValue, issue: Issue, field: IssueField) -> Version | None:
    del field
    rows = Version.objects.filter(project=issue.project_id).order_by("id")
    found: Version | None = _one(rows, value, "name")
    return found


def _component(value: FactValue, issue: Issue, field: IssueField) -> Component | None:
    del field
    rows = Component.objects.filter(project=issue.project_id).order_by("id")
    found: Component | None = _one(rows, value, "name")
    return found


def _option(value: FactValue, issue: Issue, field: IssueField) -> FieldOption | None:
    del issue
    number = field.id.removeprefix("customfield_")
    if not is_digits(number):
        return None
    rows = FieldOption.objects.filter(context__field=int(number), disabled=False).order_by("id")
    found: FieldOption | None = _one(rows, value, "value")
    return found


def _day(value: FactValue, issue: Issue, field: IssueField) -> date | None:
    del issue, field
    return value.moment.date() if isinstance(value.moment, datetime) else value.moment


def _moment_of(value: FactValue, issue: Issue, field: IssueField) -> datetime | None:
    del field
    if value.moment is None or isinstance(value.moment, datetime):
        return value.moment
    return datetime.combine(value.moment, time(), tzinfo=issue.created.tzinfo)


def _figure(value: FactValue, issue: Issue, field: IssueField) -> float | None:
    del issue, field
    return value.number


def _label(value: FactValue, issue: Issue, field: IssueField) -> str | None:
    del issue, field
    return value.text.strip().replace(" ", "_") or None


_READERS: Final[dict[str, Callable[[FactValue, Issue, IssueField], Any]]] = {
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
