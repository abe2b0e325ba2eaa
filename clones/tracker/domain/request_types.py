"""Making and deleting request types of a service desk."""

from __future__ import annotations

from typing import Final

from clones.core.rows import insert_row
from clones.tracker.domain import audit
from clones.tracker.domain.desks import add_form
from clones.tracker.domain.errors import Forbidden, Invalid
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.properties import forget_properties
from clones.tracker.domain.setup.desk import FormField
from clones.tracker.models import RequestType, ServiceDesk
from clones.tracker.queries.desks import is_manager
from clones.tracker.queries.kinds import types_of
from clones.tracker.queries.rights import Rights

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
    called = name.strip()
    if not called or len(called) > 255:
        raise Invalid(
            "The request type name must have between 1 and 255 characters.",
            i18n_key="sd.request.type.error.name.invalid",
        )
    rows = RequestType.objects.filter(desk=desk)
    if rows.filter(name__iexact=called).exists():
        raise Invalid(
            f"A request type with the name '{called}' already exists.",
            i18n_key="sd.request.type.error.name.exists",
        )
    kinds = {str(kind.id): kind for kind in types_of(desk.project) if kind.hierarchy_level == 0}
    if issue_type not in kinds:
        raise Invalid(
            "The issue type does not exist in this project.",
            i18n_key="sd.request.type.error.issue.type.invalid",
        )
    last = rows.order_by("-position").values_list("position", flat=True).first()
    made = insert_row(
        RequestType(
            id=next_id(RequestType),
            desk=desk,
            issue_type=kinds[issue_type],
            name=called,
            description=description,
            help_text=help_text,
            position=0 if last is None else last + 1,
        )
    )
    add_form(made, _FORM)
    _record("Request type created", made, actor=actor)
    return made


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
        Forbidden: he does not.
    """
    if not is_manager(actor, desk):
        raise Forbidden(
            "Only administrators of this service desk can do this.",
            i18n_key="sd.admin.servicedesk.error.permission",
        )


def _record(summary: str, row: RequestType, *, actor: Rights) -> None:
    space = ("PROJECT", str(row.desk.project_id), row.desk.project.name)
    audit.record(
        summary,
        "projects",
        actor=actor,
        object=("REQUEST_TYPE", str(row.id), row.name),
        associated=[space],
    )
