"""Pictures of types, priorities and people."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from clones.tracker.models import IssueType, Priority, User
from clones.tracker.web.shell import hue, initials

TYPES: Final = "vendor/atlaskit-work-types-7.5.7/sprite.svg"
PRIORITIES: Final = "vendor/atlaskit-priorities-6.3.3/sprite.svg"
_DRAWN_TYPES: Final = frozenset(
    "bug changes epic improvement incident issue new-feature problem question story subtask"
    " task".split()
)
_DRAWN_PRIORITIES: Final = frozenset(("highest", "high", "medium", "low", "lowest"))
_BY_LEVEL: Final = {0: "issue", -1: "subtask"}


def type_picture(kind: IssueType) -> SafeString:
    """Return the picture of a type of issues: by its own name, else by its level."""
    name = kind.name.lower().replace(" ", "-").replace("sub-task", "subtask")
    drawn = name if name in _DRAWN_TYPES else _BY_LEVEL.get(kind.hierarchy_level, "epic")
    return _picture(TYPES, drawn, kind.name)


def priority_picture(priority: Priority) -> SafeString:
    """Return the picture of a priority."""
    name = priority.name.lower()
    drawn = name if name in _DRAWN_PRIORITIES else "medium"
    return _picture(PRIORITIES, f"priority-{drawn}", priority.name)


def face(user: User | None) -> SafeString:
    """Return the picture of somebody, of nobody an empty one; their name is to stand beside it."""
    if user is None:
        return format_html('<span class="avatar avatar--none" aria-hidden="true">{}</span>', "")
    return format_html(
        '<span class="avatar avatar--{}" aria-hidden="true">{}</span>',
        hue(user.id),
        initials(user.display_name),
    )


@lru_cache(maxsize=256)
def _picture(sprite: str, symbol: str, name: str) -> SafeString:
    # Of the sprites: the single drawings have no name space, and browsers show no such pictures.
    return format_html(
        '<svg class="pic" width="16" height="16" role="img" aria-label="{0}"><title>{0}</title>'
        '<use href="{1}#{2}"></use></svg>',
        name,
        static(sprite),
        symbol,
    )
