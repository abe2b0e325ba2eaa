"""An admin's configuration by the public `zenpy` client, run by the client's own Python.

Arguments: host and port of the data plane, e-mail, API token. Prints one JSON object: what came of
each step.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any


class Work:
    """The steps of the work, in order."""

    def __init__(self, client: Any, objects: Any, errors: Any) -> None:
        self.client = client
        self.objects = objects
        self.errors = errors
        self.found: dict[str, Any] = {}

    def tickets_look(self) -> None:
        """Make a field, a form that has it, and a status; use them on a ticket."""
        client, objects = self.client, self.objects
        options = [{"name": "Apple Pie", "value": "pie_apple"}]
        field = client.ticket_fields.create(
            objects.TicketField(type="tagger", title="Pie", custom_field_options=options)
        )
        field.title = "Pies"
        self.found["field"] = client.ticket_fields.update(field).title
        option = objects.CustomFieldOption(name="Plum Pie", value="pie_plum")
        added = client.ticket_fields.options.create_or_update(field, option)
        every = client.ticket_fields(id=field.id).custom_field_options
        self.found["options"] = sorted(item.value for item in every)
        form = client.ticket_forms.create(
            objects.TicketForm(name="Bakery", ticket_field_ids=[field.id])
        )
        self.found["on form"] = field.id in form.ticket_field_ids
        status = client.custom_statuses.create(
            objects.CustomStatus(
                status_category="pending", agent_label="In the oven", end_user_label="Baking"
            )
        )
        status.agent_label = "Baking"
        self.found["status"] = client.custom_statuses.update(status).agent_label
        ticket = client.tickets.create(
            objects.Ticket(
                subject="Pie",
                description="Please.",
                ticket_form_id=form.id,
                custom_status_id=status.id,
                custom_fields=[objects.CustomField(id=field.id, value="pie_plum")],
            )
        ).ticket
        self.found["ticket"] = [ticket.status, "pie_plum" in ticket.tags]
        client.ticket_fields.options.delete(field, added)
        kept = {item["id"]: item["value"] for item in client.tickets(id=ticket.id).custom_fields}
        self.found["value"] = kept[field.id]
        client.ticket_forms.delete(form)
        self.found["form gone"] = self.refused(lambda: client.ticket_forms(id=form.id))
        client.ticket_fields.delete(field)
        self.found["field gone"] = self.refused(lambda: client.ticket_fields(id=field.id))

    def doors(self) -> None:
        """Make a brand with an address, and put an agent into a group with others."""
        client, objects = self.client, self.objects
        brand = client.brands.create(objects.Brand(name="Swift", subdomain="swift"))
        address = client.recipient_addresses.create(
            objects.RecipientAddress(email="pies@kestrel.example", name="Pies", brand_id=brand.id)
        )
        address.name = "Pie desk"
        self.found["address"] = client.recipient_addresses.update(address).name
        client.brands.delete(brand)
        self.found["address gone"] = self.refused(lambda: client.recipient_addresses(id=address.id))
        group = client.groups.create(objects.Group(name="Bakers"))
        me = client.users.me()
        places = [objects.GroupMembership(user_id=me.id, group_id=group.id)]
        job = client.group_memberships.create([*places, *places])
        done = client.job_status(id=job.id)
        self.found["job"] = [done.status, [vars(result).get("status") for result in done.results]]
        self.found["members"] = [
            place.user_id == me.id for place in client.groups.memberships(group)
        ]
        self.found["locales"] = "en-US" in [item.locale for item in client.locales()]

    def refused(self, attempt: Callable[[], Any]) -> int:
        """Return the status of a refusal, 200 if there was none."""
        try:
            attempt()
        except self.errors.APIException as error:
            return int(error.response.status_code)
        return 200


def main(netloc: str, email: str, token: str) -> None:
    """Do the work."""
    os.environ["ZENPY_FORCE_NETLOC"] = netloc
    os.environ["ZENPY_FORCE_SCHEME"] = "http"
    zenpy = import_module("zenpy")
    objects = import_module("zenpy.lib.api_objects")
    errors = import_module("zenpy.lib.exception")
    client = zenpy.Zenpy(subdomain="kestrel", email=email, token=token)
    # What is read is to come from the server.
    client.disable_caching()
    work = Work(client, objects, errors)
    work.tickets_look()
    work.doors()
    print(json.dumps(work.found))


if __name__ == "__main__":
    main(*sys.argv[1:])
