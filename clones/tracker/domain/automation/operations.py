"""What forms say of fields, made changes of an issue: `operations` and `advancedFields`.

An operation is {"field": {"type": "ID" | "NAME", "value"}, "type": "SET" | "ADD" | "REMOVE",
"value"}. A value is a text with smart values, None (clear), {"type": "ID" | "NAME" | "SMART" |
"FREE", "value"}, {"type": "COPY", "value": "trigger" | "current" | "parent" | "epic"} (what the
field has there; of people also their part), or a list of these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any, Final

from clones.core.digits import is_digits
from clones.core.strict_json import read_json
from clones.tracker.domain.automation.context import ActFailed, Run, fresh
from clones.tracker.domain.automation.people import people_named, user_called
from clones.tracker.domain.fieldset import Fieldset, IssueField, Planned, read_changes
from clones.tracker.domain.issues.values import Stored
from clones.tracker.models import CustomField, Issue, Sprint, User
from clones.tracker.queries.automation_values import IssueThing, NamedParts
from clones.tracker.rules.automation.smart.dates import as_moment
from clones.tracker.rules.automation.smart.values import is_many, number_of, text_of
from clones.tracker.rules.field_catalogue import system_fields

INHERITED: Final = frozenset({"project", "issuetype"})
_VERBS: Final = {"SET": "set", "ADD": "add", "REMOVE": "remove"}
_PEOPLE: Final = frozenset({"user", "users"})
_TEXTS: Final = frozenset({"text", "url", "readonly", "rich", "epic_name"})
_BY_VALUE: Final = frozenset({"option", "options", "cascade"})
_GROUPS: Final = frozenset({"group", "groups"})


def field_named(name: str) -> str:
    """Return the id of the field with a name, the name itself where there is none."""
    said = name.strip().casefold()
    for id, field in system_fields().items():
        if said in (id.casefold(), field.name.casefold()):
            return id
    rows = CustomField.objects.filter(name__iexact=name.strip(), trashed_at=None)
    found = rows.order_by("id").first()
    return name if found is None else found.key


def field_of(operation: Mapping[str, Any]) -> str:
    """Return the id of the field that an operation is about."""
    chosen = operation.get("field")
    if isinstance(chosen, Mapping):
        text = str(chosen.get("value") or "")
        return field_named(text) if chosen.get("type") == "NAME" else text
    return str(operation.get("fieldId") or chosen or "")


def operation_of(value: Mapping[str, Any], field: str) -> Any:
    """Return the value that a form's operations set a field to, None if none does."""
    for one in value.get("operations") or ():
        if isinstance(one, Mapping) and field_of(one) == field:
            return one.get("value", one.get("rawValue"))
    return None


def plan(
    run: Run, fieldset: Fieldset, value: Mapping[str, Any], issue: Issue | None
) -> tuple[Planned, list[str]]:
    """Return what a form wants to change, and sentences about fields that are not there.

    Raises:
        Invalid: a field cannot have the value.
        SmartValueError: a text cannot be read.
        ActFailed: the further fields are no JSON.
    """
    sent: dict[str, Any] = {"fields": {}, "update": {}}
    copied: dict[str, Any] = {}
    missing: list[str] = []
    for one in value.get("operations") or ():
        if not isinstance(one, Mapping):
            continue
        id = field_of(one)
        if id in INHERITED or not id:
            continue
        field = fieldset.fields.get(id)
        if field is None or not field.kind.operations:
            missing.append(f"The field {id} is not available and was ignored.")
            continue
        _operate(run, field, one, sent["update"], copied)
    _advance(run, value.get("advancedFields"), sent)
    planned = read_changes(
        fieldset, sent, issue, actor=run.actor, version="2", screen=None, trusted=False
    )
    planned.values.update(copied)
    return planned, missing


def _operate(
    run: Run,
    field: IssueField,
    operation: Mapping[str, Any],
    update: dict[str, list[dict[str, Any]]],
    copied: dict[str, Any],
) -> None:
    verb = _VERBS.get(str(operation.get("type", "SET")), "set")
    given = operation.get("value", operation.get("rawValue"))
    if isinstance(given, Mapping) and given.get("type") == "COPY" and verb == "set":
        origin = _origin(run, str(given.get("value")))
        if origin is not None:
            copied[field.id] = _copied(field, origin, given)
            return
    found = read_value(run, field, given)
    if verb == "set":
        update[field.id] = [{"set": found}]
        return
    items = found if isinstance(found, list) else [found]
    changes = [{verb: item} for item in items if item is not None]
    if changes:
        update.setdefault(field.id, []).extend(changes)


def _origin(run: Run, name: str) -> Issue | None:
    """Return the issue from which a value is copied, None where the name is none of an issue."""
    issue = run.issue
    if name in ("trigger", "triggerIssue"):
        issue = run.trigger_issue
    elif name == "parent":
        issue = None if issue is None else issue.parent
    elif name == "epic":
        thing = run.thing(issue)
        found = None if thing is None else thing.part("epic")
        issue = found.issue if isinstance(found, IssueThing) else None
    elif name not in ("current", "destination"):
        return None
    return None if issue is None else fresh(issue.id)


def _copied(field: IssueField, origin: Issue, given: Mapping[str, Any]) -> Any:
    from_ = str(given.get("field") or field.id)
    return Stored(origin).value(field) if from_ == field.id else None


