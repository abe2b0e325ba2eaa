"""The filters beside a search: read out of the query's text, and written back into it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.http import QueryDict

from clones.helpdesk.rules.search import SearchSyntax, Term, parse_query, term_text, without_terms
from clones.helpdesk.rules.tags import split_tags
from clones.helpdesk.web import labels
from clones.helpdesk.web.form_values import ADDRESS

UNSOLVED = "unsolved"
STATUSES = {"": "Any status", UNSOLVED: "Unsolved", **labels.STATUS_LABELS}
PERSONS = ("assignee", "requester")
NAMES = ("status", *PERSONS, "created_from", "created_to", "tags")


@dataclass(frozen=True, slots=True)
class SearchFilters:
    """What the filters of tickets say: texts as their inputs hold them."""

    status: str = ""
    assignee: str = ""
    requester: str = ""
    created_from: str = ""
    created_to: str = ""
    tags: str = ""

    @classmethod
    def posted(cls, given: QueryDict) -> SearchFilters:
        """Return the filters as they were sent."""
        return cls(**{name: given.get(name, "").strip() for name in NAMES})

    @classmethod
    def of(cls, text: str) -> SearchFilters:
        """Return what a query says in the filters' terms; what they cannot say is left out."""
        try:
            terms = _filter_terms(parse_query(text))
        except SearchSyntax:
            return cls()
        found = {
            name: " ".join(term.value for term in terms if _filter_of(term) == name)
            for name in NAMES
        }
        if any(term.key == "status" and term.operator == "<" for term in terms):
            found["status"] = UNSOLVED
        return cls(**found)

    def written_into(self, text: str) -> str:
        """Return a query that says what the filters do, and all that they have no say in.

        Raises:
            SearchSyntax: the text is no query.
        """
        said = _filter_terms(parse_query(text))
        terms = [without_terms(text, lambda term: term in said)]
        if self.status == UNSOLVED:
            terms.append("status<solved")
        elif self.status in labels.STATUS_LABELS:
            terms.append(term_text("status", self.status))
        for name in PERSONS:
            given = getattr(self, name)
            if given:
                address = ADDRESS.search(given)
                terms.append(term_text(name, address.group() if address else given))
        if _is_date(self.created_from):
            terms.append(term_text("created", self.created_from, ">="))
        if _is_date(self.created_to):
            terms.append(term_text("created", self.created_to, "<="))
        tags = split_tags(self.tags)
        if len(tags) > 1:
            terms.append(f'tags:"{" ".join(tags)}"')
        elif tags:
            terms.append(term_text("tags", tags[0]))
        return " ".join(term for term in terms if term)


def _filter_terms(terms: Sequence[Term]) -> list[Term]:
    """Return the terms that a filter stands for; what is said twice means either, and has none."""
    counts = Counter(_filter_of(term) for term in terms)
    return [term for term in terms if (name := _filter_of(term)) is not None and counts[name] == 1]


def _filter_of(term: Term) -> str | None:
    """Return the filter that says the same as a term, None if none does."""
    key, operator, value = term.key, term.operator, term.value
    if term.negated or key is None:
        return None
    if key == "status":
        whole = operator == ":" and value in labels.STATUS_LABELS
        return "status" if whole or (operator == "<" and value == "solved") else None
    if key in PERSONS or key == "tags":
        return key if operator == ":" and not value.endswith("*") else None
    if key == "created" and _is_date(value):
        return {">=": "created_from", "<=": "created_to"}.get(operator)
    return None


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
