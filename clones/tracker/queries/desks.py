"""Who may do what at service desks, and which desks and request types somebody sees.

Whoever holds SERVICEDESK_AGENT in a desk's space is its agent. Customers are those who were added,
the people of its organizations, and at an open desk everybody who signed in. In permission schemes
they are the holder `sd.customer.portal.only`, which counts only for what goes through the portal:
that is `PortalRights`.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from clones.core.digits import is_digits
from clones.tracker.domain.errors import Forbidden, NotFound
from clones.tracker.models import (
    DeskCustomer,
    DeskOrganization,
    Issue,
    Project,
    Queue,
    RequestType,
    RequestTypeGroup,
    ServiceDesk,
    User,
)
from clones.tracker.queries.rights import Holder, Rights

AGENT: Final = "SERVICEDESK_AGENT"
ADMINISTER: Final = "ADMINISTER_PROJECTS"
PORTAL: Final = "sd.customer.portal.only"
DESK_GONE: Final = "The service desk does not exist or you do not have permission to view it."
TYPE_GONE: Final = "The request type does not exist or you do not have permission to view it."
QUEUE_GONE: Final = "The queue does not exist or you do not have permission to view it."
AGENTS_ONLY: Final = "Only agents of this service desk can do this."


class PortalRights(Rights):
    """What somebody may do through the portal: as elsewhere, and what its customers may.

    Not for looking: a scheme may let the portal's customers browse, and that means their own
    requests, which `queries.requests` finds.
    """

    @cached_property
    def _asks(self) -> frozenset[int]:
        """The spaces whose portal they may use."""
        return frozenset(
            visible_desks(Rights(self.user)).order_by().values_list("project_id", flat=True)
        )

    def spaces_with(self, permission: str) -> set[int]:
        """Return the spaces in all of which they hold a permission.

        The portal's customers take the transitions that it shows them without any.
        """
        found = super().spaces_with(permission)
        return found | self._asks if permission == "TRANSITION_ISSUES" else found

    def is_holder(self, holder: Holder, project: int, lead: int | None) -> bool:
        """Tell whether a holder is (also) them, counting the portal's customers."""
        if holder[0] == PORTAL:
            return project in self._asks
        return super().is_holder(holder, project, lead)


class DeskRights(Rights):
    """What a desk itself does in somebody's name: answering approvals, judging its own queries.

    Nothing is hidden from it, and every permission is held; who they are stays true.
    """

    def spaces_with(self, permission: str) -> set[int]:
        """Return every space that is not in the trash."""
        return {project for project, _, _, _ in self._projects}

    def issues_with(self, permission: str, *, archived: bool = False) -> Q:
        """Return the condition of all issues."""
        return Q(pk__isnull=False)

    def _passes_level(self, issue: Issue) -> bool:
        return True


def is_agent(rights: Rights, desk: ServiceDesk) -> bool:
    """Tell whether somebody works on a desk's requests."""
    return rights.may(AGENT, desk.project)


def is_manager(rights: Rights, desk: ServiceDesk) -> bool:
    """Tell whether somebody administers a desk."""
    return rights.is_admin or rights.may(ADMINISTER, desk.project)


def works_at(rights: Rights, project: Project) -> bool:
    """Tell whether a space has a desk, and somebody works at it or administers it."""
    if project.type != "service_desk":
        return False
    return rights.is_admin or rights.may(AGENT, project) or rights.may(ADMINISTER, project)


def require_agent(rights: Rights, desk: ServiceDesk) -> None:
    """Hold somebody to being a desk's agent.

    Raises:
        Forbidden: they are none.
    """
    if not is_agent(rights, desk):
        raise Forbidden(AGENTS_ONLY, i18n_key="sd.agent.servicedesk.error.not.agent")


def is_agent_somewhere(rights: Rights) -> bool:
    """Tell whether somebody is an agent of any desk."""
    spaces = rights.projects_with(AGENT)
    return rights.is_admin or ServiceDesk.objects.filter(project__in=sorted(spaces)).exists()


def visible_desks(rights: Rights) -> QuerySet[ServiceDesk]:
    """Return the desks at which somebody can ask or work, by id."""
    rows = ServiceDesk.objects.filter(project__deleted_at=None, project__archived_at=None)
    rows = rows.select_related("project").order_by("id")
    if rights.user is None:
        return rows.none()
    if rights.is_admin:
        return rows
    works = rights.projects_with(AGENT) | rights.projects_with("BROWSE_PROJECTS")
    return rows.filter(Q(project__in=sorted(works)) | customers_condition(rights.user))


