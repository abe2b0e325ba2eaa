"""Defining workflow rules and what they do, by the vendor's metadata of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from clones.core import clock
from clones.core.webhooks.addresses import flaw_of
from clones.crm.domain.calculated_fields import wrong_formula
from clones.crm.domain.customizing import require_admin
from clones.crm.domain.new_ids import new_id
from clones.crm.domain.saving.values import stored_value
from clones.crm.errors import CrmError, NotFound, RecordError
from clones.crm.models import WorkflowAction, WorkflowRule
from clones.crm.queries.formulas import checked_formula, field_type
from clones.crm.queries.schema import whole_schema
from clones.crm.rules.criteria import WrongCriteria, check_criteria, read_items
from clones.crm.rules.formulas import FormulaError, Kind, Place
from clones.crm.rules.schema import Field, SObject
from clones.crm.rules.schema.custom import is_name

# The kinds of actions, and what their ids begin with.
PREFIXES: Final = {"FieldUpdate": "04Y", "Alert": "01W", "Task": "01T", "OutboundMessage": "04k"}
RULE_PREFIX: Final = "01Q"
EVERY_EDIT, CREATED, CAME_TRUE = "onAllChanges", "onCreateOnly", "onCreateOrTriggeringUpdate"
MOST_RULES: Final = 50  # active ones of an object
_MOST_ACTIONS: Final = 40
_UNITS: Final = ("Days", "Hours")
_OPERATIONS: Final = ("Formula", "Literal", "Null", "LookupValue", "NextValue", "PreviousValue")
_NEVER_SET: Final = frozenset({"Id", "IsDeleted", "CreatedById", "LastModifiedById"})


def define_workflow_rule(full_name: str, given: Mapping[str, Any], *, actor: str) -> WorkflowRule:
    """Give an object (`Case.Name of the rule`) a workflow rule.

    Raises:
        RecordError: the actor may not, the name is taken, or the metadata are wrong.
        NotFound: there is no such object.
    """
    require_admin(actor)
    of, name = _named(full_name)
    if WorkflowRule.objects.filter(object=of.name, name__iexact=name).exists():
        raise _taken(name)
    now = clock.now().replace(microsecond=0)
    made = WorkflowRule(
        id=new_id(RULE_PREFIX, WorkflowRule),
        object=of.name,
        name=name,
        is_active=given.get("active") is True,
        definition=_checked_rule(of, given),
        created_at=now,
        updated_at=now,
    )
    _check_number(made)
    made.save(force_insert=True)
    return made


def change_workflow_rule(rule: WorkflowRule, given: Mapping[str, Any], *, actor: str) -> None:
    """Change a workflow rule: metadata that are not said stay.

    Raises:
        RecordError: as `define_workflow_rule` does.
    """
    require_admin(actor)
    of = whole_schema().objects[rule.object]
    rule.definition = _checked_rule(of, {**rule.definition, **given})
    rule.is_active = rule.definition.get("active") is True
    rule.updated_at = clock.now().replace(microsecond=0)
    _check_number(rule)
    rule.save()


def define_workflow_action(
    kind: str, full_name: str, given: Mapping[str, Any], *, actor: str
) -> WorkflowAction:
    """Give an object (`Case.Name`) something that its rules can do: `kind` is one of `PREFIXES`.

    Raises:
        RecordError: the actor may not, the name is taken, or the metadata are wrong.
        NotFound: there is no such object.
    """
    require_admin(actor)
    of, name = _named(full_name)
    if not is_name(name):
        raise RecordError("INVALID_FIELD", "The action name is not valid.", ["FullName"])
    if WorkflowAction.objects.filter(kind=kind, object=of.name, name__iexact=name).exists():
        raise _taken(name)
    _CHECKS[kind](of, given)
    now = clock.now().replace(microsecond=0)
    made = WorkflowAction(
        id=new_id(PREFIXES[kind], WorkflowAction),
        kind=kind,
        object=of.name,
        name=name,
        definition=dict(given),
        created_at=now,
        updated_at=now,
    )
    made.save(force_insert=True)
    return made


def change_workflow_action(action: WorkflowAction, given: Mapping[str, Any], *, actor: str) -> None:
    """Change what rules do: metadata that are not said stay.

    Raises:
        RecordError: as `define_workflow_action` does.
    """
    require_admin(actor)
    whole = {**action.definition, **given}
    _CHECKS[action.kind](whole_schema().objects[action.object], whole)
    action.definition = whole
    action.updated_at = clock.now().replace(microsecond=0)
    action.save()


def remove_workflow(what: WorkflowRule | WorkflowAction, *, actor: str) -> None:
    """Take a rule away, or an action that no rule does.

    Raises:
        RecordError: the actor may not, or a rule does it.
    """
    require_admin(actor)
    if isinstance(what, WorkflowAction):
        for rule in WorkflowRule.objects.filter(object=what.object).order_by("name"):
            if (what.kind, what.name) in _actions_of(rule.definition):
                raise RecordError(
                    "DEPENDENCY_EXISTS",
                    f"This action is used by the workflow rule {rule.name} and cannot be deleted.",
                )
    what.delete()


def _actions_of(given: Mapping[str, Any]) -> set[tuple[str, str]]:
    lists = [given.get("actions") or []]
    lists += [one.get("actions") or [] for one in given.get("workflowTimeTriggers") or []]
    return {(one["type"], one["name"]) for found in lists for one in found}


def _named(full_name: str) -> tuple[SObject, str]:
    object_name, _, name = full_name.partition(".")
    of = whole_schema().find(object_name)
    if of is None:
        raise NotFound
    if not name.strip() or len(name) > 80 or not name.isprintable():
        raise RecordError("REQUIRED_FIELD_MISSING", "Required fields are missing: [FullName]", [])
    return of, name


def _taken(name: str) -> RecordError:
    return RecordError(
        "DUPLICATE_DEVELOPER_NAME",
        f"The name {name} is already used by another component of this type.",
        ["FullName"],
    )


def _wrong(message: str) -> RecordError:
    return RecordError("FIELD_INTEGRITY_EXCEPTION", message, ["Metadata"])


def _check_number(rule: WorkflowRule) -> None:
    others = WorkflowRule.objects.filter(object=rule.object, is_active=True).exclude(id=rule.id)
    if rule.is_active and others.count() >= MOST_RULES:
        raise RecordError(
            "LIMIT_EXCEEDED", f"You can only have {MOST_RULES} active rules on {rule.object}"
        )


def _checked_rule(of: SObject, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metadata of a rule, seen to be sound."""
    when = given.get("triggerType")
    if when not in (EVERY_EDIT, CREATED, CAME_TRUE):
        raise _wrong(f"Invalid workflow trigger type: {str(when)[:80]}")
    formula = given.get("formula")
    if formula is not None:
        if not isinstance(formula, str):
            raise _wrong("A formula must be a text")
        check_condition(of, formula)
    elif not given.get("criteriaItems"):
        raise _wrong("A rule needs criteria or a formula")
    try:
        check_criteria(read_items(given.get("criteriaItems")), given.get("booleanFilter"), of)
    except WrongCriteria as error:
        raise _wrong(str(error)) from error
    _check_actions(of, given.get("actions"))
    times = given.get("workflowTimeTriggers") or []
    if not isinstance(times, list) or len(times) > 10:
        raise _wrong("A rule has at most 10 time triggers")
    if times and when == EVERY_EDIT:
        raise _wrong("Time triggers are not allowed for rules that run at every edit")
    for time in times:
        if not isinstance(time, Mapping) or time.get("workflowTimeTriggerUnit") not in _UNITS:
            raise _wrong("Invalid time trigger")
        hours_of(time.get("timeLength"))
        from_ = time.get("offsetFromField")
        if from_ is not None and moment_field(of, from_) is None:
            raise _wrong(f"Invalid field of a time trigger: {str(from_)[:80]}")
        _check_actions(of, time.get("actions"))
    return dict(given)


