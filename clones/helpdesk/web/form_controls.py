"""What a ticket form's own controls do to the form, and the files that go with it."""

from __future__ import annotations

from dataclasses import replace

from clones.core.tenancy.middleware import SandboxRequest
from clones.core.web.attempts import FormErrors
from clones.helpdesk.domain.errors import HelpdeskError
from clones.helpdesk.domain.uploads import add_upload
from clones.helpdesk.domain.values import NewComment
from clones.helpdesk.models import Ticket, User
from clones.helpdesk.web import composer
from clones.helpdesk.web.access import Agent
from clones.helpdesk.web.composer import Composer
from clones.helpdesk.web.form_errors import errors_of
from clones.helpdesk.web.knowledge import link_article
from clones.helpdesk.web.macro_sheet import apply_macro
from clones.helpdesk.web.sheet import PropertiesForm

ATTACH_AGAIN = "Your files were not kept: attach them again"


def carry_out(
    request: SandboxRequest, sheet: PropertiesForm, ticket: Ticket | None, agent: Agent
) -> None:
    """Do on the form what one of its controls asked for: take it, a channel, a link, a macro."""
    post, actor = request.POST, agent.user
    if post.get("take_it"):
        sheet.values["assignee"] = post["take_it"]
    if post.get("set_channel"):
        public = post["set_channel"] == composer.PUBLIC and not actor.only_private_comments
        sheet.composer = replace(sheet.composer, public=public)
    try:
        if post.get("link_article"):
            sheet.composer = link_article(sheet.composer, post["link_article"], actor)
        if post.get("macro_id"):
            apply_macro(sheet, post["macro_id"], ticket, actor)
    except HelpdeskError as error:
        sheet.errors = errors_of(error)


def errors_of_form(request: SandboxRequest, error: HelpdeskError) -> FormErrors:
    """Return what is wrong with a form that was sent; files do not come back with the page."""
    found = errors_of(error)
    if request.FILES:
        found = replace(found, ordered=[*found.sentences, ATTACH_AGAIN])
    return found


def new_comment(request: SandboxRequest, written: Composer, actor: User) -> NewComment:
    """Return what the composer and its files come to, having kept the files.

    Raises:
        RecordInvalid: a file is empty or too large.
    """
    token: str | None = None
    for file in request.FILES.getlist("attachments"):
        upload = add_upload(
            actor=actor,
            file_name=file.name or "",
            content_type=file.content_type or "",
            data=file.read(),
            token=token,
        )
        token = upload.token
    uploads = (token,) if token is not None else ()
    return NewComment(written.body, written.html or None, written.public, uploads=uploads)
