"""Screens: the fields that people see, on tabs, when they make, change or move issues on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db.models import Q

from clones.core.resources import Resource
from clones.tracker.domain.administration import admins_only
from clones.tracker.domain.errors import Invalid, NotFound
from clones.tracker.domain.naming import NameRules
from clones.tracker.domain.numbering import next_id
from clones.tracker.domain.scheme_parts import (
    checked_name,
    key_of,
    next_position,
    set_positions,
)
from clones.tracker.models import (
    Screen,
    ScreenScheme,
    ScreenTab,
    ScreenTabField,
    Transition,
)
from clones.tracker.queries.fields import live_fields
from clones.tracker.queries.rights import Rights
from clones.tracker.rules.field_catalogue import custom_number, system_fields

GONE: Final = "The screen was not found."
TAB_GONE: Final = "The screen tab was not found."
FIELD_GONE: Final = "The field was not found."
NAMING: Final = NameRules(
    Screen, "Screen", "screens", "The name is used by another screen.", kind="SCREEN"
)
FIRST_TAB: Final = "Field Tab"
# Fields that no screen shows, whatever the type of a custom one.
UNPLACED: Final = frozenset({"com.pyxis.greenhopper.jira:gh-lexo-rank"})


def create_screen(name: str | None, description: str | None, *, actor: Rights) -> Screen:
    """Make a screen with one empty tab.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: a value is too long, or the name is empty or taken.
    """
    admins_only(actor)
    screen = Screen(id=next_id(Screen))
    NAMING.set(screen, name or "", description)
    screen.save(force_insert=True)
    ScreenTab.objects.create(id=next_id(ScreenTab), screen=screen, name=FIRST_TAB, position=0)
    NAMING.note("created", screen, actor=actor)
    return screen


def update_screen(
    screen: Screen, name: str | None, description: str | None, *, actor: Rights
) -> Screen:
    """Change a screen; what is None stays.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: a value is too long, or the name is empty or taken.
    """
    admins_only(actor)
    NAMING.set(screen, name, description)
    screen.save()
    NAMING.note("updated", screen, actor=actor)
    return screen


def delete_screen(screen: Screen, *, actor: Rights) -> None:
    """Remove a screen that no scheme and no transition shows.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: it is in use.
    """
    admins_only(actor)
    used = Q(default=screen) | Q(create=screen) | Q(edit=screen) | Q(view=screen)
    if ScreenScheme.objects.filter(used).exists():
        raise Invalid("The screen is used in a screen scheme.")
    if Transition.objects.filter(screen=screen).exists():
        raise Invalid("The screen is used in a workflow.")
    NAMING.note("deleted", screen, actor=actor)
    screen.delete()


def add_tab(screen: Screen, name: str | None, *, actor: Rights) -> ScreenTab:
    """Put a tab behind the others of a screen.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the name is empty, too long or another tab's.
    """
    admins_only(actor)
    wanted = _tab_name(screen, name)
    place = next_position(screen.tabs.all())
    return ScreenTab.objects.create(
        id=next_id(ScreenTab), screen=screen, name=wanted, position=place
    )


def rename_tab(tab: ScreenTab, name: str | None, *, actor: Rights) -> ScreenTab:
    """Give a tab another name.

    Raises:
        Forbidden: the actor is no admin.
        Invalid: the name is empty, too long or another tab's.
    """
    admins_only(actor)
    tab.name = _tab_name(tab.screen, name, but=tab)
    tab.save(update_fields=["name"])
    return tab


def move_tab(tab: ScreenTab, place: int, *, actor: Rights) -> None:
    """Put a tab into a place among its screen's, the first of which is 0.

    Raises:
        Forbidden: the actor is no admin.
        NotFound: there is no such place.
    """
    admins_only(actor)
    tabs = list(tab.screen.tabs.order_by("position", "id"))
    if not 0 <= place < len(tabs):
        raise NotFound(f"The position {place} is invalid.")
    order = [one.id for one in tabs if one.id != tab.id]
    order.insert(place, tab.id)
    set_positions(tabs, order)


def delete_tab(tab: ScreenTab, *, actor: Rights) -> None:
    """Remove a tab with its fields.

    Raises:
        Forbidden: the actor is no admin.
    """
    admins_only(actor)
    tab.delete()


def add_field(tab: ScreenTab, field: str | None, *, actor: Rights) -> ScreenTabField:
    """Put a field behind the others of a tab.

    Raises:
        Forbidden: the actor is no admin.
        NotFound: there is no such field that screens can show.
        Invalid: the screen shows it already.
    """
    admins_only(actor)
    if field is None or field not in placeable_fields([field]):
        raise NotFound(FIELD_GONE)
    if ScreenTabField.objects.filter(tab__screen=tab.screen_id, field=field).exists():
        raise Invalid(f"The field with ID {field} is already on the screen.")
    place = next_position(tab.fields.all())
    return ScreenTabField.objects.create(
        id=next_id(ScreenTabField), tab=tab, field=field, position=place
    )


def add_to_default_screen(field: str, *, actor: Rights) -> None:
    """Put a field on the first tab of the default screen.

    Raises:
        Forbidden: the actor is no admin.
        NotFound: there is no such field, or the screen shows it already.
    """
    admins_only(actor)
    tab = ScreenTab.objects.select_related("screen").filter(screen=default_screen())
    found = tab.order_by("position", "id").first()
    if found is None:
        raise NotFound(TAB_GONE)
    try:
        add_field(found, field, actor=actor)
    except Invalid as error:
        # The vendor answers 404 here where the field stands on the screen already.
        raise NotFound(*error.messages) from error


def remove_field(tab: ScreenTab, field: str, *, actor: Rights) -> None:
    """Take a field off a tab.

    Raises:
        Forbidden: the actor is no admin.
        NotFound: it is not on the tab.
    """
    admins_only(actor)
    _placed(tab, field).delete()


def move_field(
    tab: ScreenTab, field: str, *, after: str | None, position: str | None, actor: Rights
) -> None:
    """Put a field of a tab behind another, to an end, or one place earlier or later.

    `after` goes before `position`. The vendor gives it as the other field's address or id.

    Raises:
        Forbidden: the actor is no admin.
        NotFound: either is not on the tab.
        Invalid: it says nowhere.
    """
    admins_only(actor)
    placed = _placed(tab, field)
    rows = list(tab.fields.order_by("position", "id"))
    place = [row.id for row in rows].index(placed.id)
    rest = [row.id for row in rows if row.id != placed.id]
    if after is not None:
        anchor = _placed(tab, after.rstrip("/").rpartition("/")[2])
        if anchor.id == placed.id:
            raise Invalid("A field cannot be moved behind itself.")
        place = rest.index(anchor.id) + 1
    else:
        places = {"First": 0, "Last": len(rest), "Earlier": place - 1, "Later": place + 1}
        if position not in places:
            raise Invalid(f"The position '{position}' is invalid.")
        place = min(max(places[position], 0), len(rest))
    rest.insert(place, placed.id)
    set_positions(rows, rest)


def default_screen() -> Screen:
    """Return the screen of spaces that were given no other: the one that was made first."""
    return Screen.objects.order_by("id")[0]


def placeable_fields(wanted: Sequence[str] | None = None) -> dict[str, str]:
    """Return the names of the fields that screens can show, by id; `wanted` are the only ones."""
    found = {
        field.id: field.name
        for field in system_fields().values()
        if field.on_screens and (wanted is None or field.id in wanted)
    }
    rows = live_fields().exclude(type__in=UNPLACED)
    if wanted is not None:
        rows = rows.filter(id__in=[custom_number(field) or 0 for field in wanted])
    return found | {field.key: field.name for field in rows}


def find_tab(screen: Screen, id: str | int) -> ScreenTab:
    """Return a tab of a screen.

    Raises:
        NotFound: it has none with this id.
    """
    found = screen.tabs.select_related("screen").filter(id=key_of(id)).first()
    if found is None:
        raise NotFound(TAB_GONE)
    return found


def _placed(tab: ScreenTab, field: str) -> ScreenTabField:
    found = tab.fields.filter(field=field).first()
    if found is None:
        raise NotFound(FIELD_GONE)
    return found


def _tab_name(screen: Screen, name: str | None, *, but: ScreenTab | None = None) -> str:
    others = ScreenTab.objects.filter(screen=screen)
    if but is not None:
        others = others.exclude(id=but.id)
    taken = Invalid("The name is used by another tab of the screen.")
    return checked_name(name, others, taken=taken)


SCREEN: Final = Resource(
    Screen,
    "screen",
    NAMING.fields,
    create=create_screen,
    update=update_screen,
    delete=delete_screen,
)
