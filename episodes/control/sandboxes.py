"""Routes of sandboxes."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field, model_validator

from episodes.control.dependencies import HostOf
from sandlot.service.protocol import LARGEST

router = APIRouter(tags=["sandboxes"])

# Of a clock's speed: a year in half a minute.
FASTEST = 1_000_000.0


class Body(BaseModel):
    """A request body: unknown keys are refused, and numbers that are none."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class CreateSandbox(Body):
    """What to make a sandbox of: a world, or a snapshot by name or digest."""

    world: str = "kestrel"
    size: str = "tiny"
    seed: int = Field(default=1, ge=-LARGEST, le=LARGEST)
    snapshot: str | None = None

    @model_validator(mode="after")
    def _one_source(self) -> CreateSandbox:
        said = self.model_fields_set & {"world", "size", "seed"}
        if self.snapshot is not None and said:
            raise ValueError(
                f"a snapshot has its own {', '.join(sorted(said))}: leave out one or the other"
            )
        return self


class ResetSandbox(Body):
    """With `rotate` every credential of the sandbox ends."""

    rotate: bool = False


class Mark(Body):
    """A mark's name."""

    name: str = Field(min_length=1, max_length=200, pattern=r"\S")


class Publish(Body):
    """The first of the ports; without one the server chooses."""

    port: int | None = Field(default=None, ge=1, le=65535)


class Limits(Body):
    """How many API requests an account may make in a minute; null switches the limit off."""

    rate_limit: int | None = Field(le=LARGEST)


class ClockMode(Body):
    """How the clock moves: stepped (by steps and writes), live (at a speed) or frozen."""

    mode: Literal["stepped", "live", "frozen"]
    speed: float = Field(default=1.0, gt=0, le=FASTEST)


class Advance(Body):
    """How far to move the clock, in seconds."""

    seconds: float


@router.post("/sandboxes", status_code=201, summary="Make a sandbox")
def create(host: HostOf, body: CreateSandbox | None = None) -> dict[str, Any]:
    """Return the new sandbox with its addresses and accounts."""
    body = body or CreateSandbox()
    row = host.create_sandbox(body.world, body.size, body.seed, snapshot=body.snapshot)
    return host.view(row)


@router.get("/sandboxes", summary="List the sandboxes")
def list_all(host: HostOf) -> dict[str, Any]:
    """Return every sandbox, oldest first, without secrets."""
    return {"sandboxes": [host.summary(row) for row in host.sandboxes.all()]}


@router.get("/sandboxes/{sandbox}", summary="Show a sandbox")
def show(host: HostOf, sandbox: str) -> dict[str, Any]:
    """Return a sandbox with its addresses, accounts and marks."""
    return host.view(host.sandboxes.get(sandbox))


@router.delete("/sandboxes/{sandbox}", status_code=204, summary="Delete a sandbox")
def delete(host: HostOf, sandbox: str) -> None:
    """Remove a sandbox and its files."""
    host.sandboxes.delete(sandbox)


@router.post("/sandboxes/{sandbox}/reset", summary="Rewind to the beginning")
def reset(host: HostOf, sandbox: str, body: ResetSandbox | None = None) -> dict[str, Any]:
    """Return how many changes were undone."""
    report = host.sandboxes.reset(sandbox, rotate=body is not None and body.rotate)
    return {"changes": report.changes, "tables": report.tables, **_generation(host, sandbox)}


@router.post("/sandboxes/{sandbox}/marks", status_code=201, summary="Name the present")
def mark(host: HostOf, sandbox: str, body: Mark) -> dict[str, Any]:
    """Return the mark's position."""
    return {"name": body.name, "position": host.sandboxes.mark(sandbox, body.name)}


@router.post("/sandboxes/{sandbox}/rewind", summary="Undo everything after a mark")
def rewind(host: HostOf, sandbox: str, body: Mark) -> dict[str, Any]:
    """Return how many changes were undone."""
    report = host.sandboxes.rewind(sandbox, body.name)
    return {"changes": report.changes, "tables": report.tables, **_generation(host, sandbox)}


