"""What an organization says of who sees whose records."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record
from clones.crm.models.sobjects import ID_LENGTH


class SharingDefault(Record):
    """How far records of an object are open to everybody, by the object's name.

    `model` is one of the vendor's words (`clones.crm.rules.access.sharing`). Where `uses_roles` is
    false, superiors do not see what those below them see.
    """

    object = models.CharField(max_length=80, primary_key=True)
    model = models.CharField(max_length=40)
    uses_roles = models.BooleanField(default=True)


class SharingRule(Record):
    """Records of an object that are opened to a group, by their owners or by what they say.

    `source` is the group whose members own the records, None where `criteria` says which are meant:
    the condition of a query. `target` is the group, or role, that they are opened to.
    """

    id = models.CharField(max_length=ID_LENGTH, primary_key=True)
    object = models.CharField(max_length=80)
    name = models.CharField(max_length=80)
    label = models.CharField(max_length=80)
    source = models.CharField(max_length=ID_LENGTH, null=True)
    criteria = models.TextField(null=True)
    target = models.CharField(max_length=ID_LENGTH)
    level = models.CharField(max_length=8)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["object", "name"], name="crm_sharing_rule_name"),
        )
