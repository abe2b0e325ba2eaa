"""Versions of articles: published, and taken offline."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call
from clones.crm.api.bodies import text
from clones.crm.api.operations import versioned
from clones.crm.api.views.rows import members
from clones.crm.domain.saving.knowledge import ARCHIVED, ONLINE, archive_version, publish_version
from clones.crm.errors import RecordError
from clones.crm.queries.schema import org_schema


@versioned(
    "PatchKnowledgeVersion",
    "PATCH",
    "/knowledgeManagement/articleVersions/masterVersions/{id}",
    summary="Publish a version of an article, or take it offline.",
    body=Any,
    status=204,
)
def move_version(call: Call) -> None:
    """Answer with nothing."""
    wanted = text(members(call.body).get("publishStatus"), "publishStatus")
    moves = {ONLINE.lower(): publish_version, ARCHIVED.lower(): archive_version}
    move = moves.get(wanted.lower())
    if move is None:
        raise RecordError(
            "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST",
            f"Publication Status: bad value for restricted picklist field: {wanted[:200]}",
            ["PublishStatus"],
        )
    move(org_schema(), call.path["id"], actor=call.actor.subject)
