"""A model that plays by a script, behind the streaming chat endpoint that agents' harnesses ask."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.live.gateway_plays import Acts

USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


class ScriptedModel:
    """Answers the n-th question with the n-th call of a script, and then that it is done.

    The model's name is the script's. `asked` keeps the last question to each.
    """

    def __init__(self, scripts: Mapping[str, Acts]) -> None:
        self._scripts = scripts
        self.url = ""
        self.asked: dict[str, dict[str, Any]] = {}

    def chunks(self, question: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield what is streamed: the answer, why it ends, and what it cost."""
        name = question["model"]
        self.asked[name] = question
        turn = sum(message["role"] == "assistant" for message in question["messages"])
        script = self._scripts[name]
        answer: dict[str, Any] = {"role": "assistant", "content": "I am done."}
        if turn < len(script):
            tool, arguments = script[turn]
            function = {"name": tool, "arguments": json.dumps(arguments)}
            call = {"index": 0, "id": f"call_{turn}", "type": "function", "function": function}
            answer = {"role": "assistant", "content": None, "tool_calls": [call]}
        reason = "tool_calls" if "tool_calls" in answer else "stop"
        base = {"id": "chat", "object": "chat.completion.chunk", "created": 1, "model": name}
        yield base | {"choices": [{"index": 0, "delta": answer, "finish_reason": None}]}
        yield base | {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}
        yield base | {"choices": [], "usage": USAGE}


@contextmanager
def serving_model(scripts: Mapping[str, Acts]) -> Iterator[ScriptedModel]:
    """Serve a scripted model for the length of a block; `url` is its base."""
    model = ScriptedModel(scripts)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            for chunk in model.chunks(question):
                self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
            self.wfile.write(b"data: [DONE]\n\n")

        def log_message(self, format: str, *arguments: object) -> None:
            """Keep the test's output clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    model.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield model
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
