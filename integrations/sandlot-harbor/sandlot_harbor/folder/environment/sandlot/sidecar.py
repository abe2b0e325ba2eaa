"""A task's side-car: a server of Sandlot with one episode, and the door by which its agent acts.

    python3 sidecar.py serve     serve until it is ended; begin the episode of SANDLOT_TASK
    python3 sidecar.py health    end with 0 if the agent can act
    python3 sidecar.py score     end the episode if it runs, and write what it is worth

The door is an MCP server at `/mcp`: what is asked there is asked at the episode's own address. The
control plane and the pages listen on loopback alone. Nothing but Python and the command `sandlot`
is needed.
"""

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

DATA = Path(os.environ.get("SANDLOT_DATA", "/data"))
DOOR = int(os.environ.get("SANDLOT_DOOR_PORT", "8910"))
# Ports of the loopback: the bare host, the control plane, the gateways (and the one after).
WEB, CONTROL, GATEWAY = (
    int(port) for port in os.environ.get("SANDLOT_PORTS", "8800 8801 8900").split()
)
BEGINS_WITHIN = 600.0
DAY = 86_400.0
LARGEST = 8 * 1024 * 1024


class NotServing(Exception):
    """Why there is no episode to act in."""


def ask(path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
    """Ask the control plane, and return its answer."""
    token = (DATA / "control-token").read_text().strip()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{CONTROL}{path}", data, headers)
    try:
        with urllib.request.urlopen(request, timeout=300) as answer:
            found: dict[str, Any] = json.load(answer)
    except urllib.error.HTTPError as error:
        raise NotServing(f"{path}: {error.code}: {error.read().decode()}") from error
    return found


class Door(BaseHTTPRequestHandler):
    """Passes on what is asked at `/mcp`, and nothing else."""

    protocol_version = "HTTP/1.1"
    target = ""

    def do_POST(self) -> None:
        """Ask the episode's own address."""
        try:
            length = int(self.headers.get("Content-Length", ""))
        except ValueError:
            length = -1
        if self.path != "/mcp" or not 0 <= length <= LARGEST:
            self.close_connection = True
            self._answer(404 if self.path != "/mcp" else 413, b"")
            return
        body = self.rfile.read(length)
        place = urlsplit(self.target)
        connection = http.client.HTTPConnection(place.netloc, timeout=300)
        try:
            headers = {"Content-Type": "application/json", "Accept": "application/json"}
            for name in ("MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"):
                if self.headers.get(name):
                    headers[name] = self.headers[name]
            connection.request("POST", place.path, body, headers)
            answer = connection.getresponse()
            self._answer(answer.status, answer.read())
        except (OSError, http.client.HTTPException):
            self._answer(502, b"")
        finally:
            connection.close()

    def do_GET(self) -> None:
        """Tell that it is open; there is no stream of events to listen to."""
        self._answer(200 if self.path == "/health" else 405, b"")

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the server keeps a record of its own."""


def serve() -> int:
    """Serve until the server ends or is ended, and return how it ended."""
    command = ["sandlot", "serve", "--data", str(DATA), "--workers", "1", "--port", str(WEB)]
    command += ["--control-port", str(CONTROL), "--gateway-port", str(GATEWAY)]
    server = subprocess.Popen(command)  # noqa: S603 - it is written here
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: server.terminate())
    try:
        Door.target = begin(server)
        door = ThreadingHTTPServer(("0.0.0.0", DOOR), Door)  # noqa: S104 - the agent's container asks
        threading.Thread(target=door.serve_forever, daemon=True).start()
        return server.wait()
    except NotServing as error:
        print(f"sidecar: {error}", file=sys.stderr)
        return 1
    finally:
        server.terminate()
        server.wait()


def begin(server: "subprocess.Popen[bytes]") -> str:
    """Wait for the server, begin the episode, and return the address of its tools."""
    deadline = time.monotonic() + BEGINS_WITHIN
    while not is_answered(CONTROL, "/healthz"):
        if server.poll() is not None or time.monotonic() > deadline:
            raise NotServing("the server does not answer")
        time.sleep(0.2)
    asked = {"task": os.environ["SANDLOT_TASK"], "idle_seconds": DAY}
    if surface := os.environ.get("SANDLOT_SURFACE"):
        asked["surface"] = surface
    episode = ask("/v1/episodes", asked)
    (DATA / "episode").write_text(episode["id"])
    return str(ask(f"/v1/episodes/{episode['id']}/mcp")["url"])


def is_answered(port: int, path: str) -> bool:
    """Tell whether a server of this machine answers with 200."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def score() -> int:
    """Write what the episode is worth; nothing where it has no number."""
    target = DATA / "score.json"
    target.unlink(missing_ok=True)
    try:
        at = f"/v1/episodes/{(DATA / 'episode').read_text().strip()}"
        if ask(at)["status"] == "running":
            ask(f"{at}/finish", {})
        view = ask(at)
    except (NotServing, OSError) as error:
        print(f"sidecar: there is no score: {error}", file=sys.stderr)
        return 1
    if view["reward"] is None:
        print(f"sidecar: there is no score: {view['status']}: {view['error']}", file=sys.stderr)
        return 1
    kept = ("task", "status", "reward", "success", "components")
    target.write_text(json.dumps({name: view[name] for name in kept}))
    return 0


def main(words: list[str]) -> int:
    """Do what the command asks for."""
    if words == ["serve"]:
        return serve()
    if words == ["health"]:
        return 0 if is_answered(DOOR, "/health") else 1
    if words == ["score"]:
        return score()
    print("sidecar: use serve, health or score", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