def hours_of(length: Any) -> int:
    """Return the length of a time trigger, in its unit.

    Raises:
        RecordError: it is no whole number of a sensible size.
    """
    text = str(length)
    try:
        found = int(text) if text.isascii() and len(text) < 6 else None
    except ValueError:
        found = None
    if found is None or abs(found) > 999:
        raise _wrong(f"Invalid length of a time trigger: {text[:80]}")
    return found


def moment_field(of: SObject, name: Any) -> Field | None:
    """Return the field of days or moments that a time is reckoned from; None if it is none."""
    field = of.field(str(name).rpartition(".")[2])
    return field if field is not None and field.type in ("date", "datetime") else None


def check_condition(of: SObject, formula: str) -> None:
    """See that a formula is a condition on records of an object.

    Raises:
        RecordError: it is none.
    """
    try:
        checked_formula(of, formula, Place.WORKFLOW, Kind.BOOLEAN)
    except FormulaError as error:
        raise wrong_formula(error) from error


def _check_actions(of: SObject, given: Any) -> None:
    if given is None:
        return
    if not isinstance(given, list) or len(given) > _MOST_ACTIONS:
        raise _wrong(f"A rule has at most {_MOST_ACTIONS} actions")
    for one in given:
        kind, name = (one.get("type"), one.get("name")) if isinstance(one, Mapping) else ("", "")
        rows = WorkflowAction.objects.filter(kind=str(kind), object=of.name, name=str(name))
        if not rows.exists():
            raise _wrong(f"In field: action - no {str(kind)[:40]} named {str(name)[:80]} found")


