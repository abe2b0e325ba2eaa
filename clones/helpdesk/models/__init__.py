"""The helpdesk's tables."""

from clones.helpdesk.models.audit_logs import AuditLog
from clones.helpdesk.models.automation import (
    Automation,
    Macro,
    Schedule,
    SlaPolicy,
    Trigger,
    TriggerCategory,
    TriggerRevision,
    View,
)
from clones.helpdesk.models.content import (
    ContentItem,
    ContentVariant,
    ContextualWorkspace,
    GroupSlaPolicy,
)
from clones.helpdesk.models.conversation import Attachment, Comment, Upload
from clones.helpdesk.models.custom_objects import (
    CustomObject,
    CustomObjectField,
    CustomObjectRecord,
)
from clones.helpdesk.models.desks import Activity, Bookmark, ContentPin, Skip
from clones.helpdesk.models.fields import (
    Brand,
    CustomStatus,
    SupportAddress,
    TicketField,
    TicketForm,
)
from clones.helpdesk.models.help_center import (
    Article,
    ArticleComment,
    ArticleLabel,
    ArticleVote,
    Category,
    LabelledArticle,
    PermissionGroup,
    Section,
    UserSegment,
)
from clones.helpdesk.models.idempotency import IdempotencyKey
from clones.helpdesk.models.measures import (
    JobStatus,
    MetricEvent,
    SatisfactionRating,
    SlaClock,
    TicketMetric,
)
from clones.helpdesk.models.oauth import OAuthClient, OAuthToken
from clones.helpdesk.models.people import (
    CustomRole,
    Group,
    GroupMembership,
    Identity,
    Organization,
    OrganizationMembership,
    User,
)
from clones.helpdesk.models.profiles import OrganizationSubscription, ProfileField
from clones.helpdesk.models.routing import (
    AgentAvailability,
    AgentValue,
    Queue,
    RoutingAttribute,
    RoutingChange,
    RoutingSettings,
    RoutingValue,
    TicketValue,
)
from clones.helpdesk.models.side_conversations import (
    SideConversation,
    SideConversationEvent,
    SideConversationFile,
)
from clones.helpdesk.models.suspended import SuspendedTicket
from clones.helpdesk.models.tickets import (
    PRIORITIES,
    STATUSES,
    TYPES,
    Audit,
    AuditEvent,
    Ticket,
)
from clones.helpdesk.models.webhooks import Webhook
from clones.helpdesk.models.workspace import Draft, OpenTicket

__all__ = [
    "PRIORITIES",
    "STATUSES",
    "TYPES",
    "Activity",
    "AgentAvailability",
    "AgentValue",
    "Article",
    "ArticleComment",
    "ArticleLabel",
    "ArticleVote",
    "Attachment",
    "Audit",
    "AuditEvent",
    "AuditLog",
    "Automation",
    "Bookmark",
    "Brand",
    "Category",
    "Comment",
    "ContentItem",
    "ContentPin",
    "ContentVariant",
    "ContextualWorkspace",
    "CustomObject",
    "CustomObjectField",
    "CustomObjectRecord",
    "CustomRole",
    "CustomStatus",
    "Draft",
    "Group",
    "GroupMembership",
    "GroupSlaPolicy",
    "IdempotencyKey",
    "Identity",
    "JobStatus",
    "LabelledArticle",
    "Macro",
    "MetricEvent",
    "OAuthClient",
    "OAuthToken",
    "OpenTicket",
    "Organization",
    "OrganizationMembership",
    "OrganizationSubscription",
    "PermissionGroup",
    "ProfileField",
    "Queue",
    "RoutingAttribute",
    "RoutingChange",
    "RoutingSettings",
    "RoutingValue",
    "SatisfactionRating",
    "Schedule",
    "Section",
    "SideConversation",
    "SideConversationEvent",
    "SideConversationFile",
    "Skip",
    "SlaClock",
    "SlaPolicy",
    "SupportAddress",
    "SuspendedTicket",
    "Ticket",
    "TicketField",
    "TicketForm",
    "TicketMetric",
    "TicketValue",
    "Trigger",
    "TriggerCategory",
    "TriggerRevision",
    "Upload",
    "User",
    "UserSegment",
    "View",
    "Webhook",
]
