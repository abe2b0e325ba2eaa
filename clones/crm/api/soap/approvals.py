"""The call that submits records for approval, and decides on requests."""

from __future__ import annotations

from typing import Final

from clones.crm.api.soap.asked import SoapCall, answers
from clones.crm.api.soap.rows import save_listed
from clones.crm.api.soap.values import errors_xml, whole_id
from clones.crm.api.soap.xml import XSI, Element, tag
from clones.crm.api.views.approvals import checked_comments
from clones.crm.domain.approvals.running import (
    ACTIONS,
    ApprovalOutcome,
    Decision,
    Submission,
    decide,
    submit,
)
from clones.crm.domain.saving.many import Saved
from clones.crm.errors import RecordError
from clones.crm.rules.record_ids import read_id

_TRUE: Final = ("true", "1")


@answers("process")
def process(asked: SoapCall) -> str:
    """Submit records and decide on requests, each by itself."""
    done: list[ApprovalOutcome] = []

    def run(action: Element) -> Saved:
        kind = action.attributes.get(f"{XSI} type", "").rpartition(":")[2]
        if kind == "ProcessSubmitRequest":
            found = submit(asked.schema, _submission(asked, action), actor=asked.user)
        elif kind == "ProcessWorkitemRequest":
            found = decide(asked.schema, _decision(action), actor=asked.user)
        else:
            raise RecordError("INVALID_TYPE", f"Unknown process request: {kind[:80]}")
        done.append(found)
        return Saved(found.record)

    answer = ""
    for saved in save_listed(asked.said.all("actions"), run, all_or_none=asked.all_or_none):
        found = None if saved.error else done.pop(0)
        answer += (
            "<result>"
            + "".join(tag("actorIds", one) for one in (found.actors if found else ()))
            + tag("entityId", found and found.record)
            + errors_xml([saved.error] if saved.error else [])
            + tag("instanceId", found and found.instance)
            + tag("instanceStatus", found and found.status)
            + "".join(tag("newWorkitemIds", one) for one in (found.requests if found else ()))
            + tag("success", found is not None)
            + "</result>"
        )
    return answer


def _submission(asked: SoapCall, given: Element) -> Submission:
    name, submitter = given.said("processDefinitionNameOrId"), given.said("submitterId")
    return Submission(
        record=whole_id(given.said("objectId")),
        submitter=whole_id(submitter) if submitter else asked.user,
        comments=checked_comments(given.said("comments")),
        approvers=_approvers(given),
        process=(read_id(name) or name) if name else None,
        skips_criteria=given.said("skipEntryCriteria") in _TRUE,
    )


def _decision(given: Element) -> Decision:
    action = given.said("action")
    action = "Removed" if action == "Remove" else action
    if action not in ACTIONS:
        raise RecordError("INVALID_OPERATION", f"Invalid action: {action[:80]}")
    return Decision(
        action,
        whole_id(given.said("workitemId")),
        checked_comments(given.said("comments")),
        _approvers(given),
    )


def _approvers(given: Element) -> list[str]:
    return [whole_id(one.text.strip()) for one in given.all("nextApproverIds") if not one.is_nil]
