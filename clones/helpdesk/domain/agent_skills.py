"""Skills of many agents at once, as a job."""

from __future__ import annotations

from clones.helpdesk.domain import bulk, skills
from clones.helpdesk.models import AgentValue, JobStatus
from clones.helpdesk.queries.routing import agent

KIND = "set_agent_skills"
ACTIONS = ("upsert", "update", "delete")


@bulk.does(KIND, "Bulk upsert/update/delete agent instance values")
def _work(index: int, item: bulk.Item, job: JobStatus) -> bulk.Item:
    """Add skills to an agent (`upsert`), set them (`update`), or take them (`delete`)."""
    found = agent(item["id"])
    held = list(
        AgentValue.objects.filter(agent=found)
        .order_by("created_at", "id")
        .values_list("value_id", flat=True)
    )
    values: list[str] = item["values"]
    wanted = {
        "upsert": [*held, *values],
        "update": values,
        "delete": [key for key in held if key not in values],
    }
    chosen = list(dict.fromkeys(wanted[item["action"]]))
    skills.set_agent_values(found, chosen, actor=job.requested_by)
    return bulk.updated(index, found.id)
