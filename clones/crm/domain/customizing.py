"""Defining objects and fields: what administrators do to the organization's schema.

No table changes: a field borrows a slot (`clones.crm.models.custom`), and gives it back, emptied,
when it goes.
"""

from __future__ import annotations

from typing import Any, Final

from clones.core import clock, ids
from clones.crm.domain.access.checking import no_access
from clones.crm.domain.calculated_fields import (
    default_definition,
    field_using,
    formula_definition,
)
from clones.crm.domain.new_ids import new_id
from clones.crm.domain.summaries import SUMMARY, sum_up_all, summary_definition
from clones.crm.errors import NotFound, RecordError
from clones.crm.models import (
    SLOTS,
    CustomField,
    CustomObject,
    CustomValues,
    ValidationRule,
)
from clones.crm.queries.access.rights import rights_of
from clones.crm.queries.schema import whole_schema
from clones.crm.rules.formulas import field_paths, parse
from clones.crm.rules.schema import OrgSchema, SObject
from clones.crm.rules.schema.custom import KINDS, PATH_SUFFIX, SUFFIX, custom_field, is_name

_CHILDREN_NAME: Final = 40
_DETAIL: Final = "MasterDetail"
_VALUES: Any = CustomValues


def define_object(
    name: str, label: str, plural: str, *, actor: str, name_label: str = ""
) -> CustomObject:
    """Define an object by the name that `__c` is put behind.

    Raises:
        RecordError: the actor may not, or the name will not do or is taken.
    """
    require_admin(actor)
    whole = _whole_name(name)
    if whole_schema().find(whole) is not None:
        raise _taken(f"There is already an object with the name {name}.")
    if not label.strip() or not plural.strip():
        raise RecordError(
            "REQUIRED_FIELD_MISSING", "Required fields are missing: [Label]", ["Label"]
        )
    now = clock.now().replace(microsecond=0)
    made = CustomObject(
        id=new_id("01I", CustomObject),
        name=whole,
        prefix=_next_prefix(),
        definition={"label": label, "plural": plural, "nameLabel": name_label},
        created_at=now,
        updated_at=now,
    )
    made.save(force_insert=True)
    return made


def define_field(
    of: str, name: str, kind: str, label: str, *, actor: str, **options: Any
) -> CustomField:
    """Define a field of an object by the name that `__c` is put behind.

    `kind` is one of `KINDS`. `options`: `length`; `precision` and `scale` of numbers; `required`;
    `unique`; `external_id`; `track`, whether changes are kept; `values` and `restricted` of
    picklists, `default`; `to`, `path` and `children` of references: the object that they lead to
    and the names of the relationships; `formula` and `zeroes` of what is worked out,
    `default_formula` (`clones.crm.domain.calculated_fields`); `summary` of what is summed up
    (`clones.crm.rules.summaries`).

    Raises:
        RecordError: the actor may not, a name will not do or is taken, a kind or an option is not
            there, or no more fields of this kind can be defined.
        NotFound: there is no such object.
    """
    require_admin(actor)
    schema = whole_schema()
    target = schema.find(of)
    if target is None:
        raise NotFound
    summary = None
    if kind == SUMMARY:
        kind, summary = summary_definition(target, options)
    if kind not in KINDS:
        raise RecordError("INVALID_TYPE", f"Field type {kind} is not supported", ["Type"])
    whole = _whole_name(name)
    if target.field(whole) is not None:
        raise _taken(f"There is already a field named {name} on {target.label}.")
    definition = _definition(schema, whole, kind, {**options, "label": label})
    slot: str | None = None
    if summary is not None:
        definition |= summary
        slot = _free_slot(target, kind, sought=False)
    elif options.get("formula") is not None:
        definition |= formula_definition(target, kind, definition, options)
    else:
        definition |= default_definition(target, kind, options)
        slot = _free_slot(
            target, kind, sought=bool(options.get("unique") or options.get("external_id"))
        )
    custom_field(slot, definition)  # what cannot be read is not kept
    now = clock.now().replace(microsecond=0)
    made = CustomField(
        id=new_id("00N", CustomField),
        object=target.name,
        name=whole,
        slot=slot,
        definition=definition,
        created_at=now,
        updated_at=now,
    )
    made.save(force_insert=True)
    if summary is not None:
        sum_up_all(target.name, made.name)
    return made


def remove_field(field: CustomField, *, actor: str) -> None:
    """Take a field away, and the values that records have in it.

    Raises:
        RecordError: the actor may not, or a rule names the field.
    """
    require_admin(actor)
    named = [
        rule.name
        for rule in ValidationRule.objects.filter(formula__icontains=field.name)
        if _names(rule.formula, field.name)
    ]
    if named:
        raise _used(f"Validation Rule - {named[0]}")
    of = whole_schema().find(field.object)
    if of is not None:
        user = field_using(of, field.name)
        if user is not None:
            raise _used(f"Custom Field - {user.name}")
    if of is not None and field.slot is not None:
        rows = _VALUES.objects.filter(Id__startswith=of.prefix)
        rows.exclude(**{field.slot: None}).update(**{field.slot: None})
    field.delete()


