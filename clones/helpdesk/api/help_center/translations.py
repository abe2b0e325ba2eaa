"""What records of the help center say in its one language, and which language that is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from pydantic import Field

from clones.core.operations import Call
from clones.helpdesk.api.help_center.articles import article_of
from clones.helpdesk.api.help_center.operations import ROOT, plain_page
from clones.helpdesk.api.operations import OPERATIONS, Body, PagedQuery, show
from clones.helpdesk.api.presenters.help_center import present_translation
from clones.helpdesk.api.views import rule_changes
from clones.helpdesk.domain.articles import update_article_text
from clones.helpdesk.domain.errors import RecordNotFound
from clones.helpdesk.domain.help_center import LOCALE, update_category, update_section
from clones.helpdesk.models import Article, Category, Section
from clones.helpdesk.queries import help_center as queries

Shown = dict[str, Any]
Source = Article | Section | Category


class TranslationsQuery(PagedQuery):
    """Filters and paging of a list of translations."""

    locales: str | None = Field(None, description="Languages between commas.")
    outdated: bool | None = None
    draft: bool | None = None


class TranslationWrite(Body):
    """A translation: title and body of an article, category or section in a locale."""

    title: str | None = None
    body: str | None = Field(None, description="HTML of an article, or a description.")
    draft: bool | None = None
    outdated: bool | None = None
    locale: str | None = Field(None, description="en-us, the one language.")


class TranslationBody(Body):
    """A translation to update."""

    translation: TranslationWrite


def _category(call: Call) -> Category:
    return queries.category(call.actor, call.path["category_id"])


def _section(call: Call) -> Section:
    return queries.section(call.actor, call.path["section_id"])


def _write_article(call: Call, source: Any, changes: Shown) -> Source:
    return update_article_text(source, actor=call.actor, changes=changes)


def _place_changes(changes: Shown) -> Shown:
    """Return changes of a translation as those of a section or category."""
    names = {"title": "name", "body": "description", "locale": "locale"}
    return {names[name]: value for name, value in changes.items() if name in names}


def _write_section(call: Call, source: Any, changes: Shown) -> Source:
    return update_section(source, actor=call.actor, changes=_place_changes(changes))


def _write_category(call: Call, source: Any, changes: Shown) -> Source:
    return update_category(source, actor=call.actor, changes=_place_changes(changes))


Find = Callable[[Call], Source]
Write = Callable[[Call, Any, Shown], Source]
# By what the vendor's ids call them: the path, how one is found, and how its text is written.
SOURCES: Final[dict[str, tuple[str, str, Find, Write]]] = {
    "": ("articles", "article_id", article_of, _write_article),
    "Section": ("sections", "section_id", _section, _write_section),
    "Category": ("categories", "category_id", _category, _write_category),
}


def _is_wanted(call: Call, body: Shown) -> bool:
    query = call.query
    locales = {name.strip().lower() for name in (query.locales or LOCALE).split(",")}
    flags = (query.outdated in (None, body["outdated"]), query.draft in (None, body["draft"]))
    return LOCALE in locales and all(flags)


def _check_locale(call: Call) -> None:
    if call.path["locale"].lower() != LOCALE:
        raise RecordNotFound("translation", call.path["locale"])


def _register(kind: str, plural: str, key: str, find: Find, write: Write) -> None:
    """Register the operations on the translations of one kind of record."""
    path = f"{ROOT}/{plural}/{{{key}:int}}/translations"
    noun = plural if kind else "articles"

    def list_translations(call: Call) -> Shown:
        source = find(call)
        body = present_translation(source, show(call))
        rows = type(source).objects.filter(id=source.id)  # a record has its texts in one language
        page, around = plain_page(call, rows if _is_wanted(call, body) else rows.none())
        return {"translations": [body for _ in page.rows], **around}

    def list_missing(call: Call) -> Shown:
        find(call)
        return {"locales": []}

    def show_translation(call: Call) -> Shown:
        _check_locale(call)
        return {"translation": present_translation(find(call), show(call, "detail"))}

    def update_translation(call: Call) -> Shown:
        _check_locale(call)
        changed = write(call, find(call), rule_changes(call.body.translation))
        return {"translation": present_translation(changed, show(call, "detail"))}

    register = OPERATIONS.operation
    register(
        f"List{kind}Translations",
        "GET",
        path,
        summary=f"List what one of the {noun} says, by language.",
        query=TranslationsQuery,
        access="anyone",
    )(list_translations)
    register(
        f"ListMissing{kind}Translations",
        "GET",
        f"{path}/missing",
        summary=f"List the languages that one of the {noun} lacks: none.",
    )(list_missing)
    register(
        f"Show{kind}Translation",
        "GET",
        f"{path}/{{locale}}",
        summary=f"Show what one of the {noun} says in a language.",
        access="anyone",
    )(show_translation)
    register(
        f"Update{kind}Translation",
        "PUT",
        f"{path}/{{locale}}",
        summary=f"Change what one of the {noun} says.",
        body=TranslationBody,
    )(update_translation)


for _kind, _source in SOURCES.items():
    _register(_kind, *_source)


@OPERATIONS.operation(
    "ListHelpCenterLocales",
    "GET",
    f"{ROOT}/locales",
    summary="List the help center's languages, and the one it begins with.",
    access="anyone",
)
def list_locales(call: Call) -> Shown:
    """List the one language."""
    return {"locales": [LOCALE], "default_locale": LOCALE}
