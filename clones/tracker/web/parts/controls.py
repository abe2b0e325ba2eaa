"""Controls for the fields of issues: what a form shows of a value, and what it sends of one.

    typed = initial(field, value, rights)         {"duedate": ["2026-05-01"]}: as a form sends
    control_of(field, typed, choices, error)      what tracker/parts/_control.html shows
    payload(field, typed)                         what `read_changes` takes, version "either"

Names of inputs are the ids of fields; a tree's second level is `<id>:1`, as the vendor's forms have
it, and estimates are `timetracking_originalestimate` and `timetracking_remainingestimate`. Rich
text is a document or wiki markup (`parts.rich`), so forms are read as version "either".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpRequest

from clones.core.web.posted import given_to
from clones.tracker.domain.site_options import unassigned_allowed
from clones.tracker.queries.fieldsets import IssueField
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.work_time import work_time
from clones.tracker.rules.durations_of_work import text_of as time_of
from clones.tracker.web.parts.choices import Choice, Choices
from clones.tracker.web.parts.rich import SUFFIX, sent_text, text_of, typed_text
from clones.tracker.web.parts.times import typed_moment

Typed = Mapping[str, list[str]]
ORIGINAL: Final = "timetracking_originalestimate"
REMAINING: Final = "timetracking_remainingestimate"
_SHAPES: Final = {
    "text": "line",
    "url": "line",
    "readonly": "line",
    "epic_name": "line",
    "rich": "area",
    "number": "number",
    "day": "date",
    "moment": "moment",
    "cascade": "cascade",
    "labels": "labels",
    "timetracking": "estimates",
    "parent": "key",
}
_CHOSEN: Final = (
    *("option", "user", "group", "version", "project", "priority", "resolution", "security"),
    *("sprint", "issuetype"),
)
_SEVERAL: Final = ("options", "users", "groups", "versions", "components")
# How the API names one that was chosen, by the kind of the field.
_BY: Final = {"user": "accountId", "users": "accountId", "group": "groupId", "groups": "groupId"}
HINTS: Final = {
    "labels": "Separate labels with spaces.",
    "timetracking": "As 2w 4d 6h 45m.",
    "parent": "The key of the parent.",
}


@dataclass(frozen=True, slots=True)
class Control:
    """An input of a form; `shape` says which, `second` is the other one where there are two.

    `document` is that of rich text, as JSON; `value` is its markup.
    """

    id: str
    label: str
    shape: str
    required: bool
    value: str = ""
    choices: Sequence[Choice] = ()
    groups: Sequence[tuple[str, Sequence[Choice]]] = ()
    second: str = ""
    error: str = ""
    hint: str = ""
    none: str = "None"
    document: str = ""

    @property
    def described(self) -> str:
        """The ids of what describes it to those who do not see it."""
        ids = [f"{self.id}-field-error"] if self.error else []
        return " ".join([*ids, *([f"{self.id}-field-hint"] if self.hint else [])])


def is_controlled(field: IssueField) -> bool:
    """Tell whether there is a control for a field: apps' fields and boards' own have none."""
    kind = field.kind
    if not kind.operations or kind.name in ("epic_link", "issuelinks", "comment", "worklog"):
        return False
    return kind.name in _SHAPES or kind.name in _CHOSEN or kind.name in _SEVERAL


def typed_of(request: HttpRequest) -> dict[str, list[str]]:
    """Return what a form sent, or its address says, by the names of its inputs."""
    return {name: [str(one) for one in values] for name, values in given_to(request).lists()}


def initial(field: IssueField, value: Any, rights: Rights) -> dict[str, list[str]]:
    """Return what a form sends of a field that nobody touched."""
    kind = field.kind.name
    if kind == "timetracking":
        work = work_time()
        texts = [
            "" if seconds is None else time_of(seconds, work)
            for seconds in ((value.original, value.remaining) if value else (None, None))
        ]
        return {ORIGINAL: texts[:1], REMAINING: texts[1:]}
    if value is None:
        return {}
    if field.kind.several:
        if kind == "labels":
            return {field.id: [" ".join(value)]}
        return {field.id: [_key(kind, one) for one in value]}
    if kind == "rich":
        text = text_of(value)
        return {field.id: [text.markup], field.id + SUFFIX: [text.document]}
    if kind == "cascade" and value.parent_id is not None:
        return {field.id: [str(value.parent_id)], f"{field.id}:1": [str(value.id)]}
    return {field.id: [_key(kind, value, rights)]}


# What names a record in a form, where it is not its id.
_NAMES: Final = {
    **dict.fromkeys(("user", "users"), "account_id"),
    **dict.fromkeys(("group", "groups"), "uuid"),
    "parent": "key",
}


def _key(kind: str, value: Any, rights: Rights | None = None) -> str:
    if isinstance(value, str):
        return value
    match kind:
        case "number":
            return f"{value:.15g}"
        case "day":
            return str(value.isoformat())
        case "moment":
            return "" if rights is None else typed_moment(value, rights.zone)
    return str(getattr(value, _NAMES.get(kind, "id")))


def control_of(field: IssueField, typed: Typed, choices: Choices, error: str = "") -> Control:
    """Return the control of a field that holds what was typed."""
    kind = field.kind.name
    given = typed.get(field.id) or []
    shape = _SHAPES.get(kind) or ("multiple" if kind in _SEVERAL else "select")
    hint = field.description or HINTS.get(kind, "")
    second = ""
    listed: list[tuple[str, str]] = []
    groups: Sequence[tuple[str, Sequence[Choice]]] = ()
    value = given[0] if given else ""
    if shape == "estimates":
        value, second = _first(typed, ORIGINAL), _first(typed, REMAINING)
    elif shape == "key":
        listed = choices.parents
    elif shape in ("select", "multiple", "cascade"):
        listed = choices.of(field)
        if shape == "cascade":
            groups = _groups(choices.below(field), _first(typed, f"{field.id}:1"))
    return Control(
        field.id,
        field.name,
        shape,
        field.required or (field.id == "assignee" and not unassigned_allowed()),
        value,
        [Choice(one, label, one in given) for one, label in listed],
        groups,
        second,
        error,
        hint,
        "Unassigned" if field.id == "assignee" else "None",
        typed_text(typed, field.id).document if shape == "area" else "",
    )


def _groups(
    rows: Iterable[tuple[str, str, str]], chosen: str
) -> list[tuple[str, Sequence[Choice]]]:
    found: dict[str, list[Choice]] = {}
    for value, label, above in rows:
        found.setdefault(above, []).append(Choice(value, label, value == chosen, above))
    return list(found.items())


def payload(field: IssueField, typed: Typed) -> Any:
    """Return what was typed into a field's control as the second version of the API takes it.

    Rich text may be a document too: see `parts.rich`.
    """
    kind = field.kind.name
    text = _first(typed, field.id)
    if kind == "timetracking":
        return {
            "originalEstimate": _first(typed, ORIGINAL),
            "remainingEstimate": _first(typed, REMAINING),
        }
    if kind == "labels":
        return text.replace(",", " ").split()
    if kind in _SEVERAL:
        return [{_BY.get(kind, "id"): one} for one in typed.get(field.id, ()) if one]
    if kind == "rich":
        return sent_text(typed, field.id)
    if kind in ("text", "url", "readonly", "epic_name"):
        return text if field.id == "summary" else text or None
    if not text:
        return None
    return _one(kind, text, _first(typed, f"{field.id}:1"))


def is_touched(field: IssueField, typed: Typed, began: Typed) -> bool:
    """Tell whether a form sends another value of a field than it began with."""
    if field.kind.name == "rich" and not typed.get(field.id + SUFFIX):
        began = {field.id: began.get(field.id, [])}  # by somebody without scripts
    return bool(payload(field, typed) != payload(field, began))


def _one(kind: str, text: str, second: str) -> Any:
    match kind:
        case "number":
            try:
                return float(text)
            except ValueError:
                return text
        case "day" | "moment":
            return text
        case "parent":
            return {"key": text.strip().upper()}
        case "sprint":
            return text
        case "cascade" if second:
            return {"id": text, "child": {"id": second}}
    return {_BY.get(kind, "id"): text}


def _first(typed: Typed, name: str) -> str:
    return (typed.get(name) or [""])[0].strip()
