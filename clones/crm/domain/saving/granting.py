"""What holds of rows that grant something: permissions, shares, groups of roles."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from clones.crm.domain.new_ids import new_id
from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.stages import Stage, step
from clones.crm.errors import RecordError
from clones.crm.models import model_of, rows_of
from clones.crm.queries.access.sharing import default_model
from clones.crm.rules.access.objects import GRANTS, NEEDS, has_own
from clones.crm.rules.access.sharing import LEVELS, OPENS, sharing_of

_PREFIX: Final = "Permissions"
_API_NAME: Final = re.compile(r"[A-Za-z](?:_?[A-Za-z0-9])*")
_MANUAL: Final = "Manual"
_OF_ROLES: Final = ("Role", "RoleAndSubordinates")


@step(Stage.VALIDATION)
def check_grant(change: Change) -> None:
    """See that a row that grants something can be: of objects, of fields, of records.

    Raises:
        RecordError: it cannot.
    """
    check = _CHECKS.get(change.of.name)
    if check is not None:
        check(change)
    elif change.of.name in _SHARED:
        _check_share(change)


@step(Stage.FOLLOW_UPS)
def keep_groups_of_role(change: Change) -> None:
    """Give a new role the groups that stand for it, and for it with all below."""
    if change.of.name != "UserRole" or not change.is_new:
        return
    groups = model_of("Group")
    for kind in _OF_ROLES:
        groups(
            Id=new_id("00G", groups),
            DeveloperName=change.get("DeveloperName"),
            RelatedId=change.get("Id"),
            Type=kind,
            DoesIncludeBosses=True,
            OwnerId=change.actor,
            CreatedById=change.actor,
            CreatedDate=change.now,
            LastModifiedById=change.actor,
            LastModifiedDate=change.now,
            SystemModstamp=change.now,
        ).save(force_insert=True)


@step(Stage.SHARING)
def forget_manual_shares(change: Change) -> None:
    """Take what was shared by hand from a record that got another owner."""
    shares = sharing_of(change.of).shares
    if shares is None or change.is_new or not change.has_changed("OwnerId"):
        return
    rows = rows_of(shares.object).filter(
        **{shares.record: change.get("Id")}, RowCause=_MANUAL, IsDeleted=False
    )
    for row in rows.order_by("Id"):
        row.delete()


def _check_object_row(change: Change) -> None:
    of = change.of.schema.find(str(change.get("SobjectType") or ""))
    if of is None or not has_own(of):
        raise _wrong_type(change, "SobjectType")
    change.set("SobjectType", of.name)
    granted = {one for one in GRANTS if change.get(_PREFIX + one)}
    for one in sorted(granted):
        missing = sorted(NEEDS[one] - granted)
        if missing:
            raise RecordError(
                "FIELD_INTEGRITY_EXCEPTION",
                f"Permission {_PREFIX}{one} depends on permission(s): "
                + ", ".join(f"{_PREFIX}{each}" for each in missing),
                [_PREFIX + one],
            )
    _check_only(change, "SobjectType")


def _check_field_row(change: Change) -> None:
    name, _, path = str(change.get("Field") or "").partition(".")
    of = change.of.schema.find(name)
    field = None if of is None else of.field(path)
    if of is None or field is None or not (field.permissionable or field.type == "address"):
        raise _wrong_type(change, "Field")
    change.set("Field", f"{of.name}.{field.name}")
    if change.get("SobjectType") != of.name:
        raise _wrong_type(change, "SobjectType")
    if change.get("PermissionsEdit") and not change.get("PermissionsRead"):
        raise RecordError(
            "FIELD_INTEGRITY_EXCEPTION",
            "Permission PermissionsEdit depends on permission(s): PermissionsRead",
            ["PermissionsEdit"],
        )
    _check_only(change, "Field")


def _check_only(change: Change, name: str) -> None:
    """See that a permission set says something once.

    Raises:
        RecordError: it says so already.
    """
    if not change.is_new:
        return
    rows = rows_of(change.of).filter(ParentId=change.get("ParentId"), **{name: change.get(name)})
    other = rows.values_list("Id", flat=True).first()
    if other is not None:
        raise RecordError(
            "DUPLICATE_VALUE",
            f"duplicate value found: {name} duplicates value on record with id: {other[:15]}",
            [name],
        )


def _check_assignment(change: Change) -> None:
    sets = [change.get("PermissionSetId"), change.get("PermissionSetGroupId")]
    if change.is_new and sum(one is not None for one in sets) != 1:
        raise RecordError(
            "REQUIRED_FIELD_MISSING",
            "Required fields are missing: [PermissionSetId]",
            ["PermissionSetId"],
        )
    if not change.is_new:
        return
    rows = rows_of(change.of).filter(
        AssigneeId=change.get("AssigneeId"), PermissionSetId=sets[0], PermissionSetGroupId=sets[1]
    )
    if rows.exists():
        raise RecordError(
            "DUPLICATE_VALUE", "Duplicate PermissionSetAssignment. Assignee already has it.", []
        )
    own = rows_of("PermissionSet").filter(Id=sets[0] or "", IsOwnedByProfile=True)
    if own.exists():
        raise RecordError(
            "INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id", ["PermissionSetId"]
        )


def _check_set(change: Change) -> None:
    name = change.get("Name")
    if name is None or name == change.was("Name"):
        return
    if not _API_NAME.fullmatch(name):
        raise RecordError(
            "INVALID_FIELD",
            "The Permission Set API Name can only contain underscores and alphanumeric characters."
            " It must be unique, begin with a letter, not include spaces, not end with an"
            " underscore, and not contain two consecutive underscores.",
            ["Name"],
        )
    rows = rows_of(change.of).filter(
        Name__iexact=name, NamespacePrefix=change.get("NamespacePrefix")
    )
    if rows.exclude(Id=change.get("Id")).exists():
        raise RecordError(
            "DUPLICATE_DEVELOPER_NAME",
            "The name you specified is already in use. Please specify a unique name.",
            ["Name"],
        )


def _check_share(change: Change) -> None:
    """See that a record is shared by hand, further than it is open to everybody."""
    if change.get("RowCause") is None:
        change.set("RowCause", _MANUAL)
    if change.get("RowCause") != _MANUAL:
        raise RecordError(
            "FIELD_INTEGRITY_EXCEPTION", "field integrity exception (RowCause)", ["RowCause"]
        )
    of = change.of.schema.objects[_SHARED[change.of.name]]
    shares = sharing_of(of).shares
    if shares is None:
        return
    opened = {shares.level: of}
    if of.name == "Account":
        others = ("Contact", "Opportunity", "Case")
        opened |= {f"{one}AccessLevel": change.of.schema.objects[one] for one in others}
        for name in opened:
            if change.get(name) is None:
                change.set(name, "None")
    if any(change.get(name) == "All" for name in opened):
        raise RecordError(
            "FIELD_INTEGRITY_EXCEPTION",
            f"field integrity exception: {shares.level} (All is not allowed)",
            [shares.level],
        )
    if not any(
        LEVELS[change.get(name)] > OPENS[default_model(one)] for name, one in opened.items()
    ):
        raise RecordError(
            "FIELD_INTEGRITY_EXCEPTION",
            "field integrity exception: The access level must be higher than the organization's"
            " default",
            [shares.level],
        )


def _wrong_type(change: Change, name: str) -> RecordError:
    label = change.of.field(name)
    shown = name if label is None else label.label
    return RecordError(
        "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST",
        f"{shown}: bad value for restricted picklist field: {change.get(name)}",
        [name],
    )


_CHECKS: Final[dict[str, Callable[[Change], Any]]] = {
    "ObjectPermissions": _check_object_row,
    "FieldPermissions": _check_field_row,
    "PermissionSet": _check_set,
    "PermissionSetAssignment": _check_assignment,
}
# What each object of shares is of.
_SHARED: Final = {
    f"{of}Share": of for of in ("Account", "Campaign", "Case", "Contact", "Lead", "Opportunity")
}
