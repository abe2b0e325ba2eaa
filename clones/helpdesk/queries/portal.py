"""What the portal offers to those who ask for help: forms, and the fields they may fill in."""

from __future__ import annotations

from clones.helpdesk.models import Brand, TicketField, TicketForm


def default_brand() -> Brand | None:
    """Return the brand that the portal wears."""
    return Brand.objects.filter(default=True).order_by("id").first()


def portal_forms(brand: Brand | None) -> list[TicketForm]:
    """Return the forms that end users choose from, in their order."""
    found = TicketForm.objects.filter(active=True, end_user_visible=True)
    key = brand.id if brand is not None else None
    return [
        form
        for form in found.order_by("position", "id")
        if form.in_all_brands or key in form.restricted_brand_ids
    ]


def editable_fields(form: TicketForm | None) -> list[TicketField]:
    """Return the fields of a form that end users fill in, in its order; without one, of all.

    A subject and a description are among them even if the form forgot them.
    """
    rows = TicketField.objects.filter(active=True, editable_in_portal=True)
    fields = list(rows.order_by("position", "id"))
    if form is None:
        return fields
    places = {key: place for place, key in enumerate(form.ticket_field_ids)}
    kept = [item for item in fields if item.id in places or item.type in ("subject", "description")]
    return sorted(kept, key=lambda item: (places.get(item.id, -1), item.position, item.id))


def visible_fields(form: TicketForm | None) -> list[TicketField]:
    """Return the account's own fields that end users see on a request, in the form's order."""
    rows = TicketField.objects.filter(active=True, visible_in_portal=True)
    fields = list(rows.exclude(type__in=TicketField.SYSTEM_TYPES).order_by("position", "id"))
    if form is None:
        return fields
    places = {key: place for place, key in enumerate(form.ticket_field_ids)}
    kept = [item for item in fields if item.id in places]
    return sorted(kept, key=lambda item: places[item.id])
