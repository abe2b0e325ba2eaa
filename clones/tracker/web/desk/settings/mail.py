"""What the settings of a desk say of mail: where customers write to, and what that becomes."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse

from clones.core.tenancy.middleware import SandboxRequest
from clones.tracker.domain.desk_settings import set_mail_type
from clones.tracker.domain.mail.addresses import desk_address
from clones.tracker.models import ServiceDesk
from clones.tracker.queries.request_forms import MAIL_TYPE, types_for_mail
from clones.tracker.web.access import Visitor
from clones.tracker.web.desk.settings.access import at, page_of_desk_settings, settle
from clones.tracker.web.settings.forms import FormPage, Input, chosen, number_of

CURRENT: Final = "email-settings"


@page_of_desk_settings
def email_settings(request: SandboxRequest, who: Visitor, desk: ServiceDesk) -> HttpResponse:
    """Show the address of the desk and the type of requests by mail, or take another type."""
    types = [(one.id, one.name) for one in types_for_mail(desk)]
    choices = chosen(types, [desk.settings.get(MAIL_TYPE)])
    inputs = [
        Input(
            "type",
            "Request type",
            "select",
            choices=choices,
            none="The first whose form a mail fills",
            hint="What mails to the desk become. A mail fills the summary and the description.",
        )
    ]
    sheet = FormPage(
        "Email requests",
        at(desk, CURRENT),
        at(desk, "request-types"),
        inputs,
        said=f"Customers raise requests by writing to {desk_address(desk)}.",
    )
    return settle(
        request,
        who,
        desk,
        sheet,
        lambda sent: set_mail_type(desk, number_of(sent.text("type")), actor=who.rights),
        current=CURRENT,
        flag="Email requests saved",
    )
