"""Dynamic content and workspaces on the page of a ticket."""

from __future__ import annotations

from clones.core.journal import act
from clones.core.tenancy import unit_of_work
from clones.helpdesk.domain.dynamic_content import create_item
from clones.helpdesk.domain.workspaces import create_workspace
from clones.helpdesk.models import Macro, TicketField, User
from tests.helpdesk.web.conftest import Office


def test_fields_and_macros_are_read_in_the_agents_language(ana: Office) -> None:
    path = f"/agent/tickets/{ana.keys.charged}"
    with ana.bound(), unit_of_work("write"), act(actor="test", label="test"):
        User.objects.filter(id=ana.keys.agent).update(locale="de")
        variants = [
            {"locale_id": 1, "content": "Machine"},
            {"locale_id": 8, "content": "Gerät"},
        ]
        owner = User.objects.filter(role="admin").order_by("id")[0]
        item = {"name": "Thing", "default_locale_id": 1, "variants": variants}
        create_item(actor=owner, changes=item)
        field = TicketField.objects.get(id=ana.keys.product)
        field.title = "{{dc.thing}}?"
        field.options = [{**field.options[0], "name": "Ein {{dc.thing}}"}, *field.options[1:]]
        field.save()
        Macro.objects.filter(id=ana.keys.macro).update(title="{{dc.thing}}!")
    shown = ana.get(path)
    for text in ("Gerät?", "Ein Gerät", "Gerät!"):
        assert text in shown.html
    assert "{{" not in shown.html


def test_the_macros_of_a_workspace_come_first_under_its_title(ana: Office) -> None:
    path = f"/agent/tickets/{ana.keys.charged}"
    option = f'<option value="{ana.keys.macro}">'
    assert "<optgroup" not in ana.get(path).html
    ticket = ana.ticket(ana.keys.charged)
    condition = {"field": "subject_includes_word", "operator": "includes", "value": ticket.subject}
    with ana.bound(), unit_of_work("write"), act(actor="test", label="test"):
        owner = User.objects.filter(role="admin").order_by("id")[0]
        given = {
            "title": "Money",
            "macros": [ana.keys.macro],
            "conditions": {"all": [condition]},
        }
        create_workspace(actor=owner, changes=given)
    html = ana.get(path).html
    group = html.partition('<optgroup label="Money">')[2].partition("</optgroup>")[0]
    assert group.startswith(option)
    assert html.count(option) == 1
    assert "<optgroup" not in ana.get(f"/agent/tickets/{ana.keys.broken}").html
