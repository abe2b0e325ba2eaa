"""Avatars of spaces, types, priorities and people: lists, uploads, and the pictures themselves."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Model
from django.http import HttpResponse

from clones.core.digits import is_digits, whole_number
from clones.core.operations import Call
from clones.tracker.api.operations import ANYTHING, Body, Query, actor, operation, show
from clones.tracker.api.paging import number_of
from clones.tracker.api.presenters.avatars import all_avatars, present_avatar, system_avatars
from clones.tracker.api.projects import ONE, project_of
from clones.tracker.domain import avatars, projects
from clones.tracker.domain.administration import (
    NOT_ADMIN,
    project_admins_only,
    runs_project,
)
from clones.tracker.domain.avatars import GONE, avatar_of, checked_kind
from clones.tracker.domain.errors import Forbidden, NotFound
from clones.tracker.models import Avatar, IssueType, Priority, Project, User
from clones.tracker.queries.rights import find_project
from clones.tracker.rules.pictures import DEFAULTS, SYSTEM, initials_picture, picture

Json = dict[str, Any]
PATH: Final = "/rest/api/3/universal_avatar"
OWNED: Final = PATH + "/type/{type}/owner/{entityId}"
VIEWED: Final = PATH + "/view/type/{type}"
AGE: Final = "private, max-age=3600"


class CropQuery(Query):
    """The square of an uploaded picture that becomes the avatar, in pixels."""

    x: str | None = None
    y: str | None = None
    size: str | None = None


class ImageQuery(Query):
    """Size and format of an avatar's image; the drawings fit every size."""

    size: str | None = None
    format: str | None = None


class AvatarBody(Body):
    """The avatar that a space, type or priority is to have."""

    id: str | int


def _loaded(kind: str, entity: str) -> list[Avatar]:
    return list(Avatar.objects.filter(kind=kind, entity=entity).order_by("id"))


def _owner(call: Call, *, to_write: bool = False) -> tuple[str, str, int | None]:
    """Return what a path is about: the kind, the thing's id, and which avatar it has.

    Raises:
        NotFound: there is no such thing.
        Forbidden: the caller may not change it.
    """
    kind = checked_kind(call.path["type"])
    text = call.path.get("entityId") or call.path["owningObjectId"]
    reader = actor(call)
    if kind == "project":
        project = find_project(reader, text)
        if to_write and not runs_project(reader, project):
            raise Forbidden("You do not have permission to administer this project.")
        return kind, str(project.id), project.avatar_id
    if to_write and not reader.is_admin:
        raise Forbidden(NOT_ADMIN)
    kinds: dict[str, type[Model]] = {"issuetype": IssueType, "priority": Priority}
    model = kinds.get(kind)
    row = None
    if model is not None and is_digits(text):
        row = model._default_manager.filter(id=int(text)).first()
    if row is None:
        raise NotFound(GONE)
    return kind, str(row.pk), getattr(row, "avatar_id", None)


def _token(call: Call) -> str | None:
    return call.request.headers.get("X-Atlassian-Token")


def _crop(call: Call) -> tuple[int, int, int]:
    return number_of(call, "x", 0), number_of(call, "y", 0), number_of(call, "size", 0)


@operation(
    "getAllSystemAvatars",
    "GET",
    "/rest/api/3/avatar/{type}/system",
    summary="List the site's own avatars of a kind.",
    access="anyone",
)
def list_system(call: Call) -> Json:
    """List the site's own avatars; a kind that is none has none."""
    return {"system": system_avatars(call.path["type"].lower(), show(call))}


@operation(
    "getAvatars",
    "GET",
    OWNED,
    summary="List the avatars that something can have.",
    access="anyone",
)
def list_avatars(call: Call) -> Json:
    """List the avatars that something can have: without such a thing, the site's own."""
    try:
        kind, entity, selected = _owner(call)
    except NotFound:
        return all_avatars(call.path["type"].lower(), [], show(call))
    return all_avatars(kind, _loaded(kind, entity), show(call), selected)


@operation(
    "storeAvatar",
    "POST",
    OWNED,
    summary="Load an avatar for something: the body is the picture.",
    query=CropQuery,
    raw_body=True,
    consumes=ANYTHING,
    status=201,
)
def store_avatar(call: Call) -> Json:
    """Load an avatar."""
    kind, entity, _ = _owner(call, to_write=True)
    made = avatars.create_avatar(kind, entity, call.body, token=_token(call), crop=_crop(call))
    return present_avatar(made, show(call))


