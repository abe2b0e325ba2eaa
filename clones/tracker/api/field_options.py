"""Options of custom fields.

They are not declared: operations are on several options of a context at once.
"""

from __future__ import annotations

from typing import Any

from django.db.models import F
from pydantic import Field

from clones.core.operations import Call, Reply
from clones.tracker.api.admin_lists import AdminBody, Id
from clones.tracker.api.field_contexts import ONE, context_of
from clones.tracker.api.operations import Query, actor, flag, operation, show
from clones.tracker.api.paging import page_bean
from clones.tracker.api.presenters.fields import option_body
from clones.tracker.api.task_replies import task_reply
from clones.tracker.domain import field_options as options
from clones.tracker.domain.errors import NotFound
from clones.tracker.domain.scheme_parts import key_of
from clones.tracker.models import FieldOption
from clones.tracker.queries.fields import visible_fields

PATH = ONE + "/option"


class OptionWrite(AdminBody):
    """An option of a custom field; `optionId` is the one above it."""

    id: str | None = None
    value: str | None = None
    disabled: bool | None = None
    parent: str | None = Field(None, alias="optionId")

    def read(self) -> options.OptionValues:
        """Return the values for the domain."""
        return options.OptionValues(self.value, self.disabled, self.parent, self.id)


class Options(AdminBody):
    """Options of a custom field to create or to change."""

    options: list[OptionWrite] = []


class OptionOrder(AdminBody):
    """Options of a custom field to move, and where they go."""

    ids: list[str] = Field([], alias="customFieldOptionIds")
    after: str | None = None
    position: str | None = None


class OptionQuery(Query):
    """Filter of a custom field's options: one, or the first level's."""

    id: Id | None = Field(None, alias="optionId")
    only: str | None = Field(None, alias="onlyOptions")


class Replacement(Query):
    """The option that issues get in place of another, and a query of the issues."""

    heir: str | None = Field(None, alias="replaceWith")
    jql: str | None = None


@operation(
    "getCustomFieldOption",
    "GET",
    "/rest/api/3/customFieldOption/{id}",
    summary="Show an option of a custom field.",
    access="anyone",
)
def show_option(call: Call) -> dict[str, Any]:
    """Show an option of a field that the caller sees."""
    text = call.path["id"]
    seen = visible_fields(actor(call)).order_by().values("id")
    found = FieldOption.objects.filter(id=key_of(text), context__field__in=seen).first()
    if found is None:
        raise NotFound(f"The custom field option with id '{text}' does not exist.")
    return {"self": show(call).url(f"customFieldOption/{found.id}"), "value": found.value}


@operation(
    "getOptionsForContext",
    "GET",
    PATH,
    summary="List the options of a context.",
    query=OptionQuery,
    access="admin",
)
def list_options(call: Call) -> dict[str, Any]:
    """List options: those of the first level, then cascading ones."""
    asked: OptionQuery = call.query
    context = context_of(call)
    options.check_has_options(context)
    rows = context.options.order_by(F("parent").asc(nulls_first=True), "position", "id")
    if asked.id is not None:
        options.find_option(context, asked.id)
        rows = rows.filter(id=asked.id) | rows.filter(parent=asked.id)
    if flag(asked.only):
        rows = rows.filter(parent=None)
    return page_bean(call, rows, lambda found: [option_body(row) for row in found], max_results=100)


@operation(
    "createCustomFieldOption",
    "POST",
    PATH,
    summary="Add options to a context.",
    body=Options,
    access="admin",
)
def create_options(call: Call) -> dict[str, Any]:
    """Add options at the end of a context."""
    given: Options = call.body
    wanted = [one.read() for one in given.options]
    made = options.create_options(context_of(call), wanted, actor=actor(call))
    return {"options": [option_body(row) for row in made]}


@operation(
    "updateCustomFieldOption",
    "PUT",
    PATH,
    summary="Change options of a context.",
    body=Options,
    access="admin",
)
def update_options(call: Call) -> dict[str, Any]:
    """Change options; the answer has those that differ from before."""
    given: Options = call.body
    wanted = [one.read() for one in given.options]
    changed = options.update_options(context_of(call), wanted, actor=actor(call))
    return {
        "options": [
            {"id": str(row.id), "value": row.value, "disabled": row.disabled} for row in changed
        ]
    }


@operation(
    "reorderCustomFieldOptions",
    "PUT",
    PATH + "/move",
    summary="Change the order of options.",
    body=OptionOrder,
    access="admin",
    status=204,
)
def move_options(call: Call) -> None:
    """Move options of one level."""
    given: OptionOrder = call.body
    options.move_options(
        context_of(call),
        given.ids,
        after=given.after,
        position=given.position,
        actor=actor(call),
    )


@operation(
    "deleteCustomFieldOption",
    "DELETE",
    PATH + "/{optionId}",
    summary="Remove an option.",
    access="admin",
    status=204,
)
def delete_option(call: Call) -> None:
    """Remove an option; issues lose it."""
    context = context_of(call)
    options.check_has_options(context)
    found = options.find_option(context, call.path["optionId"])
    options.delete_option(found, actor=actor(call))


@operation(
    "replaceCustomFieldOption",
    "DELETE",
    PATH + "/{optionId}/issue",
    summary="Begin to take an option from issues, and to give them another for it.",
    query=Replacement,
    access="admin",
    status=303,
)
def replace_option(call: Call) -> Reply:
    """Begin to take an option from issues; the answer leads to the task."""
    asked: Replacement = call.query
    found = options.find_option(context_of(call), call.path["optionId"])
    task = options.start_replacement(found, asked.heir, asked.jql, actor=actor(call))
    return task_reply(call, task)
