"""The addresses of desks: queues, customers, settings, and what requests have."""

from __future__ import annotations

from django.urls import path

from clones.tracker.web.desk import customers, panel_actions, queue_forms, queues
from clones.tracker.web.desk.settings import (
    calendars,
    forms_of_types,
    mail,
    portal,
    request_types,
    slas,
)
from clones.tracker.web.settings.navigation import everywhere

_DESK = "jira/servicedesk/projects/<str:place>"
_QUEUE = f"{_DESK}/queues/custom/<str:id>"
_CUSTOMERS = f"{_DESK}/customers"
_ORGANIZATION = f"{_CUSTOMERS}/organizations/<int:key>"
_TYPE = "request-types/<int:key>"
_GROUP = "request-type-groups/<int:key>"
_SLA = "slas/<int:key>"

urlpatterns = [
    path(f"{_DESK}/queues", queues.first_queue, name="queues"),
    path(f"{_DESK}/queues/new", queue_forms.new_queue),
    path(_QUEUE, queues.queue_page, name="queue"),
    path(f"{_QUEUE}/edit", queue_forms.edit_queue),
    path(f"{_QUEUE}/columns", queue_forms.set_columns),
    path(f"{_QUEUE}/delete", queue_forms.delete_queue),
    path(f"{_QUEUE}/move", queue_forms.move_queue),
    path(f"{_QUEUE}/star", queue_forms.star_queue),
    path(_CUSTOMERS, customers.customer_list, name="customers"),
    path(f"{_CUSTOMERS}/add", customers.add_customers),
    path(f"{_CUSTOMERS}/<str:account>/remove", customers.remove_customer),
    path(f"{_CUSTOMERS}/organizations/add", customers.add_organization),
    path(_ORGANIZATION, customers.organization_page),
    path(f"{_ORGANIZATION}/add", customers.add_people),
    path(f"{_ORGANIZATION}/remove", customers.remove_organization),
    path(f"{_ORGANIZATION}/<str:account>/remove", customers.remove_person),
    path("browse/<key>/desk/request-type", panel_actions.set_type),
    path("browse/<key>/desk/participants", panel_actions.participants),
    path("browse/<key>/desk/organizations", panel_actions.organizations),
    path("browse/<key>/desk/approvals/<str:id>", panel_actions.approve),
    *everywhere("request-types", request_types.type_list),
    *everywhere("request-types/new", request_types.new_type),
    *everywhere(_TYPE, forms_of_types.type_page),
    *everywhere(f"{_TYPE}/move", request_types.move_type),
    *everywhere(f"{_TYPE}/delete", request_types.delete_type),
    *everywhere(f"{_TYPE}/fields", forms_of_types.add_field),
    *everywhere(f"{_TYPE}/fields/<int:field>", forms_of_types.edit_field),
    *everywhere(f"{_TYPE}/fields/<int:field>/place", forms_of_types.place_field),
    *everywhere(f"{_TYPE}/statuses", forms_of_types.name_statuses),
    *everywhere("request-type-groups/new", request_types.new_group),
    *everywhere(_GROUP, request_types.rename_group),
    *everywhere(f"{_GROUP}/move", request_types.move_group),
    *everywhere(f"{_GROUP}/delete", request_types.delete_group),
    *everywhere("slas", slas.sla_list),
    *everywhere("slas/new", slas.new_sla),
    *everywhere(_SLA, slas.edit_sla),
    *everywhere(f"{_SLA}/delete", slas.delete_sla),
    *everywhere(f"{_SLA}/goals/new", slas.new_goal),
    *everywhere(f"{_SLA}/goals/<int:goal>", slas.edit_goal),
    *everywhere(f"{_SLA}/goals/<int:goal>/place", slas.place_goal),
    *everywhere("calendars", calendars.calendar_list),
    *everywhere("calendars/new", calendars.new_calendar),
    *everywhere("calendars/<int:key>", calendars.edit_calendar),
    *everywhere("calendars/<int:key>/delete", calendars.delete),
    *everywhere("calendars/<int:key>/holidays/new", calendars.new_holiday),
    *everywhere("calendars/<int:key>/holidays/remove", calendars.remove_holiday),
    *everywhere("email-settings", mail.email_settings),
    *everywhere("portal-settings", portal.portal_settings),
    *everywhere("customer-permissions", portal.customer_permissions),
    *everywhere("customer-notifications", portal.customer_notifications),
    *everywhere("satisfaction-settings", portal.satisfaction),
]
