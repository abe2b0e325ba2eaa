"""Headings of triggers: make, change, remove, and move many with their triggers."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from clones.core import resources
from clones.core.digits import whole_number
from clones.core.operations import Call
from clones.helpdesk.api.operations import MANY, OPERATIONS, Body, show
from clones.helpdesk.api.presenters.rules import present_category, present_trigger
from clones.helpdesk.api.resources import register_resource
from clones.helpdesk.api.views import rule_changes
from clones.helpdesk.domain import trigger_categories
from clones.helpdesk.domain.errors import CategoryRefused, TooManyValues
from clones.helpdesk.models import TriggerCategory

DIGITS = 18


class CategoryWrite(Body):
    """The attributes of a trigger category that can be set."""

    name: str | None = None
    position: int | None = None
    id: str | None = None


class CategoryBody(Body):
    """A trigger category to create or update."""

    trigger_category: CategoryWrite


class CategoryPlace(Body):
    """A trigger category of a batch: its id and position."""

    id: int = Field(ge=0, lt=2**63)
    position: int


class TriggerPlace(Body):
    """A trigger of a batch: its id, position, category, whether it is active."""

    id: int = Field(ge=0, lt=2**63)
    position: int | None = None
    active: bool | None = None
    category_id: int | None = None


class JobItems(Body):
    """The trigger categories and triggers of a batch."""

    trigger_categories: list[CategoryPlace] = []
    triggers: list[TriggerPlace] = []


class JobWrite(Body):
    """A batch of changes of trigger categories and triggers; the action is always `patch`."""

    action: Literal["patch"]
    items: JobItems


class JobBody(Body):
    """A batch of changes of trigger categories and triggers to carry out."""

    job: JobWrite


def _category(text: str) -> TriggerCategory:
    found = None
    if whole_number(text, digits=DIGITS) is not None:
        found = TriggerCategory.objects.filter(id=int(text)).first()
    if found is None:
        title = "Category can\u2019t be found. Check the ID and try again."
        raise CategoryRefused("absent", title)
    return found


register_resource(
    resources.ResourceApi(
        resource=trigger_categories.TRIGGER_CATEGORY,
        path="/trigger_categories",
        one="/{trigger_category_id}",
        find=_category,
        present=present_category,
        body=CategoryBody,
    ),
    resources.creates("CreateTriggerCategory", "Create a heading of triggers.", status=200),
    resources.shows("ShowTriggerCategoryById", "Show one heading of triggers."),
    resources.updates(
        "UpdateTriggerCategory", "Rename or move a heading of triggers.", method="PATCH"
    ),
    resources.deletes(
        "DeleteTriggerCategory", "Delete a heading under which no trigger is active."
    ),
    module=__name__,
)


@OPERATIONS.operation(
    "BatchOperateTriggerCategories",
    "POST",
    "/trigger_categories/jobs",
    summary="Move headings and triggers, and switch triggers, all or none.",
    body=JobBody,
    access="admin",
)
def run_job(call: Call) -> dict[str, Any]:
    """Move categories and triggers in one go."""
    items = call.body.job.items
    if len(items.trigger_categories) > MANY or len(items.triggers) > MANY:
        raise TooManyValues(MANY)
    categories, triggers = trigger_categories.change_places(
        [rule_changes(item) | {"id": item.id} for item in items.trigger_categories],
        [rule_changes(item) | {"id": item.id} for item in items.triggers],
        actor=call.actor,
    )
    results = {
        "trigger_categories": [present_category(item, show(call)) for item in categories],
        "triggers": [present_trigger(item, show(call)) for item in triggers],
    }
    return {"results": results, "status": "complete"}
