"""Bulk jobs: what a client uploads at once or asks for at once, and what became of it.

They are no records of the organization: what a job saved is. So no diff shows them.
"""

from __future__ import annotations

from django.db import models

from clones.core.models import AmbientRecord
from clones.crm.models.sobjects import ID_LENGTH


class BulkJob(AmbientRecord):
    """A job of a user. `kind` says which API it is of (`rules.bulk.words`).

    `content` is the form of its data: CSV, JSON or XML. `part` is how many records the parts of a
    query have that is split by its keys, None where it is not. `error` is why it failed as a whole.
    """

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    kind = models.CharField(max_length=10)
    user = models.CharField(max_length=ID_LENGTH)
    operation = models.CharField(max_length=10)
    object = models.CharField(max_length=80)
    external_id = models.CharField(max_length=80, null=True)
    assignment_rule = models.CharField(max_length=ID_LENGTH, null=True)
    query = models.TextField(null=True)
    content = models.CharField(max_length=8)
    delimiter = models.CharField(max_length=9)
    ending = models.CharField(max_length=4)
    concurrency = models.CharField(max_length=8)
    version = models.CharField(max_length=4)
    part = models.PositiveIntegerField(null=True)
    state = models.CharField(max_length=14)
    error = models.TextField(null=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        indexes = (models.Index(fields=["user", "id"], name="crm_bulk_job_user"),)


class BulkBatch(AmbientRecord):
    """A batch of a job: the one that a newer job has, or one of those that an older job has.

    `since` and `until` are the ids between which a part of a query lies, `until` beyond it.
    """

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    job = models.CharField(max_length=ID_LENGTH)
    state = models.CharField(max_length=14)
    message = models.TextField(null=True)
    processed = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    since = models.CharField(max_length=ID_LENGTH, null=True)
    until = models.CharField(max_length=ID_LENGTH, null=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        indexes = (models.Index(fields=["job", "id"], name="crm_bulk_batch_job"),)


class BulkContent(AmbientRecord):
    """What was uploaded for a batch, by the batch's id: data, or the text of a query.

    `rows` are the records of XML; of another form they are read where they are saved.
    """

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    content = models.CharField(max_length=8)
    data = models.TextField()
    rows = models.JSONField(null=True)


class BulkResult(AmbientRecord):
    """Results of a batch, from the `first` on, in their order.

    Of an upload: for each record its id, whether it was made, and its errors. Of a query: its
    records, the texts of whose columns the first of its results has as `columns`.
    """

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    batch = models.CharField(max_length=ID_LENGTH)
    first = models.PositiveIntegerField()
    count = models.PositiveIntegerField()
    columns = models.JSONField(null=True)
    rows = models.JSONField()

    class Meta:
        indexes = (models.Index(fields=["batch", "first"], name="crm_bulk_result_batch"),)
