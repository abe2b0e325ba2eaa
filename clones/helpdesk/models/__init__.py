"""The helpdesk's tables."""

from clones.helpdesk.models.automation import (
    Automation,
    Macro,
    Schedule,
    SlaPolicy,
    Trigger,
    TriggerCategory,
    View,
)
from clones.helpdesk.models.content import (
    ContentItem,
    ContentVariant,
    ContextualWorkspace,
    GroupSlaPolicy,
)
from clones.helpdesk.models.conversation import Attachment, Comment, Upload
from clones.helpdesk.models.fields import (
    Brand,
    CustomStatus,
    SupportAddress,
    TicketField,
    TicketForm,
)
from clones.helpdesk.models.measures import (
    JobStatus,
    MetricEvent,
    SatisfactionRating,
    SlaClock,
    TicketMetric,
)
from clones.helpdesk.models.people import (
    CustomRole,
    Group,
    GroupMembership,
    Identity,
    Organization,
    OrganizationMembership,
    User,
)
from clones.helpdesk.models.tickets import (
    PRIORITIES,
    STATUSES,
    TYPES,
    Audit,
    AuditEvent,
    Ticket,
)
from clones.helpdesk.models.webhooks import Webhook
from clones.helpdesk.models.workspace import Draft

__all__ = [
    "PRIORITIES",
    "STATUSES",
    "TYPES",
    "Attachment",
    "Audit",
    "AuditEvent",
    "Automation",
    "Brand",
    "Comment",
    "ContentItem",
    "ContentVariant",
    "ContextualWorkspace",
    "CustomRole",
    "CustomStatus",
    "Draft",
    "Group",
    "GroupMembership",
    "GroupSlaPolicy",
    "Identity",
    "JobStatus",
    "Macro",
    "MetricEvent",
    "Organization",
    "OrganizationMembership",
    "SatisfactionRating",
    "Schedule",
    "SlaClock",
    "SlaPolicy",
    "SupportAddress",
    "Ticket",
    "TicketField",
    "TicketForm",
    "TicketMetric",
    "Trigger",
    "TriggerCategory",
    "Upload",
    "User",
    "View",
    "Webhook",
]
