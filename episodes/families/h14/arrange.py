"""Plant a routing guide, the rules it has to get along with, and what was written before."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

from clones.core import clock
from clones.core.journal import act
from clones.helpdesk.domain.business_rules import create_trigger
from clones.helpdesk.models import Group, Macro, SupportAddress, Trigger, TriggerCategory, User
from episodes.families.h14 import words
from episodes.families.h14.guides import Writer
from episodes.families.h14.params import Params, params_of
from episodes.tasks.footprint import Allow
from episodes.tasks.goals import goals_of
from episodes.tasks.personas import CannotArrange, persona_at
from episodes.tasks.spec import Arranged, Stage
from episodes.tasks.team_documents import publish_macro
from sandlot.service import Space

SPARE_GROUPS: Final = 3
CREATED: Final = {"field": "update_type", "operator": "is", "value": "Create"}
RULE_COLUMNS: Final = frozenset({"position", "updated_at", "revision"})


def arrange(stage: Stage) -> Arranged:
    """Make the instance in the bound sandbox, in the order of what happened.

    Raises:
        CannotArrange: the world lacks groups, addresses, a category of routing, or an admin.
    """
    params, chance = params_of(stage.instance), stage.chance("arrange")
    present = clock.now()
    persona = persona_at("helpdesk admin", role="admin")
    groups = list(Group.objects.filter(deleted=False).order_by("id"))
    if len(groups) < SPARE_GROUPS:
        raise CannotArrange("the world has too few groups")
    plan = _plan(params, groups, chance)
    made = present - timedelta(days=chance.randrange(60, 300))
    admin = User.objects.get(email=persona.logins["helpdesk"])
    _rivals(params, plan, admin, at=made)
    title = f"Routing guide: {plan['topic']}"
    published = present - timedelta(days=chance.randrange(1, 9), minutes=chance.randrange(600))
    _old_guide(plan, title, chance, at=made)
    text = words.guide(plan, _examples(plan, chance), chance)
    macro = publish_macro(title, "How we route. Read before sorting.", text, at=published)
    facts = {
        **plan,
        "guide": macro.id,
        "triggers": standing_triggers(),
        "other_groups": [group.id for group in groups if group.id != plan["group"]],
        "first_category": TriggerCategory.objects.order_by("position", "id")[0].id,
        "agent": admin.id,
        "obligations": [],
        "giver_reply": "The guide says it all. I have nothing to add.",
    }
    goal = stage.chance("goal").choice(goals_of(__file__))["text"]
    return Arranged(
        goal=str(goal.format(title=title, topic=plan["topic"])),
        persona=persona,
        facts=facts,
        allows=(
            Allow("helpdesk_trigger", frozenset({"insert"}), at_most=1),
            Allow("helpdesk_trigger", frozenset({"update"}), columns=RULE_COLUMNS),
        ),
        start_path="/agent/dashboard",
        oracle_steps=_oracle_steps(params, plan),
    )


def standing_triggers() -> list[dict[str, Any]]:
    """Return every trigger as it stands, in the order of their ids."""
    return [
        {
            "id": rule.id,
            "active": rule.active,
            "position": rule.position,
            "category": rule.category_id,
            "conditions": rule.conditions,
            "actions": rule.actions,
        }
        for rule in Trigger.objects.order_by("id")
    ]


def _oracle_steps(params: Params, plan: dict[str, Any]) -> dict[Space, int]:
    """Return the oracle's steps: guide, groups, triggers, the new one, finish."""
    rows = 4 * (1 + len(plan["conditions"])) + 3 * (1 + len(plan["extra_words"])) - 2
    aside = 6 if params.yields else 0
    return {"api": 5, "browser": 10 + rows + aside}


def _plan(params: Params, groups: list[Group], chance: Random) -> dict[str, Any]:
    """Return what the guide asks for."""
    target, first, beaten = chance.sample(groups, SPARE_GROUPS)
    vocabulary = chance.sample(words.WORDS, 7)
    extras, said = _extras(params, vocabulary[6])
    return {
        "topic": chance.choice(words.TOPICS),
        "group": target.id,
        "group_name": target.name,
        "conditions": _conditions(params, vocabulary, chance),
        "extras": extras,
        "extra_words": said,
        "first_word": vocabulary[4] if params.yields else None,
        "first_title": f"{vocabulary[4].capitalize()} goes to {first.name}"
        if params.yields
        else None,
        "first_group": first.id if params.yields else None,
        "beaten_word": vocabulary[5] if params.overrules else None,
        "beaten_title": f"All about {vocabulary[5]} to {beaten.name}" if params.overrules else None,
        "beaten_group": beaten.id if params.overrules else None,
    }


