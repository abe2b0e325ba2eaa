"""Default values of custom fields, context by context: the vendor's own objects.

A context keeps one as {"type": "option.single", "optionId": "10001"}, without its own id.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.field_contexts import find_context
from clones.tracker.domain.scheme_parts import key_of, note_act
from clones.tracker.models import (
    CustomField,
    FieldContext,
    FieldOption,
    Group,
    Project,
    User,
    Version,
)
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.field_catalogue import custom_type

CATEGORY: Final = "fields"
NO_OPTION: Final = "The option was not found."
# The keys of a default's object by its type: those that it must have, and those that it may.
KEYS: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "datepicker": ((), ("date", "useCurrent")),
    "datetimepicker": ((), ("dateTime", "useCurrent")),
    "float": (("number",), ()),
    "grouppicker.single": (("groupId",), ()),
    "grouppicker.multiple": (("groupIds",), ()),
    "labels": (("labels",), ()),
    "multi.user.select": (("accountIds",), ()),
    "option.cascading": (("optionId",), ("cascadingOptionId",)),
    "option.multiple": (("optionIds",), ()),
    "option.single": (("optionId",), ()),
    "project": (("projectId",), ()),
    "readonly": (("text",), ()),
    "single.user.select": (("accountId",), ("userFilter",)),
    "textarea": (("text",), ()),
    "textfield": (("text",), ()),
    "url": (("url",), ()),
    "version.multiple": (("versionIds",), ("versionOrder",)),
    "version.single": (("versionId",), ("versionOrder",)),
}


def set_defaults(field: CustomField, wanted: Sequence[Mapping[str, Any]], *, actor: Rights) -> None:
    """Set the defaults of contexts of a field, all or none; a value that is null takes one back.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the type is not the field's, or a value breaks a rule.
        NotFound: a context, or what a default names, does not exist.
    """
    admins_only(actor)
    if not wanted:
        raise Invalid("The default values have to be provided.")
    if len({str(one.get("type")) for one in wanted}) > 1:
        raise Invalid("All default values in the request must have the same type.")
    kind = custom_type(field.type).default_type
    pairs = []
    for one in wanted:
        if not kind or one.get("type") != kind:
            raise Invalid("The type of the default value does not match the custom field type.")
        context = find_context(field, str(one.get("contextId", "")))
        pairs.append((context, _default(kind, one, context)))
    if len({context.id for context, _ in pairs}) < len(pairs):
        raise Invalid("The contexts must not contain duplicates.")
    for context, default in pairs:
        context.default = default
        context.save(update_fields=["default"])
    note_act(
        "Custom field default values updated", CATEGORY, field, actor=actor, kind="CUSTOM_FIELD"
    )


def _default(kind: str, given: Mapping[str, Any], context: FieldContext) -> dict[str, Any] | None:
    needed, allowed = KEYS[kind]
    kept = {name: given[name] for name in (*needed, *allowed) if given.get(name) is not None}
    if not kept:
        return None
    if kept.get("useCurrent") is True:
        kept = {"useCurrent": True}
    for name in needed:
        if name not in kept:
            raise Invalid(f"The {name} has to be provided.")
    _check_forms(kept)
    _check_named(kept, context)
    return {"type": kind, **kept}


_LISTS: Final = ("groupIds", "labels", "accountIds", "optionIds", "versionIds")
_TEXTS: Final = (
    "date",
    "dateTime",
    "text",
    "url",
    "groupId",
    "accountId",
    "optionId",
    "cascadingOptionId",
    "projectId",
    "versionId",
)


def _check_forms(kept: dict[str, Any]) -> None:
    """Hold values to being texts, lists of texts, numbers and times; ids become texts."""
    for name in _LISTS:
        if name in kept:
            if not isinstance(kept[name], list):
                raise Invalid(f"The {name} must be a list.")
            kept[name] = [str(one) for one in kept[name]]
    for name in _TEXTS:
        if name in kept:
            if isinstance(kept[name], dict | list):
                raise Invalid(f"The {name} is invalid.")
            kept[name] = str(kept[name])
    number = kept.get("number", 0)
    if isinstance(number, bool) or not isinstance(number, int | float):
        raise Invalid("The number is invalid.")
    for name in ("date", "dateTime"):
        if name in kept:
            try:
                datetime.fromisoformat(kept[name])
            except ValueError as error:
                raise Invalid(f"The {name} is invalid.") from error


def _check_named(kept: Mapping[str, Any], context: FieldContext) -> None:
    """Hold the ids that a default has to being of something."""
    options = {option.id: option for option in FieldOption.objects.filter(context=context)}
    named = [kept.get("optionId"), kept.get("cascadingOptionId"), *kept.get("optionIds", ())]
    for id in named:
        if id is not None and (key_of(id) not in options or options[key_of(id)].disabled):
            raise NotFound(NO_OPTION)
    child = options.get(key_of(kept.get("cascadingOptionId")))
    if child is not None and child.parent_id != key_of(kept.get("optionId")):
        raise NotFound("The cascading option was not found.")
    people = {*kept.get("accountIds", ()), *([kept["accountId"]] if "accountId" in kept else [])}
    if User.objects.filter(account_id__in=people).count() < len(people):
        raise NotFound("The user was not found.")
    groups = {*kept.get("groupIds", ()), *([kept["groupId"]] if "groupId" in kept else [])}
    if Group.objects.filter(uuid__in=groups).count() < len(groups):
        raise NotFound("The group was not found.")
    if "projectId" in kept and not Project.objects.filter(id=key_of(kept["projectId"])).exists():
        raise NotFound("The project was not found.")
    versions = [*kept.get("versionIds", ()), kept.get("versionId")]
    keys = {key_of(id) for id in versions if id is not None}
    if Version.objects.filter(id__in=keys).count() < len(keys):
        raise NotFound("The version was not found.")
