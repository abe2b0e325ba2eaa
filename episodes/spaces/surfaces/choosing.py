"""The surface that an episode asked for; each is loaded when the first episode asks."""

from __future__ import annotations

from collections.abc import Callable, Collection
from random import Random
from typing import Final

from episodes.spaces.surfaces.flat import FlatTools
from episodes.spaces.surfaces.requests import ToolSurface


def _search_call(names: Collection[str]) -> ToolSurface:
    from episodes.spaces.surfaces.search_call import SearchCallTools  # noqa: PLC0415 - as above

    return SearchCallTools(names)


def _http(names: Collection[str]) -> ToolSurface:
    from episodes.spaces.surfaces.http import HttpTools  # noqa: PLC0415 - as above

    return HttpTools(names)


def _app(names: Collection[str]) -> ToolSurface:
    from episodes.spaces.surfaces.app import NamedTools, app_operations  # noqa: PLC0415 - as above

    return NamedTools(app_operations(names))


MADE: Final[dict[str, Callable[[Collection[str]], ToolSurface]]] = {
    "flat": FlatTools,
    "search_call": _search_call,
    "http": _http,
    "app": _app,
}


def surface_of(name: str, names: Collection[str], chance: Random) -> ToolSurface:
    """Return a surface (`app`, `app+5`) over the clones with those names.

    The tools that do not help are drawn from `chance`.
    """
    kind, _, count = name.partition("+")
    surface = MADE[kind](names)
    if not count:
        return surface
    from episodes.spaces.surfaces.app import NamedTools, distractors  # noqa: PLC0415 - as above

    return NamedTools(distractors(names, int(count), chance), beside=surface)
