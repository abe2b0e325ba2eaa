"""Searches as database questions, one per kind of record."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from clones.core import clock
from clones.core.digits import is_digits
from clones.core.word_index import holding
from clones.core.words import asked_words
from clones.helpdesk import models, queries
from clones.helpdesk.domain.errors import InvalidSearch
from clones.helpdesk.models import (
    TYPES,
    Attachment,
    Comment,
    Group,
    Organization,
    ProfileField,
    Ticket,
    User,
)
from clones.helpdesk.queries.conditions import (
    NOTHING,
    custom_begins,
    custom_filled,
    custom_is,
    tagged,
)
from clones.helpdesk.queries.profile_fields import field_of_key
from clones.helpdesk.rules.search import SearchSyntax, Term, parse_query, time_span
from clones.helpdesk.rules.system_fields import SYSTEM_FIELDS, SystemField

KINDS: dict[str, type[Model]] = {
    "ticket": Ticket,
    "user": User,
    "organization": Organization,
    "group": Group,
}


class NotOfKind(Exception):
    """Raised when a key does not exist for a kind of record: none of that kind is found."""


@dataclass(frozen=True, slots=True)
class ParsedQuery:
    """A query as it was read: the kinds asked for and the terms that must hold."""

    kinds: tuple[str, ...]
    terms: tuple[Term, ...]
    actor: User
    now: datetime


def read_query(text: str, actor: User) -> ParsedQuery:
    """Read a query.

    Raises:
        InvalidSearch: it cannot be read.
    """
    try:
        terms = parse_query(text)
    except SearchSyntax as error:
        raise InvalidSearch(str(error)) from error
    named = [
        term.value.lower().rstrip("s") for term in terms if term.key == "type" and not term.negated
    ]
    kinds = tuple(kind for kind in KINDS if kind in named) if named else tuple(KINDS)
    rest = tuple(term for term in terms if term.key != "type")
    types = tuple(Term("ticket_type", ":", name, False, False) for name in named if name in TYPES)
    if types and not kinds:
        kinds = ("ticket",)
    return ParsedQuery(kinds, rest + types, actor, clock.now())


def rows_of(search: ParsedQuery, kind: str) -> QuerySet[Any]:
    """Return the records of a kind that a search finds, unordered and each once.

    Raises:
        InvalidSearch: a value makes no sense for its key.
    """
    rows = _base(kind, search.actor)
    keys = _KEYS[kind]
    alike: dict[str, Q] = {}
    try:
        for term in search.terms:
            found = _question(kind, keys, term, search)
            if term.negated:
                rows = rows.exclude(found)
            elif term.key is not None and term.operator == ":" and not _both(term):
                alike[term.key] = alike.get(term.key, NOTHING) | found
            else:
                rows = rows.filter(found)
    except NotOfKind:
        return rows.none()
    for condition in alike.values():
        rows = rows.filter(condition)
    return rows


def _both(term: Term) -> bool:
    return term.key in ("subject", "description", "comment")


def count(search: ParsedQuery) -> int:
    """Return how many records a search finds."""
    return sum(rows_of(search, kind).count() for kind in search.kinds)


def _base(kind: str, actor: User) -> QuerySet[Any]:
    if kind == "ticket":
        return queries.visible_tickets(actor)
    if kind == "user":
        return User.objects.filter(active=True)
    if kind == "group":
        return Group.objects.filter(deleted=False)
    return Organization.objects.all()


Compile = Callable[[Term, ParsedQuery], Q]


def _question(kind: str, keys: dict[str, Compile], term: Term, search: ParsedQuery) -> Q:
    if term.key is None:
        return _FREE[kind](term)
    custom = re.fullmatch(r"custom_field_(\d+)", term.key)
    if custom is not None and kind == "ticket":
        return _custom_field(custom.group(1), term)
    compile_key = keys.get(term.key)
    if compile_key is None:
        field = field_of_key(kind, term.key) if kind in ProfileField.OWNERS else None
        if field is None:
            raise NotOfKind(term.key)
        if term.operator != ":":
            return NOTHING
        return _custom_field(field.key, term, f"{kind}_fields")
    return compile_key(term, search)


def text_question(column: str, term: Term) -> Q:
    """Return the question for a column's words: a phrase, a beginning, or whole words."""
    if term.quoted:
        return Q(**{f"{column}__icontains": term.value})
    beginning = term.prefix
    text = term.value if beginning is None else beginning
    if not text:
        return Q()
    return Q(**{f"{column}__{'has_word' if beginning is None else 'has_prefix'}": text})


def _holding(rows: QuerySet[Any], term: Term) -> QuerySet[Any]:
    """Return the rows whose indexed words are those of a term."""
    if term.quoted:
        return holding(rows, term.value, "anywhere")
    if term.prefix is None:
        return holding(rows, term.value, "word")
    return holding(rows, term.prefix, "beginning") if term.prefix else rows


def _comment_words(term: Term, search: ParsedQuery) -> Q:
    return Q(pk__in=_holding(Comment.objects.all(), term).values("ticket_id"))