def _conditions(params: Params, vocabulary: list[str], chance: Random) -> list[dict[str, Any]]:
    found = [{"side": "all", "field": "source", "test": "from", "value": params.source}]
    if params.source in ("repairs", "orders"):
        address = SupportAddress.objects.filter(email__startswith=f"{params.source}@").first()
        if address is None:
            raise CannotArrange(f"the world has no address {params.source}@")
        found[0]["address"] = address.email
    field, test = {
        "subject_word": ("subject", "word"),
        "first_word": ("first", "word"),
        "subject_part": ("subject", "part"),
        "subject_lacks": ("subject", "lacks"),
    }[params.text]
    found.append({"side": "all", "field": field, "test": test, "value": vocabulary[0]})
    some = [("subject", vocabulary[1]), ("first", vocabulary[2]), ("first", vocabulary[3])]
    some = some[: {"none": 0, "two": 2, "three": 3}[params.either]]
    chance.shuffle(some)
    found += [
        {"side": "any", "field": place, "test": "word", "value": value} for place, value in some
    ]
    return found


def _extras(params: Params, word: str) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Return what is set besides the group, as the ticket keeps it and in words."""
    tag = f"{word}_desk"
    parts = {
        "high": ("priority", "high", "High"),
        "urgent": ("priority", "urgent", "Urgent"),
        "incident": ("type", "incident", "Incident"),
        "problem": ("type", "problem", "Problem"),
        "tag": ("tag", tag, tag),
    }
    chosen = [parts[name] for name in params.extra.split("_") if name in parts]
    return {name: value for name, value, _ in chosen}, [(name, told) for name, _, told in chosen]


def routing() -> TriggerCategory:
    """Return the category of the triggers that route.

    Raises:
        CannotArrange: the world has none.
    """
    found = TriggerCategory.objects.filter(name="Routing").order_by("id").first()
    if found is None:
        raise CannotArrange("the world has no triggers that route")
    return found


def _rivals(params: Params, plan: dict[str, Any], admin: User, *, at: datetime) -> None:
    """Plant the rules that the guide speaks of, after the others, and a twin that is off."""
    rules: list[tuple[str, str, int, bool]] = []
    if params.overrules:
        rules.append((plan["beaten_title"], plan["beaten_word"], plan["beaten_group"], True))
    if params.yields:
        rules.append((plan["first_title"], plan["first_word"], plan["first_group"], True))
    twin = next(each for each in plan["conditions"] if each["field"] != "source")
    rules.append((f"{plan['topic'].capitalize()} (pilot)", twin["value"], plan["group"], False))
    category = routing()
    for title, word, group, active in rules:
        with clock.at(at), act(actor="world", label="rules"):
            create_trigger(
                actor=admin,
                changes={
                    "title": title,
                    "category_id": category.id,
                    "active": active,
                    "all": [
                        CREATED,
                        {"field": "subject_includes_word", "operator": "includes", "value": word},
                    ],
                    "actions": [{"field": "group_id", "value": str(group)}],
                },
            )
        at += timedelta(days=2, minutes=17)


def _old_guide(plan: dict[str, Any], title: str, chance: Random, *, at: datetime) -> None:
    """Plant the guide that was valid before, which is switched off."""
    text = (
        f"New tickets about {plan['topic']} go to the group Support.\n\n"
        "A new ticket is one of them when all of this is true:\n"
        f'- the subject has the word "{chance.choice(words.WORDS)}"\n\n'
        "Everything else is routed as before."
    )
    macro = publish_macro(f"{title} (until spring)", "Old.", text, at=at)
    Macro.objects.filter(id=macro.id).update(active=False)


def _examples(plan: dict[str, Any], chance: Random) -> list[tuple[str, str]]:
    """Return four examples: what came in, and where it should have gone."""
    writer = Writer(plan["conditions"], ())
    lines = [(item, plan["group_name"]) for item in writer.inside(chance, 3)[-2:]]
    lines += [(item, "as before") for item in writer.outside(chance, 2)]
    names = {"mail": "by email", "web": "by the web form", "desk": "noted down by an agent"}
    found = []
    for item, where in lines:
        how = names.get(item["source"], f"by email to {item['source']}@")
        found.append((f"{item['subject']} | {item['body']} ({how})", where))
    chance.shuffle(found)
    return found
