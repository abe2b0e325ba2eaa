"""The addresses of issues."""

from __future__ import annotations

from django.urls import path, re_path

from clones.tracker.web.issue import (
    access,
    actions,
    changes,
    issue_page,
    moving,
    people,
    relations,
    talk,
)

urlpatterns = [
    re_path(r"^browse/(?P<key>[A-Za-z][A-Za-z0-9_]*)$", access.space, name="space"),
    path("browse/<key>", issue_page.browse, name="issue"),
    path("browse/<key>/fields/<field>", changes.set_field),
    path("browse/<key>/assign-to-me", changes.assign_to_me),
    path("browse/<key>/transition/<int:number>", changes.transition),
    path("browse/<key>/watch", changes.watch),
    path("browse/<key>/vote", changes.vote),
    path("browse/<key>/flag", changes.flag),
    path("browse/<key>/delete", changes.delete),
    path("browse/<key>/clone", actions.clone),
    path("browse/<key>/move", moving.move),
    path("browse/<key>/convert", moving.convert),
    path("browse/<key>/archive", actions.archive),
    path("browse/<key>/restore", actions.restore),
    path("browse/<key>/watchers", people.watchers),
    path("browse/<key>/voters", people.voters),
    path("browse/<key>/share", people.share),
    path("browse/<key>/mentions", people.mentionable),
    path("si/jira.issueviews:issue-html/<key>/<name>", actions.printable),
    path("browse/<key>/comments", talk.add),
    path("browse/<key>/comments/<int:id>", talk.edit),
    path("browse/<key>/comments/<int:id>/delete", talk.delete),
    path("browse/<key>/worklog", talk.worklog),
    path("browse/<key>/worklog/<int:id>", talk.worklog),
    path("browse/<key>/worklog/<int:id>/delete", talk.delete_work),
    path("browse/<key>/links", relations.add_link),
    path("browse/<key>/links/<int:id>/delete", relations.delete_link),
    path("browse/<key>/weblinks", relations.add_web_link),
    path("browse/<key>/weblinks/<int:id>/delete", relations.delete_web_link),
    path("browse/<key>/children", relations.add_child),
    path("browse/<key>/files", relations.add_files),
    path("browse/<key>/files/<int:id>", relations.get_file),
    path("browse/<key>/files/<int:id>/delete", relations.delete_file),
    path("jira/viewed/<key>", changes.viewed),
]
