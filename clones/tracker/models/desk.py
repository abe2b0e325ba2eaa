"""Service desks: request types, queues, requests, SLAs, approvals."""

from __future__ import annotations

from django.db import models

from clones.core.models import Blob, Record
from clones.tracker.models.conversation import Attachment, Comment
from clones.tracker.models.issues import Issue
from clones.tracker.models.kinds import IssueType, Status
from clones.tracker.models.people import Organization, User
from clones.tracker.models.projects import Project


class ServiceDesk(Record):
    """The desk of a space of the type service_desk.

    `access` is open (anybody may become a customer), restricted (those added) or site.
    """

    id = models.BigIntegerField(primary_key=True)
    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="desk")
    portal_name = models.CharField(max_length=255, default="")
    portal_description = models.TextField(default="")
    announcement = models.TextField(default="")
    access = models.CharField(max_length=10, default="restricted")
    email = models.CharField(max_length=254, null=True)
    settings = models.JSONField(default=dict)


class DeskCustomer(Record):
    """A customer who may ask a desk."""

    id = models.BigIntegerField(primary_key=True)
    desk = models.ForeignKey(
        ServiceDesk, on_delete=models.CASCADE, related_name="customers", db_index=False
    )
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="desks")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["desk", "user"], name="tracker_deskcustomer_once")
        ]


class DeskOrganization(Record):
    """An organization whose people may ask a desk."""

    id = models.BigIntegerField(primary_key=True)
    desk = models.ForeignKey(
        ServiceDesk, on_delete=models.CASCADE, related_name="organizations", db_index=False
    )
    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="desks")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["desk", "organization"], name="tracker_deskorganization_once"
            )
        ]


class RequestTypeGroup(Record):
    """A heading of a portal."""

    id = models.BigIntegerField(primary_key=True)
    desk = models.ForeignKey(ServiceDesk, on_delete=models.CASCADE, related_name="groups")
    name = models.CharField(max_length=255)
    position = models.PositiveIntegerField()


class RequestType(Record):
    """What customers can ask for. `groups` are ids of headings; without one it is not shown."""

    id = models.BigIntegerField(primary_key=True)
    desk = models.ForeignKey(ServiceDesk, on_delete=models.CASCADE, related_name="request_types")
    issue_type = models.ForeignKey(IssueType, on_delete=models.PROTECT, related_name="+")
    name = models.CharField(max_length=255)
    description = models.TextField(default="")
    help_text = models.TextField(default="")
    icon_id = models.BigIntegerField(default=10600)
    groups = models.JSONField(default=list)
    restricted = models.BooleanField(default=False)
    position = models.PositiveIntegerField(default=0)


class RequestTypeField(Record):
    """A field of a request's form. A `preset` one is not shown: it takes that value."""

    id = models.BigIntegerField(primary_key=True)
    request_type = models.ForeignKey(
        RequestType, on_delete=models.CASCADE, related_name="fields", db_index=False
    )
    field = models.CharField(max_length=40)
    display_name = models.CharField(max_length=255, default="")
    help_text = models.TextField(default="")
    required = models.BooleanField(default=False)
    visible = models.BooleanField(default=True)
    preset = models.JSONField(null=True)
    position = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["request_type", "field"], name="tracker_requestfield_once"
            )
        ]


class RequestTypeStatus(Record):
    """What customers read for a status of a request."""

    id = models.BigIntegerField(primary_key=True)
    request_type = models.ForeignKey(
        RequestType, on_delete=models.CASCADE, related_name="statuses", db_index=False
    )
    status = models.ForeignKey(Status, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=255)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["request_type", "status"], name="tracker_requeststatus_once"
            )
        ]


class Request(Record):
    """That an issue is a customer's request: the key is the issue's.

    `channel` is portal, email, api or jira. `rating` (1 to 5) is the customer's.
    """

    id = models.BigIntegerField(primary_key=True)
    issue = models.OneToOneField(Issue, on_delete=models.CASCADE, related_name="request")
    request_type = models.ForeignKey(
        RequestType, on_delete=models.SET_NULL, null=True, related_name="requests"
    )
    channel = models.CharField(max_length=10, default="portal")
    rating = models.PositiveSmallIntegerField(null=True)
    rating_comment = models.TextField(default="")
    rated_at = models.DateTimeField(null=True)


class RequestParticipant(Record):
    """Somebody who is told of a request and may answer it beside its reporter."""

    id = models.BigIntegerField(primary_key=True)
    issue = models.ForeignKey(
        Issue, on_delete=models.CASCADE, related_name="participants", db_index=False
    )
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="participates")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["issue", "user"], name="tracker_participant_once")
        ]


class RequestOrganization(Record):
    """An organization that shares a request."""

    id = models.BigIntegerField(primary_key=True)
    issue = models.ForeignKey(
        Issue, on_delete=models.CASCADE, related_name="organizations", db_index=False
    )
    organization = models.ForeignKey(
        Organization, on_delete=models.CASCADE, related_name="requests"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["issue", "organization"], name="tracker_requestorg_once"
            )
        ]


class RequestSubscription(Record):
    """Whether somebody wants to be told of a request, where they said so."""

    id = models.BigIntegerField(primary_key=True)
    issue = models.ForeignKey(Issue, on_delete=models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    subscribed = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["issue", "user"], name="tracker_requestsub_once")
        ]


class RequestFile(Record):
    """That a file of a request came with it, or with a comment on it.

    Customers see it unless the comment is internal; other files of the issue are the agents'.
    """

    id = models.BigIntegerField(primary_key=True)
    attachment = models.OneToOneField(
        Attachment, on_delete=models.CASCADE, related_name="request_file"
    )
    comment = models.ForeignKey(
        Comment, on_delete=models.CASCADE, null=True, related_name="request_files"
    )