def _check_update(of: SObject, given: Mapping[str, Any]) -> None:
    target = updated_object(of, given)
    field = None if target is None else target.field(str(given.get("field")))
    if target is None or field is None or not field.is_stored or field.name in _NEVER_SET:
        raise _wrong(f"Invalid field of a field update: {str(given.get('field'))[:80]}")
    if not field.flags["updateable"] and field.name != "OwnerId":
        raise _wrong(f"Field {field.name} cannot be updated")
    operation = given.get("operation")
    if operation not in _OPERATIONS:
        raise _wrong(f"Invalid field update operation: {str(operation)[:80]}")
    if operation == "Formula":
        try:
            kind = field_type(field).kind
            kind = Kind.TEXT if kind is Kind.PICKLIST else kind
            text = given.get("formula")
            checked_formula(of, text if isinstance(text, str) else "", Place.FIELD_UPDATE, kind)
        except FormulaError as error:
            raise wrong_formula(error) from error
    if operation == "Literal":
        literal_value(field, given.get("literalValue"))


def literal_value(field: Field, text: Any) -> Any:
    """Return what a field keeps of the value that metadata say.

    Raises:
        RecordError: it cannot be one of the field's.
    """
    if field.type == "boolean" and isinstance(text, str):
        text = {"1": "true", "0": "false"}.get(text, text)
    try:
        return stored_value(field, text)
    except CrmError as error:
        raise _wrong(error.message) from error


def updated_object(of: SObject, given: Mapping[str, Any]) -> SObject | None:
    """Return the object whose record a field update changes: its own, or that of a parent."""
    target = given.get("targetObject")
    if target is None or str(target).lower() == of.name.lower():
        return of
    field = of.reference(str(target)) or of.field(str(target))
    if field is None or not field.reference_to or field.is_polymorphic:
        return None
    return of.schema.find(field.reference_to[0])


def _check_alert(of: SObject, given: Mapping[str, Any]) -> None:
    if not isinstance(given.get("template"), str):
        raise _wrong("Required fields are missing: [template]")
    recipients = given.get("recipients") or []
    copies = given.get("ccEmails") or []
    if not isinstance(recipients, list) or not isinstance(copies, list):
        raise _wrong("Recipients must be a list")
    if not recipients and not copies:
        raise _wrong("An email alert needs a recipient")
    if not all(isinstance(one, Mapping) for one in recipients):
        raise _wrong("A recipient must be an object")


def _check_task(of: SObject, given: Mapping[str, Any]) -> None:
    missing = [name for name in ("subject", "status", "priority") if not given.get(name)]
    if missing:
        raise _wrong(f"Required fields are missing: [{', '.join(missing)}]")
    from_ = given.get("offsetFromField")
    if from_ is not None and moment_field(of, from_) is None:
        raise _wrong(f"Invalid field of a task: {str(from_)[:80]}")
    hours_of(given.get("dueDateOffset") or 0)


def _check_message(of: SObject, given: Mapping[str, Any]) -> None:
    url, names = given.get("endpointUrl"), given.get("fields") or []
    flaw = flaw_of(url) if isinstance(url, str) else "missing"
    if flaw is not None:
        raise _wrong("Invalid endpoint URL")
    if not isinstance(names, list) or any(of.field(str(name)) is None for name in names):
        raise _wrong("Invalid field of an outbound message")


_CHECKS: Final = {
    "FieldUpdate": _check_update,
    "Alert": _check_alert,
    "Task": _check_task,
    "OutboundMessage": _check_message,
}
