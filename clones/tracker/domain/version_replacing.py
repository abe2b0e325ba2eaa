"""Putting one version of issues in the place of another, with its trace in their histories."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from clones.tracker.domain.mass_changes import Alteration, note_changes
from clones.tracker.domain.numbering import next_ids
from clones.tracker.models import CustomField, FieldValue, IssueVersion, Version
from clones.tracker.queries.rights import Rights

# The vendor's names of the two fields in histories, and their ids.
FIELDS: Final = {"fix": ("Fix Version", "fixVersions"), "affects": ("Version", "versions")}
TYPES: Final = (
    "com.atlassian.jira.plugin.system.customfieldtypes:version",
    "com.atlassian.jira.plugin.system.customfieldtypes:multiversion",
)
Noted = dict[int, list[Alteration]]


def move_unresolved(version: Version, to: Version, *, actor: Rights) -> None:
    """Give the issues of a version that are not resolved another fix version."""
    rows = IssueVersion.objects.filter(version=version, kind="fix", issue__resolution=None)
    issues = list(rows.order_by("issue_id").values_list("issue_id", flat=True))
    noted: Noted = defaultdict(list)
    _swap(version, to, "fix", issues, noted)
    note_changes(noted, actor=actor)


def replace_version(
    version: Version,
    fix_to: Version | None,
    affected_to: Version | None,
    fields_to: Mapping[int, Version | None],
    *,
    actor: Rights,
) -> None:
    """Take a version from all issues, or put others in its place."""
    noted: Noted = defaultdict(list)
    for kind, to in (("fix", fix_to), ("affects", affected_to)):
        rows = IssueVersion.objects.filter(version=version, kind=kind).order_by("issue_id")
        _swap(version, to, kind, list(rows.values_list("issue_id", flat=True)), noted)
    for field in CustomField.objects.filter(type__in=TYPES).order_by("id"):
        _swap_values(version, fields_to.get(field.id), field, noted)
    note_changes(noted, actor=actor)


def _alteration(
    name: str, field: str, old: Version | None, new: Version | None, *, custom: bool = False
) -> Alteration:
    return Alteration(
        name,
        field,
        None if old is None else str(old.id),
        None if old is None else old.name,
        None if new is None else str(new.id),
        None if new is None else new.name,
        custom=custom,
    )


def _swap(version: Version, to: Version | None, kind: str, issues: list[int], noted: Noted) -> None:
    if not issues:
        return
    name, field = FIELDS[kind]
    for issue in issues:
        noted[issue].append(_alteration(name, field, version, None))
    if to is not None:
        have = set(
            IssueVersion.objects.filter(version=to, kind=kind, issue__in=issues).values_list(
                "issue_id", flat=True
            )
        )
        lacking = [issue for issue in issues if issue not in have]
        keys = next_ids(IssueVersion, len(lacking))
        IssueVersion.objects.bulk_create(
            [
                IssueVersion(id=key, issue_id=issue, version=to, kind=kind)
                for key, issue in zip(keys, lacking, strict=True)
            ]
        )
        for issue in lacking:
            noted[issue].append(_alteration(name, field, None, to))
    IssueVersion.objects.filter(version=version, kind=kind, issue__in=issues).delete()


def _swap_values(version: Version, to: Version | None, field: CustomField, noted: Noted) -> None:
    rows = FieldValue.objects.filter(field=field, other=version.id)
    issues = list(rows.order_by("issue_id").values_list("issue_id", flat=True))
    if not issues:
        return
    for issue in issues:
        noted[issue].append(_alteration(field.name, field.key, version, to, custom=True))
    if to is None:
        rows.delete()
        return
    have = FieldValue.objects.filter(field=field, other=to.id).values("issue_id")
    rows.filter(issue__in=have).delete()
    FieldValue.objects.filter(field=field, other=version.id).update(other=to.id)
