"""Boards and sprints."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.tracker.models.filters import Filter
from clones.tracker.models.kinds import Status
from clones.tracker.models.people import User


class Board(Record):
    """A board over the issues of a filter.

    `constraint_type` is none, issueCount or issueCountExclSubs; `estimation` the id of the field
    by which sprints are estimated, or None for the count of issues; `swimlanes` is none, parent,
    assignee, project or query; `settings` holds the look of cards, working days and the like.
    """

    TYPES = ("scrum", "kanban", "simple")

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    type = models.CharField(max_length=6, choices=[(name, name) for name in TYPES])
    filter = models.ForeignKey(Filter, on_delete=models.PROTECT, related_name="boards")
    # Where it is found: a space, or a user.
    project = models.ForeignKey(
        "tracker.Project", on_delete=models.CASCADE, null=True, related_name="boards"
    )
    owner = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, related_name="boards")
    is_private = models.BooleanField(default=False)
    sub_query = models.TextField(default="")
    constraint_type = models.CharField(max_length=20, default="issueCount")
    estimation = models.CharField(max_length=40, null=True)
    swimlanes = models.CharField(max_length=16, default="none")
    settings = models.JSONField(default=dict)
    created = models.DateTimeField()


class BoardAdmin(Record):
    """Somebody, or a group, who may change a board."""

    id = models.BigIntegerField(primary_key=True)
    board = models.ForeignKey(Board, on_delete=models.CASCADE, related_name="admins")
    user = models.ForeignKey(User, on_delete=models.CASCADE, null=True, related_name="+")
    group = models.ForeignKey(
        "tracker.Group", on_delete=models.CASCADE, null=True, related_name="+"
    )


class BoardColumn(Record):
    """A column of a board, in its place."""

    id = models.BigIntegerField(primary_key=True)
    board = models.ForeignKey(
        Board, on_delete=models.CASCADE, related_name="columns", db_index=False
    )
    name = models.CharField(max_length=255)
    position = models.PositiveIntegerField()
    minimum = models.PositiveIntegerField(null=True)
    maximum = models.PositiveIntegerField(null=True)

    class Meta:
        indexes = [models.Index(fields=["board", "position"], name="tracker_boardcolumn_board")]


class BoardColumnStatus(Record):
    """A status that a column shows."""

    id = models.BigIntegerField(primary_key=True)
    column = models.ForeignKey(
        BoardColumn, on_delete=models.CASCADE, related_name="statuses", db_index=False
    )
    status = models.ForeignKey(Status, on_delete=models.CASCADE, related_name="columns")
    position = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["column", "status"], name="tracker_columnstatus_once")
        ]


class QuickFilter(Record):
    """A filter that a press on a board adds."""

    id = models.BigIntegerField(primary_key=True)
    board = models.ForeignKey(
        Board, on_delete=models.CASCADE, related_name="quick_filters", db_index=False
    )
    name = models.CharField(max_length=255)
    jql = models.TextField()
    description = models.TextField(default="")
    position = models.PositiveIntegerField()

    class Meta:
        indexes = [models.Index(fields=["board", "position"], name="tracker_quickfilter_board")]


class Sprint(Record):
    """A sprint of a board; it outlives the board that it was made on."""

    STATES = ("future", "active", "closed")

    id = models.BigIntegerField(primary_key=True)
    board = models.ForeignKey(
        Board, on_delete=models.SET_NULL, null=True, related_name="sprints", db_index=False
    )
    name = models.CharField(max_length=255)
    state = models.CharField(max_length=6, choices=[(name, name) for name in STATES])
    goal = models.TextField(default="")
    start_date = models.DateTimeField(null=True)
    end_date = models.DateTimeField(null=True)
    complete_date = models.DateTimeField(null=True)
    created = models.DateTimeField()
    # Its place among the board's sprints that are to come.
    position = models.BigIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["board", "state", "id"], name="tracker_sprint_board")]


class EpicLook(Record):
    """How an epic is shown on boards: the key is the issue's."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255, default="")
    color = models.CharField(max_length=20, default="color_1")
    done = models.BooleanField(default=False)
