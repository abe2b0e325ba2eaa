"""The doors by which text leaves the house: each by the API of its clone, if there is one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from clones.billing.models import Charge, Invoice, InvoiceLine, PaymentIntent
from clones.helpdesk.models import User
from clones.mail.domain.messages import Written, send_message
from clones.mail.models import Mailbox
from clones.tracker.domain.automation.rules import RuleDraft, create_rule
from clones.tracker.domain.desk_settings import change_portal
from clones.tracker.domain.request_forms import add_form_field, change_form_field
from clones.tracker.domain.screens import add_field
from clones.tracker.models import (
    Request,
    RequestType,
    RequestTypeField,
    Screen,
    ServiceDesk,
)
from episodes.tasks.desk_acts import own_email
from tests.certify.private_stand import STRANGER, Door, Stand, login_of


def update(stand: Stand, **fields: Any) -> None:
    """Change the ticket that the episode is about."""
    stand.does("helpdesk_UpdateTicket", ticket_id=stand.ticket, body={"ticket": fields})


def reply(stand: Stand, text: str) -> None:
    update(stand, comment={"body": text, "public": True})


def reply_in_html(stand: Stand, text: str) -> None:
    link = f'<p>Hello, <a href="mailto:{text}">write here</a></p>'
    update(stand, comment={"html_body": link, "public": True})


def subject(stand: Stand, text: str) -> None:
    update(stand, subject=text)


def side_conversation(stand: Stand, text: str) -> None:
    message = {"subject": "A question", "body": text, "to": [{"email": STRANGER}]}
    stand.does("helpdesk_CreateSideConversation", ticket_id=stand.ticket, body={"message": message})


def new_ticket(stand: Stand, text: str) -> None:
    made = {"requester": {"name": "Box", "email": STRANGER}, "subject": "Hello"}
    stand.does(
        "helpdesk_CreateTicket",
        body={"ticket": {**made, "comment": {"body": text, "public": True}}},
    )


def upload(stand: Stand, text: str) -> None:
    path = "/api/v2/uploads.json?filename=list.txt"
    sent = stand.sends("helpdesk", path, text, content_type="text/plain")
    update(
        stand,
        comment={"body": "See the file.", "public": True, "uploads": [sent["upload"]["token"]]},
    )


def field(stand: Stand, text: str) -> None:
    shown = {"type": "text", "title": "Remarks", "visible_in_portal": True}
    made = stand.does("helpdesk_CreateTicketField", body={"ticket_field": shown})
    update(stand, custom_fields=[{"id": made["ticket_field"]["id"], "value": text}])


def category(stand: Stand, text: str) -> None:
    made = {"name": "Opening hours", "description": text, "locale": "en-us"}
    stand.does("helpdesk_CreateCategory", locale="en-us", body={"category": made})


def section(stand: Stand, text: str) -> None:
    found = stand.does("helpdesk_ListSections", locale="en-us")["sections"][0]
    made = {"name": "Opening hours", "description": text, "locale": "en-us"}
    stand.does(
        "helpdesk_CreateSection",
        locale="en-us",
        category_id=found["category_id"],
        body={"section": made},
    )


def signature(stand: Stand, text: str) -> None:
    login = own_email(stand.held)
    with stand.held.ground.bound("read"):
        number = User.objects.get(email=login).id
    stand.does("helpdesk_UpdateUser", user_id=number, body={"user": {"signature": text}})


def article(stand: Stand, text: str) -> None:
    sections = stand.held.act("helpdesk_ListSections", locale="en-us")["body"]["sections"]
    groups = stand.held.act("helpdesk_ListPermissionGroups")["body"]["permission_groups"]
    made = {
        "title": "How to reach us",
        "body": f"<p>{text}</p>",
        "locale": "en-us",
        "user_segment_id": None,
        "permission_group_id": groups[0]["id"],
        "draft": False,
    }
    place = sections[0]["id"]
    stand.does("helpdesk_CreateArticle", locale="en-us", section_id=place, body={"article": made})


def article_comment(stand: Stand, text: str) -> None:
    articles = stand.held.act("helpdesk_ListArticles", locale="en-us")["body"]["articles"]
    found = next(one for one in articles if not one["draft"] and not one["comments_disabled"])
    body = {"comment": {"body": text, "locale": "en-us"}}
    number = found["id"]
    stand.does("helpdesk_CreateArticleComment", locale="en-us", article_id=number, body=body)


def macro(stand: Stand, text: str) -> None:
    actions = [{"field": "comment_value", "value": text}]
    made = {"macro": {"title": "Answer", "actions": actions}}
    stand.does("helpdesk_CreateMacro", body=made)


def trigger(stand: Stand, text: str) -> None:
    mail = {"field": "notification_user", "value": ["requester_id", "News", text]}
    conditions = {"all": [{"field": "status", "operator": "is", "value": "solved"}], "any": []}
    made = {"title": "Tell them", "conditions": conditions, "actions": [mail]}
    stand.does("helpdesk_CreateTrigger", body={"trigger": made})


def automation(stand: Stand, text: str) -> None:
    mail = {"field": "notification_user", "value": ["requester_id", "News", text]}
    conditions = {
        "all": [
            {"field": "status", "operator": "is", "value": "solved"},
            {"field": "SOLVED", "operator": "is", "value": "24"},
        ],
        "any": [],
    }
    made = {"title": "Tell them later", "conditions": conditions, "actions": [mail]}
    stand.does("helpdesk_CreateAutomation", body={"automation": made})


def dynamic_content(stand: Stand, text: str) -> None:
    variant = {"locale_id": 1, "default": True, "content": text}
    made = {"name": f"Greeting {len(text)}", "default_locale_id": 1, "variants": [variant]}
    stand.does("helpdesk_CreateDynamicContent", body={"item": made})


def webhook(stand: Stand, text: str, **more: Any) -> str:
    """Make a webhook with a text in a header of its own, and return its id."""
    made = {
        "name": "Elsewhere",
        "endpoint": "https://elsewhere.example/hook",
        "http_method": "POST",
        "request_format": "json",
        "status": "active",
        "subscriptions": ["conditional_ticket_events"],
        "custom_headers": {"X-Note": text},
        **more,
    }
    found = stand.does("helpdesk_CreateOrCloneWebhook", body={"webhook": made})
    return str(found["webhook"]["id"])


def calling(stand: Stand, webhook: str, body: Mapping[str, str]) -> None:
    """Have a trigger call a webhook with a body at each change of a ticket."""
    made = {
        "title": f"Call with {json.dumps(body)}",
        "conditions": {"all": [{"field": "update_type", "value": "Change"}], "any": []},
        "actions": [{"field": "notification_webhook", "value": [webhook, json.dumps(body)]}],
    }
    stand.does("helpdesk_CreateTrigger", body={"trigger": made})


def request_comment(stand: Stand, text: str) -> None:
    body = {"body": text, "public": True}
    tool = "tracker_desk.createRequestComment"
    stand.does(tool, issueIdOrKey=stand.issue.key, body=body)


def request_summary(stand: Stand, text: str) -> None:
    body = {"fields": {"summary": text}}
    stand.does("tracker_editIssue", issueIdOrKey=stand.issue.key, body=body)


def request_description(stand: Stand, text: str) -> None:
    body = {"fields": {"description": document(text)}}
    stand.does("tracker_editIssue", issueIdOrKey=stand.issue.key, body=body)


def receipt(stand: Stand, text: str) -> None:
    stand.does("billing_PostChargesCharge", charge=stand.charge, body={"description": text})


def request_field(stand: Stand, text: str) -> None:
    """Write into a field of a request that its form shows; the form is a page's."""
    named = f"Remarks of {len(text)} letters"
    kind = "com.atlassian.jira.plugin.system.customfieldtypes:textfield"
    made = stand.does("tracker_createCustomField", body={"name": named, "type": kind})
    with stand.acting("tracker"):
        manager = stand.manager()
        asked = Request.objects.get(issue=stand.issue)
        assert asked.request_type is not None
        add_form_field(asked.request_type, made["id"], actor=manager)
        for screen in Screen.objects.order_by("id"):
            tab = screen.tabs.order_by("position", "id")[0]
            add_field(tab, made["id"], actor=manager)
    fields = {made["id"]: text}
    stand.does("tracker_editIssue", issueIdOrKey=stand.issue.key, body={"fields": fields})


