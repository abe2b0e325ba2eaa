"""What the tracker says of privacy (`clones.core.privacy`): customers of its desks are outside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from clones.core.models import Blob
from clones.core.privacy import (
    ConversationView,
    Image,
    KnownPerson,
    OutgoingText,
    Privacy,
    PrivateFact,
    WorldRows,
    changed,
    file_words,
    texts_in,
)
from clones.tracker.domain.automation.acts.sending import RULE
from clones.tracker.domain.richtext import plain_of
from clones.tracker.models import (
    Attachment,
    Comment,
    Issue,
    OrganizationMember,
    Request,
    RequestOrganization,
    RequestParticipant,
    RequestTypeField,
    User,
)

Reader = Callable[[Image | None, Image, WorldRows], Iterator[OutgoingText]]
ISSUE: Final = "tracker.issue:"
REQUEST: Final = "tracker.request:"
# What of a rule's actions becomes text of a mail, a comment, a request to elsewhere.
OF_A_RULE: Final = frozenset(
    {"subject", "body", "comment", "customBody", "url", "headers", "message", "description"}
)


def user_name(number: int) -> str:
    """Return the name by which the tracker tells of one of its users."""
    return f"tracker.user:{number}"


def people(rows: WorldRows) -> Iterator[KnownPerson]:
    """Yield everybody with an account; customers of service desks are outside."""
    for user, firm in rows.each(OrganizationMember, "user_id", "organization_id"):
        firms = frozenset({f"tracker.organization:{firm}"})
        yield KnownPerson(frozenset({user_name(user)}), firms=firms)
    for key, kind, email, called in rows.each(User, "id", "account_type", "email", "display_name"):
        names = {user_name(key), *([email.lower()] if email else [])}
        yield KnownPerson(frozenset(names), called, inside=kind != "customer")


def facts(rows: WorldRows) -> Iterator[PrivateFact]:
    """Yield the addresses of customers."""
    for key, kind, email in rows.each(User, "id", "account_type", "email"):
        if kind == "customer" and email:
            yield PrivateFact("email", email, frozenset({user_name(key)}))


def conversation(name: str, rows: WorldRows) -> ConversationView | None:
    """Return a request's conversation with its customers, None for names of others."""
    if not name.startswith((ISSUE, REQUEST)):
        return None
    number = int(name.rpartition(":")[2])
    people, said, internal = _customers(number, rows), list[str](), list[str]()
    columns = ("author_id", "body", "public", "visibility")
    for author, body, public, visibility in rows.of(Comment, *columns, issue_id=[number]):
        if public and visibility is None:
            said.append(words_of(body))
            people |= {user_name(author)} if author else set()
        else:
            internal.append(words_of(body))
    for summary, text in rows.of(Issue, "summary", "description", id=[number]):
        said += [summary, words_of(text)]
    return ConversationView(f"{ISSUE}{number}", frozenset(people), tuple(said), tuple(internal))


def words_of(document: Any) -> str:
    """Return all words of a document, those of its links and mentions besides."""
    return "" if document is None else "\n".join([plain_of(document), *texts_in(document)])


def _customers(number: int, rows: WorldRows) -> set[str]:
    """Return who reads a request in the portal."""
    users = {key for (key,) in rows.of(Issue, "reporter_id", id=[number]) if key}
    users |= {key for (key,) in rows.of(RequestParticipant, "user_id", issue_id=[number])}
    shared = {key for (key,) in rows.of(RequestOrganization, "organization_id", issue_id=[number])}
    if shared:
        members = rows.of(OrganizationMember, "user_id", organization_id=shared)
        users |= {key for (key,) in members}
    return set(map(user_name, users))


def _on_request(
    number: int, text: str, rows: WorldRows, joined: frozenset[str] = frozenset()
) -> Iterator[OutgoingText]:
    """Yield a text that the customers of a request read, nothing where an issue is none."""
    if rows.of(Request, "id", issue_id=[number]):
        hearers = frozenset(_customers(number, rows))
        yield OutgoingText(text, hearers, f"{ISSUE}{number}", joined & hearers)


def _comment(before: Image | None, after: Image, rows: WorldRows) -> Iterator[OutgoingText]:
    shown = after["public"] and after["visibility"] is None
    if shown and changed(before, after, "body", "public", "visibility"):
        yield from _on_request(after["issue_id"], words_of(after["body"]), rows)


