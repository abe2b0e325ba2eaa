"""Saved filters and dashboards, and with whom they are shared."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.tracker.models.people import User


class Filter(Record):
    """A saved query. `columns` are the ids of fields that its list shows; None: the default."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    description = models.TextField(default="")
    owner = models.ForeignKey(
        User, on_delete=models.PROTECT, related_name="filters", db_index=False
    )
    jql = models.TextField()
    columns = models.JSONField(null=True)
    last_used = models.DateTimeField(null=True)
    created = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["owner", "name"], name="tracker_filter_owner")]


class Dashboard(Record):
    """A page of gadgets. `layout` is AA, AAA, AAB, ABA... as the vendor names them."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    description = models.TextField(default="")
    owner = models.ForeignKey(
        User, on_delete=models.PROTECT, null=True, related_name="dashboards", db_index=False
    )
    is_system = models.BooleanField(default=False)
    layout = models.CharField(max_length=8, default="AA")
    refresh_ms = models.PositiveIntegerField(default=0)
    rank = models.PositiveIntegerField(default=0)
    created = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["owner", "name"], name="tracker_dashboard_owner")]


class Gadget(Record):
    """A gadget of a dashboard; its settings are properties of the kind dashboarditem."""

    id = models.BigIntegerField(primary_key=True)
    dashboard = models.ForeignKey(Dashboard, on_delete=models.CASCADE, related_name="gadgets")
    module_key = models.CharField(max_length=255, null=True)
    uri = models.CharField(max_length=255, null=True)
    title = models.CharField(max_length=255, default="")
    color = models.CharField(max_length=10, default="blue")
    row = models.PositiveIntegerField(default=0)
    column = models.PositiveIntegerField(default=0)


class Share(Record):
    """With whom a filter or a dashboard is shared, to look at or (`edit`) to change it.

    `type` is global, loggedin, project, projectRole, group or user; the columns beside say whom.
    """

    id = models.BigIntegerField(primary_key=True)
    filter = models.ForeignKey(Filter, on_delete=models.CASCADE, null=True, related_name="shares")
    dashboard = models.ForeignKey(
        Dashboard, on_delete=models.CASCADE, null=True, related_name="shares"
    )
    edit = models.BooleanField(default=False)
    type = models.CharField(max_length=12)
    project = models.ForeignKey(
        "tracker.Project", on_delete=models.CASCADE, null=True, related_name="+"
    )
    role = models.ForeignKey(
        "tracker.ProjectRole", on_delete=models.CASCADE, null=True, related_name="+"
    )
    group = models.ForeignKey(
        "tracker.Group", on_delete=models.CASCADE, null=True, related_name="+"
    )
    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="+")


class Favourite(Record):
    """A space, board, filter, dashboard or queue that somebody starred; `position` among theirs."""

    id = models.BigIntegerField(primary_key=True)
    user = models.ForeignKey(
        User, on_delete=models.CASCADE, related_name="favourites", db_index=False
    )
    kind = models.CharField(max_length=9)
    entity = models.BigIntegerField()
    position = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "kind", "entity"], name="tracker_favourite_once"
            )
        ]
        indexes = [models.Index(fields=["kind", "entity"], name="tracker_favourite_entity")]


class Subscription(Record):
    """That a filter's results are mailed to somebody, or to a group, by a schedule."""

    id = models.BigIntegerField(primary_key=True)
    filter = models.ForeignKey(Filter, on_delete=models.CASCADE, related_name="subscriptions")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="subscriptions")
    group = models.ForeignKey(
        "tracker.Group", on_delete=models.CASCADE, null=True, related_name="+"
    )
    cron = models.CharField(max_length=120)
    email_on_empty = models.BooleanField(default=False)
    last_sent = models.DateTimeField(null=True)