def read_value(run: Run, field: IssueField, given: Any) -> Any:
    """Return a form's value as the second version of the API takes it."""
    several = field.kind.several
    if given is None or given == "":
        return [] if several else None
    if is_many(given):
        found = [one for item in given for one in _many(read_one(run, field, item))]
        return found if several else (found[0] if found else None)
    found = read_one(run, field, given)
    if several:
        return [one for one in _many(found) if one is not None]
    return found[0] if isinstance(found, list) and found else (None if found == [] else found)


def _many(found: Any) -> list[Any]:
    return found if isinstance(found, list) else [found]


def read_one(run: Run, field: IssueField, given: Any) -> Any:
    """Return one value of a form: a list where a smart value says several."""
    kind = field.kind.name
    if kind in _PEOPLE:
        return _people(run, given)
    if isinstance(given, Mapping):
        how, said = str(given.get("type", "")), given.get("value")
        if "id" in given and not how:
            return {"id": str(given["id"])}
        if how == "ID":
            return _by_id(kind, str(said))
        if how == "NAME":
            return _by_name(kind, run.render(said))
        given = said
    if kind in _TEXTS:
        return run.render(given)
    return _read(run, kind, given)


def _people(run: Run, given: Any) -> list[dict[str, str]]:
    line = given if isinstance(given, Mapping) else {"type": "SMART", "value": given}
    users = people_named(run, line)
    if not users and str(line.get("value") or "").strip() and run.value(line.get("value")):
        raise ActFailed(f"The user could not be found: {run.render(line.get('value'))[:120]}")
    return [{"accountId": user.account_id} for user in users]


def _by_id(kind: str, id: str) -> Any:
    if kind == "labels":
        return id
    if kind in _GROUPS:
        return {"groupId": id}
    return int(id) if kind == "sprint" and is_digits(id) else {"id": id}


def _by_name(kind: str, text: str) -> Any:
    if kind == "labels":
        return text
    if kind == "parent":
        return {"key": text.strip().upper()} if text.strip() else None
    if kind == "project":
        return {"key": text.strip().upper()}
    if kind in _BY_VALUE:
        return {"value": text}
    if kind == "sprint":
        return _sprint(text)
    return {"name": text}


def _sprint(text: str) -> int:
    rows = Sprint.objects.exclude(state="closed").filter(name__iexact=text.strip())
    found = rows.order_by("id").values_list("id", flat=True).first()
    if found is None:
        raise ActFailed(f"The sprint could not be found: {text[:120]}")
    return found


def _read(run: Run, kind: str, given: Any) -> Any:
    """Return what a text with smart values says, as a field of a kind takes it."""
    value = run.value(given)
    if value is None or value == "":
        return None
    match kind:
        case "number":
            number = number_of(value)
            return text_of(value) if number is None else number
        case "day":
            return _day(value)
        case "moment":
            moment = as_moment(value)
            return text_of(value) if moment is None else f"{moment:%Y-%m-%dT%H:%M:%S.000%z}"
        case "timetracking":
            return {"originalEstimate": text_of(value)}
        case "labels":
            texts = run.texts(given) if is_many(value) else text_of(value).replace(",", " ").split()
            return [text.replace(" ", "_") for text in texts]
    return _records(kind, value)


def _day(value: Any) -> str:
    if isinstance(value, date) and not isinstance(value, datetime):
        return value.isoformat()
    moment = as_moment(value)
    return text_of(value) if moment is None else moment.date().isoformat()


def _records(kind: str, value: Any) -> Any:
    """Return the records that a value names: itself if it is one, else by id or name."""
    if is_many(value):
        return [one for item in value for one in _many(_records(kind, item))]
    if isinstance(value, IssueThing):
        return {"key": value.issue.key}
    if isinstance(value, NamedParts):
        id = value.part("id")
        return _by_id(kind, str(id)) if id is not None else _by_name(kind, value.shown)
    text = text_of(value).strip()
    if kind in ("components", "versions", "options") and "," in text:
        return [_by_name(kind, one.strip()) for one in text.split(",") if one.strip()]
    if is_digits(text) and kind not in _BY_VALUE and kind != "parent":
        return _by_id(kind, text)
    return _by_name(kind, text)


def _advance(run: Run, text: Any, sent: dict[str, Any]) -> None:
    """Add the fields that a form has as JSON."""
    if not isinstance(text, str) or not text.strip():
        return
    try:
        found = read_json(run.render(text))
    except ValueError as error:
        raise ActFailed(f"Additional fields are not valid JSON: {error}") from error
    if not isinstance(found, Mapping):
        raise ActFailed("Additional fields must be a JSON object.")
    for part in ("fields", "update"):
        given = found.get(part)
        for name, value in given.items() if isinstance(given, Mapping) else ():
            id = field_named(name)
            sent["update"].pop(id, None)
            sent[part][id] = value


def chosen_user(run: Run, given: Any) -> User | None:
    """Return the user whom a form names, None for nobody.

    Raises:
        ActFailed: they cannot be found.
    """
    if given in (None, ""):
        return None
    if isinstance(given, Mapping):
        people: Sequence[User] = people_named(run, given)
        said = run.render(given.get("value"))
    else:
        said = run.render(given)
        one = user_called(said)
        people = [] if one is None else [one]
    if people:
        return people[0]
    if not said.strip():
        return None
    raise ActFailed(f"The user could not be found: {said[:120]}")
