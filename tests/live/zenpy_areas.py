"""What the public `zenpy` client has besides a shift and a configuration, area by area.

Arguments: host and port of the data plane, an admin's e-mail and API token, a customer's e-mail and
API token. Prints one JSON object: by area, what came of each step. What a step changed is read
again from the server: the client's cache is off.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from itertools import islice
from typing import Any

OPEN = [{"field": "status", "operator": "less_than", "value": "solved"}]


class Areas:
    """The steps, area by area."""

    def __init__(self, client: Any, customer: Any, objects: Any, errors: Any) -> None:
        self.client = client
        self.customer = customer
        self.objects = objects
        self.errors = errors

    def refused(self, attempt: Callable[[], Any]) -> int:
        """Return the status of a refusal, 200 if there was none."""
        try:
            attempt()
        except self.errors.APIException as error:
            return int(error.response.status_code)
        return 200

    def person(self, name: str, **more: Any) -> Any:
        """Make a user and return it."""
        return self.client.users.create(self.objects.User(name=name, **more))

    def ticket(self, subject: str, **more: Any) -> Any:
        """Make a ticket and return it."""
        words = more.pop("words", "It hums.")
        comment = self.objects.Comment(body=words)
        made = self.objects.Ticket(subject=subject, comment=comment, **more)
        return self.client.tickets.create(made).ticket

    def people(self) -> dict[str, Any]:
        """Work on users: addresses, groups, places, tags, merges, deletions."""
        client, objects, found = self.client, self.objects, dict[str, Any]()
        ada = self.person("Ada Loren", email="ada@loren.example", external_id="ada-1")
        address = client.users.identities.create(
            ada, objects.Identity(type="email", value="ada@home.example")
        )
        client.users.identities.verify(ada, address)
        client.users.identities.make_primary(ada, address)
        found["primary"] = client.users(id=ada.id).email
        old = next(item for item in client.users.identities(id=ada.id) if not item.primary)
        client.users.identities.delete(ada, old)
        found["addresses"] = [item.value for item in client.users.identities(id=ada.id)]
        client.users.add_tags(ada.id, ["vip", "laser"])
        client.users.delete_tags(ada.id, ["laser"])
        found["tags"] = list(client.users(id=ada.id).tags)
        found["by external id"] = [
            item.id == ada.id for item in client.users(external_ids=["ada-1"])
        ]
        again = client.users.create_or_update(
            objects.User(name="Ada L. Loren", external_id="ada-1")
        )
        found["updated"] = [again.id == ada.id, client.users(id=ada.id).name]
        job = client.users.update([objects.User(id=ada.id, notes="Kind")])
        found["job"] = [client.job_status(id=job.id).status, client.users(id=ada.id).notes]
        double = self.person("Ada Double", email="double@loren.example")
        ticket = self.ticket("From a double", requester_id=double.id)
        client.users.merge(double, ada)
        found["merged"] = client.tickets(id=ticket.id).requester_id == ada.id
        found["requested"] = [item.id == ticket.id for item in client.users.requested(ada)]
        found["related"] = client.users.related(ada).requested_tickets
        gone = self.person("Gone Soon")
        client.users.delete(gone)
        found["deleted"] = gone.id in [item.id for item in client.users.deleted()]
        client.users.permanently_delete(gone.id)
        names = {item.id: item.name for item in client.users.deleted()}
        found["erased"] = names[gone.id] != "Gone Soon"
        me = client.users.me()
        found["groups"] = len(list(client.users.groups(me))) == len(
            list(client.users.group_memberships(me))
        )
        found["assigned"] = all(
            item.assignee_id == me.id for item in islice(client.users.assigned(me), 20)
        )
        return found

    def firms(self) -> dict[str, Any]:
        """Work on organizations: places, tags, fields of theirs and of users."""
        client, objects, found = self.client, self.objects, dict[str, Any]()
        firm = client.organizations.create_or_update(
            objects.Organization(name="Loren Works", external_id="lw")
        )
        again = client.organizations.create_or_update(
            objects.Organization(name="Loren Works Ltd", external_id="lw")
        )
        found["same"] = [firm.id == again.id, client.organizations(id=firm.id).name]
        client.organizations.add_tags(firm.id, ["partner"])
        found["tags"] = list(client.organizations(id=firm.id).tags)
        user = self.person("Member One")
        place = client.organization_memberships.create(
            objects.OrganizationMembership(user_id=user.id, organization_id=firm.id)
        )
        found["members"] = [item.id == user.id for item in client.organizations.users(firm)]
        found["places"] = [
            item.id == place.id for item in client.users.organization_memberships(user)
        ]
        client.organization_memberships.delete(place)
        found["left"] = client.users(id=user.id).organization_id
        field = client.organization_fields.create(
            objects.OrganizationField(key="rank", title="Rank", type="text")
        )
        again.organization_fields = {"rank": "first"}
        client.organizations.update(again)
        found["field"] = dict(client.organizations(id=firm.id).organization_fields)["rank"]
        client.organization_fields.delete(field)
        plan = client.user_fields.create(objects.UserField(key="plan", title="Plan", type="text"))
        user.user_fields = {"plan": "free"}
        client.users.update(user)
        found["plan"] = dict(client.users(id=user.id).user_fields)["plan"]
        client.user_fields.delete(plan)
        found["no plan"] = "plan" in dict(client.users(id=user.id).user_fields)
        client.organizations.delete(firm)
        found["gone"] = self.refused(lambda: client.organizations(id=firm.id))
        return found

    def tickets(self) -> dict[str, Any]:
        """Work on tickets: redact, merge, link, skip, delete, restore, import, measure."""
        client, objects, found = self.client, self.objects, dict[str, Any]()
        ticket = self.ticket("Secret", words="My PIN is 4711.")
        comment = next(iter(client.tickets.comments(ticket=ticket.id)))
        client.tickets.comment_redact(ticket, comment.id, "4711")
        found["redacted"] = [item.body for item in client.tickets.comments(ticket=ticket.id)]
        other = self.ticket("Secret again")
        job = client.tickets.merge(ticket, other, target_comment="Same.", source_comment="See.")
        found["merged"] = [
            client.job_status(id=job.id).status,
            client.tickets(id=other.id).status,
            [item.body for item in client.tickets.comments(ticket=ticket.id)][-1],
        ]
        problem = self.ticket("All lasers", type="problem")
        incident = self.ticket("My laser", type="incident", problem_id=problem.id)
        found["incidents"] = [item.id == incident.id for item in client.tickets.incidents(problem)]
        me = client.users.me()
        skip = client.skips.create(objects.Skip(ticket_id=incident.id, reason="Later"))
        found["skips"] = [
            [item.reason for item in client.tickets.skips(incident.id)],
            skip.user_id == me.id,
        ]
        found["metric"] = client.tickets.metrics(ticket).ticket_id == ticket.id
        found["audits"] = [item.ticket_id for item in client.tickets.audits(incident.id)] == [
            incident.id
        ]
        found["all audits"] = len(list(islice(client.tickets.audits(), 150)))
        found["recent"] = len(list(client.tickets.recent())) > 0
        client.tickets.delete(incident)
        found["deleted"] = incident.id in [item.id for item in client.tickets.deleted()]
        client.tickets.restore([incident.id])
        found["restored"] = client.tickets(id=incident.id).subject
        client.tickets.delete(incident)
        job = client.tickets.permanently_delete(incident)
        found["erased"] = [
            client.job_status(id=job.id).status,
            incident.id in [item.id for item in client.tickets.deleted()],
        ]
        old = client.ticket_import.create(
            objects.Ticket(subject="Old", description="Words.", created_at="2020-05-01T10:00:00Z")
        )
        found["imported"] = str(client.tickets(id=old.id).created_at)[:10]
        pair = [self.ticket(f"Batch {number}") for number in range(2)]
        job = client.tickets.update([objects.Ticket(id=item.id, priority="high") for item in pair])
        found["many"] = [
            client.job_status(id=job.id).status,
            [client.tickets(id=item.id).priority for item in pair],
        ]
        found["held mail"] = all(item.cause for item in client.suspended_tickets())
        found["metrics"] = len(list(islice(client.ticket_metrics(), 120)))
        found["activities"] = isinstance(list(client.activities()), list)
        return found

    def requests(self) -> dict[str, Any]:
        """Ask as a customer, answer as an agent, be rated."""
        client, objects, found = self.client, self.objects, dict[str, Any]()
        asked = self.customer.requests.create(
            objects.Request(subject="Where is it?", comment={"body": "My parcel."})
        )
        found["open"] = asked.id in [item.id for item in self.customer.requests.open()]
        ticket = client.tickets(id=asked.id)
        ticket.comment = objects.Comment(body="On its way.", public=True)
        ticket.assignee_id = client.users.me().id
        ticket.status = "solved"
        client.tickets.update(ticket)
        found["said"] = [item.body for item in self.customer.requests.comments(asked.id)]
        found["solved"] = asked.id in [item.id for item in self.customer.requests.solved()]
        self.customer.satisfaction_ratings.create(
            asked.id, objects.SatisfactionRating(score="good", comment="Quick!")
        )
        rated = [item for item in client.satisfaction_ratings() if item.ticket_id == asked.id]
        found["rated"] = [[item.score, item.comment] for item in rated]
        found["not theirs"] = self.refused(lambda: list(self.customer.triggers()))
        return found

    def rules(self) -> dict[str, Any]:
        """Make, change, use and remove rules of each kind."""
        client, objects, found = self.client, self.objects, dict[str, Any]()
        trigger = client.triggers.create(
            objects.Trigger(
                title="Hum is high",
                conditions={
                    "all": [
                        {"field": "update_type", "operator": "is", "value": "Create"},
                        {"field": "subject_includes_word", "operator": "includes", "value": "hum"},
                    ]
                },
                actions=[{"field": "priority", "value": "urgent"}],
            )
        )
        found["trigger"] = client.tickets(id=self.ticket("A hum").id).priority
        trigger.active = False
        client.triggers.update(trigger)
        found["silent"] = client.tickets(id=self.ticket("A hum").id).priority
        client.triggers.delete(trigger)
        found["no trigger"] = self.refused(lambda: client.triggers(id=trigger.id))
        automation = client.automations.create(
            objects.Automation(
                title="Wake",
                conditions={"all": [{"field": "PENDING", "operator": "is", "value": "301"}]},
                actions=[{"field": "status", "value": "open"}],
            )
        )
        automation.title = "Wake up"
        client.automations.update(automation)
        found["automation"] = client.automations(id=automation.id).title
        client.automations.delete(automation)
        macro = client.macros.create(
            objects.Macro(title="Thanks", actions=[{"field": "status", "value": "solved"}])
        )
        found["macro"] = client.macros.apply(macro).ticket.status
        client.macros.delete(macro)
        client.sla_policies.create(  # which returns nothing
            objects.SlaPolicy(
                title="Iron",
                filter={"all": [{"field": "priority", "operator": "is", "value": "low"}]},
                policy_metrics=[
                    {
                        "priority": "low",
                        "metric": "requester_wait_time",
                        "target": 60,
                        "business_hours": False,
                    }
                ],
            )
        )
        policy = next(item for item in client.sla_policies() if item.title == "Iron")
        policy.title = "Steel"
        client.sla_policies.update(policy)
        found["policy"] = client.sla_policies(id=policy.id).title
        client.sla_policies.delete(policy)
        found["no policy"] = self.refused(lambda: client.sla_policies(id=policy.id))
        return found

    def views(self) -> dict[str, Any]:
        """Make a view, count, run, find and remove it."""
        client, objects, found = self.client, self.objects, dict[str, Any]()
        marked = self.ticket("To be seen", tags=["seen"])
        wanted = [*OPEN, {"field": "current_tags", "operator": "includes", "value": "seen"}]
        view = client.views.create(objects.View(title="Seen", all=wanted))
        found["run"] = client.views.execute(view).id == view.id
        found["tickets"] = [item.id == marked.id for item in client.views.tickets(view)]
        found["count"] = client.views.count(view).value
        found["active"] = view.id in [item.id for item in client.views.active()]
        found["compact"] = len(list(client.views.compact())) > 0
        found["found"] = [item.id == view.id for item in client.views.search(query="Seen")]
        view.title = "Looked at"
        client.views.update(view)
        found["renamed"] = client.views(id=view.id).title
        client.views.delete(view)
        found["gone"] = self.refused(lambda: client.views(id=view.id))
        return found

    def desk(self) -> dict[str, Any]:
        """Work on texts, webhooks, groups and languages."""
        client, objects, found = self.client, self.objects, dict[str, Any]()
        english = next(item.id for item in client.locales() if item.locale == "en-US")
        variant = objects.Variant(locale_id=english, default=True, content="Hello")
        item = client.dynamic_content.create(
            objects.Item(name="Greeting", default_locale_id=english, variants=[variant])
        )
        first = item.variants[0]
        first.content = "Good day"
        client.dynamic_content.variants.update(item, first)
        found["text"] = client.dynamic_content.variants.show(item, first).content
        client.dynamic_content.delete(item)
        found["webhook"] = self.webhooks()
        group = client.groups.create(objects.Group(name="Nights"))
        me = client.users.me()
        place = client.group_memberships.create(
            objects.GroupMembership(user_id=me.id, group_id=group.id)
        )
        client.group_memberships.make_default(me, place)
        found["default group"] = client.users(id=me.id).default_group_id == group.id
        found["group"] = [user.id == me.id for user in client.groups.users(group)]
        found["assignable"] = group.id in [item.id for item in client.groups.assignable()]
        client.groups.delete(group)
        found["no group"] = client.groups(id=group.id).deleted
        found["language"] = client.locales.current().locale
        return found

    def webhooks(self) -> list[Any]:
        """Make a webhook, change it, copy it, change its secret, remove it."""
        client, objects = self.client, self.objects
        hook = client.webhooks.create(
            objects.Webhook(
                name="Bell",
                status="active",
                endpoint="https://hooks.example.com/bell",
                http_method="POST",
                request_format="json",
                subscriptions=["conditional_ticket_events"],
            )
        )
        client.webhooks.patch(objects.Webhook(id=hook.id, name="Bells"))
        before = client.webhooks.show_secret(hook).secret
        after = client.webhooks.reset_secret(hook).secret
        copy = client.webhooks.clone(hook)
        names = [item.name for item in client.webhooks.list(filter="Bells")]
        found = [
            client.webhooks(id=hook.id).name,
            before != after == client.webhooks.show_secret(hook).secret,
            copy.endpoint,
            "Bells" in names,
            len(list(client.webhooks.invocations(hook))),
        ]
        for item in (hook, copy):
            client.webhooks.delete(item)
        return [*found, self.refused(lambda: client.webhooks(id=hook.id))]

    def exports(self) -> dict[str, Any]:
        """Follow each export to its end."""
        client = self.client

        def keys(items: Iterable[Any]) -> list[int]:
            return sorted({item.id for item in items})

        by_time = keys(client.tickets.incremental(start_time=1))
        by_cursor = keys(
            client.tickets.incremental(start_time=1, paginate_by_time=False, per_page=50)
        )
        people = keys(client.users.incremental(start_time=1, per_page=60))
        found = keys(client.search_export(type="ticket"))
        return {
            "same": by_time == by_cursor,
            "tickets": len(by_cursor),
            "users": len(people),
            "organizations": len(keys(client.organizations.incremental(start_time=1))),
            "events": len(keys(client.tickets.events(start_time=1))) >= len(by_cursor),
            "metric events": len(list(client.tickets.metrics_incremental(start_time=1))) > 0,
            "search": len(found),
        }


AREAS = ("people", "firms", "tickets", "requests", "rules", "views", "desk", "exports")


def main(netloc: str, email: str, token: str, customer: str, customer_token: str) -> None:
    """Do the work."""
    os.environ["ZENPY_FORCE_NETLOC"] = netloc
    os.environ["ZENPY_FORCE_SCHEME"] = "http"
    zenpy = import_module("zenpy")
    objects = import_module("zenpy.lib.api_objects")
    errors = import_module("zenpy.lib.exception")
    agent, asker = (
        zenpy.Zenpy(subdomain="kestrel", email=login, token=secret)
        for login, secret in ((email, token), (customer, customer_token))
    )
    for client in (agent, asker):
        client.disable_caching()
    areas = Areas(agent, asker, objects, errors)
    found = {}
    for area in AREAS:
        try:
            found[area] = getattr(areas, area)()
        except Exception as error:
            raise SystemExit(f"{area}: {error!r} after {found}") from error
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