class Queue(Record):
    """A list of a desk's requests: a query and the columns that it shows."""

    id = models.BigIntegerField(primary_key=True)
    desk = models.ForeignKey(
        ServiceDesk, on_delete=models.CASCADE, related_name="queues", db_index=False
    )
    name = models.CharField(max_length=255)
    jql = models.TextField()
    columns = models.JSONField(default=list)
    position = models.PositiveIntegerField()

    class Meta:
        indexes = [models.Index(fields=["desk", "position"], name="tracker_queue_desk")]


class Calendar(Record):
    """When a desk works: `hours` is {"MONDAY": [["09:00", "17:00"]], ...}.

    `holidays` are {"name", "date", "recurring"}.
    """

    id = models.BigIntegerField(primary_key=True)
    desk = models.ForeignKey(ServiceDesk, on_delete=models.CASCADE, related_name="calendars")
    name = models.CharField(max_length=255)
    time_zone = models.CharField(max_length=64)
    hours = models.JSONField(default=dict)
    holidays = models.JSONField(default=list)


class SlaMetric(Record):
    """An SLA of a desk. Conditions are the vendor's words ("issue created", a status's id)."""

    id = models.BigIntegerField(primary_key=True)
    desk = models.ForeignKey(ServiceDesk, on_delete=models.CASCADE, related_name="metrics")
    # The custom field by which queries speak of it.
    field = models.ForeignKey(
        "tracker.CustomField", on_delete=models.PROTECT, related_name="metrics"
    )
    name = models.CharField(max_length=255)
    start = models.JSONField(default=list)
    pause = models.JSONField(default=list)
    stop = models.JSONField(default=list)
    position = models.PositiveIntegerField(default=0)


class SlaGoal(Record):
    """How long an SLA takes for the requests of a query; the first that fits counts.

    Without a query it is for all others; without `milliseconds` there is no goal.
    """

    id = models.BigIntegerField(primary_key=True)
    metric = models.ForeignKey(
        SlaMetric, on_delete=models.CASCADE, related_name="goals", db_index=False
    )
    position = models.PositiveIntegerField()
    jql = models.TextField(default="")
    milliseconds = models.BigIntegerField(null=True)
    # Not protected: a calendar goes with its goals when its desk does.
    calendar = models.ForeignKey(Calendar, on_delete=models.RESTRICT, null=True, related_name="+")

    class Meta:
        indexes = [models.Index(fields=["metric", "position"], name="tracker_slagoal_metric")]


class SlaCycle(Record):
    """One run of an SLA for a request. `elapsed` is what counted until `counted_at`.

    While `paused_at` is set, nothing counts. `breach_at` is when the goal is missed if nothing
    changes; None while it is paused, or without a goal. Milliseconds throughout.
    """

    id = models.BigIntegerField(primary_key=True)
    issue = models.ForeignKey(
        Issue, on_delete=models.CASCADE, related_name="sla_cycles", db_index=False
    )
    metric = models.ForeignKey(
        SlaMetric, on_delete=models.CASCADE, related_name="cycles", db_index=False
    )
    goal = models.BigIntegerField(null=True)
    calendar = models.ForeignKey(Calendar, on_delete=models.SET_NULL, null=True, related_name="+")
    started_at = models.DateTimeField()
    stopped_at = models.DateTimeField(null=True)
    paused_at = models.DateTimeField(null=True)
    counted_at = models.DateTimeField()
    elapsed = models.BigIntegerField(default=0)
    breach_at = models.DateTimeField(null=True)
    breached = models.BooleanField(default=False)

    class Meta:
        indexes = [
            models.Index(fields=["issue", "metric", "id"], name="tracker_slacycle_issue"),
            models.Index(fields=["metric", "stopped_at"], name="tracker_slacycle_open"),
        ]


class Approval(Record):
    """A decision that a request waits for. `decision` is approved or declined, None: pending."""

    id = models.BigIntegerField(primary_key=True)
    issue = models.ForeignKey(
        Issue, on_delete=models.CASCADE, related_name="approvals", db_index=False
    )
    name = models.CharField(max_length=255)
    status = models.ForeignKey(Status, on_delete=models.PROTECT, related_name="+")
    needed = models.PositiveIntegerField(default=1)
    approve_transition = models.PositiveIntegerField(null=True)
    decline_transition = models.PositiveIntegerField(null=True)
    decision = models.CharField(max_length=8, null=True)
    created = models.DateTimeField()
    completed = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["issue", "id"], name="tracker_approval_issue")]


class Approver(Record):
    """Somebody who is asked to approve, and what they said."""

    id = models.BigIntegerField(primary_key=True)
    approval = models.ForeignKey(
        Approval, on_delete=models.CASCADE, related_name="approvers", db_index=False
    )
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="approvals")
    decision = models.CharField(max_length=8, null=True)
    decided = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["approval", "user"], name="tracker_approver_once")
        ]


class TemporaryFile(Record):
    """A file that was sent and belongs to no request yet."""

    id = models.BigIntegerField(primary_key=True)
    uuid = models.CharField(max_length=36, unique=True)
    desk = models.ForeignKey(ServiceDesk, on_delete=models.CASCADE, related_name="files")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    filename = models.CharField(max_length=255)
    mime_type = models.CharField(max_length=255)
    size = models.BigIntegerField()
    blob = models.ForeignKey(Blob, on_delete=models.PROTECT, db_index=False)
    created = models.DateTimeField()
