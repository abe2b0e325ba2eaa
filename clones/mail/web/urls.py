"""The addresses of the mailbox's pages."""

from __future__ import annotations

from django.urls import path, re_path

from clones.mail.web import access, reading, refusals, writing

app_name = "mail"
urlpatterns = [
    path("", reading.home, name="home"),
    path("signin", access.signin, name="signin"),
    path("signout", access.signout, name="signout"),
    path("folders/<str:name>", reading.folder, name="folder"),
    path("messages/<int:key>", reading.message, name="message"),
    path("messages/<int:key>/files/<int:number>", reading.file, name="file"),
    path("messages/<int:key>/source", reading.source, name="source"),
    path("marks/<int:key>", reading.mark, name="mark"),
    path("compose", writing.compose, name="compose"),
    re_path(r"", refusals.page_not_found),
]