def _used(by: str) -> RecordError:
    return RecordError("DEPENDENCY_EXISTS", f"Cannot delete this field because it is used by: {by}")


def _names(formula: str, field: str) -> bool:
    """Tell whether a formula names a field, of whichever record."""
    wanted = field.lower()
    paths = field_paths(parse(formula))
    return any(path.lower().rpartition(".")[2] == wanted for path in paths)


def require_admin(user: str) -> None:
    """See that a user (by id) may change what the organization is like.

    Raises:
        RecordError: the user may not.
    """
    if "CustomizeApplication" not in rights_of(user).system:
        raise no_access()


def _whole_name(name: str) -> str:
    bare = name.removesuffix(SUFFIX)
    if not is_name(bare):
        raise RecordError(
            "INVALID_FIELD",
            "The API name can only contain underscores and alphanumeric characters. It must be"
            " unique, begin with a letter, not include spaces, not end with an underscore, and not"
            " contain two consecutive underscores.",
            ["DeveloperName"],
        )
    return bare + SUFFIX


def _taken(message: str) -> RecordError:
    return RecordError("DUPLICATE_DEVELOPER_NAME", message, ["DeveloperName"])


def _next_prefix() -> str:
    count = CustomObject.objects.count()
    taken = set(CustomObject.objects.values_list("prefix", flat=True))
    while True:
        found = ids.base62_text(_prefix_number(count), 3)
        if found not in taken:
            return found
        count += 1


def _prefix_number(place: int) -> int:
    """Return the number whose three digits in base 62 are the prefix of an object: a00, a01..."""
    return ids.BASE62.index("a") * 62 * 62 + place


def _free_slot(of: SObject, kind: str, *, sought: bool) -> str:
    letter = KINDS[kind][1]
    letter = "x" if sought and letter == "t" else letter
    taken = {field.slot for field in of.fields}
    for number in range(1, SLOTS[letter] + 1):
        slot = f"{letter}{number:02d}"
        if slot not in taken:
            return slot
    raise RecordError(
        "LIMIT_EXCEEDED",
        f"You have reached the maximum number of {SLOTS[letter]} custom fields of this kind on"
        f" {of.label}.",
        ["Type"],
    )


def _definition(schema: OrgSchema, name: str, kind: str, options: dict[str, Any]) -> dict[str, Any]:
    type_ = KINDS[kind][0]
    found: dict[str, Any] = {"name": name, "type": type_, "label": options["label"] or name}
    if type_ in ("boolean", "datetime"):
        found |= {"createable": True, "updateable": True, "permissionable": True}
    if options.get("required"):
        found |= {"nillable": False, "permissionable": False}
    if options.get("external_id"):
        found |= {"externalId": True, "idLookup": True}
    if options.get("unique"):
        found |= {"unique": True}
    if options.get("track"):
        found |= {"trackHistory": True}
    if options.get("length") or kind == "TextArea":
        found["length"] = options.get("length") or 255
    if kind == "TextArea":
        found |= {"filterable": True, "sortable": True, "groupable": True, "aggregatable": True}
    if type_ in ("double", "currency", "percent"):
        found |= _digits(options)
    elif type_ == "picklist":
        found |= _choices(options)
    elif type_ == "boolean":
        found["defaultValue"] = bool(options.get("default"))
    elif type_ == "reference":
        found |= _reference(schema, name, kind, options)
    return found


def _digits(options: dict[str, Any]) -> dict[str, Any]:
    precision, scale = options.get("precision") or 18, options.get("scale") or 0
    if not 1 <= precision <= 18 or not 0 <= scale <= min(precision, 17):
        raise RecordError("NUMBER_OUTSIDE_VALID_RANGE", "Precision and scale are out of range")
    return {"precision": precision, "scale": scale}


def _choices(options: dict[str, Any]) -> dict[str, Any]:
    default = options.get("default")
    values = [
        {"value": one, "label": one, "active": True, "defaultValue": one == default}
        for one in options.get("values") or ()
    ]
    return {"values": values, "restrictedPicklist": bool(options.get("restricted"))}


def _reference(schema: OrgSchema, name: str, kind: str, options: dict[str, Any]) -> dict[str, Any]:
    target = schema.find(options.get("to") or "")
    if target is None:
        raise RecordError(
            "INVALID_FIELD", "Reference to an object that is not there", ["ReferenceTo"]
        )
    path = name.removesuffix(SUFFIX) + PATH_SUFFIX
    seen = options.get("children")
    is_detail = kind == _DETAIL
    found: dict[str, Any] = {
        "referenceTo": [target.name],
        "relationshipName": path,
        "children": {
            target.name: [
                f"{seen[:_CHILDREN_NAME]}{PATH_SUFFIX}" if seen else None,
                is_detail,
                False,
            ]
        },
    }
    if is_detail:
        found |= {"nillable": False, "permissionable": False, "updateable": False}
        found |= {"relationshipOrder": 0, "writeRequiresMasterRead": False}
    return found