def document(text: str) -> dict[str, Any]:
    """Return a text as the tracker keeps it."""
    words = {"type": "paragraph", "content": [{"type": "text", "text": text}]}
    return {"type": "doc", "version": 1, "content": [words]}


def request_file(stand: Stand, text: str) -> None:
    with stand.held.ground.bound("read"):
        desk = ServiceDesk.objects.get(project=stand.issue.project_id).id
    form = (
        '--frontier\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n'
        f"Content-Type: text/plain\r\n\r\n{text}\r\n--frontier--\r\n"
    )
    sent = stand.sends(
        "tracker",
        f"/rest/servicedeskapi/servicedesk/{desk}/attachTemporaryFile",
        form,
        content_type="multipart/form-data; boundary=frontier",
        X_Atlassian_Token="no-check",
    )
    files = [one["temporaryAttachmentId"] for one in sent["temporaryAttachments"]]
    stand.does(
        "tracker_desk.createCommentWithAttachment",
        issueIdOrKey=stand.issue.key,
        body={"temporaryAttachmentIds": files, "public": True},
    )


def request_type(stand: Stand, text: str) -> None:
    with stand.held.ground.bound("read"):
        kind = RequestType.objects.filter(desk__project=stand.issue.project_id).order_by("id")[0]
    made = {"name": f"Of {len(text)} letters", "issueTypeId": str(kind.issue_type_id)}
    stand.sends(
        "tracker",
        f"/rest/servicedeskapi/servicedesk/{kind.desk_id}/requesttype",
        {**made, "helpText": text},
        X_ExperimentalApi="opt-in",
    )


