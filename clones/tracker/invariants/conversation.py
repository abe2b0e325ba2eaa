"""What hangs on issues: comments, work, files and words are of their time and of what is there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from django.db.models import F, Q

from clones.tracker.models import (
    Attachment,
    ChangeGroup,
    Comment,
    DeletedWorklog,
    EntityProperty,
    EpicLook,
    FieldValue,
    Issue,
    IssueText,
    Worklog,
)


def records() -> Iterator[str]:
    """Check that nothing is older than its issue, changed before it was made, or of what is gone.

    Source: rows get the clock's time when they are made (`domain.comments`, `domain.worklogs`,
    `domain.attachments`, `domain.history`); `domain.issues.deleting._forget` takes with an issue
    what names it without a foreign key, `worklogs.bury_worklog` the row that it says is deleted.
    """
    for model in (Comment, Worklog, Attachment, ChangeGroup):
        name = model._meta.model_name
        rows = model._default_manager.filter(created__lt=F("issue__created")).order_by("pk")
        for id, key in rows.values_list("pk", "issue__key"):
            yield f"{name} {id} is older than its issue {key}"
    for changed in (Issue, Comment, Worklog):
        name = changed._meta.model_name
        late = changed._default_manager.filter(updated__lt=F("created")).order_by("pk")
        for id in late.values_list("pk", flat=True):
            yield f"{name} {id} was updated before it was made"
    issues = set(Issue.objects.values_list("id", flat=True))
    for id in EpicLook.objects.order_by("id").values_list("id", flat=True):
        if id not in issues:
            yield f"the look of an epic is of issue {id}, which is gone"
    still = DeletedWorklog.objects.filter(id__in=Worklog.objects.values("id")).order_by("id")
    for id in still.values_list("id", flat=True):
        yield f"worklog {id} is there and deleted"
    yield from _properties(issues)


def _properties(issues: set[int]) -> Iterator[str]:
    there = {
        "issue": issues,
        "comment": set(Comment.objects.values_list("id", flat=True)),
        "worklog": set(Worklog.objects.values_list("id", flat=True)),
    }
    rows = EntityProperty.objects.filter(kind__in=there).order_by("id")
    for kind, entity, key in rows.values_list("kind", "entity", "key"):
        if int(entity) not in there[kind]:
            yield f"property {key} is of {kind} {entity}, which is gone"


def texts() -> Iterator[str]:
    """Check that the words in which searches look are of what is there, and summaries as written.

    Source: `domain.texts` and `domain.issues.applying`; `models.IssueText`.
    """
    titles = dict(
        IssueText.objects.filter(field="summary", source=F("issue_id")).values_list(
            "issue_id", "text"
        )
    )
    for id, key, summary in Issue.objects.order_by("id").values_list("id", "key", "summary"):
        if titles.get(id, "") != summary:
            yield f"issue {key} is found by the summary {titles.get(id)!r}, it has {summary!r}"
    there = {
        "comment": set(Comment.objects.values_list("issue_id", "id")),
        "customfield": set(FieldValue.objects.values_list("issue_id", "id")),
    }
    rows = IssueText.objects.filter(Q(field="comment") | Q(field__startswith="customfield"))
    for field, issue, source, key in rows.order_by("id").values_list(
        "field", "issue_id", "source", "issue__key"
    ):
        if (issue, source) not in there[field.partition("_")[0]]:
            yield f"issue {key} is found by the words of {field} {source}, which is gone"


def spent_time() -> Iterator[str]:
    """Check that the time spent on an issue is what its work logs say.

    Source: `domain.worklogs.change_times`, `domain.worklog_moves`.
    """
    logged: Counter[int] = Counter()
    for issue, seconds in Worklog.objects.values_list("issue_id", "seconds"):
        logged[issue] += seconds
    for id, key, spent in Issue.objects.order_by("id").values_list("id", "key", "time_spent"):
        if (spent or 0) != logged[id]:
            yield f"issue {key}: {spent} seconds are spent, {logged[id]} are logged"