def customers_condition(user: User) -> Q:
    """Return the condition of the desks of which somebody is a customer."""
    added = DeskCustomer.objects.filter(desk=OuterRef("pk"), user=user)
    shared = DeskOrganization.objects.filter(desk=OuterRef("pk"), organization__members__user=user)
    return Q(access="open") | Q(Exists(added)) | Q(Exists(shared))


def is_customer(user: User, desk: ServiceDesk) -> bool:
    """Tell whether somebody may ask a desk as its customer."""
    return ServiceDesk.objects.filter(customers_condition(user), id=desk.id).exists()


def find_desk(rights: Rights, text: str) -> ServiceDesk:
    """Return the desk with an id, or of the space with a key, as the vendor's API takes both.

    Raises:
        NotFound: there is none, or they cannot see it.
    """
    rows = visible_desks(rights)
    digits = is_digits(text)
    found = rows.filter(id=int(text)).first() if digits else rows.filter(project__key=text).first()
    if found is None:
        raise NotFound(DESK_GONE, i18n_key="sd.servicedesk.error.not.found")
    return found


def desk_of(project: Project) -> ServiceDesk | None:
    """Return the desk of a space, None where it has none."""
    return ServiceDesk.objects.filter(project=project).select_related("project").first()


def customers_of(desk: ServiceDesk, text: str = "") -> QuerySet[User]:
    """Return a desk's customers by name: those who were added, the people of its organizations.

    `text` is looked for in their names and addresses.
    """
    mine = Q(desks__desk=desk) | Q(organizations__organization__desks__desk=desk)
    rows = User.objects.filter(mine, active=True)
    if text:
        rows = rows.filter(Q(display_name__icontains=text) | Q(email__icontains=text))
    return rows.order_by("display_name", "id").distinct()


def queues_of(desk: ServiceDesk) -> QuerySet[Queue]:
    """Return the queues of a desk, in their order."""
    return Queue.objects.filter(desk=desk).order_by("position", "id")


def find_queue(desk: ServiceDesk, text: str) -> Queue:
    """Return the queue of a desk with an id.

    Raises:
        NotFound: there is none.
    """
    found = None
    if is_digits(text):
        found = queues_of(desk).filter(id=int(text)).first()
    if found is None:
        raise NotFound(QUEUE_GONE, i18n_key="sd.queue.error.not.found")
    found.desk = desk
    return found


def visible_request_types(rights: Rights, desk: ServiceDesk) -> QuerySet[RequestType]:
    """Return the request types of a desk that somebody may know of, in the portal's order.

    Restricted ones are for its managers.
    """
    rows = RequestType.objects.filter(desk=desk).order_by("position", "id")
    if is_agent(rights, desk) or is_manager(rights, desk):
        return rows
    return rows.filter(restricted=False)


def shown_in_portal(rows: QuerySet[RequestType], desk: ServiceDesk) -> QuerySet[RequestType]:
    """Return those of some request types that stand under a heading of the portal."""
    # Headings are few, and a JSON list has no operator that both engines know.
    groups = {str(id) for id in groups_of(desk).values_list("id", flat=True)}
    shown = [
        row_id
        for row_id, chosen in rows.values_list("id", "groups")
        if groups.intersection(map(str, chosen))
    ]
    return rows.filter(id__in=shown)


def in_group(rows: QuerySet[RequestType], group: int) -> QuerySet[RequestType]:
    """Return those of some request types that stand under a heading."""
    wanted = str(group)
    return rows.filter(
        id__in=[
            row_id
            for row_id, chosen in rows.values_list("id", "groups")
            if wanted in map(str, chosen)
        ]
    )


def groups_of(desk: ServiceDesk) -> QuerySet[RequestTypeGroup]:
    """Return the headings of a desk's portal, in their order."""
    return RequestTypeGroup.objects.filter(desk=desk).order_by("position", "id")


def find_request_type(rights: Rights, desk: ServiceDesk, text: str) -> RequestType:
    """Return the request type of a desk with an id.

    Raises:
        NotFound: there is none, or they may not know of it.
    """
    found = None
    if is_digits(text):
        found = visible_request_types(rights, desk).filter(id=int(text)).first()
    if found is None:
        raise NotFound(TYPE_GONE, i18n_key="sd.request.type.error.not.found")
    return found
