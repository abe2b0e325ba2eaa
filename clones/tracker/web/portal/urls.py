"""The addresses of portals."""

from __future__ import annotations

from django.urls import path, re_path

from clones.tracker.web.portal import (
    create,
    lists,
    portals,
    profile,
    request_actions,
    request_page,
    signin,
)

_PORTAL = "servicedesk/customer/portal/<int:desk>"
_KEY = r"^servicedesk/customer/portal/(?P<desk>[0-9]{1,18})/(?P<key>[A-Za-z][A-Za-z0-9_]*-[0-9]+)"

urlpatterns = [
    path("servicedesk/customer/user/login", signin.signin, name="portal_signin"),
    path("servicedesk/customer/user/logout", signin.signout, name="portal_signout"),
    path("servicedesk/customer/user/requests", lists.requests, name="portal_requests"),
    path("servicedesk/customer/user/approvals", lists.approvals, name="portal_approvals"),
    path("servicedesk/customer/user/profile", profile.profile, name="portal_profile"),
    path("servicedesk/customer/portals", portals.portals, name="portals"),
    path("servicedesk/customer", portals.portals),
    path(_PORTAL, portals.portal, name="portal"),
    path(f"{_PORTAL}/group/<int:group>", portals.group),
    path(f"{_PORTAL}/create/<int:key>", create.create, name="portal_create"),
    path(f"{_PORTAL}/group/<int:group>/create/<int:key>", create.create),
    re_path(rf"{_KEY}$", request_page.request_page, name="portal_request"),
    re_path(rf"{_KEY}/comment$", request_actions.comment),
    re_path(rf"{_KEY}/transition/(?P<number>[0-9]{{1,9}})$", request_actions.transition),
    re_path(rf"{_KEY}/participants$", request_actions.participants),
    re_path(rf"{_KEY}/organizations$", request_actions.organizations),
    re_path(rf"{_KEY}/notification$", request_actions.notification),
    re_path(rf"{_KEY}/approvals/(?P<id>[0-9]{{1,18}})$", request_actions.approve),
    re_path(rf"{_KEY}/feedback$", request_actions.rate),
    re_path(rf"{_KEY}/files/(?P<id>[0-9]{{1,18}})$", request_actions.get_file),
]
