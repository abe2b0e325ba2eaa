"""A support agent's shift by the public `zenpy` client, run by the client's own Python.

Arguments: host and port of the data plane, e-mail, API token. It knows nothing of this project:
only the address differs from what it would do with the vendor. Prints one JSON line per call:
{"resource", "call", "write", "result"}.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from itertools import islice
from typing import Any


class Shift:
    """The calls of one shift, in order."""

    def __init__(self, client: Any, objects: Any, errors: Any) -> None:
        self.client = client
        self.objects = objects
        self.errors = errors

    def did(self, resource: str, call: str, result: Any, *, write: bool = False) -> Any:
        """Report a call and pass its result on."""
        print(json.dumps({"resource": resource, "call": call, "write": write, "result": result}))
        return result

    def read(self) -> None:
        """Look round: who am I, what is in the queue."""
        client = self.client
        me = client.users.me()
        self.did("users", "me", me.email)
        self.did("users", "list by cursor", len(list(islice(client.users(), 150))))
        agents = list(client.users(role=["agent", "admin"]))
        self.did("users", "list by role", sorted({agent.role for agent in agents}))
        self.did("users", "show", client.users(id=agents[0].id).id == agents[0].id)
        many = client.users(ids=[agent.id for agent in agents[:2]])
        self.did("users", "show many", len(list(many)))
        self.did("users", "search", [user.id for user in client.users.search(query=me.email)])
        self.did("groups", "list", len(list(client.groups())))
        groups = list(client.groups())
        self.did("groups", "show", client.groups(id=groups[0].id).name)
        self.did("group memberships", "list", len(list(client.group_memberships())))
        self.did("organizations", "list", len(list(islice(client.organizations(), 120))))
        views = list(client.views())
        self.did("views", "list", [view.title for view in views][:3])
        view = next(view for view in views if view.active)
        self.did("views", "show", client.views(id=view.id).title == view.title)
        rows = client.views.tickets(view)
        self.did("views", "tickets", len(list(islice(rows, 40))))
        self.did("views", "count", isinstance(client.views.count(view).value, int))
        self.did("ticket fields", "list", len(list(client.ticket_fields())))
        self.did("tags", "list", len(list(islice(client.tags(), 120))))
        self.did("tickets", "list by cursor", len(list(islice(client.tickets(), 120))))
        offset = client.tickets(cursor_pagination=False)
        self.did("tickets", "list by offset", len(list(islice(offset, 120))))
        found = client.search(type="ticket", status_less_than="closed")
        self.did("search", "tickets", len(list(islice(found, 5))) > 0)
        self.did("search", "count", client.search(type="ticket").count > 0)

    def work(self) -> None:
        """Take a customer's call: new user, ticket, reply, tags, file, macro, solve."""
        client, objects = self.client, self.objects
        user = client.users.create(
            objects.User(name="Ottilie Brandt", email="ottilie.brandt@brandt-werk.example")
        )
        self.did("users", "create", user.id, write=True)
        user.phone = "+49 30 5550199"
        self.did("users", "update", client.users.update(user).phone, write=True)
        ids = [identity.value for identity in client.users.identities(id=user.id)]
        self.did("identities", "list", ids)
        made = client.tickets.create(
            objects.Ticket(
                subject="Beam is off by 2 mm",
                requester_id=user.id,
                comment=objects.Comment(body="The cut is off by 2 mm.", author_id=user.id),
            )
        )
        ticket = made.ticket
        self.did("tickets", "create", ticket.id, write=True)
        self.did("tickets", "show", client.tickets(id=ticket.id).subject)
        ticket.comment = objects.Comment(body="Have you cleaned the rails?", public=True)
        ticket.status = "pending"
        changed = client.tickets.update(ticket)
        self.did("tickets", "comment and update", changed.ticket.status, write=True)
        comments = [comment.body for comment in client.tickets.comments(ticket=ticket.id)]
        self.did("comments", "list", comments)
        self.did("audits", "list", len(list(client.tickets.audits(ticket.id))))
        self.did(
            "tags",
            "add",
            list(client.tickets.add_tags(ticket.id, ["alignment", "x_axis"])),
            write=True,
        )
        self.did(
            "tags",
            "of ticket",
            sorted(client.tickets.tags(ticket.id)),
        )
        self.did(
            "tags", "delete", list(client.tickets.delete_tags(ticket.id, ["x_axis"])), write=True
        )
        upload = self.upload()
        ticket = client.tickets(id=ticket.id)
        ticket.comment = objects.Comment(
            body="Drawing attached.", public=False, uploads=[upload.token]
        )
        client.tickets.update(ticket)
        last = list(client.tickets.comments(ticket=ticket.id))[-1]
        self.did(
            "attachments", "on comment", [file.file_name for file in last.attachments], write=True
        )
        macros = list(islice(client.macros(), 5))
        self.did("macros", "list", len(macros))
        shown = client.tickets.show_macro_effect(ticket, macros[0])
        self.did("macros", "effect", shown.ticket is not None)
        self.finish(ticket, user)

    def upload(self) -> Any:
        """Upload a file."""
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("0,0 10,0 10,10")
            file.flush()
            upload = self.client.attachments.upload(file.name, target_name="drawing.txt")
        self.did("attachments", "upload", bool(upload.token), write=True)
        return upload

    def finish(self, ticket: Any, user: Any) -> None:
        """Make an organization, meet a 422 and a 404, solve, work in bulk, delete."""
        client, objects = self.client, self.objects
        firm = client.organizations.create(objects.Organization(name="Brandt Werk"))
        self.did("organizations", "create", firm.id, write=True)
        firm.notes = "Two machines"
        self.did("organizations", "update", client.organizations.update(firm).notes, write=True)
        user.organization_id = firm.id
        self.did("users", "move", client.users.update(user).organization_id == firm.id, write=True)
        blank = objects.Ticket(subject="nothing said", description="")
        self.refused("tickets", "create without a word", lambda: client.tickets.create(blank))
        self.refused("tickets", "show what is not there", lambda: client.tickets(id=99_999_999))
        ticket = client.tickets(id=ticket.id)
        ticket.status = "solved"
        ticket.assignee_id = client.users.me().id
        self.did("tickets", "solve", client.tickets.update(ticket).ticket.status, write=True)
        pair = [
            objects.Ticket(subject=f"batch {number}", description="from the shift")
            for number in range(2)
        ]
        job = client.tickets.create(pair)
        self.did("job statuses", "create many", job.status, write=True)
        self.did("job statuses", "show", client.job_status(id=job.id).id == job.id)
        ratings = list(islice(client.satisfaction_ratings(), 3))
        self.did("satisfaction ratings", "list", len(ratings))
        client.tickets.delete(ticket)
        self.refused("tickets", "show a deleted one", lambda: client.tickets(id=ticket.id))
        self.did("tickets", "delete", ticket.id, write=True)

    def refused(self, resource: str, call: str, attempt: Callable[[], Any]) -> None:
        """Report how a call was refused."""
        try:
            attempt()
        except self.errors.RecordNotFoundException as error:
            self.did(resource, call, ["RecordNotFound", error.response.status_code])
        except self.errors.APIException as error:
            self.did(resource, call, ["APIException", error.response.status_code])
        else:
            self.did(resource, call, "not refused")


def main(netloc: str, email: str, token: str, scheme: str = "http") -> None:
    """Work a shift."""
    os.environ["ZENPY_FORCE_NETLOC"] = netloc
    # Without it the client speaks https, as with the vendor.
    if scheme != "https":
        os.environ["ZENPY_FORCE_SCHEME"] = scheme
    zenpy = import_module("zenpy")
    objects = import_module("zenpy.lib.api_objects")
    errors = import_module("zenpy.lib.exception")
    client = zenpy.Zenpy(subdomain="kestrel", email=email, token=token)
    shift = Shift(client, objects, errors)
    shift.read()
    shift.work()


if __name__ == "__main__":
    main(*sys.argv[1:])