@operation(
    "deleteAvatar",
    "DELETE",
    PATH + "/type/{type}/owner/{owningObjectId}/avatar/{id}",
    summary="Remove a loaded avatar.",
    status=204,
)
def delete_avatar(call: Call) -> None:
    """Remove a loaded avatar."""
    kind, entity, selected = _owner(call, to_write=True)
    key = _key(call.path["id"])
    avatars.delete_avatar(kind, entity, key)
    if selected == key:
        _forget(kind, entity)


def _forget(kind: str, entity: str) -> None:
    """Give what had a removed avatar the usual one."""
    if kind == "project":
        Project.objects.filter(id=int(entity)).update(avatar_id=DEFAULTS[kind])
    elif kind == "issuetype":
        IssueType.objects.filter(id=int(entity)).update(avatar_id=DEFAULTS[kind])


def _key(text: str) -> int:
    if whole_number(text) is None:
        raise NotFound(GONE)
    return int(text)


# The pictures


def _sent(data: bytes | str, mime_type: str) -> HttpResponse:
    response = HttpResponse(data, content_type=mime_type)
    response["X-Content-Type-Options"] = "nosniff"
    response["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'"
    response["Cache-Control"] = AGE
    return response


def _picture(kind: str, key: int) -> HttpResponse:
    if key in SYSTEM[kind]:
        return _sent(picture(kind, key), "image/svg+xml")
    found = Avatar.objects.select_related("blob").filter(id=key, kind=kind).first()
    if found is None or found.blob is None:
        raise NotFound(GONE)
    return _sent(bytes(found.blob.data), found.mime_type)


@operation(
    "getAvatarImageByType",
    "GET",
    VIEWED,
    summary="Return the usual picture of a kind.",
    query=ImageQuery,
    access="anyone",
)
def view_default(call: Call) -> HttpResponse:
    """Return the usual picture of a kind."""
    kind = checked_kind(call.path["type"])
    return _picture(kind, DEFAULTS[kind])


@operation(
    "getAvatarImageByID",
    "GET",
    VIEWED + "/avatar/{id}",
    summary="Return a picture by its id; of people by their account id.",
    query=ImageQuery,
    access="anyone",
)
def view_avatar(call: Call) -> HttpResponse:
    """Return a picture."""
    kind, text = checked_kind(call.path["type"]), call.path["id"]
    if kind == "user" and not is_digits(text):
        user = User.objects.filter(account_id=text).first()
        if user is None:
            raise NotFound(GONE)
        return _sent(initials_picture(user.display_name), "image/svg+xml")
    return _picture(kind, _key(text))


@operation(
    "getAvatarImageByOwner",
    "GET",
    VIEWED + "/owner/{entityId}",
    summary="Return the picture of something.",
    query=ImageQuery,
    access="anyone",
)
def view_of_owner(call: Call) -> HttpResponse:
    """Return the picture of something."""
    kind, _, selected = _owner(call)
    return _picture(kind, selected or DEFAULTS[kind])


# Of spaces


@operation(
    "getAllProjectAvatars",
    "GET",
    ONE + "/avatars",
    summary="List the avatars that a space can have.",
    access="anyone",
)
def list_of_project(call: Call) -> Json:
    """List the avatars that a space can have."""
    project = project_of(call)
    loaded = _loaded("project", str(project.id))
    return all_avatars("project", loaded, show(call), project.avatar_id)


@operation(
    "createProjectAvatar",
    "POST",
    ONE + "/avatar2",
    summary="Load an avatar for a space: the body is the picture.",
    query=CropQuery,
    raw_body=True,
    consumes=ANYTHING,
    status=201,
)
def create_of_project(call: Call) -> Json:
    """Load an avatar for a space."""
    project = project_of(call)
    project_admins_only(actor(call), project)
    made = avatars.create_avatar(
        "project", str(project.id), call.body, token=_token(call), crop=_crop(call)
    )
    return present_avatar(made, show(call))


@operation(
    "updateProjectAvatar",
    "PUT",
    ONE + "/avatar",
    summary="Give a space one of the avatars that it can have.",
    body=AvatarBody,
    status=204,
)
def set_of_project(call: Call) -> None:
    """Give a space an avatar."""
    project = project_of(call)
    project_admins_only(actor(call), project)
    key = _key(str(call.body.id))
    avatar_of("project", str(project.id), key)
    projects.update_project(project, {"avatar_id": key}, actor=actor(call))


@operation(
    "deleteProjectAvatar",
    "DELETE",
    ONE + "/avatar/{id}",
    summary="Remove an avatar that was loaded for a space.",
    status=204,
)
def delete_of_project(call: Call) -> None:
    """Remove an avatar of a space."""
    project = project_of(call)
    project_admins_only(actor(call), project)
    key = _key(call.path["id"])
    avatars.delete_avatar("project", str(project.id), key)
    if project.avatar_id == key:
        _forget("project", str(project.id))