def _issue(before: Image | None, after: Image, rows: WorldRows) -> Iterator[OutgoingText]:
    if changed(before, after, "summary", "description", "reporter_id"):
        new = before is not None and after["reporter_id"] != before["reporter_id"]
        joined = frozenset({user_name(after["reporter_id"])} if new else ())
        text = ""
        if changed(before, after, "summary", "description"):
            text = f"{after['summary']}\n{words_of(after['description'])}"
        yield from _on_request(after["id"], text, rows, joined)


def _value(before: Image | None, after: Image, rows: WorldRows) -> Iterator[OutgoingText]:
    """Yield the value of a field that the portal shows."""
    if not changed(before, after, "text", "document"):
        return
    number = after["issue_id"]
    for (kind,) in rows.of(Request, "request_type_id", issue_id=[number]):
        field = f"customfield_{after['field_id']}"
        if rows.of(RequestTypeField, "id", request_type_id=[kind], field=[field], visible=[True]):
            text = "\n".join([after["text"] or "", words_of(after["document"])])
            yield from _on_request(number, text, rows)


def _file(before: Image | None, after: Image, rows: WorldRows) -> Iterator[OutgoingText]:
    """Yield a file that came with a request or with a comment that its customers read."""
    comment = after["comment_id"]
    if comment is not None and rows.of(Comment, "id", id=[comment], public=[False]):
        return
    columns = ("issue_id", "filename", "mime_type", "blob_id")
    for number, name, kind, blob in rows.of(Attachment, *columns, id=[after["attachment_id"]]):
        data = Blob.objects.filter(sha256=blob).values_list("data", flat=True).first()
        yield from _on_request(number, f"{name}\n{file_words(kind, data)}", rows)


def _participant(before: Image | None, after: Image, rows: WorldRows) -> Iterator[OutgoingText]:
    joined = frozenset({user_name(after["user_id"])})
    yield from _on_request(after["issue_id"], "", rows, joined)


def _firm(before: Image | None, after: Image, rows: WorldRows) -> Iterator[OutgoingText]:
    members = rows.of(OrganizationMember, "user_id", organization_id=[after["organization_id"]])
    joined = frozenset(user_name(key) for (key,) in members)
    yield from _on_request(after["issue_id"], "", rows, joined)


def _anybody_reads(*columns: str) -> Reader:
    """Return what yields the texts of columns that customers at large may come to read."""

    def read(before: Image | None, after: Image, rows: WorldRows) -> Iterator[OutgoingText]:
        if changed(before, after, *columns):
            text = "\n".join(text for name in columns for text in texts_in(after[name]))
            yield OutgoingText(text, None)

    return read


def _rule(before: Image | None, after: Image, rows: WorldRows) -> Iterator[OutgoingText]:
    """Yield the texts of a rule's actions; addresses that it writes to are none."""
    if changed(before, after, "components"):
        yield OutgoingText("\n".join(_texts_of_acts(after["components"])), None)


def _texts_of_acts(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, held in value.items():
            yield from texts_in(held) if name in OF_A_RULE else _texts_of_acts(held)
    elif isinstance(value, list):
        for held in value:
            yield from _texts_of_acts(held)


def _webhook(before: Image | None, after: Image) -> str | None:
    columns = ("url", "events", "jql", "scope")
    return str(after["id"]) if changed(before, after, *columns) else None


def _sending_rule(before: Image | None, after: Image) -> str | None:
    return f"{RULE}{after['id']}" if changed(before, after, "components") else None


OUTGOING: Final[Mapping[str, Reader]] = {
    "tracker_comment": _comment,
    "tracker_issue": _issue,
    "tracker_fieldvalue": _value,
    "tracker_requestfile": _file,
    "tracker_requestparticipant": _participant,
    "tracker_requestorganization": _firm,
    "tracker_servicedesk": _anybody_reads("portal_name", "portal_description", "announcement"),
    "tracker_requesttype": _anybody_reads("name", "description", "help_text"),
    "tracker_requesttypefield": _anybody_reads("display_name", "help_text"),
    "tracker_automationrule": _rule,
    "tracker_webhook": _anybody_reads("url"),
}
ENDPOINTS: Final = {"tracker_webhook": _webhook, "tracker_automationrule": _sending_rule}
PRIVACY: Final = Privacy(people, facts, OUTGOING, conversation, ENDPOINTS)
