"""Types of issues of the site."""

from __future__ import annotations

from typing import Final

from django.db.models import QuerySet

from clones.core.resources import Id, Resource, ResourceField
from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.avatars import avatar_of
from clones.tracker.domain.errors import Conflict, Invalid, NotFound
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.properties import forget_properties
from clones.tracker.domain.replacing import replace_value
from clones.tracker.domain.scheme_parts import checked_text, note_act
from clones.tracker.domain.setup.kinds import add_to_default_scheme
from clones.tracker.models import Avatar, Issue, IssueType, RequestType
from clones.tracker.queries.kinds import alternatives
from clones.tracker.queries.rights import Rights

CATEGORY: Final = "issue types"
NAME_LIMIT: Final = 60
DESCRIPTION_LIMIT: Final = 4000
STANDARD_AVATAR: Final = 10300
SUBTASK_AVATAR: Final = 10316
TAKEN: Final = "An issue type with this name already exists."


def create_issue_type(
    name: str | None, description: str | None, level: int, *, actor: Rights
) -> IssueType:
    """Make a type of the site; it is put into the default scheme.

    Args:
        name: of at most 60 characters.
        description: what it is for.
        level: 0, or -1 for parts of other issues.
        actor: an admin.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the name is empty or too long, or the level another.
        Conflict: the name is taken.
    """
    admins_only(actor)
    if level not in {0, -1}:
        raise Invalid(fields={"hierarchyLevel": f"The hierarchy level {level} is not valid."})
    row = IssueType(
        id=next_id(IssueType),
        name=_name(name, IssueType.objects.filter(project=None)),
        description=checked_text(description, limit=DESCRIPTION_LIMIT),
        hierarchy_level=level,
        avatar_id=STANDARD_AVATAR if level == 0 else SUBTASK_AVATAR,
    )
    row.save(force_insert=True)
    add_to_default_scheme([row])
    note_act("Issue type created", CATEGORY, row, actor=actor, kind="ISSUE_TYPE")
    return row


def update_issue_type(
    kind: IssueType,
    *,
    actor: Rights,
    name: str | None = None,
    description: str | None = None,
    avatar: int | None = None,
) -> IssueType:
    """Change a type; what is None stays.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the name is empty or too long, or the picture is not for types.
        Conflict: the name is taken.
    """
    admins_only(actor)
    before = kind.name
    if name is not None:
        others = IssueType.objects.filter(project=kind.project_id).exclude(id=kind.id)
        kind.name = _name(name, others)
    if description is not None:
        kind.description = checked_text(description, limit=DESCRIPTION_LIMIT)
    if avatar is not None:
        try:
            avatar_of("issuetype", str(kind.id), avatar)
        except NotFound as error:
            text = f"The avatar with ID {avatar} is not associated with this issue type."
            raise Invalid(fields={"avatarId": text}) from error
        kind.avatar_id = avatar
    kind.save()
    changes = [] if before == kind.name else [("Name", before, kind.name)]
    note_act("Issue type updated", CATEGORY, kind, actor=actor, kind="ISSUE_TYPE", changes=changes)
    return kind


def delete_issue_type(kind: IssueType, alternative: IssueType | None, *, actor: Rights) -> None:
    """Remove a type; issues of it become issues of the alternative.

    Raises:
        Forbidden: the actor is no admin.
        NotFound: it is in use, and no alternative is given.
        Conflict: the alternative is the type itself, or one of another level.
        Invalid: issues could not be of the alternative as they are.
    """
    admins_only(actor)
    issues = Issue.objects.filter(issue_type=kind)
    requests = RequestType.objects.filter(issue_type=kind)
    if issues.exists() or requests.exists():
        if alternative is None:
            raise NotFound(
                "The issue type is in use. An alternative issue type has to be specified."
            )
        _check_alternative(kind, alternative)
        requests.update(issue_type=alternative)
        replace_value(issues, "issuetype", "issue_type", lambda _: alternative, actor=actor)
    forget_properties("issuetype", [str(kind.id)])
    Avatar.objects.filter(kind="issuetype", entity=str(kind.id)).delete()
    note_act("Issue type deleted", CATEGORY, kind, actor=actor, kind="ISSUE_TYPE")
    kind.delete()


def _name(name: str | None, others: QuerySet[IssueType]) -> str:
    text = (name or "").strip()
    if not text:
        raise Invalid(fields={"name": "You must specify a name for this issue type."})
    if len(text) > NAME_LIMIT:
        raise Invalid(fields={"name": f"The name must not exceed {NAME_LIMIT} characters."})
    if others.filter(name__iexact=text).exists():
        raise Conflict(fields={"name": TAKEN})
    return text


def _check_alternative(kind: IssueType, alternative: IssueType) -> None:
    if alternative.id == kind.id:
        raise Conflict("The issue type cannot be its own alternative.")
    if alternative.hierarchy_level != kind.hierarchy_level:
        raise Conflict("A standard issue type and a sub-task cannot replace one another.")
    if alternative.id not in {one.id for one in alternatives(kind)}:
        raise Invalid(
            "The issues cannot be updated with the alternative issue type: it does not have the"
            " same workflow, fields and screens."
        )


ISSUE_TYPE: Final = Resource(
    IssueType,
    "issue type",
    (
        ResourceField("name", limit=NAME_LIMIT, required=True),
        ResourceField("description", "text", limit=DESCRIPTION_LIMIT),
        ResourceField("avatar", "record", key="avatarId", type=Id | None),
    ),
    create=create_issue_type,
    update=update_issue_type,
    delete=delete_issue_type,
    has_heir=True,
)