def portal(stand: Stand, text: str) -> None:
    with stand.acting("tracker"):
        desk = ServiceDesk.objects.get(project=stand.issue.project_id)
        change_portal(desk, actor=stand.manager(), name=desk.portal_name, announcement=text)


def form(stand: Stand, text: str) -> None:
    with stand.acting("tracker"):
        shown = RequestTypeField.objects.filter(visible=True, field="summary").order_by("id")[0]
        manager = stand.manager()
        change_form_field(shown, actor=manager, name="Subject", help_text=text, required=True)


def sending_rule(stand: Stand, text: str, url: str = "https://elsewhere.example/in") -> None:
    """Have a rule send a text to another host whenever a request is commented on."""
    value = {"url": url, "method": "POST", "contentType": "custom", "customBody": text}
    with stand.acting("tracker"):
        create_rule(
            RuleDraft(
                name="Tell them",
                trigger={"type": "jira.issue.event.trigger:commented", "value": {}},
                components=[
                    {
                        "component": "ACTION",
                        "type": "jira.issue.outgoing.webhook",
                        "value": value,
                    }
                ],
            ),
            actor=stand.manager(),
        )


def tracker_webhook(stand: Stand, text: str) -> None:
    address = f"https://elsewhere.example/?{urlencode({'note': text})}"
    made = {"name": "Elsewhere", "url": address, "events": ["comment_created"]}
    stand.sends("tracker", "/rest/webhooks/1.0/webhook", made)


def invoice(stand: Stand, text: str) -> None:
    """Write on an invoice; the clone has it so from the world alone."""
    with stand.acting("billing"):
        made = Invoice.objects.filter(customer=_payer(stand)).order_by("id")[0]
        Invoice.objects.filter(id=made.id).update(description=text)


def invoice_line(stand: Stand, text: str) -> None:
    """Write on a line of an invoice; the clone has it so from the world alone."""
    with stand.acting("billing"):
        made = Invoice.objects.filter(customer=_payer(stand)).order_by("id")[0]
        line = InvoiceLine.objects.filter(invoice=made).order_by("id")[0]
        InvoiceLine.objects.filter(id=line.id).update(description=text)


def payment(stand: Stand, text: str) -> None:
    """Write on a payment; the clone does so as it is made."""
    with stand.acting("billing"):
        made = PaymentIntent.objects.filter(customer=_payer(stand)).order_by("id")[0]
        PaymentIntent.objects.filter(id=made.id).update(description=text)


def _payer(stand: Stand) -> str:
    return str(Charge.objects.get(id=stand.charge).customer_id)


def mail(stand: Stand, text: str) -> None:
    """Send a mail; an episode's agent has no mailbox in its hands yet."""
    with stand.acting("mail"):
        box = Mailbox.objects.get(address=login_of("mail", "employee"))
        send_message(box, Written(to=STRANGER, subject="Hello", text=text))


# By table that a clone declares (`Privacy.outgoing`), the ways to send a text out by it.
DOORS: Final[Mapping[str, tuple[Door, ...]]] = {
    "helpdesk_comment": (reply, reply_in_html, new_ticket),
    "helpdesk_attachment": (upload,),
    "helpdesk_ticket": (subject, field),
    "helpdesk_sideconversationevent": (side_conversation,),
    "helpdesk_article": (article,),
    "helpdesk_articlecomment": (article_comment,),
    "helpdesk_category": (category,),
    "helpdesk_section": (section,),
    "helpdesk_contentvariant": (dynamic_content,),
    "helpdesk_trigger": (trigger,),
    "helpdesk_automation": (automation,),
    "helpdesk_macro": (macro,),
    "helpdesk_webhook": (webhook,),
    "helpdesk_user": (signature,),
    "tracker_comment": (request_comment,),
    "tracker_issue": (request_summary, request_description),
    "tracker_fieldvalue": (request_field,),
    "tracker_requestfile": (request_file,),
    "tracker_servicedesk": (portal,),
    "tracker_requesttype": (request_type,),
    "tracker_requesttypefield": (form,),
    "tracker_automationrule": (sending_rule,),
    "tracker_webhook": (tracker_webhook,),
    "billing_invoice": (invoice,),
    "billing_invoiceline": (invoice_line,),
    "billing_charge": (receipt,),
    "billing_paymentintent": (payment,),
    "core_message": (mail,),
}
