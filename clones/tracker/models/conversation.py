"""What is said, filed and recorded on issues."""

from __future__ import annotations

from django.db import models

from clones.core.models import Blob, Record
from clones.tracker.models.issues import Issue
from clones.tracker.models.kinds import IssueLinkType
from clones.tracker.models.people import User


class Comment(Record):
    """A comment. `visibility` is {"type": "role" | "group", "identifier"} for some, else None.

    `public` says whether customers of a service desk see it.
    """

    id = models.BigIntegerField(primary_key=True)
    issue = models.ForeignKey(
        Issue, on_delete=models.CASCADE, related_name="comments", db_index=False
    )
    author = models.ForeignKey(User, on_delete=models.PROTECT, null=True, related_name="comments")
    update_author = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    body = models.JSONField()
    visibility = models.JSONField(null=True)
    public = models.BooleanField(default=True)
    created = models.DateTimeField()
    updated = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["issue", "created", "id"], name="tracker_comment_issue")]


class Worklog(Record):
    """Time that somebody spent on an issue."""

    id = models.BigIntegerField(primary_key=True)
    issue = models.ForeignKey(
        Issue, on_delete=models.CASCADE, related_name="worklogs", db_index=False
    )
    author = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, related_name="worklogs", db_index=False
    )
    update_author = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, related_name="+", db_index=False
    )
    comment = models.JSONField(null=True)
    visibility = models.JSONField(null=True)
    started = models.DateTimeField()
    seconds = models.BigIntegerField()
    created = models.DateTimeField()
    updated = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["issue", "started", "id"], name="tracker_worklog_issue"),
            models.Index(fields=["author", "started"], name="tracker_worklog_author"),
            models.Index(fields=["updated", "id"], name="tracker_worklog_updated"),
        ]


class DeletedWorklog(Record):
    """That a worklog was deleted, and when: the key is the worklog's."""

    id = models.BigIntegerField(primary_key=True)
    at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["at", "id"], name="tracker_deletedworklog_at")]


class Attachment(Record):
    """A file of an issue."""

    id = models.BigIntegerField(primary_key=True)
    issue = models.ForeignKey(
        Issue, on_delete=models.CASCADE, related_name="attachments", db_index=False
    )
    author = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, related_name="attachments"
    )
    filename = models.CharField(max_length=255)
    mime_type = models.CharField(max_length=255)
    size = models.BigIntegerField()
    blob = models.ForeignKey(Blob, on_delete=models.PROTECT, db_index=False, related_name="+")
    created = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["issue", "id"], name="tracker_attachment_issue")]


class IssueLink(Record):
    """A link: `source` is the end that its type's outward words are said of ("blocks")."""

    id = models.BigIntegerField(primary_key=True)
    type = models.ForeignKey(IssueLinkType, on_delete=models.PROTECT, related_name="links")
    source = models.ForeignKey(
        Issue, on_delete=models.CASCADE, related_name="outward_links", db_index=False
    )
    destination = models.ForeignKey(
        Issue, on_delete=models.CASCADE, related_name="inward_links", db_index=False
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["source", "destination", "type"], name="tracker_issuelink_once"
            )
        ]
        indexes = [models.Index(fields=["destination"], name="tracker_issuelink_destination")]


class RemoteLink(Record):
    """A link to something elsewhere, as the API has its parts."""

    id = models.BigIntegerField(primary_key=True)
    issue = models.ForeignKey(
        Issue, on_delete=models.CASCADE, related_name="remote_links", db_index=False
    )
    global_id = models.CharField(max_length=255, null=True)
    application = models.JSONField(default=dict)
    relationship = models.CharField(max_length=255, default="")
    object = models.JSONField(default=dict)

    class Meta:
        indexes = [
            models.Index(fields=["issue", "global_id"], name="tracker_remotelink_issue"),
            models.Index(fields=["global_id"], name="tracker_remotelink_global"),
        ]


class ChangeGroup(Record):
    """What one request changed in an issue."""

    id = models.BigIntegerField(primary_key=True)
    issue = models.ForeignKey(
        Issue, on_delete=models.CASCADE, related_name="history", db_index=False
    )
    author = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, related_name="changes", db_index=False
    )
    created = models.DateTimeField()
    metadata = models.JSONField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["issue", "created", "id"], name="tracker_changegroup_issue"),
            models.Index(fields=["author", "created"], name="tracker_changegroup_author"),
        ]


class ChangeItem(Record):
    """One field that changed: `old` and `new` are ids where the field has such, with their names.

    `field` is the vendor's name of it in histories ("Fix Version", "status"), `field_id` its id.
    The issue and the time are repeated here: searches into the past go by this table alone.
    """

    id = models.BigIntegerField(primary_key=True)
    group = models.ForeignKey(
        ChangeGroup, on_delete=models.CASCADE, related_name="items", db_index=False
    )
    issue = models.ForeignKey(
        Issue, on_delete=models.CASCADE, related_name="changed_fields", db_index=False
    )
    created = models.DateTimeField()
    position = models.PositiveSmallIntegerField(default=0)
    field = models.CharField(max_length=255)
    field_type = models.CharField(max_length=6)
    field_id = models.CharField(max_length=40)
    old = models.TextField(null=True)
    old_string = models.TextField(null=True)
    new = models.TextField(null=True)
    new_string = models.TextField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["group", "position"], name="tracker_changeitem_group"),
            models.Index(
                fields=["field_id", "issue", "created", "id"], name="tracker_changeitem_field"
            ),
            models.Index(fields=["issue", "field_id"], name="tracker_changeitem_issue"),
        ]
