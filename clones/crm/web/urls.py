"""The addresses of crm's pages."""

from __future__ import annotations

from django.urls import path, re_path

from clones.crm.web import access, certificates, frontdoor, home, openid, refusals

app_name = "crm"
urlpatterns = [
    path("", home.home, name="home"),
    path("signin", access.signin, name="signin"),
    path("signout", access.signout, name="signout"),
    path("secur/frontdoor.jsp", frontdoor.frontdoor, name="frontdoor"),
    path(
        "app/mgmt/forceconnectedapps/forceAppEdit.apexp",
        certificates.certificate,
        name="certificate",
    ),
    path(".well-known/openid-configuration", openid.configuration, name="openid"),
    re_path(r"", refusals.page_not_found),
]
