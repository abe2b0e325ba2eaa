"""The rights of roles as the role editor groups and calls them."""

from __future__ import annotations

PARTS: dict[str, dict[str, str]] = {
    "Tickets": {
        "ticket_access": "Tickets that agents can access",
        "ticket_comment_access": "Comments that agents can make",
        "assign_tickets_to_any_group": "Assign tickets to any group",
        "ticket_editing": "Edit ticket properties",
        "ticket_tag_editing": "Edit ticket tags",
        "ticket_merge": "Merge tickets",
        "ticket_deletion": "Delete tickets",
        "view_deleted_tickets": "View deleted tickets",
        "ticket_redaction": "Redact ticket content",
        "manage_suspended_tickets": "Manage suspended tickets",
        "side_conversation_create": "Create side conversations",
    },
    "People": {
        "end_user_profile_access": "End user profiles",
        "end_user_list_access": "Browse and search end users",
        "user_view_access": "Lists of end users",
        "organization_editing": "Edit organizations",
        "manage_organizations": "Add and delete organizations",
        "manage_groups": "Manage groups",
        "manage_group_memberships": "Manage group memberships",
        "manage_user_fields": "Manage user fields",
        "manage_organization_fields": "Manage organization fields",
        "manage_roles": "Manage roles",
    },
    "Tools and rules": {
        "view_access": "Views",
        "macro_access": "Macros",
        "manage_dynamic_content": "Manage dynamic content",
        "manage_contextual_workspaces": "Manage contextual workspaces",
        "manage_skills": "Manage skills",
        "manage_business_rules": "Manage business rules",
        "manage_triggers": "Manage triggers",
        "manage_automations": "Manage automations",
        "manage_slas": "Manage service level agreements",
        "manage_ticket_fields": "Manage ticket fields",
        "manage_ticket_forms": "Manage ticket forms",
    },
    "Channels and reporting": {
        "manage_extensions_and_channels": "Manage channels and extensions",
        "manage_facebook": "Manage Facebook pages",
        "twitter_search_access": "Search X",
        "voice_access": "Answer calls",
        "voice_dashboard_access": "View the calls dashboard",
        "forum_access": "Community content",
        "forum_access_restricted_content": "Access restricted community content",
        "report_access": "Reports",
        "explore_access": "Analytics",
    },
}
WORDS = {
    "all": "All",
    "assigned-only": "Assigned to the agent",
    "edit": "Can edit",
    "edit-topics": "Can edit topics",
    "edit-within-org": "Add and edit within their organization",
    "full": "Full access",
    "manage-group": "Manage personal and group",
    "manage-personal": "Manage personal",
    "none": "None",
    "playonly": "Play only",
    "public": "Public and internal",
    "readonly": "Read only",
    "within-groups": "Within the agent's groups",
    "within-groups-and-public-groups": "Within the agent's groups and public groups",
    "within-organization": "Within the agent's organization",
    "all-except-self": "All except their own",
}


def word_label(word: str) -> str:
    """Return what a value of a right is called."""
    return WORDS[word]
