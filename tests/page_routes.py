"""Addresses of a clone's pages: one for each route that Django knows, with values filled in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from django.urls import URLPattern, URLResolver
from django.utils.regex_helper import normalize

FILLED = "1"  # what stands for a part of an address: all that routes take take a digit


def addresses_of(urlconf: str, values: Mapping[str, str] | None = None) -> list[str]:
    """Return an address for each route of a clone; `values` fills parts by their names."""
    patterns = import_module(urlconf).urlpatterns
    return sorted(set(_walk(patterns, "/", values or {})))


def _walk(
    patterns: list[URLPattern | URLResolver], prefix: str, values: Mapping[str, str]
) -> Iterator[str]:
    for pattern in patterns:
        ((form, names), *_) = normalize(pattern.pattern.regex.pattern.replace(r"\Z", ""))
        part = form % {name: values.get(name, FILLED) for name in names}
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, prefix + part, values)
        else:
            yield prefix + part
