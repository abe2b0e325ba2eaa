"""Requests that are given to somebody else to decide."""

from __future__ import annotations

from clones.crm.domain.access.checking import no_access
from clones.crm.domain.approvals import recording
from clones.crm.domain.approvals.processes import people_of
from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.stages import Stage, step
from clones.crm.models import rows_of
from clones.crm.queries.access.rights import rights_of


@step(Stage.FOLLOW_UPS)
def note_reassigned(change: Change) -> None:
    """Keep that somebody else is to decide.

    Raises:
        RecordError: the user is neither the one who was to decide nor an administrator.
    """
    if change.of.name != "ProcessInstanceWorkitem" or not change.has_changed("ActorId"):
        return
    before = str(change.was("ActorId"))
    if change.actor not in people_of(before) and not rights_of(change.actor).modifies_all_data:
        raise no_access()
    instance = rows_of("ProcessInstance").get(Id=change.get("ProcessInstanceId"))
    node = recording.pending_node(instance)
    recording.note_step(
        instance,
        "Reassigned",
        actor=change.actor,
        original=before,
        now=change.now,
        node=None if node is None else node.ProcessNodeId,
        since=change.get("CreatedDate"),
    )
    shown = rows_of("ProcessInstanceHistory").filter(Id=change.get("Id")).first()
    if shown is not None:
        shown.ActorId = change.get("ActorId")
        shown.save()
