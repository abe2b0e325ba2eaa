"""Pictures of types and priorities, and of people, for templates."""

from __future__ import annotations

from django import template
from django.utils.safestring import SafeString

from clones.tracker.models import IssueType, Priority, User
from clones.tracker.web.parts import pictures

register = template.Library()


@register.simple_tag
def type_picture(kind: IssueType) -> SafeString:
    """Return the picture of a type of issues."""
    return pictures.type_picture(kind)


@register.simple_tag
def priority_picture(priority: Priority) -> SafeString:
    """Return the picture of a priority."""
    return pictures.priority_picture(priority)


@register.simple_tag
def face(user: User | None) -> SafeString:
    """Return the picture of somebody: decoration, their name stands beside it."""
    return pictures.face(user)
