"""The inputs of a rule's parameters: what each is called, and what it is chosen from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final

from clones.core.web.inputs import PageForm
from clones.tracker.models import CustomField, Group, ProjectRole, User, Webhook
from clones.tracker.rules.field_catalogue import system_fields
from clones.tracker.rules.permission_catalogue import PERMISSIONS
from clones.tracker.rules.workflow.catalogue import (
    BOOLEAN,
    FIELD_RULES,
    KINDS,
    Parameter,
    RuleKind,
)
from clones.tracker.rules.workflow.editing import Drafted
from clones.tracker.rules.workflow.rule import Rule
from clones.tracker.web.settings.forms import Input, chosen

OFFERED: Final = 500
FIELD_CHECK: Final = "system:validate-field-value"
SPLIT: Final = "|"  # between a rule's key and what kind of field check it is
_LABELS: Final = {
    "accountIds": "People",
    "roleIds": "Space roles",
    "groupIds": "Groups",
    "permissionKeys": "Permissions",
    "groupCustomFields": "Members of groups in fields",
    "allowUserCustomFields": "People in fields",
    "denyUserCustomFields": "Not the people in fields",
    "restrictMode": "Hidden from",
    "fieldId": "Field",
    "fieldValue": "Value",
    "comparator": "Comparison",
    "comparisonType": "Compare as",
    "previousStatusIds": "Statuses",
    "not": "Has not been in the status",
    "mostRecentStatusOnly": "Count the most recent status only",
    "includeCurrentStatus": "Count the current status too",
    "ignoreLoopTransitions": "Ignore transitions to the same status",
    "blocker": "Blocked by",
    "statusIds": "Statuses",
    "fromStatusId": "From status",
    "toStatusId": "To status",
    "approvalConfigurationJson": "Approval configuration",
    "permissionKey": "Permission",
    "fieldsRequired": "Required fields",
    "ignoreContext": "Ignore fields that the work item does not have",
    "errorMessage": "Error message",
    "groupsExemptFromValidation": "Groups that need not",
    "fieldKey": "Field",
    "excludeSubtasks": "Leave out sub-tasks",
    "regexp": "Regular expression",
    "date1FieldKey": "First date",
    "date2FieldKey": "Second date",
    "includeTime": "Compare times too",
    "conditionSelected": "Comparison",
    "numberOfDays": "Number of days",
    "type": "Assign to",
    "accountId": "Person",
    "field": "Field",
    "value": "Value",
    "mode": "Mode",
    "sourceFieldKey": "Copy from field",
    "targetFieldKey": "Copy to field",
    "issueSource": "Copy from",
    "webhookId": "Webhook",
}
_VALUES: Final = {
    "users": "People",
    "usersAndAPI": "People and the API",
    "CHILD": "Sub-tasks",
    "PARENT": "The parent",
    "SAME": "The same work item",
    "to-selected-user": "A person",
    "to-unassigned": "Nobody",
    "to-current-user": "Whoever moves it",
    "to-default-user": "The default assignee",
    "to-lead": "The space lead",
    "to-reporter": "The reporter",
    "append": "Add to the value",
    "replace": "Replace the value",
    "STRING": "Text",
    "NUMBER": "Number",
    "DATE": "Date and time",
    "DATE_WITHOUT_TIME": "Date",
    "OPTIONID": "Option",
}
_FIELD_CHECKS: Final = {
    "fieldRequired": "Require fields",
    "fieldChanged": "Require a field to change",
    "fieldHasSingleValue": "Require a single value",
    "fieldMatchesRegularExpression": "Match a regular expression",
    "dateFieldComparison": "Compare two dates",
    "windowDateComparison": "Keep dates near each other",
}
_STATUSES: Final = frozenset(("statusIds", "previousStatusIds"))
_STATUS: Final = frozenset(("fromStatusId", "toStatusId"))
_FIELD: Final = frozenset(
    (
        *("fieldId", "fieldKey", "field", "sourceFieldKey", "targetFieldKey"),
        *("date1FieldKey", "date2FieldKey"),
    )
)
_PEOPLE_FIELDS: Final = frozenset(
    ("groupCustomFields", "allowUserCustomFields", "denyUserCustomFields")
)
_LISTED: Final = (
    _STATUSES
    | _PEOPLE_FIELDS
    | {"accountIds", "roleIds", "groupIds", "permissionKeys", "fieldsRequired"}
    | {"groupsExemptFromValidation"}
)
_USER: Final = "userpicker"
_GROUP: Final = "grouppicker"


def kinds_of(family: str, scope: str, *, initial: bool) -> list[tuple[str, str]]:
    """Return the kinds of rules that can be added: what forms call each, and its name."""
    found = []
    for key, kind in KINDS.items():
        if kind.family != family or scope not in kind.scopes:
            continue
        if initial and not kind.initial:
            continue
        if key == FIELD_CHECK:
            found += [(f"{key}{SPLIT}{one}", name) for one, name in _FIELD_CHECKS.items()]
        else:
            found.append((key, kind.name))
    return found


def name_of(rule: Rule) -> str:
    """Return what a rule is called."""
    if rule.key == FIELD_CHECK:
        return _FIELD_CHECKS.get(rule.text("ruleType"), KINDS[rule.key].name)
    kind = KINDS.get(rule.key)
    return rule.key if kind is None else kind.name


def about(rule: Rule) -> str:
    """Return what a rule does."""
    kind = KINDS.get(rule.key)
    return "" if kind is None else kind.about


def new_rule(text: str) -> Rule | None:
    """Return a rule without parameters, of what forms call its kind; None of no kind."""
    key, _, check = text.partition(SPLIT)
    if key not in KINDS or (key == FIELD_CHECK) != bool(check):
        return None
    if check and check not in FIELD_RULES:
        return None
    return Rule(key, {"ruleType": check} if check else {})


def parameters_of(rule: Rule) -> Mapping[str, Parameter]:
    """Return the parameters that a rule can have; what kind of field check it is, is none."""
    if rule.key == FIELD_CHECK:
        return FIELD_RULES.get(rule.text("ruleType"), {})
    kind: RuleKind | None = KINDS.get(rule.key)
    return {} if kind is None else kind.parameters


def sent_rule(sent: PageForm, rule: Rule) -> Rule:
    """Return a rule with the parameters that a form sent; those that it has no input for stay."""
    found = dict(rule.parameters)
    for name, parameter in parameters_of(rule).items():
        if name in _LISTED:
            found[name] = ",".join(sent.several(name))
        elif parameter.values == BOOLEAN:
            found[name] = "true" if sent.ticked(name) else "false"
        else:
            found[name] = sent.text(name)
    return Rule(rule.key, {key: value for key, value in found.items() if value}, rule.id)


class Offers:
    """What parameters are chosen from; each list is read once, when it is needed."""

    def __init__(self, drafted: Drafted) -> None:
        self._drafted = drafted

    def inputs(self, rule: Rule) -> Sequence[Input]:
        """Return the inputs of a rule's parameters, filled with what it has."""
        return [
            self._input(rule, name, parameter) for name, parameter in parameters_of(rule).items()
        ]

    def _input(self, rule: Rule, name: str, parameter: Parameter) -> Input:
        label, value = _LABELS.get(name, name), rule.text(name)
        must = parameter.required
        if parameter.values == BOOLEAN:
            return Input(name, label, "check", "on" if rule.is_true(name) else "")
        if parameter.values:
            rows = [(one, _VALUES.get(one, one)) for one in parameter.values if one]
            none = "" if must else "Usual"
            return Input(name, label, "select", choices=chosen(rows, [value]), none=none)
        if name in _LISTED:
            rows = self._listed(name)
            choices = chosen(rows, rule.listed(name))
            return Input(name, label, "multiple", choices=choices, required=must)
        if name in _STATUS | _FIELD | {"permissionKey", "accountId", "webhookId"}:
            choices = chosen(self._single(name), [value])
            none = "Choose one" if must else "None"
            return Input(name, label, "select", choices=choices, required=must, none=none)
        if name == "approvalConfigurationJson":
            return Input(name, label, "area", value, required=must)
        shape = "number" if name == "numberOfDays" else "line"
        return Input(name, label, shape, value, required=must)

    def _listed(self, name: str) -> list[tuple[str, str]]:
        if name in _STATUSES:
            return self._statuses
        if name in _PEOPLE_FIELDS:
            part = _GROUP if name == "groupCustomFields" else _USER
            return [(one.key, one.name) for one in self._custom if part in one.type]
        match name:
            case "accountIds":
                special = [("allow-assignee", "Assignee"), ("allow-reporter", "Reporter")]
                return [*special, *self._people]
            case "roleIds":
                return self._roles
            case "permissionKeys":
                return _permissions()
            case "fieldsRequired":
                return self._fields
        return self._groups

    def _single(self, name: str) -> Iterable[tuple[str, str]]:
        if name in _STATUS:
            return self._statuses
        if name in _FIELD:
            return self._fields
        if name == "permissionKey":
            return _permissions()
        if name == "accountId":
            return self._people
        return self._webhooks

    @cached_property
    def _statuses(self) -> list[tuple[str, str]]:
        return [(one.id, one.name) for one in self._drafted.statuses if one.id]

    @cached_property
    def _custom(self) -> list[CustomField]:
        return list(CustomField.objects.filter(trashed_at=None).order_by("name", "id"))

    @cached_property
    def _fields(self) -> list[tuple[str, str]]:
        found = [(key, one.name) for key, one in system_fields().items()]
        found += [(one.key, one.name) for one in self._custom]
        return sorted(found, key=lambda pair: (pair[1].casefold(), pair[0]))

    @cached_property
    def _roles(self) -> list[tuple[str, str]]:
        rows = ProjectRole.objects.order_by("name", "id")
        return [(str(one.id), one.name) for one in rows]

    @cached_property
    def _groups(self) -> list[tuple[str, str]]:
        return [(one.uuid, one.name) for one in Group.objects.order_by("name", "id")[:OFFERED]]

    @cached_property
    def _webhooks(self) -> list[tuple[str, str]]:
        rows = Webhook.objects.filter(dynamic=False).order_by("name", "id")
        return [(str(one.id), one.name or one.url) for one in rows]

    @cached_property
    def _people(self) -> list[tuple[str, str]]:
        rows = User.objects.filter(active=True, account_type="atlassian")
        found = rows.order_by("display_name", "id")[:OFFERED]
        return [(one.account_id, one.display_name) for one in found]


def _permissions() -> list[tuple[str, str]]:
    return [(one.key, one.name) for one in PERMISSIONS.values() if one.kind == "PROJECT"]


def parameter_texts(rule: Rule, offers: Offers) -> list[tuple[str, str]]:
    """Return what a rule's parameters say, by their labels, as people read them."""
    found = []
    for one in offers.inputs(rule):
        if one.shape == "check":
            text = "Yes" if one.initial else ""
        elif one.choices:
            text = ", ".join(choice.label for choice in one.choices if choice.chosen)
        else:
            text = str(one.initial)
        if text:
            found.append((str(one.label), text))
    return found