def _in_group(term: Term, search: ParsedQuery) -> Q:
    groups = Group.objects.filter(text_question("name", term))
    return Q(group_memberships__group__in=groups)


def _free_ticket(term: Term) -> Q:
    # One set of keys rather than alternatives, for which each ticket would be read and asked.
    tickets = Ticket.objects.all()
    found = [
        _holding(Comment.objects.all(), term).values("ticket_id"),
        _tagged_tickets(term.value.lower()),
    ]
    digits = term.value.lstrip("#")
    if is_digits(digits):
        found.append(tickets.filter(id=int(digits)).values("pk"))
    return Q(pk__in=_holding(tickets, term).values("pk").union(*found))


def _tagged_tickets(tag: str, *, begins: bool = False) -> QuerySet[Any]:
    """Return the keys of tickets that have a tag, or one that begins so."""
    text = f'"{tag}' if begins else f'"{tag}"'
    return holding(Ticket.objects.all(), text, "anywhere", "tags").values("pk")


def _free_user(term: Term) -> Q:
    address = Q(email__istartswith=term.value.rstrip("*"))
    return text_question("name", term) | address | text_question("notes", term)


def _free_organization(term: Term) -> Q:
    details = text_question("details", term) | text_question("notes", term)
    return text_question("name", term) | details


def _free_group(term: Term) -> Q:
    return text_question("name", term)


def _text(column: str) -> Compile:
    def compile_text(term: Term, search: ParsedQuery) -> Q:
        if term.value in ("none", "*") and not term.quoted:
            empty = Q(**{f"{column}__isnull": True}) | Q(**{column: ""})
            return empty if term.value == "none" else ~empty
        return text_question(column, term)

    return compile_text


def _exact(column: str) -> Compile:
    def compile_exact(term: Term, search: ParsedQuery) -> Q:
        if term.value == "none":
            return Q(**{f"{column}__isnull": True})
        if term.value == "*":
            return Q(**{f"{column}__isnull": False})
        beginning = term.prefix
        if beginning is not None:
            return Q(**{f"{column}__istartswith": beginning})
        return Q(**{f"{column}__iexact": term.value})

    return compile_exact


def _flag(column: str) -> Compile:
    def compile_flag(term: Term, search: ParsedQuery) -> Q:
        return Q(**{column: term.value.lower() in ("true", "yes", "1")})

    return compile_flag


def _time(column: str) -> Compile:
    def compile_time(term: Term, search: ParsedQuery) -> Q:
        if term.value in ("none", "*"):
            return Q(**{f"{column}__isnull": term.value == "none"})
        span = time_span(term.value, search.now)
        if span is None:
            raise InvalidSearch(f"{term.value} is not a valid date")
        if term.operator == ">":
            return Q(**{f"{column}__gte" if span.end > span.start else f"{column}__gt": span.end})
        if term.operator == ">=":
            return Q(**{f"{column}__gte": span.start})
        if term.operator == "<":
            return Q(**{f"{column}__lt": span.start})
        if term.operator == "<=":
            return Q(**{f"{column}__lt" if span.end > span.start else f"{column}__lte": span.end})
        if span.end > span.start:
            return Q(**{f"{column}__gte": span.start, f"{column}__lt": span.end})
        return Q(**{f"{column}__gte": span.start, f"{column}__lte": search.now})

    return compile_time


def _ranked(column: str, names: tuple[str, ...]) -> Compile:
    def compile_rank(term: Term, search: ParsedQuery) -> Q:
        value = term.value.lower()
        if value in ("none", "*"):
            return Q(**{f"{column}__isnull": value == "none"})
        if value not in names:
            return NOTHING
        at = names.index(value)
        chosen = {
            ":": names[at : at + 1],
            ">": names[at + 1 :],
            ">=": names[at:],
            "<": names[:at],
            "<=": names[: at + 1],
        }[term.operator]
        return Q(**{f"{column}__in": list(chosen)})

    return compile_rank


def _person(column: str) -> Compile:
    def compile_person(term: Term, search: ParsedQuery) -> Q:
        value = term.value
        if value in ("none", "*") and not term.quoted:
            return Q(**{f"{column}__isnull": value == "none"})
        if value == "me":
            return Q(**{f"{column}_id": search.actor.id})
        if is_digits(value):
            return Q(**{f"{column}_id": int(value)})
        return Q(**{f"{column}__in": _users(term)})

    return compile_person


def _users(term: Term) -> QuerySet[User]:
    if "@" in term.value:
        return User.objects.filter(identities__type="email", identities__value__iexact=term.value)
    return User.objects.filter(text_question("name", term))


def _copied(term: Term, search: ParsedQuery) -> Q:
    if term.value == "me":
        people = [search.actor]
    elif is_digits(term.value):
        people = list(User.objects.filter(id=int(term.value)))
    else:
        people = list(_users(term).order_by("id")[:100])
    found = NOTHING
    for person in people:
        found |= queries.copied_to(person)
    return found


def _commenter(term: Term, search: ParsedQuery) -> Q:
    if term.value == "me":
        said = Comment.objects.filter(author=search.actor)
    elif is_digits(term.value):
        said = Comment.objects.filter(author_id=int(term.value))
    else:
        said = Comment.objects.filter(author__in=_users(term))
    return Q(Exists(said.filter(ticket=OuterRef("pk"))))


