"""Records on their way through a process: submitted, approved, rejected, recalled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from clones.core import clock
from clones.crm.domain.access.checking import no_access
from clones.crm.domain.approvals import recording
from clones.crm.domain.approvals.approvers import approvers_of
from clones.crm.domain.approvals.locks import lock, unlock
from clones.crm.domain.approvals.processes import (
    APPROVE,
    NEXT,
    Step,
    holds,
    may_submit,
    people_of,
    steps_of,
)
from clones.crm.domain.saving.change import Change
from clones.crm.domain.saving.pipeline import write_again
from clones.crm.domain.saving.reaching import check_reach
from clones.crm.domain.workflow_actions import do_action, updates_of
from clones.crm.errors import IsDeleted, NotFound, RecordError
from clones.crm.models import ApprovalProcess, SObjectRow, WorkflowAction, rows_of
from clones.crm.queries.access.rights import rights_of
from clones.crm.queries.access.viewing import system_mode
from clones.crm.queries.formulas import Looker
from clones.crm.queries.records import find_record
from clones.crm.rules.access.sharing import Level
from clones.crm.rules.schema import OrgSchema

PENDING, APPROVED, REJECTED, REMOVED = "Pending", "Approved", "Rejected", "Removed"
LONGEST_COMMENTS: Final = 4000


@dataclass(frozen=True, slots=True)
class Submission:
    """What is to be submitted: a record, by whom, to which process if it is named."""

    record: str
    submitter: str
    comments: str | None = None
    approvers: Sequence[str] = ()
    process: str | None = None
    skips_criteria: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """What somebody does with a request: `action` is Approve, Reject or Removed."""

    action: str
    workitem: str
    comments: str | None = None
    approvers: Sequence[str] = ()


@dataclass(slots=True)
class ApprovalOutcome:
    """How an approval stands: who is asked now, and by which requests."""

    record: str
    instance: str
    status: str
    actors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


def submit(schema: OrgSchema, wanted: Submission, *, actor: str) -> ApprovalOutcome:
    """Submit a record for approval, on behalf of its submitter.

    Raises:
        NotFound: there is no such record, or the user does not see it.
        IsDeleted: it lies in the recycle bin.
        RecordError: it is in a process, none takes it, or nobody is found who decides.
    """
    of = schema.of_id(wanted.record)
    if of is None:
        raise _unknown()
    with system_mode() as asking:
        row = find_record(of.whole, wanted.record)
        check_reach(asking, row, Level.READ)
        if wanted.submitter != actor and not rights_of(actor).modifies_all_data:
            raise no_access()
        if not rows_of("User").filter(Id=wanted.submitter, IsActive=True).exists():
            raise _unknown()
        pending = rows_of("ProcessInstance").filter(
            TargetObjectId=row.pk, Status=PENDING, IsDeleted=False
        )
        if pending.exists():
            raise RecordError("ALREADY_IN_PROCESS", "Cannot submit object already in process.")
        now = clock.now().replace(microsecond=0)
        process = _process_for(row, wanted, Looker(wanted.submitter, now))
        instance = recording.begin(process, row.pk, submitter=wanted.submitter, now=now)
        run = _Run(process, instance, row, actor, now)
        recording.note_step(
            instance, "Started", actor=wanted.submitter, now=now, comments=wanted.comments
        )
        lock(row.pk)
        run.act("initialSubmissionActions")
        run.go_on(0, wanted.approvers, is_first=True)
        return run.outcome()


def decide(schema: OrgSchema, wanted: Decision, *, actor: str) -> ApprovalOutcome:
    """Approve or reject a request, or recall the record that it is about.

    Raises:
        RecordError: there is no such request, or the user may not decide on it.
    """
    with system_mode():
        found = rows_of("ProcessInstanceWorkitem").filter(Id=wanted.workitem, IsDeleted=False)
        workitem: SObjectRow | None = found.first()
        if workitem is None:
            raise _unknown()
        instance: SObjectRow = rows_of("ProcessInstance").get(Id=workitem.ProcessInstanceId)
        process = ApprovalProcess.objects.get(id=instance.ProcessDefinitionId)
        of = schema.of_id(instance.TargetObjectId)
        if of is None:
            raise _unknown()
        try:
            row = find_record(of.whole, instance.TargetObjectId)
        except (NotFound, IsDeleted):
            raise _unknown() from None
        run = _Run(process, instance, row, actor, clock.now().replace(microsecond=0))
        _ACTS[wanted.action](run, workitem, wanted)
        return run.outcome()


def _process_for(row: SObjectRow, wanted: Submission, looker: Looker) -> ApprovalProcess:
    """Return the process that takes a record: the one that is named, or the first that fits."""
    found = ApprovalProcess.objects.filter(object=row.sobject.name, is_active=True)
    for process in found.order_by("order", "id"):
        if wanted.process is not None and wanted.process not in (process.id, process.name):
            continue
        if not may_submit(process, row, wanted.submitter):
            continue
        skips = wanted.skips_criteria and wanted.process is not None
        if skips or holds(process.definition.get("entryCriteria"), row, looker):
            return process
    raise RecordError("NO_APPLICABLE_PROCESS", "No applicable approval process was found.")


@dataclass
class _Run:
    """A record on its way through a process, in one call."""

    process: ApprovalProcess
    instance: SObjectRow
    row: SObjectRow
    actor: str
    now: datetime
    asked: list[tuple[str, str]] = field(default_factory=list)

    def go_on(self, place: int, chosen: Sequence[str], *, is_first: bool = False) -> None:
        """Come to the next step whose criteria the record meets, or to the end."""
        looker = Looker(self.actor, self.now)
        for step in steps_of(self.process)[place:]:
            if holds(step.given.get("entryCriteria"), self.row, looker):
                self.ask(step, chosen)
                return
            otherwise = step.given.get("ifCriteriaNotMet") or (APPROVE if is_first else NEXT)
            if otherwise == NEXT:
                continue
            self.end(APPROVED if otherwise == APPROVE else REJECTED)
            return
        self.end(APPROVED)

    def ask(self, step: Step, chosen: Sequence[str]) -> None:
        """Ask those who decide in a step."""
        submitter = str(self.instance.SubmittedById)
        actors = approvers_of(self.process, step, self.row, submitter=submitter, chosen=chosen)
        recording.open_node(self.instance, step, by=self.actor, now=self.now)
        for one in actors:
            id = recording.request(self.instance, one, step.node, by=self.actor, now=self.now)
            self.asked.append((one, id))
        if self.process.definition.get("recordEditability") == "AdminOrCurrentApprover":
            lock(self.row.pk, sorted({user for one in actors for user in people_of(one)}))

    def approve(self, workitem: SObjectRow, wanted: Decision) -> None:
        """Approve a request; the step is over where nobody else has to."""
        step = self._decided(workitem, APPROVED, wanted)
        others = self._others()
        if step.is_unanimous and others:
            return
        self._pass_over(others, step)
        self._close_node(APPROVED)
        self.act("approvalActions", step)
        self.go_on(step.place + 1, wanted.approvers)

    def reject(self, workitem: SObjectRow, wanted: Decision) -> None:
        """Reject a request: the record goes back a step, or out of the process."""
        step = self._decided(workitem, REJECTED, wanted)
        self._pass_over(self._others(), step)
        self._close_node(REJECTED)
        self.act("rejectionActions", step)
        if step.goes_back and step.place > 0:
            self.ask(steps_of(self.process)[step.place - 1], wanted.approvers)
        else:
            self.end(REJECTED)

    def recall(self, workitem: SObjectRow, wanted: Decision) -> None:
        """Take the record out of the process."""
        is_own = self.instance.SubmittedById == self.actor
        allows = self.process.definition.get("allowRecall") is True
        if not (is_own and allows) and not rights_of(self.actor).modifies_all_data:
            raise no_access()
        node = recording.pending_node(self.instance)
        for one in self._others():
            recording.withdraw(one)
        recording.note_step(
            self.instance,
            REMOVED,
            actor=self.actor,
            now=self.now,
            comments=wanted.comments,
            node=None if node is None else node.ProcessNodeId,
            original=workitem.OriginalActorId,
            since=workitem.CreatedDate,
        )
        self._close_node(REMOVED)
        recording.close(self.instance, "Status", REMOVED, actor=self.actor, now=self.now)
        unlock(self.row.pk)
        self.act("recallActions")

    def end(self, status: str) -> None:
        """Come to the end of the process, and do what follows."""
        recording.close(self.instance, "Status", status, actor=self.actor, now=self.now)
        kind = "Approval" if status == APPROVED else "Rejection"
        if self.process.definition.get(f"final{kind}RecordLock") is True:
            lock(self.row.pk)
        else:
            unlock(self.row.pk)
        self.act(f"final{kind}Actions")

    def act(self, name: str, step: Step | None = None) -> None:
        """Do the actions of the process, or of a step, that have a name."""
        given = (self.process.definition if step is None else step.given).get(name) or {}
        kinds = {(one["type"], one["name"]) for one in given.get("action") or []}
        if not kinds:
            return
        of = self.row.sobject
        actions = [
            one
            for one in WorkflowAction.objects.filter(object=of.name).order_by("id")
            if (one.kind, one.name) in kinds
        ]
        before = {each.name: getattr(self.row, each.name) for each in of.stored}
        change = Change(of, self.row, before, {}, self.actor, self.now, is_quiet=True)
        values = updates_of(change, [one for one in actions if one.kind == "FieldUpdate"])
        if values:
            write_again(change, values)
        for action in actions:
            if action.kind != "FieldUpdate":
                do_action(change, action)

    def outcome(self) -> ApprovalOutcome:
        """Return how the approval stands."""
        found = ApprovalOutcome(str(self.row.pk), str(self.instance.pk), str(self.instance.Status))
        found.actors = [one for one, _ in self.asked]
        found.requests = [id for _, id in self.asked]
        return found

    def _decided(self, workitem: SObjectRow, status: str, wanted: Decision) -> Step:
        """Keep a decision, and return the step that it was made in."""
        node = recording.pending_node(self.instance)
        if node is None:
            raise _unknown()
        step = next(one for one in steps_of(self.process) if one.node == node.ProcessNodeId)
        if not self._may_decide(workitem, step):
            raise RecordError(
                "INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY",
                "insufficient access rights on cross-reference id",
            )
        recording.withdraw(workitem)
        recording.note_step(
            self.instance,
            status,
            actor=self.actor,
            now=self.now,
            original=workitem.OriginalActorId,
            comments=wanted.comments,
            node=step.node,
            since=workitem.CreatedDate,
        )
        return step

    def _may_decide(self, workitem: SObjectRow, step: Step) -> bool:
        people = people_of(workitem.ActorId)
        if self.actor in people or rights_of(self.actor).modifies_all_data:
            return True
        if step.given.get("allowDelegate") is not True:
            return False
        delegates = rows_of("User").filter(Id__in=people).exclude(DelegatedApproverId=None)
        found = delegates.values_list("DelegatedApproverId", flat=True)
        return any(self.actor in people_of(one) for one in found)

    def _others(self) -> list[SObjectRow]:
        rows = rows_of("ProcessInstanceWorkitem").filter(ProcessInstanceId=self.instance.pk)
        return list(rows.order_by("Id"))

    def _pass_over(self, others: Sequence[SObjectRow], step: Step) -> None:
        """Keep of those who were asked, too, that nobody waits for them any more."""
        for one in others:
            recording.withdraw(one)
            recording.note_step(
                self.instance,
                "NoResponse",
                actor=one.ActorId,
                now=self.now,
                original=one.OriginalActorId,
                node=step.node,
                since=one.CreatedDate,
            )

    def _close_node(self, status: str) -> None:
        node = recording.pending_node(self.instance)
        if node is not None:
            recording.close(node, "NodeStatus", status, actor=self.actor, now=self.now)


_ACTS: Final[Mapping[str, Callable[[_Run, SObjectRow, Decision], Any]]] = {
    "Approve": _Run.approve,
    "Reject": _Run.reject,
    "Removed": _Run.recall,
}
ACTIONS: Final = tuple(_ACTS)


def _unknown() -> RecordError:
    return RecordError("INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id")
