"""The addresses of the administration of the site."""

from __future__ import annotations

from typing import Any, Final

from django.urls import URLPattern, path

from clones.tracker.web.admin import (
    announcing,
    audit_log,
    categories,
    classic,
    directory,
    field_configurations,
    field_contexts,
    field_options,
    field_schemes,
    fields,
    general,
    global_permissions,
    groups,
    link_types,
    notification_schemes,
    permission_schemes,
    priorities,
    priority_schemes,
    resolutions,
    roles,
    screen_schemes,
    screen_tabs,
    screens,
    security_schemes,
    shared_items,
    spaces,
    statuses,
    time_tracking,
    type_schemes,
    type_screens,
    users,
    webhooks,
    work_types,
    workflow_publishing,
    workflow_schemes,
    workflows,
)
from clones.tracker.web.admin.navigation import address_of
from clones.tracker.web.admin.resources import Views

# By the key of the page: what stands below its address.
_PAGES: Final[dict[str, Views]] = {
    "general": {
        "": general.show,
        "/switch": general.switch,
        "/properties/<str:key>": general.edit_property,
    },
    "look": {"": general.look},
    "banner": {"": general.show_banner, "/edit": general.edit_banner},
    "global-permissions": {
        "": global_permissions.listing,
        "/add": global_permissions.add,
        "/remove": global_permissions.remove,
    },
    "audit-log": {"": audit_log.listing},
    "webhooks": {
        "": webhooks.listing,
        "/create": webhooks.create,
        "/<int:key>": webhooks.edit,
        "/<int:key>/switch": webhooks.switch,
        "/<int:key>/delete": webhooks.delete,
    },
    "shared-filters": {
        "": shared_items.list_filters,
        "/<int:key>/owner": shared_items.own_filter,
        "/<int:key>/delete": shared_items.delete_filter,
    },
    "shared-dashboards": {
        "": shared_items.list_dashboards,
        "/<int:key>/owner": shared_items.own_dashboard,
        "/<int:key>/delete": shared_items.delete_dashboard,
    },
    "types": work_types.PAGES.views(),
    "type-schemes": {
        **type_schemes.PAGES.views(),
        "/add": type_schemes.add,
        "/<int:key>": type_schemes.details,
        "/<int:key>/types/add": type_schemes.add_types,
        "/<int:key>/types/<int:kind>/move": type_schemes.move_type,
        "/<int:key>/types/<int:kind>/remove": type_schemes.remove_type,
        "/<int:key>/spaces/add": type_schemes.associate,
    },
    "workflows": {
        "": workflows.listing,
        "/create": workflows.create,
        "/<str:uuid>": workflows.details,
        "/<str:uuid>/copy": workflows.copy,
        "/<str:uuid>/delete": workflows.delete,
    },
    "workflow-schemes": {
        "": workflow_schemes.listing,
        "/add": workflow_schemes.add,
        "/<int:key>": workflow_schemes.details,
        "/<int:key>/copy": workflow_schemes.copy,
        "/<int:key>/edit": workflow_schemes.edit,
        "/<int:key>/delete": workflow_schemes.delete,
        "/<int:key>/workflows/add": workflow_schemes.add_workflow,
        "/<int:key>/workflows/<str:uuid>": workflow_schemes.assign,
        "/<int:key>/workflows/<str:uuid>/remove": workflow_schemes.remove_workflow,
        "/<int:key>/publish": workflow_publishing.publish,
        "/<int:key>/discard": workflow_publishing.discard,
    },
    "statuses": {
        "": statuses.listing,
        "/add": statuses.add,
        "/<int:key>": statuses.details,
        "/<int:key>/edit": statuses.edit,
        "/<int:key>/delete": statuses.delete,
    },
    "screens": {
        **screens.PAGES.views(),
        "/<int:key>": screen_tabs.details,
        "/<int:key>/copy": screens.copy,
        "/<int:key>/tabs/add": screen_tabs.add_tab,
        "/<int:key>/tabs/<int:tab>/rename": screen_tabs.rename_tab,
        "/<int:key>/tabs/<int:tab>/move": screen_tabs.move_tab,
        "/<int:key>/tabs/<int:tab>/delete": screen_tabs.delete_tab,
        "/<int:key>/tabs/<int:tab>/fields/add": screen_tabs.add_fields,
        "/<int:key>/tabs/<int:tab>/fields/<str:field>/move": screen_tabs.move_field,
        "/<int:key>/tabs/<int:tab>/fields/<str:field>/remove": screen_tabs.remove_field,
    },
    "screen-schemes": {
        **screen_schemes.PAGES.views(),
        "/<int:key>": screen_schemes.details,
    },
    "type-screens": {
        **type_screens.PAGES.views(),
        "/<int:key>": type_screens.details,
        "/<int:key>/types/add": type_screens.add_type,
        "/<int:key>/types/default": type_screens.edit_default,
        "/<int:key>/types/<int:kind>": type_screens.edit_type,
        "/<int:key>/types/<int:kind>/remove": type_screens.remove_type,
        "/<int:key>/spaces/add": type_screens.associate,
    },
    "fields": {
        "": fields.listing,
        "/create": fields.create,
        "/<int:key>": fields.details,
        "/<int:key>/edit": fields.edit,
        "/<int:key>/screens": fields.associate,
        "/<int:key>/trash": fields.trash,
        "/<int:key>/restore": fields.restore,
        "/<int:key>/delete": fields.delete,
        "/<int:key>/contexts/add": field_contexts.add,
        "/<int:key>/contexts/<int:context>": field_options.details,
        "/<int:key>/contexts/<int:context>/edit": field_contexts.edit,
        "/<int:key>/contexts/<int:context>/default": field_contexts.default,
        "/<int:key>/contexts/<int:context>/delete": field_contexts.delete,
        "/<int:key>/contexts/<int:context>/options/add": field_options.add,
        "/<int:key>/contexts/<int:context>/options/<int:option>/edit": field_options.edit,
        "/<int:key>/contexts/<int:context>/options/<int:option>/switch": field_options.switch,
        "/<int:key>/contexts/<int:context>/options/<int:option>/move": field_options.move,
        "/<int:key>/contexts/<int:context>/options/<int:option>/delete": field_options.delete,
    },
    "field-configurations": {
        **field_configurations.PAGES.views(),
        "/<int:key>": field_configurations.details,
        "/<int:key>/fields/<str:field>": field_configurations.describe,
        "/<int:key>/fields/<str:field>/hide": field_configurations.hide,
        "/<int:key>/fields/<str:field>/require": field_configurations.require,
        "/<int:key>/fields/<str:field>/renderer": field_configurations.render,
    },
    "field-schemes": {
        **field_schemes.PAGES.views(),
        "/<int:key>": field_schemes.details,
        "/<int:key>/types/add": field_schemes.add_type,
        "/<int:key>/types/<str:kind>": field_schemes.edit_type,
        "/<int:key>/types/<int:kind>/remove": field_schemes.remove_type,
        "/<int:key>/spaces/add": field_schemes.associate,
        "/<int:key>/spaces/<int:space>/remove": field_schemes.remove_space,
    },
    "priorities": priorities.PAGES.views(),
    "priority-schemes": {
        "": priority_schemes.listing,
        "/add": priority_schemes.add,
        "/<int:key>": priority_schemes.details,
        "/<int:key>/edit": priority_schemes.edit,
        "/<int:key>/delete": priority_schemes.delete,
        "/<int:key>/spaces/add": priority_schemes.add_space,
        "/<int:key>/spaces/<int:space>": priority_schemes.remove_space,
    },
    "resolutions": resolutions.PAGES.views(),
    "link-types": {**link_types.PAGES.views(), "/switch": link_types.switch},
    "time-tracking": {
        "": time_tracking.show,
        "/edit": time_tracking.edit,
        "/switch": time_tracking.switch,
    },
    "security-schemes": {
        **security_schemes.PAGES.views(),
        "/<int:key>": security_schemes.details,
        "/<int:key>/default": security_schemes.set_default,
        "/<int:key>/levels/add": security_schemes.add_level,
        "/<int:key>/levels/<int:level>": security_schemes.edit_level,
        "/<int:key>/levels/<int:level>/delete": security_schemes.delete_level,
        "/<int:key>/levels/<int:level>/members/add": security_schemes.add_member,
        "/<int:key>/levels/<int:level>/members/<int:member>/remove": (
            security_schemes.remove_member
        ),
    },
    "notification-schemes": {
        **notification_schemes.PAGES.views(),
        "/<int:key>": notification_schemes.details,
        "/<int:key>/copy": notification_schemes.copy,
        "/<int:key>/notifications/add": notification_schemes.tell,
        "/<int:key>/notifications/<int:event>/remove": notification_schemes.untell,
    },
    "permission-schemes": {
        **permission_schemes.PAGES.views(),
        "/<int:key>": permission_schemes.details,
        "/<int:key>/copy": permission_schemes.copy,
        "/<int:key>/grants/add": permission_schemes.grant,
        "/<int:key>/grants/<str:permission>/remove": permission_schemes.revoke,
    },
    "spaces": {
        "": spaces.listing,
        "/<int:key>/category": spaces.category,
        "/<int:key>/archive": spaces.archive,
        "/<int:key>/trash": spaces.trash,
        "/<int:key>/restore": spaces.restore,
        "/<int:key>/delete": spaces.delete,
    },
    "categories": categories.PAGES.views(),
    "roles": {
        **roles.PAGES.views(),
        "/<int:key>": roles.details,
        "/<int:key>/members/add": roles.add_member,
        "/<int:key>/members/remove": roles.remove_member,
    },
    "users": {
        "": users.listing,
        "/invite": users.invite,
        "/<str:account>": users.details,
        "/<str:account>/deactivate": users.deactivate,
        "/<str:account>/reactivate": users.reactivate,
        "/<str:account>/join": users.join,
        "/<str:account>/leave": users.leave,
    },
    "groups": {
        "": groups.listing,
        "/create": groups.create,
        "/<str:uuid>": groups.details,
        "/<str:uuid>/add": groups.add_members,
        "/<str:uuid>/remove": groups.remove_member,
        "/<str:uuid>/delete": groups.delete,
    },
}


def _classic(address: str, key: str) -> URLPattern:
    values: dict[str, Any] = {"key": key}
    return path(address.removeprefix("/"), classic.lead_on, values)


urlpatterns = [
    path("jira/announcement/dismiss", announcing.dismiss),
    path("jira/projects", directory.listing, name="spaces"),
    path("jira/create-project", directory.create, name="create_space"),
    *(
        path(f"{address_of(key)[1:]}{rest}", view)
        for key, views in _PAGES.items()
        for rest, view in views.items()
    ),
    *(_classic(address, key) for address, key in (classic.AREAS | classic.CLASSIC).items()),
]
