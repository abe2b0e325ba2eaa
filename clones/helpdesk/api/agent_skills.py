"""Skills of many agents at once: list them, and set them as a job."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from clones.core.operations import Call
from clones.helpdesk.api.operations import (
    MANY,
    OPERATIONS,
    Body,
    PagedQuery,
    Words,
    list_request,
    listed,
    show,
)
from clones.helpdesk.api.paging import Order, paginate
from clones.helpdesk.api.presenters.context import when
from clones.helpdesk.api.ticket_bulk import start
from clones.helpdesk.domain.agent_skills import ACTIONS, KIND
from clones.helpdesk.domain.changes import identifier
from clones.helpdesk.domain.errors import InvalidAttribute, TooManyValues
from clones.helpdesk.models import AgentValue

ALL = "/routing/agents/instance_values"
NORMAL = "NORMAL"


class AgentsQuery(PagedQuery):
    """Filter of agents' skills: the agents whose skills are listed."""

    agent_ids: Words = Field([], alias="filter[agent_ids]", description="Up to 100 agents' ids.")


class SkillGiven(Body):
    """A skill that an agent gets or loses, by its id."""

    id: str
    agent_skill_priority: str | None = Field(None, description="Has no effect here.")


class SkillsGiven(Body):
    """The skills that a job adds to agents, sets on them or takes from them."""

    attribute_values: list[SkillGiven]


class SkillsJob(Body):
    """A bulk change of agents' skills: the action, the agents, the skills."""

    action: str = Field(description="upsert, update or delete")
    attributes: SkillsGiven
    items: list[int] = Field(description="Up to 100 agents' ids.")


class SkillsJobBody(Body):
    """A bulk change of agents' skills to queue as a job."""

    job: SkillsJob


@OPERATIONS.operation(
    "ListManyAgentsAttributeValues",
    "GET",
    ALL,
    summary="List the skills of up to 100 agents.",
    query=AgentsQuery,
    access="admin",
)
def list_values(call: Call) -> dict[str, Any]:
    """List several agents' skills."""
    if not call.query.agent_ids:
        raise InvalidAttribute("filter", "present")
    keys = [identifier("filter[agent_ids]", part) for part in call.query.agent_ids]
    if len(keys) > MANY:
        raise TooManyValues(MANY, "agent_ids")
    rows = AgentValue.objects.filter(agent_id__in=[key for key in keys if key is not None])
    page = paginate(
        rows.select_related("value"), list_request(call), Order(("created_at", "id")), offset=False
    )
    bodies = [_present(row, call) for row in page.rows]
    around = {"count": len(bodies), "next_page": None, "previous_page": None}
    return {**listed("instance_values", bodies, page), **around}


def _present(row: AgentValue, call: Call) -> dict[str, Any]:
    show(call).note(row)
    return {
        "agent_id": row.agent_id,
        "agent_skill_priority": NORMAL,
        "attribute_id": row.value.attribute_id,
        "attribute_value_id": row.value_id,
        "created_at": when(row.created_at),
        "id": row.id,
        "name": row.value.name,
        "updated_at": when(row.created_at),
    }


@OPERATIONS.operation(
    "BulkSetAgentAttributeValuesJob",
    "POST",
    f"{ALL}/job",
    summary="Add, set or take skills of up to 100 agents as a job.",
    body=SkillsJobBody,
    access="admin",
)
def set_values(call: Call) -> dict[str, Any]:
    """Queue a change of several agents' skills."""
    given = call.body.job
    if given.action not in ACTIONS:
        raise InvalidAttribute("job.action", "upsert, update or delete")
    if len(given.items) > MANY:
        raise TooManyValues(MANY, "items")
    values = [item.id for item in given.attributes.attribute_values]
    items = [{"id": key, "action": given.action, "values": values} for key in given.items]
    return start(call, KIND, items)
