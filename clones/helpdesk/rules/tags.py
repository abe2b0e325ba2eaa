"""Tags: lower case, no spaces, each once, in order."""

from __future__ import annotations

from collections.abc import Iterable


def split_tags(value: object) -> list[str]:
    """Return the tags in a string or a list of strings, each once, sorted."""
    if value is None:
        return []
    pieces: list[str] = []
    items = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    for item in items:
        pieces.extend(str(item).replace(",", " ").lower().split())
    return sorted(set(pieces))


def add_tags(tags: Iterable[str], more: object) -> list[str]:
    """Return the tags with `more` added."""
    return sorted({*tags, *split_tags(more)})


def drop_tags(tags: Iterable[str], less: object) -> list[str]:
    """Return the tags without `less`."""
    return sorted(set(tags) - set(split_tags(less)))


def field_tags(kind: str, value: object, tag: str | None) -> set[str]:
    """Return the tags that a custom field's value puts on its ticket."""
    if kind == "tagger" and value:
        return {str(value)}
    if kind == "multiselect" and isinstance(value, list):
        return {str(item) for item in value}
    if kind == "checkbox" and value is True and tag:
        return {tag}
    return set()