@router.post("/sandboxes/{sandbox}/fork", status_code=201, summary="Copy a sandbox as it is")
def fork(host: HostOf, sandbox: str) -> dict[str, Any]:
    """Return the copy."""
    return host.view(host.sandboxes.fork(sandbox, worker=host.next_worker()))


@router.post("/sandboxes/{sandbox}/publish", summary="Give each clone a port of its own")
def publish(host: HostOf, sandbox: str, body: Publish | None = None) -> dict[str, Any]:
    """Return the origins by clone."""
    host.publisher.publish(sandbox, first=None if body is None else body.port)
    return {"id": sandbox, "published": host.published(sandbox)}


@router.delete("/sandboxes/{sandbox}/publish", summary="Take a sandbox off its ports")
def unpublish(host: HostOf, sandbox: str) -> dict[str, Any]:
    """Return what is left: nothing."""
    host.publisher.unpublish(sandbox)
    return {"id": sandbox, "published": host.published(sandbox)}


@router.post("/sandboxes/{sandbox}/advance", summary="Move the clock")
def advance(host: HostOf, sandbox: str, body: Advance) -> dict[str, Any]:
    """Return what ran on the way."""
    runs = host.advance(sandbox, body.seconds)
    return {"now": host.now(sandbox), "jobs": [asdict(run) for run in runs]}


@router.post("/sandboxes/{sandbox}/clock", summary="Say how the clock moves")
def clock(host: HostOf, sandbox: str, body: ClockMode) -> dict[str, Any]:
    """Return the sandbox's time."""
    host.configure_clock(sandbox, body.mode, body.speed)
    return {"now": host.now(sandbox), "mode": body.mode}


@router.post("/sandboxes/{sandbox}/limits", summary="Switch rate limits on or off")
def limits(host: HostOf, sandbox: str, body: Limits) -> dict[str, Any]:
    """Return the limit."""
    host.set_rate_limit(sandbox, body.rate_limit)
    return {"rate_limit": body.rate_limit}


@router.post("/sandboxes/{sandbox}/verify", summary="Compare a rewound copy with the image")
def verify(host: HostOf, sandbox: str) -> dict[str, Any]:
    """Return the verdict; a sandbox that does not match has been replaced."""
    return asdict(host.sandboxes.verify(sandbox))


@router.get("/sandboxes/{sandbox}/diff", summary="Show the net change since a mark")
def diff(host: HostOf, sandbox: str, since: str = "base") -> dict[str, Any]:
    """Return the canonical row changes and their fingerprint."""
    return {
        "changes": host.sandboxes.diff(sandbox, since),
        "fingerprint": host.sandboxes.fingerprint(sandbox, since),
    }


@router.get("/sandboxes/{sandbox}/journal", summary="Show row changes after a position")
def journal(
    host: HostOf,
    sandbox: str,
    after: Annotated[int, Query(ge=0, le=LARGEST)] = 0,
    limit: Annotated[int, Query(ge=0, le=LARGEST)] = 500,
) -> dict[str, Any]:
    """Return journal rows with who wrote them."""
    return host.journal(sandbox, after=after, limit=limit)


@router.get("/sandboxes/{sandbox}/requests", summary="Show answered requests")
def requests(host: HostOf, sandbox: str) -> dict[str, Any]:
    """Return the request log of a sandbox."""
    return {"requests": host.requests(sandbox)}


@router.get("/sandboxes/{sandbox}/jobs", summary="Show timers")
def jobs(host: HostOf, sandbox: str, state: str = "pending") -> dict[str, Any]:
    """Return the jobs in a state, in the order they run."""
    return {"jobs": host.jobs(sandbox, state)}


def _generation(host: HostOf, sandbox: str) -> dict[str, Any]:
    return {"generation": host.sandboxes.get(sandbox).generation, "now": host.now(sandbox)}
