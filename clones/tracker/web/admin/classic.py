"""The addresses that the pages of the administration had before: each leads to the page of today.

Links of people and of other programs name them still.
"""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse, HttpResponseRedirect

from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.web.access import Visitor
from clones.tracker.web.admin.access import admin_page
from clones.tracker.web.admin.navigation import ROOT, address_of

CLASSIC: Final = {
    "secure/admin/ViewApplicationProperties.jspa": "general",
    "secure/admin/AdvancedApplicationProperties.jspa": "general",
    "secure/admin/LookAndFeel!default.jspa": "look",
    "secure/admin/EditAnnouncementBanner!default.jspa": "banner",
    "secure/admin/GlobalPermissions!default.jspa": "global-permissions",
    "auditing/view": "audit-log",
    "plugins/servlet/webhooks": "webhooks",
    "secure/admin/filters/ViewSharedFilters.jspa": "shared-filters",
    "secure/admin/dashboards/ViewSharedDashboards.jspa": "shared-dashboards",
    "secure/admin/ViewIssueTypes.jspa": "types",
    "secure/admin/ManageIssueTypeSchemes!default.jspa": "type-schemes",
    "secure/admin/workflows/ListWorkflows.jspa": "workflows",
    "secure/admin/ViewWorkflowSchemes.jspa": "workflow-schemes",
    "secure/admin/ViewStatuses.jspa": "statuses",
    "secure/admin/ViewFieldScreens.jspa": "screens",
    "secure/admin/ViewFieldScreenSchemes.jspa": "screen-schemes",
    "secure/admin/ViewIssueTypeScreenSchemes.jspa": "type-screens",
    "secure/admin/ViewCustomFields.jspa": "fields",
    "secure/admin/ViewFieldLayouts.jspa": "field-configurations",
    "secure/admin/ViewFieldLayoutSchemes.jspa": "field-schemes",
    "secure/admin/ViewPriorities.jspa": "priorities",
    "secure/admin/ViewPrioritySchemes.jspa": "priority-schemes",
    "secure/admin/ViewResolutions.jspa": "resolutions",
    "secure/admin/ViewLinkTypes!default.jspa": "link-types",
    "secure/admin/TimeTrackingAdmin.jspa": "time-tracking",
    "secure/admin/ViewIssueSecuritySchemes.jspa": "security-schemes",
    "secure/admin/ViewNotificationSchemes.jspa": "notification-schemes",
    "secure/admin/ViewPermissionSchemes.jspa": "permission-schemes",
    "secure/project/ViewProjects.jspa": "spaces",
    "secure/admin/projectcategories/ViewProjectCategories!default.jspa": "categories",
    "secure/project/ViewProjectRoles.jspa": "roles",
    "secure/admin/user/UserBrowser.jspa": "users",
    "secure/admin/user/GroupBrowser.jspa": "groups",
    "admin/users": "users",
    "admin/groups": "groups",
}
# Where an area begins.
AREAS: Final = {
    ROOT: "general",
    f"{ROOT}/system": "general",
    f"{ROOT}/issues": "types",
    f"{ROOT}/projects": "spaces",
}


@admin_page
def lead_on(request: SandboxRequest, who: Visitor, key: str) -> HttpResponse:
    """Lead to the page of today."""
    return HttpResponseRedirect(address_of(key))
