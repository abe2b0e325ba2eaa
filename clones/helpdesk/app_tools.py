"""What work in the helpdesk is mostly done with: each operation is a tool of the surface `app`."""

from typing import Final

APP_TOOLS: Final[tuple[str, ...]] = (
    # Looking and finding
    "ShowCurrentUser",
    "ListSearchResults",
    "ListTickets",
    "ShowTicket",
    "TicketsShowMany",
    "ListTicketComments",
    "ListAuditsForTicket",
    "ListUserRequestedTickets",
    "ListTicketFields",
    # Tickets
    "CreateTicket",
    "UpdateTicket",
    "TicketsUpdateMany",
    "DeleteTicket",
    "MergeTicketsIntoTargetTicket",
    "MarkTicketAsSpamAndSuspendRequester",
    "ListSuspendedTickets",
    "RecoverSuspendedTickets",
    "DeleteSuspendedTickets",
    "ShowJobStatus",
    # People
    "ListUsers",
    "ShowUser",
    "ShowManyUsers",
    "CreateUser",
    "UpdateUser",
    "ListOrganizationUsers",
    "AutocompleteOrganizations",
    "ListGroups",
    # Rules of business
    "ListMacros",
    "SearchMacro",
    "CreateMacro",
    "UpdateMacro",
    "ListTriggers",
    "CreateTrigger",
    "UpdateTrigger",
    "ListViews",
    "CreateView",
    "UpdateView",
    "ListSLAPolicies",
    "CreateSLAPolicy",
    "ReorderSLAPolicies",
)
