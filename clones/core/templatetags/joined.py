"""`{% joined %}`: the address of a style sheet or a script with all that it imports."""

from __future__ import annotations

from django import template

from clones.core import assets

register = template.Library()
register.simple_tag(assets.address_of, name="joined")
