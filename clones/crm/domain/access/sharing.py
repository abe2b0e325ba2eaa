"""What administrators say of sharing: defaults of the organization, and rules."""

from __future__ import annotations

from typing import Final

from clones.core import clock
from clones.crm.domain.access.checking import no_access
from clones.crm.domain.new_ids import new_id
from clones.crm.errors import NotFound, RecordError
from clones.crm.models import SharingDefault, SharingRule, rows_of
from clones.crm.queries.access.criteria import criteria_plan
from clones.crm.queries.access.rights import rights_of
from clones.crm.queries.schema import whole_schema
from clones.crm.rules.access.sharing import organization_field, organization_word, sharing_of
from clones.crm.rules.schema import SObject
from clones.crm.rules.schema.custom import is_name
from clones.crm.rules.soql import SoqlError

_GIVEN: Final = ("Read", "Edit")


def set_sharing_default(of: str, model: str, *, actor: str, uses_roles: bool = True) -> None:
    """Say how far records of an object are open to everybody.

    Raises:
        NotFound: there is no such object.
        RecordError: the actor may not, or the object cannot be opened so.
    """
    target = _object(of, actor)
    if model not in sharing_of(target).choices or (not uses_roles and not target.is_custom):
        raise RecordError(
            "FIELD_INTEGRITY_EXCEPTION", f"invalid sharing model for {target.name}: {model}"
        )
    row = SharingDefault.objects.filter(object=target.name).first()
    if row is None:
        made = SharingDefault(object=target.name, model=model, uses_roles=uses_roles)
        made.save(force_insert=True)
    else:
        row.model, row.uses_roles = model, uses_roles
        row.save()
    shown = organization_field(target.name)
    if shown is not None:
        organization = rows_of("Organization").get()
        setattr(organization, shown, organization_word(model))
        organization.save()


def define_sharing_rule(
    of: str,
    name: str,
    *,
    target: str,
    level: str,
    actor: str,
    source: str | None = None,
    criteria: str | None = None,
    label: str = "",
) -> SharingRule:
    """Open records of an object to a group: those of a group's members, or that meet a condition.

    `source` and `target` are ids of groups, `criteria` the condition of a query.

    Raises:
        NotFound: there is no such object.
        RecordError: the actor may not, or the rule is none.
    """
    found = _object(of, actor)
    if not sharing_of(found).choices:
        raise RecordError("INVALID_TYPE", f"{found.name} has no sharing rules")
    if not is_name(name) or SharingRule.objects.filter(object=found.name, name=name).exists():
        raise RecordError("DUPLICATE_DEVELOPER_NAME", "This name will not do.", ["DeveloperName"])
    groups = [one for one in (source, target) if one is not None]
    if level not in _GIVEN or (source is None) == (criteria is None):
        raise RecordError("FIELD_INTEGRITY_EXCEPTION", "invalid sharing rule")
    if rows_of("Group").filter(Id__in=groups).count() < len(set(groups)):
        raise RecordError("INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id")
    if criteria is not None:
        try:
            criteria_plan(found, criteria)
        except SoqlError as error:
            raise RecordError("INVALID_FIELD", error.message) from error
    now = clock.now().replace(microsecond=0)
    rule = SharingRule(
        id=new_id("02c", SharingRule),
        object=found.name,
        name=name,
        label=label or name,
        source=source,
        criteria=criteria,
        target=target,
        level=level,
        created_at=now,
        updated_at=now,
    )
    rule.save(force_insert=True)
    return rule


def remove_sharing_rule(rule: SharingRule, *, actor: str) -> None:
    """Take a rule away, and with it what it opened.

    Raises:
        RecordError: the actor may not.
    """
    _require_sharing(actor)
    rule.delete()


def _object(name: str, actor: str) -> SObject:
    _require_sharing(actor)
    found = whole_schema().find(name)
    if found is None:
        raise NotFound
    return found


def _require_sharing(actor: str) -> None:
    if "ManageSharing" not in rights_of(actor).system:
        raise no_access()
