"""Who the simulated people of a sandbox are, and what they have in mind."""

from __future__ import annotations

from django.db import models

from clones.core.models import AmbientRecord, Record


class Person(AmbientRecord):
    """Somebody who acts by themselves.

    `helpdesk_user` is the id of their own user at the helpdesk, `email` their address. `checks` is
    [{"name", "parameters", "delay" in seconds}], `authority` {"kind", "limit" in minor units or
    null}; durations are in seconds.
    """

    id = models.CharField(primary_key=True, max_length=40)
    kind = models.CharField(max_length=10)
    name = models.CharField(max_length=255)
    email = models.CharField(max_length=254, null=True)
    helpdesk_user = models.BigIntegerField(null=True)
    patience = models.PositiveIntegerField()
    reply_median = models.PositiveIntegerField()
    tone = models.CharField(max_length=10)
    typo_rate = models.FloatField(default=0.0)
    language = models.CharField(max_length=8, default="en")
    truthfulness = models.CharField(max_length=12, default="honest")
    mistaken_about = models.CharField(max_length=10, null=True)
    precision = models.CharField(max_length=6, default="asked")
    checks = models.JSONField(default=list)
    authority = models.JSONField(default=dict)
    reopen = models.JSONField(default=list)
    zone = models.CharField(max_length=64, default="UTC")
    bias = models.FloatField(default=0.0)

    class Meta:
        indexes = [
            models.Index(fields=["helpdesk_user"], name="people_person_user"),
            models.Index(fields=["kind", "id"], name="people_person_kind"),
        ]


class PersonState(AmbientRecord):
    """What a person has in mind about one thread, named as `helpdesk.ticket:17`.

    `memory` holds the lists and flags of `seeds.people.state.ThreadState`, `knowledge` what the
    person knows of the matter; `rating` is the newest rating they gave.
    """

    id = models.CharField(primary_key=True, max_length=40)
    person = models.ForeignKey(
        Person, on_delete=models.CASCADE, related_name="states", db_index=False
    )
    thread = models.CharField(max_length=80)
    mood = models.CharField(max_length=10, default="waiting")
    status = models.CharField(max_length=10, default="open")
    wrote_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)
    nudges = models.PositiveIntegerField(default=0)
    unclear = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    reopens = models.PositiveIntegerField(default=0)
    untruths = models.PositiveIntegerField(default=0)
    repeats = models.PositiveIntegerField(default=0)
    told = models.PositiveIntegerField(default=0)
    fixed = models.FloatField(default=0.0)
    rating = models.CharField(max_length=4, null=True)
    memory = models.JSONField(default=dict)
    knowledge = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "thread"], name="people_state_once")
        ]
        indexes = [models.Index(fields=["thread", "id"], name="people_state_thread")]


class Approval(Record):
    """A yes or no that somebody with authority gave: a fact of the world, and in diffs as such.

    `amount` is in minor units; `reason` says why not.
    """

    id = models.CharField(primary_key=True, max_length=40)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="approvals")
    thread = models.CharField(max_length=80)
    charge = models.CharField(max_length=40)
    amount = models.BigIntegerField()
    currency = models.CharField(max_length=3)
    granted = models.BooleanField()
    reason = models.CharField(max_length=20, null=True)
    given_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["thread", "id"], name="people_approval_thread")]
