"""Making, changing and deleting request types of a service desk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db.models import QuerySet

from clones.tracker.domain import audit
from clones.tracker.domain.desks import add_form
from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.properties import forget_properties
from clones.tracker.domain.scheme_parts import set_positions
from clones.tracker.domain.setup.desk import FormField
from clones.tracker.models import RequestType, RequestTypeGroup, ServiceDesk
from clones.tracker.queries.desks import is_manager
from clones.tracker.queries.kinds import types_of
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.ordering import stepped

PROPERTIES: Final = "requesttype"
_FORM: Final = (
    FormField("summary", "Summary", required=True),
    FormField("description", "Description"),
    FormField("attachment", "Attachment"),
)


def create_request_type(
    desk: ServiceDesk,
    *,
    actor: Rights,
    name: str,
    issue_type: str,
    description: str = "",
    help_text: str = "",
) -> RequestType:
    """Make a request type with a form of summary, description and files, under no heading.

    Args:
        desk: whose it is.
        actor: who administers it.
        name: unique within the desk.
        issue_type: the id of a type of issues that the desk's space offers.
        description: what portals say below the name.
        help_text: what forms say above the fields.

    Raises:
        Forbidden: the actor does not administer the desk.
        Invalid: the name is empty, too long or taken, or the space has no such type.
    """
    require_manager(actor, desk)
    rows = RequestType.objects.filter(desk=desk)
    called = _name(name, rows)
    kinds = {str(kind.id): kind for kind in types_of(desk.project) if kind.hierarchy_level == 0}
    if issue_type not in kinds:
        raise Invalid(
            "The issue type does not exist in this project.",
            i18n_key="sd.request.type.error.issue.type.invalid",
        )
    last = rows.order_by("-position").values_list("position", flat=True).first()
    made = RequestType.objects.create(
        id=next_id(RequestType),
        desk=desk,
        issue_type=kinds[issue_type],
        name=called,
        description=description,
        help_text=help_text,
        position=0 if last is None else last + 1,
    )
    add_form(made, _FORM)
    _record("Request type created", made, actor=actor)
    return made


def change_request_type(
    row: RequestType,
    *,
    actor: Rights,
    name: str,
    description: str = "",
    help_text: str = "",
    groups: Sequence[int] = (),
) -> RequestType:
    """Change what a request type is called, says, and under which headings it stands.

    Without a heading the portal does not show it.

    Raises:
        Forbidden: the actor does not administer the desk.
        Invalid: the name is empty, too long or taken, or a heading is not the desk's.
    """
    require_manager(actor, row.desk)
    row.name = _name(name, RequestType.objects.filter(desk=row.desk).exclude(id=row.id))
    known = set(RequestTypeGroup.objects.filter(desk=row.desk).values_list("id", flat=True))
    if not known.issuperset(groups):
        raise Invalid(fields={"groups": "The portal group does not exist."})
    row.description, row.help_text = description.strip(), help_text.strip()
    row.groups = list(dict.fromkeys(groups))
    row.save()
    _record("Request type updated", row, actor=actor)
    return row


def move_request_type(
    row: RequestType, *, actor: Rights, down: bool, group: int | None = None
) -> None:
    """Let a request type change places with the next one, down or up; at an end it stays.

    With a heading's id, with the next one that stands under it too.

    Raises:
        Forbidden: the actor does not administer the desk.
    """
    require_manager(actor, row.desk)
    rows = list(RequestType.objects.filter(desk=row.desk).order_by("position", "id"))
    beside = [
        one.id for one in rows if group is None or str(group) in map(str, one.groups) or one == row
    ]
    turned = iter(stepped(beside, row.id, down=down))
    set_positions(rows, [next(turned) if one.id in beside else one.id for one in rows])


def delete_request_type(row: RequestType, *, actor: Rights) -> None:
    """Delete a request type; what was asked with it are issues, and no requests any more.

    Raises:
        Forbidden: the actor does not administer the desk.
    """
    require_manager(actor, row.desk)
    _record("Request type deleted", row, actor=actor)
    forget_properties(PROPERTIES, [str(row.id)])
    row.delete()


def require_manager(actor: Rights, desk: ServiceDesk) -> None:
    """Hold somebody to administering a desk.

    Raises:
        Forbidden: they do not.
    """
    if not is_manager(actor, desk):
        raise Forbidden(
            "Only administrators of this service desk can do this.",
            i18n_key="sd.admin.servicedesk.error.permission",
        )


def _name(name: str, others: QuerySet[RequestType]) -> str:
    called = name.strip()
    if not called or len(called) > 255:
        raise Invalid(
            "The request type name must have between 1 and 255 characters.",
            i18n_key="sd.request.type.error.name.invalid",
        )
    if others.filter(name__iexact=called).exists():
        raise Invalid(
            f"A request type with the name '{called}' already exists.",
            i18n_key="sd.request.type.error.name.exists",
        )
    return called


def _record(summary: str, row: RequestType, *, actor: Rights) -> None:
    space = ("PROJECT", str(row.desk.project_id), row.desk.project.name)
    audit.record(
        summary,
        "projects",
        actor=actor,
        object=("REQUEST_TYPE", str(row.id), row.name),
        associated=[space],
    )
