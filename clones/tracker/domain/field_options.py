"""Options of custom fields: what can be chosen in a context, and the children of cascading ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.fieldset import Planned, apply, fields_of
from clones.tracker.domain.history import Changes
from clones.tracker.domain.numbering import next_ids
from clones.tracker.domain.scheme_parts import (
    checked_ids,
    key_of,
    new_order,
    note_act,
    set_positions,
)
from clones.tracker.domain.tasks import carries_out, start_task
from clones.tracker.models import FieldContext, FieldOption, FieldValue, Issue, Task
from clones.tracker.queries.rights import Rights
from clones.tracker.queries.searching import search
from clones.tracker.rules.field_catalogue import custom_type

CATEGORY: Final = "fields"
NO_OPTIONS: Final = "The custom field doesn't support options."
GONE: Final = "The option was not found."
VALUE_LIMIT: Final = 255
AT_ONCE: Final = 1000
MOST: Final = 10_000
REPLACEMENT: Final = "replace_option"
KIND: Final = "CUSTOM_FIELD"


@dataclass(frozen=True, slots=True)
class OptionValues:
    """What an option is to be: `parent` is the id of the one above it, `id` of one to change."""

    value: str | None = None
    disabled: bool | None = None
    parent: str | None = None
    id: str | None = None


def check_has_options(context: FieldContext) -> None:
    """Hold a context to being of a field that has options.

    Raises:
        Invalid: it is not.
    """
    if not custom_type(context.field.type).choice:
        raise Invalid(NO_OPTIONS)


def create_options(
    context: FieldContext, wanted: Sequence[OptionValues], *, actor: Rights
) -> list[FieldOption]:
    """Put options at the end of a context, all or none.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the field has none, a value breaks a rule or is there already, or there are
            too many.
        NotFound: a parent does not exist.
    """
    admins_only(actor)
    check_has_options(context)
    if not wanted:
        raise Invalid("The options have to be provided.")
    if len(wanted) > AT_ONCE:
        raise Invalid(f"The options must contain no more than {AT_ONCE:,} items.")
    have = list(context.options.order_by("position", "id"))
    if len(have) + len(wanted) > MOST:
        raise Invalid(f"A custom field can have no more than {MOST:,} options.")
    taken = {(option.parent_id, option.value.lower()) for option in have}
    by_id = {option.id: option for option in have}
    last = max((option.position for option in have), default=-1)
    rows = []
    for position, (id, values) in enumerate(
        zip(next_ids(FieldOption, len(wanted)), wanted, strict=True), last + 1
    ):
        parent = None if values.parent is None else _parent(context, values.parent, by_id)
        row = FieldOption(id=id, context=context, parent=parent, position=position)
        row.disabled = bool(values.disabled)
        _set_value(row, values.value, taken)
        rows.append(row)
    FieldOption.objects.bulk_create(rows)
    note_act("Custom field options created", CATEGORY, context.field, actor=actor, kind=KIND)
    return rows


def update_options(
    context: FieldContext, wanted: Sequence[OptionValues], *, actor: Rights
) -> list[FieldOption]:
    """Change options, all or none; return those that differ from before.

    A disabled one stays on issues and can be chosen no more.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the field has none, or a value breaks a rule or is there already.
        NotFound: one does not exist.
    """
    admins_only(actor)
    check_has_options(context)
    ids = checked_ids([values.id or "" for values in wanted], "options")
    have = {option.id: option for option in context.options.all()}
    gone = [str(values.id) for values, id in zip(wanted, ids, strict=True) if id not in have]
    if gone:
        raise NotFound(f"These options were not found: {', '.join(gone)}")
    taken = {
        (option.parent_id, option.value.lower())
        for option in have.values()
        if option.id not in set(ids)
    }
    changed = []
    for values, id in zip(wanted, ids, strict=True):
        row = have[id]
        before = (row.value, row.disabled)
        _set_value(row, row.value if values.value is None else values.value, taken)
        if values.disabled is not None:
            row.disabled = values.disabled
        if (row.value, row.disabled) != before:
            changed.append(row)
    for row in changed:
        row.save()
    if changed:
        note_act("Custom field options updated", CATEGORY, context.field, actor=actor, kind=KIND)
    return changed


def move_options(
    context: FieldContext,
    ids: Sequence[str],
    *,
    after: str | None,
    position: str | None,
    actor: Rights,
) -> None:
    """Put options behind another, or at an end: of the first level, or children of one.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the field has none, they are of several levels, or the place makes no sense.
        NotFound: one does not exist.
    """
    admins_only(actor)
    check_has_options(context)
    wanted = checked_ids(ids, "customFieldOptionIds")
    rows = list(context.options.order_by("position", "id"))
    by_id = {row.id: row for row in rows}
    gone = [text for text, id in zip(ids, wanted, strict=True) if id not in by_id]
    if gone:
        raise NotFound(f"These options were not found: {', '.join(gone)}")
    levels = {by_id[id].parent_id for id in wanted}
    if len(levels) > 1:
        raise Invalid("The options to move must all be options or cascading options of one option.")
    (level,) = levels
    siblings = [row.id for row in rows if row.parent_id == level]
    if after is not None and key_of(after) not in siblings:
        raise NotFound(GONE)
    found = new_order(siblings, wanted, after=after, position=position)
    # Siblings share the places that they had among all options of the context.
    places = iter(found)
    order = [next(places) if row.parent_id == level else row.id for row in rows]
    set_positions(rows, order)


def delete_option(option: FieldOption, *, actor: Rights) -> None:
    """Remove an option; issues lose it.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the field has none, or the option has children.
    """
    admins_only(actor)
    check_has_options(option.context)
    if option.children.exists():
        raise Invalid(
            "The option has cascading options. Delete the cascading options before the option."
        )
    _forget_default(option)
    field = option.context.field
    note_act("Custom field option deleted", CATEGORY, field, actor=actor, kind=KIND)
    option.delete()


def start_replacement(
    option: FieldOption, heir: str | None, jql: str | None, *, actor: Rights
) -> Task:
    """Begin to take an option from issues, and to give them another for it.

    Args:
        option: the one that they lose.
        heir: the id of the one that they get; None: they lose it only.
        jql: which issues; None: all.
        actor: an admin.

    Raises:
        Forbidden: the actor is no admin.
        NotFound: the field has no such other option.
        Invalid: the field has none, or both are the same.
        JqlError: the query cannot be run.
    """
    admins_only(actor)
    check_has_options(option.context)
    if heir is not None:
        field = option.context.field_id
        if not FieldOption.objects.filter(context__field=field, id=key_of(heir)).exists():
            raise NotFound(GONE)
        if key_of(heir) == option.id:
            raise Invalid("An option cannot be replaced with itself.")
    if jql is not None:
        search(jql, actor)
    where = "*" if jql is None else jql
    text = f"Remove option {option.id} from issues matched by '{where}'"
    if heir is not None:
        text += f", and replace with option {heir}"
    payload = {"option": option.id, "heir": None if heir is None else key_of(heir), "jql": jql}
    return start_task(REPLACEMENT, payload, actor=actor, description=text)


def find_option(context: FieldContext, id: str | int) -> FieldOption:
    """Return an option of a context.

    Raises:
        NotFound: it has none with this id.
    """
    rows = FieldOption.objects.select_related("context__field")
    found = rows.filter(context=context, id=key_of(id)).first()
    if found is None:
        raise NotFound(GONE)
    return found


@carries_out(REPLACEMENT)
def _carry_out(task: Task, actor: Rights) -> dict[str, Any]:
    """Take an option from issues; those where the other cannot be set keep it."""
    option = (
        FieldOption.objects.select_related("context__field")
        .filter(id=task.payload["option"])
        .first()
    )
    if option is None:
        raise NotFound(GONE)
    heir = FieldOption.objects.filter(id=task.payload["heir"] or 0).first()
    issues = Issue.objects.filter(id__in=FieldValue.objects.filter(option=option).values("issue"))
    if task.payload["jql"] is not None:
        issues = issues.filter(id__in=search(task.payload["jql"], actor).order_by().values("id"))
    modified, unmodified, messages = [], [], []
    # Listed before anything is written: the values that are looked for go on the way.
    for issue in list(issues.select_related("project", "issue_type").order_by("id")):
        if _replace(issue, option, heir, actor):
            modified.append(issue.id)
        else:
            unmodified.append(issue.id)
            messages.append(
                f"Option {task.payload['heir']} cannot be set on issue {issue.key} as it is not in"
                " the correct scope"
            )
    return {
        "modifiedIssues": modified,
        "unmodifiedIssues": unmodified,
        "errors": {"errorMessages": messages, "errors": {}},
    }


def _replace(issue: Issue, option: FieldOption, heir: FieldOption | None, actor: Rights) -> bool:
    """Give an issue one option for another; tell whether it could be done."""
    fieldset = fields_of(issue.project, issue.issue_type)
    field = fieldset.fields.get(option.context.field.key)
    if field is None:
        return False
    if heir is not None and heir.id not in {one.id for one in fieldset.options(field)}:
        return False
    value: Any = heir
    if field.kind.several:
        rows = FieldValue.objects.filter(issue=issue, field=option.context.field)
        chosen = [row.option for row in rows.select_related("option").order_by("position")]
        kept = [heir if one == option else one for one in chosen]
        value = tuple(dict.fromkeys(one for one in kept if one is not None))
    changes = Changes(issue, actor)
    apply(Planned(fieldset, values={field.id: value}), issue, changes)
    changes.save()
    issue.save(update_fields=["updated"])
    return True


def _parent(context: FieldContext, id: str, have: dict[int, FieldOption]) -> FieldOption:
    if custom_type(context.field.type).choice != "tree":
        raise Invalid("The custom field doesn't support cascading options.")
    found = have.get(key_of(id))
    if found is None:
        raise NotFound(f"These options were not found: {id}")
    if found.parent_id is not None:
        raise Invalid("A cascading option cannot have cascading options.")
    return found


def _set_value(row: FieldOption, value: str | None, taken: set[tuple[int | None, str]]) -> None:
    text = (value or "").strip()
    if not text:
        raise Invalid("The value of an option has to be provided.")
    if len(text) > VALUE_LIMIT:
        raise Invalid(f"The value of an option must not exceed {VALUE_LIMIT} characters.")
    key = (row.parent_id, text.lower())
    if key in taken:
        raise Invalid(f"The option '{text}' already exists.")
    taken.add(key)
    row.value = text


def _forget_default(option: FieldOption) -> None:
    """Take an option out of its context's default."""
    context = option.context
    default = context.default
    if not isinstance(default, dict):
        return
    id = str(option.id)
    if id in {default.get("optionId"), default.get("cascadingOptionId")}:
        context.default = None
    elif id in default.get("optionIds", []):
        left = [one for one in default["optionIds"] if one != id]
        context.default = {**default, "optionIds": left} if left else None
    else:
        return
    context.save(update_fields=["default"])
