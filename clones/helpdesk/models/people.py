"""Users, organizations and groups."""

from __future__ import annotations

from django.db import models

from clones.core.models import Record


class Organization(Record):
    """A company whose people write to the desk."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    external_id = models.CharField(max_length=255, null=True)
    domain_names = models.JSONField(default=list)
    details = models.TextField(null=True)
    notes = models.TextField(null=True)
    group = models.ForeignKey("helpdesk.Group", on_delete=models.SET_NULL, null=True)
    shared_tickets = models.BooleanField(default=False)
    shared_comments = models.BooleanField(default=False)
    tags = models.JSONField(default=list)
    organization_fields = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["name", "id"], name="helpdesk_organization_name")]


class Group(Record):
    """A team of agents."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    description = models.TextField(default="")
    is_public = models.BooleanField(default=True)
    default = models.BooleanField(default=False)
    deleted = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class CustomRole(Record):
    """A set of rights that agents hold. `role_type` is the vendor's number (4 for admins)."""

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    description = models.TextField(default="")
    role_type = models.PositiveSmallIntegerField(default=0)
    configuration = models.JSONField(default=dict)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()


class User(Record):
    """A customer, an agent or an admin."""

    ROLES = ("end-user", "agent", "admin")
    RESTRICTIONS = ("organization", "groups", "assigned", "requested")

    id = models.BigIntegerField(primary_key=True)
    name = models.CharField(max_length=255)
    email = models.CharField(max_length=254, null=True)
    role = models.CharField(max_length=10, choices=[(role, role) for role in ROLES])
    organization = models.ForeignKey(
        Organization, on_delete=models.SET_NULL, null=True, related_name="users"
    )
    default_group = models.ForeignKey(Group, on_delete=models.SET_NULL, null=True)
    external_id = models.CharField(max_length=255, null=True)
    alias = models.CharField(max_length=255, null=True)
    phone = models.CharField(max_length=64, null=True)
    time_zone = models.CharField(max_length=64, default="Eastern Time (US & Canada)")
    iana_time_zone = models.CharField(max_length=64, default="America/New_York")
    locale = models.CharField(max_length=16, default="en-US")
    signature = models.TextField(null=True)
    details = models.TextField(null=True)
    notes = models.TextField(null=True)
    tags = models.JSONField(default=list)
    user_fields = models.JSONField(default=dict)
    active = models.BooleanField(default=True)
    verified = models.BooleanField(default=False)
    suspended = models.BooleanField(default=False)
    moderator = models.BooleanField(default=False)
    only_private_comments = models.BooleanField(default=False)
    ticket_restriction = models.CharField(max_length=16, null=True)
    custom_role = models.ForeignKey(CustomRole, on_delete=models.SET_NULL, null=True)
    last_login_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        indexes = [
            models.Index(fields=["email"], name="helpdesk_user_email"),
            models.Index(fields=["role", "id"], name="helpdesk_user_role"),
            models.Index(fields=["name", "id"], name="helpdesk_user_name"),
            models.Index(fields=["external_id"], name="helpdesk_user_external"),
        ]

    def keeps_own(self, right: str) -> bool:
        """Tell whether they may keep views or macros of their own: `view_access`, `macro_access`.

        Agents may, unless their role only lets them use what others keep.
        """
        if self.role == "admin" or not self.is_agent:
            return self.role == "admin"
        role = self.custom_role
        return role is None or role.configuration.get(right) not in ("readonly", "playonly")

    @property
    def is_agent(self) -> bool:
        """Whether the user works at the desk."""
        return self.role in ("agent", "admin")


class Identity(Record):
    """An address by which a user is known."""

    id = models.BigIntegerField(primary_key=True)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="identities")
    type = models.CharField(max_length=20, default="email")
    value = models.CharField(max_length=254)
    primary = models.BooleanField(default=False)
    verified = models.BooleanField(default=False)
    undeliverable_count = models.PositiveIntegerField(default=0)
    deliverable_state = models.CharField(max_length=20, default="deliverable")
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["type", "value"], name="helpdesk_identity_value")]


class GroupMembership(Record):
    """An agent's place in a group."""

    id = models.BigIntegerField(primary_key=True)
    user = models.ForeignKey(
        User, on_delete=models.CASCADE, related_name="group_memberships", db_index=False
    )
    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="memberships")
    default = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "group"], name="helpdesk_membership_once")
        ]


class OrganizationMembership(Record):
    """A user's place in an organization; the default one is `User.organization`."""

    id = models.BigIntegerField(primary_key=True)
    user = models.ForeignKey(
        User,
        on_delete=models.CASCADE,
        related_name="organization_memberships",
        db_index=False,
    )
    organization = models.ForeignKey(
        Organization, on_delete=models.CASCADE, related_name="memberships"
    )
    default = models.BooleanField(default=False)
    view_tickets = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "organization"], name="helpdesk_orgmembership_once"
            )
        ]
