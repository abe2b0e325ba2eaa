"""The keys of spaces: which are free, and giving a space and its issues another."""

from __future__ import annotations

from typing import Final

from django.db import connection
from django.db.models import CharField, Value
from django.db.models.functions import Cast, Concat

from clones.tracker.domain.numbering import next_id, next_ids
from clones.tracker.models import FormerIssueKey, FormerProjectKey, Issue, Project
from clones.tracker.rules.project_keys import fault_of_key

TAKEN: Final = "A project with that project key already exists."


def taken_keys() -> set[str]:
    """Return the keys that spaces have or had."""
    former = FormerProjectKey.objects.values_list("key", flat=True)
    return {*Project.objects.values_list("key", flat=True), *former}


def check_key(key: str, project: Project | None = None) -> str | None:
    """Return what is wrong with a key for a space, None if nothing is.

    The space's own present and former keys are free for it.
    """
    fault = fault_of_key(key)
    if fault is not None:
        return fault
    spaces = Project.objects.filter(key=key)
    former = FormerProjectKey.objects.filter(key=key)
    if project is not None:
        spaces, former = spaces.exclude(id=project.id), former.exclude(project=project)
    return TAKEN if spaces.exists() or former.exists() else None


def change_key(project: Project, key: str) -> None:
    """Give a space, and all its issues, another key; the old ones lead there still."""
    before = project.key
    FormerProjectKey.objects.filter(key=key, project=project).delete()
    FormerProjectKey.objects.create(id=next_id(FormerProjectKey), key=before, project=project)
    project.key = key
    project.save(update_fields=["key"])
    issues = Issue.objects.filter(project=project)
    renamed = Concat(Value(f"{key}-"), Cast("number", CharField()))
    back = issues.annotate(renamed=renamed).values("renamed")
    FormerIssueKey.objects.filter(issue__project=project, key__in=back).delete()
    count = issues.count()
    if not count:
        return
    first = next_ids(FormerIssueKey, count)[0]
    _keep_keys(project, first)
    issues.update(key=renamed)


def _keep_keys(project: Project, first: int) -> None:
    """Write the keys that a space's issues have as former ones, in one statement."""
    quote = connection.ops.quote_name
    into, issue = quote(FormerIssueKey._meta.db_table), quote(Issue._meta.db_table)
    statement = (
        f"INSERT INTO {into} ({quote('id')}, {quote('key')}, {quote('issue_id')}) "  # noqa: S608 - names of models
        f"SELECT %s + ROW_NUMBER() OVER (ORDER BY {quote('id')}), {quote('key')}, {quote('id')} "
        f"FROM {issue} WHERE {quote('project_id')} = %s ORDER BY {quote('id')}"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [first - 1, project.id])