def _named(column: str, model: type[Model]) -> Compile:
    def compile_named(term: Term, search: ParsedQuery) -> Q:
        value = term.value
        if value in ("none", "*") and not term.quoted:
            return Q(**{f"{column}__isnull": value == "none"})
        if is_digits(value):
            return Q(**{f"{column}_id": int(value)})
        rows = model._default_manager.filter(text_question("name", term))
        return Q(**{f"{column}__in": rows.values("pk")})

    return compile_named


def _tags(term: Term, search: ParsedQuery) -> Q:
    return _tags_like(
        term, lambda tag, begins: Q(tags__icontains=f'"{tag}') if begins else tagged(tag)
    )


def _tags_of_tickets(term: Term, search: ParsedQuery) -> Q:
    return _tags_like(term, lambda tag, begins: Q(pk__in=_tagged_tickets(tag, begins=begins)))


def _tags_like(term: Term, having: Callable[[str, bool], Q]) -> Q:
    if term.value == "none":
        return Q(tags=[])
    if term.value == "*":
        return ~Q(tags=[])
    beginning = term.prefix
    if beginning is not None:
        return having(beginning.lower(), True)
    found = Q()
    for tag in asked_words(term.value.lower()):
        found &= having(tag, False)
    return found


def _via(term: Term, search: ParsedQuery) -> Q:
    return Q(via__channel=_CHANNELS.get(term.value.lower(), term.value.lower()))


_CHANNELS = {"mail": "email", "get_satisfaction": "satisfaction_prediction", "phone": "voice"}


def _attachment(term: Term, search: ParsedQuery) -> Q:
    files = Attachment.objects.filter(comment__ticket=OuterRef("pk"), deleted=False)
    found = Q(Exists(files))
    return found if term.value.lower() == "true" else ~found


def _identifier(column: str) -> Compile:
    def compile_identifier(term: Term, search: ParsedQuery) -> Q:
        if not is_digits(term.value):
            return NOTHING
        return Q(**{column: int(term.value)})

    return compile_identifier


def _field_value(term: Term, search: ParsedQuery) -> Q:
    return Q(custom_fields__icontains=f'"{term.value}"')


def _custom_field(key: str, term: Term, column: str = "custom_fields") -> Q:
    if term.value in ("none", "*"):
        filled = custom_filled(key, column)
        return filled if term.value == "*" else ~filled
    beginning = term.prefix
    if beginning is not None:
        return custom_begins(key, beginning, column)
    return custom_is(key, term.value, column)


def _field(item: SystemField) -> Compile:
    """Return how searches ask for a ticket's field."""
    matching = item.search.matching if item.search is not None else "exact"
    if matching == "record":
        column = item.name.removesuffix("_id")
        if item.refers_to == "User":
            return _person(column)
        return _named(column, getattr(models, item.refers_to))
    if matching == "ranked":
        return _ranked(item.name, tuple(item.choices))
    return {"exact": _exact, "words": _text, "moment": _time}[matching](item.name)


_FREE: dict[str, Callable[[Term], Q]] = {
    "ticket": _free_ticket,
    "user": _free_user,
    "organization": _free_organization,
    "group": _free_group,
}
_DATES: dict[str, Compile] = {
    "created": _time("created_at"),
    "created_at": _time("created_at"),
    "updated": _time("updated_at"),
    "updated_at": _time("updated_at"),
}
_KEYS: dict[str, dict[str, Compile]] = {
    "ticket": {
        **_DATES,
        **{item.search.keyword: _field(item) for item in SYSTEM_FIELDS if item.search is not None},
        "solved": _time("metric__solved_at"),
        "cc": _copied,
        "commenter": _commenter,
        "tags": _tags_of_tickets,
        "tag": _tags_of_tickets,
        "via": _via,
        "description": _text("description"),
        "comment": _comment_words,
        "has_attachment": _attachment,
        "custom_status_id": _identifier("custom_status_id"),
        "ticket_form_id": _identifier("ticket_form_id"),
        "brand_id": _identifier("brand_id"),
        "fieldvalue": _field_value,
        "id": _identifier("id"),
    },
    "user": {
        **_DATES,
        "name": _text("name"),
        "email": _exact("email"),
        "user": _text("name"),
        "role": _exact("role"),
        "phone": _exact("phone"),
        "external_id": _exact("external_id"),
        "notes": _text("notes"),
        "details": _text("details"),
        "tags": _tags,
        "organization": _named("organization", Organization),
        "group": _in_group,
        "is_verified": _flag("verified"),
        "is_suspended": _flag("suspended"),
        "id": _identifier("id"),
    },
    "organization": {
        **_DATES,
        "name": _text("name"),
        "organization": _text("name"),
        "external_id": _exact("external_id"),
        "notes": _text("notes"),
        "details": _text("details"),
        "tags": _tags,
        "id": _identifier("id"),
    },
    "group": {**_DATES, "name": _text("name"), "group": _text("name"), "id": _identifier("id")},
}
