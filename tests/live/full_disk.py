"""Serve on a disk that gets full while an episode runs: `full_disk.py FOLDER`, prints what came.

FOLDER is mounted over by a small memory filesystem, so this runs in a mount namespace of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx

from sandlot.cli.ports import free_port
from sandlot.cli.serving import RunningServer, ServeOptions
from sandlot.client import ControlClient, ControlError, http_client
from tests.snapshots.full_disk import Ballast

SIZE = 900 * 1024 * 1024


def main(folder: Path) -> dict[str, Any]:
    """Return statuses and outcomes, by what was tried."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "none", str(folder)]
    subprocess.run(command, check=True)
    ports = [free_port("127.0.0.1"), free_port("127.0.0.1")]
    options = ServeOptions(data=folder, port=ports[0], control_port=ports[1], workers=1)
    with (
        RunningServer(options) as server,
        ControlClient(server.control_url, server.token) as control,
    ):
        return tried(control, Ballast(folder))


def tried(control: ControlClient, ballast: Ballast) -> dict[str, Any]:
    """Fill the disk, try what should work and what should not, and make room again."""
    other = control.post("/v1/sandboxes", {"size": "tiny"})
    begun = control.post("/v1/episodes", {"task": "H05", "seed": 13, "client": "own"})
    with http_client() as http:
        found: dict[str, Any] = {
            "before": read_statuses(http, begun),
            "other before": read_statuses(http, other),
        }
        ballast.leave(0)
        found["read"] = read_statuses(http, begun, times=40)
        found["other read"] = read_statuses(http, other, times=40)
        found["mark"] = refused(control, "POST", f"/v1/sandboxes/{other['id']}/marks")
        found["create"] = refused(control, "POST", "/v1/sandboxes")
        found["metrics"] = refused(control, "GET", "/metrics")
        ballast.drop()
        found["after"] = read_statuses(http, other)
    ended = control.post(f"/v1/episodes/{begun['id']}/finish", {"arguments": {}})
    found["outcome"] = ended["status"]
    found["error"] = control.get(f"/v1/episodes/{begun['id']}")["error"]["type"]
    control.delete(f"/v1/sandboxes/{other['id']}")
    return found


def read_statuses(http: httpx.Client, place: dict[str, Any], *, times: int = 1) -> list[int]:
    """Return the statuses, each once, of reads of a sandbox's tickets."""
    app = place["apps"]["helpdesk"]
    found = app["accounts"][0]
    by = (f"{found['email']}/token", found["api_token"])
    return sorted(
        {http.get(f"{app['url']}/api/v2/tickets.json", auth=by).status_code for _ in range(times)}
    )


def refused(control: ControlClient, method: str, path: str) -> int:
    """Return the status of a call to the control plane."""
    try:
        body = {"name": "full"} if path.endswith("marks") else {}
        control.request(method, path, **({"json": body} if method == "POST" else {}))
    except ControlError as error:
        return error.status
    return 200


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]))))
