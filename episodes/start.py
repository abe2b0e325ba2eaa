"""Begin an episode: take a sandbox, arrange the instance, open the space, read the first state."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clones.core.accounts import AccountCard, account_cards
from clones.core.faults import setting
from clones.core.server import server
from clones.core.tenancy import SandboxRow, unit_of_work
from episodes.arranged_instances import ArrangedInstances
from episodes.context import ARRANGED, EpisodeContext
from episodes.grading import Grader
from episodes.loop import Episode
from episodes.recorder import Recorder, manifest_of
from episodes.rewards import begin
from episodes.spaces import PlayingSpace, open_space
from episodes.spaces.errors import HarnessFailure
from episodes.tasks.instances import InstanceId
from episodes.tasks.private_index import Beginning
from episodes.tasks.spec import STEP_SECONDS, Arranged, Family, Stage, acts_for_one, step_limit
from episodes.unlike import unlike_others
from sandlot.service import Faults, StartEpisode
from sandlot.trajectory import Parent
from snapshots.sandboxes import BASE

if TYPE_CHECKING:
    from episodes.control_plane import ControlPlane


@dataclass(frozen=True, slots=True)
class Prepared:
    """A sandbox in which an instance was arranged and nothing was played, and what that gave."""

    sandbox: str
    arranged: Arranged


def begin_episode(
    host: ControlPlane,
    name: str,
    *,
    family: Family,
    instance: InstanceId,
    request: StartEpisode,
    prepared: Prepared | None = None,
    kept: ArrangedInstances | None = None,
    parent: Parent | None = None,
) -> Episode:
    """Make or take the sandbox, arrange the instance and open the space.

    Credentials are fresh: what was handed out before no longer opens anything. A sandbox that was
    made for an episode that cannot begin is deleted, another one is free again. An episode of what
    was `prepared` is played in a fork of that, which then is the sandbox that was made for it; one
    of an instance among those that are `kept`, in a copy of what was arranged then. `parent` is
    what a branch goes on from.
    """
    arranged = None
    if prepared is not None:
        row = host.sandboxes.fork(prepared.sandbox, worker=host.next_worker())
        arranged = prepared.arranged
    elif request.sandbox is None:
        made = kept and kept.make(family, instance, worker=host.next_worker)
        if made:
            row, arranged = made
        else:
            row = host.create_sandbox(instance.world, instance.size, instance.seed)
    else:
        row = server().registry.get(request.sandbox)
        host.sandboxes.reset(row.id)
    try:
        if arranged is None:
            arranged = _arranged(host, family, instance, row)
            # What was there before is the instance's world in a sandbox of the episode's own alone.
            if kept is not None and request.sandbox is None:
                kept.note(family, instance, row.id, arranged)
        ground = _ground(host, name, family, instance, request=request, arranged=arranged, row=row)
        return _begun(replace(ground, parent=parent))
    except BaseException:
        if request.sandbox is None:
            host.sandboxes.delete(row.id)
        else:
            server().registry.set_episode(row.id, None)
        raise


def prepare(host: ControlPlane, family: Family, instance: InstanceId) -> Prepared:
    """Make a sandbox and arrange an instance there, for several episodes; the caller deletes it."""
    row = host.create_sandbox(instance.world, instance.size, instance.seed)
    try:
        return Prepared(row.id, _arranged(host, family, instance, row))
    except BaseException:
        host.sandboxes.delete(row.id)
        raise


def _arranged(
    host: ControlPlane, family: Family, instance: InstanceId, row: SandboxRow
) -> Arranged:
    with (
        server().stores.bind(row.store, row.id),
        unit_of_work("write"),
        unlike_others(instance.chance),
    ):
        arranged = family.arrange(Stage(instance))
    # What the arrangement set going is settled before anybody signs in.
    host.sandboxes.mark(row.id, ARRANGED)
    return arranged


def _ground(
    host: ControlPlane,
    name: str,
    family: Family,
    instance: InstanceId,
    *,
    request: StartEpisode,
    arranged: Arranged,
    row: SandboxRow,
) -> EpisodeContext:
    max_steps = request.max_steps
    if max_steps is None:
        reference = arranged.oracle_steps[request.space] * acts_for_one(request.surface)
        max_steps = step_limit(reference, request.space)
    registry = server().registry
    registry.rotate_credentials(row.id)
    own = request.client == "own"
    registry.set_episode(
        row.id,
        name,
        STEP_SECONDS[request.space] if own else None,
        max_steps - 1 if own else None,
    )
    return EpisodeContext(
        host=host,
        id=name,
        family=family,
        instance=instance,
        request=request,
        sandbox=registry.get(row.id),
        arranged=arranged,
        max_steps=max_steps,
        idle_seconds=request.idle_seconds or host.idle_seconds,
        lost=server().requests.lost(row.id),
    )


def _begun(ground: EpisodeContext) -> Episode:
    space = _opened(ground)
    with ExitStack() as failing:
        failing.callback(space.close)
        episode = _in_space(ground, space)
        failing.pop_all()
    return episode


def _in_space(ground: EpisodeContext, space: PlayingSpace) -> Episode:
    """Read the first state and begin the record; who opened the space closes it if that fails."""
    # Signing in is the harness's doing: the graded state begins after it.
    start = ground.host.sandboxes.mark(ground.sandbox.id, ARRANGED)
    sandbox = ground.sandbox
    beginning = Beginning(sandbox.template, server().registry.marks(sandbox.id)[BASE])
    grader = Grader(ground.family, ground.arranged, start, sandbox.id, beginning)
    with ground.bound("read"):
        first = grader.grade(start)
    running = begin(ground.family.ladder, first.snapshot)
    recorder = Recorder(ground.host.episodes.folder / ground.id, manifest_of(ground))
    try:
        recorder.paper("facts", dict(ground.arranged.facts))
        space.start()
    except BaseException as failure:
        recorder.unscore()
        kind = failure.kind if isinstance(failure, HarnessFailure) else "harness_reset"
        told = f"{type(failure).__name__}: {failure}"
        recorder.close(outcome="harness_error", error={"type": kind, "detail": told, "step": 0})
        raise
    _let_faults_in(ground)
    return Episode(ground, grader, running, space=space, recorder=recorder)


def _let_faults_in(ground: EpisodeContext) -> None:
    """Let the requests from now on, which are the agent's, meet the faults that were asked for."""
    request = ground.request
    if request.faults != "none":
        drawn = fault_setting(ground.instance, request.faults, request.fault_seed)
        server().registry.set_faults(ground.sandbox.id, drawn)


def fault_setting(instance: InstanceId, faults: Faults, seed: int) -> str:
    """Return which faults an instance meets at a level: of one seed always the same."""
    return setting(faults, f"{instance}|{seed}")


def _opened(ground: EpisodeContext) -> PlayingSpace:
    with ground.bound("write"):
        listed = account_cards(ground.sandbox, own_client=False)
        cards = {
            clone: _card(listed, clone, login)
            for clone, login in ground.arranged.persona.logins.items()
        }
        return open_space(ground, cards)


def _card(cards: list[AccountCard], clone: str, login: str) -> AccountCard:
    for card in cards:
        if card.clone == clone and card.login == login:
            return card
    raise HarnessFailure("harness_reset", f"the world has no listed account {login} in {clone}")
