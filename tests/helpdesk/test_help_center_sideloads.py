"""What `include=` carries along in the help center: every name, over all its operations."""

from __future__ import annotations

import re

from clones.helpdesk.api.entry import operations
from tests.helpdesk.help_center import HC, PREFIXES, Shelf
from tests.helpdesk.test_sideloads import keys_in, operation_at

ARTICLES = "users sections categories translations"
SECTIONS = "categories translations"
VOICES = "users articles"
# At the address with a language and at the one without.
AT_BOTH = f"""
categories.json: translations
categories/[category].json: translations
sections.json: {SECTIONS}
categories/[category]/sections.json: {SECTIONS}
sections/[section].json: {SECTIONS}
articles.json: {ARTICLES}
categories/[category]/articles.json: {ARTICLES}
sections/[section]/articles.json: {ARTICLES}
articles/[article].json: {ARTICLES}
articles/[article]/votes.json: {VOICES}
articles/[article]/comments.json: {VOICES}
articles/[article]/comments/[comment].json: {VOICES}
articles/[article]/comments/[comment]/votes.json: {VOICES}
"""
AT_ONE = f"""
users/[olga]/articles.json: {ARTICLES}
incremental/articles.json?start_time=0: {ARTICLES}
users/me/votes.json: {VOICES}
votes/[vote].json: {VOICES}
users/me/comments.json: {VOICES}
"""
LINES = [
    (f"{prefix}/{address}", names.split())
    for prefixes, lines in ((PREFIXES, AT_BOTH), ((HC,), AT_ONE))
    for prefix in prefixes
    for address, _, names in (line.rpartition(": ") for line in lines.strip().splitlines())
]


def test_the_table_has_every_operation_that_takes_it() -> None:
    taking = {
        found.id
        for found in operations().all.values()
        if found.query is not None and "include" in found.query.model_fields
        if found.path.startswith("/api/v2/help_center/")
    }
    assert {operation_at("GET", address) for address, _ in LINES} == taking


def test_every_name_is_carried_along_where_it_is_asked_for(shelf: Shelf) -> None:
    desk = shelf.desk
    article = f"{HC}/articles/{shelf['Clean the lens']}"
    vote = desk.post(f"{article}/up.json", {}, by="olga", status=200)["vote"]
    said = {"comment": {"body": "Thanks", "locale": "en-us"}}
    comment = desk.post(f"{article}/comments.json", said, by="olga")["comment"]
    desk.advance(minutes=5)
    keys = {
        **desk.ids,
        "category": shelf.categories["Machines"],
        "section": shelf.sections["Optics"],
        "article": shelf["Clean the lens"],
        "vote": vote["id"],
        "comment": comment["id"],
    }
    for address, names in LINES:
        path = re.sub(r"\[(\w+)\]", lambda found: str(keys[found[1]]), address)
        for name in names:
            body = desk.get(f"{path}{'&' if '?' in path else '?'}include={name}", by="olga")
            assert name in keys_in(body), (address, name)
