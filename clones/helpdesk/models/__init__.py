"""The helpdesk's tables."""

from clones.helpdesk.models.people import (
    Group,
    GroupMembership,
    Identity,
    Organization,
    User,
)
from clones.helpdesk.models.tickets import Audit, AuditEvent, Comment, Ticket, TicketField

__all__ = [
    "Audit",
    "AuditEvent",
    "Comment",
    "Group",
    "GroupMembership",
    "Identity",
    "Organization",
    "Ticket",
    "TicketField",
    "User",
]
