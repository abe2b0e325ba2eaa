"""Factories of the tracker's models: rows only, on a site that is installed.

An issue goes into `project`, which has to be there: spaces come with schemes, screens and workflows
that only `clones.tracker.domain.projects.create_project` makes.
"""

from __future__ import annotations

from typing import Any

from factory.django import DjangoModelFactory

from clones.tracker import models
from clones.tracker.domain.issues.creating import take_number
from clones.tracker.domain.numbering import new_uuid, next_id
from clones.tracker.domain.ranking import rank_at_end
from clones.tracker.queries.kinds import default_priority, types_of
from clones.tracker.queries.workflows import initial_status
from seeds.factories.values import drawn, fresh, full_name, lazy, now, same, sub
from seeds.kestrel.story.people import slug


def numbered(model: Any) -> Any:
    """Return a factory attribute: the next key of a model."""
    return fresh(lambda: next_id(model))


def document(text: str) -> dict[str, Any]:
    """Return the document of one paragraph."""
    paragraph = {"type": "paragraph", "content": [{"type": "text", "text": text}]}
    return {"type": "doc", "version": 1, "content": [paragraph]}


class TrackerUserFactory(DjangoModelFactory[models.User]):
    """Somebody with an account on the site, in no group."""

    class Meta:
        model = models.User

    id = numbered(models.User)
    account_id = fresh(lambda: f"712020:{new_uuid(models.User)}")
    account_type = "atlassian"
    display_name = drawn("person", full_name)
    email = lazy(lambda row: f"{slug(row.display_name)}.{row.id}@postbox.example")
    created = now()


class TrackerGroupFactory(DjangoModelFactory[models.Group]):
    """A group without members."""

    class Meta:
        model = models.Group

    id = numbered(models.Group)
    uuid = fresh(lambda: new_uuid(models.Group))
    name = lazy(lambda row: f"group-{row.id}")


class IssueFactory(DjangoModelFactory[models.Issue]):
    """A task of `project`, where its workflow begins."""

    class Meta:
        model = models.Issue

    id = numbered(models.Issue)
    project = fresh(lambda: models.Project.objects.order_by("id")[0])
    number = lazy(lambda row: take_number(row.project))
    key = lazy(lambda row: f"{row.project.key}-{row.number}")
    issue_type = lazy(
        lambda row: next(kind for kind in types_of(row.project) if kind.hierarchy_level == 0)
    )
    status = lazy(lambda row: initial_status(row.project, row.issue_type))
    priority = lazy(lambda row: default_priority(row.project))
    summary = drawn("issue", lambda chance: f"It stops at {chance.randrange(2, 99)} %")
    reporter = sub(TrackerUserFactory)
    creator = same("reporter")
    rank = fresh(rank_at_end)
    created = now()
    updated = same("created")
    status_category_changed = same("created")


class IssueCommentFactory(DjangoModelFactory[models.Comment]):
    """A comment on an issue."""

    class Meta:
        model = models.Comment

    id = numbered(models.Comment)
    issue = sub(IssueFactory)
    author = sub(TrackerUserFactory)
    update_author = same("author")
    body = fresh(lambda: document("Looking into it."))
    created = now()
    updated = same("created")


class WorklogFactory(DjangoModelFactory[models.Worklog]):
    """An hour of work on an issue."""

    class Meta:
        model = models.Worklog

    id = numbered(models.Worklog)
    issue = sub(IssueFactory)
    author = sub(TrackerUserFactory)
    update_author = same("author")
    seconds = 3600
    started = now()
    created = same("started")
    updated = same("started")


class VersionFactory(DjangoModelFactory[models.Version]):
    """A version of a space."""

    class Meta:
        model = models.Version

    id = numbered(models.Version)
    project = fresh(lambda: models.Project.objects.order_by("id")[0])
    name = lazy(lambda row: f"{row.id % 90}.0")
    position = lazy(lambda row: row.id)


class ComponentFactory(DjangoModelFactory[models.Component]):
    """A component of a space."""

    class Meta:
        model = models.Component

    id = numbered(models.Component)
    project = fresh(lambda: models.Project.objects.order_by("id")[0])
    name = lazy(lambda row: f"Part {row.id}")


class FilterFactory(DjangoModelFactory[models.Filter]):
    """A saved query of somebody's own."""

    class Meta:
        model = models.Filter

    id = numbered(models.Filter)
    name = lazy(lambda row: f"Filter {row.id}")
    owner = sub(TrackerUserFactory)
    jql = "ORDER BY created DESC"
    created = now()
