"""Rules for cases and leads, and entitlement processes, defined by the tooling resources."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from clones.core.operations import Call, Reply
from clones.crm.api.operations import root, versioned
from clones.crm.api.views.workflows import made_reply, metadata_of
from clones.crm.domain.service.processes import set_process
from clones.crm.domain.service.rules import Kind, remove_rule, set_rule
from clones.crm.domain.service.settings import is_flag
from clones.crm.errors import NotFound, UnreadableBody
from clones.crm.models import ServiceRule, SlaExit, rows_of
from clones.crm.rules.record_ids import read_id

_KINDS: Final[dict[str, Kind]] = {
    "AssignmentRule": "assignment",
    "AutoResponseRule": "response",
    "EscalationRule": "escalation",
}
_PROCESS: Final = "EntitlementProcess"


def _rule(call: Call, kind: str) -> ServiceRule:
    id = read_id(call.path["id"]) or ""
    found = ServiceRule.objects.filter(id=id, kind=_KINDS[kind]).first()
    if found is None:
        raise NotFound
    return found


def _set(call: Call, kind: str, object_: str, name: str) -> str:
    metadata = metadata_of(call.body)
    entries = metadata.get("ruleEntry") or []
    entries = [entries] if isinstance(entries, dict) else entries
    if not isinstance(entries, Sequence) or not all(isinstance(one, dict) for one in entries):
        raise UnreadableBody("Cannot deserialize instance of RuleEntry: ruleEntry")
    return set_rule(
        _KINDS[kind],
        object_,
        name,
        entries,
        is_active=is_flag(metadata.get("active")),
        actor=call.actor.subject,
    )


def _register(kind: str, what: str) -> None:
    where = f"/tooling/sobjects/{kind}"

    @versioned(f"PostTooling{kind}", "POST", where, summary=f"Define {what}.", body=Any, status=201)
    def make(call: Call) -> Reply:
        metadata_of(call.body)
        of, _, name = str(call.body.get("FullName") or "").partition(".")
        return made_reply(call, kind, _set(call, kind, of, name))

    @versioned(f"GetTooling{kind}", "GET", f"{where}/{{id}}", summary=f"Show {what}.")
    def show(call: Call) -> dict[str, Any]:
        found = _rule(call, kind)
        return {
            "attributes": {"type": kind, "url": f"{root(call)}{where}/{found.id}"},
            "Id": found.id,
            "Name": found.name,
            "EntityDefinitionId": found.object,
            "Active": found.is_active,
            "FullName": f"{found.object}.{found.name}",
            "Metadata": found.definition,
        }

    @versioned(
        f"PatchTooling{kind}",
        "PATCH",
        f"{where}/{{id}}",
        summary=f"Change {what}.",
        body=Any,
        status=204,
    )
    def alter(call: Call) -> None:
        found = _rule(call, kind)
        _set(call, kind, found.object, found.name)

    @versioned(
        f"DeleteTooling{kind}",
        "DELETE",
        f"{where}/{{id}}",
        summary=f"Take {what} away.",
        status=204,
    )
    def drop(call: Call) -> None:
        remove_rule(_rule(call, kind), actor=call.actor.subject)


_register("AssignmentRule", "a rule of assignment")
_register("AutoResponseRule", "a rule of responses")
_register("EscalationRule", "a rule of escalation")


@versioned(
    f"PostTooling{_PROCESS}",
    "POST",
    f"/tooling/sobjects/{_PROCESS}",
    summary="Define an entitlement process.",
    body=Any,
    status=201,
)
def make_process(call: Call) -> Reply:
    """Answer with the id of the process; one of that name is changed."""
    metadata = metadata_of(call.body)
    name = str(call.body.get("FullName") or "")
    return made_reply(call, _PROCESS, set_process(name, metadata, actor=call.actor.subject))


@versioned(
    f"GetTooling{_PROCESS}",
    "GET",
    f"/tooling/sobjects/{_PROCESS}/{{id}}",
    summary="Show an entitlement process.",
)
def show_process(call: Call) -> dict[str, Any]:
    """Answer with the process and what its metadata say."""
    id = read_id(call.path["id"]) or ""
    row = rows_of("SlaProcess").filter(Id=id).first()
    definition = SlaExit.objects.filter(id=id).values_list("definition", flat=True).first()
    if row is None:
        raise NotFound
    url = f"{root(call)}/tooling/sobjects/{_PROCESS}/{row.pk}"
    return {
        "attributes": {"type": _PROCESS, "url": url},
        "Id": row.pk,
        "Name": row.Name,
        "FullName": row.Name,
        "Metadata": definition,
    }
