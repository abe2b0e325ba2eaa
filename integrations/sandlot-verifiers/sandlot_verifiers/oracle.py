"""The oracle of a task, which the `sandlot` of the server's own environment plays."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Final

from sandlot_episodes import EnvironmentFailed

logger = logging.getLogger(__name__)
SCORED: Final = frozenset({"completed", "truncated"})


async def oracle_succeeds(command: str, url: str, task: str) -> bool | None:
    """Let the oracle play a task at a control plane and tell whether it does it.

    It is None where there is no such command.

    Raises:
        EnvironmentFailed: it could not play to the end.
    """
    arguments = ("episode", "run", task, "--agent", "oracle", "--url", url, "--json")
    try:
        player = await asyncio.create_subprocess_exec(
            command, *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
        )
    except FileNotFoundError:
        logger.warning("there is no %s here to play oracles with: nothing was checked", command)
        return None
    try:
        told, complaint = await player.communicate()
    finally:
        if player.returncode is None:
            player.kill()
    if player.returncode != 0:
        raise EnvironmentFailed(complaint.decode(errors="replace").strip()[-500:])
    manifest = json.loads(told)["manifest"]
    if manifest["outcome"] not in SCORED:
        raise EnvironmentFailed(f"the oracle's episode has no number: {manifest['outcome']}")
    return bool(manifest["success"])
