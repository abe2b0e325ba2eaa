"""An OTLP receiver on loopback: it takes what exporters send, and decodes it."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)


@dataclass(frozen=True, slots=True)
class Received:
    """A span as it came in, its process by the name that it gave."""

    name: str
    trace: bytes
    id: bytes
    parent: bytes
    process: str
    failed: bool
    nanoseconds: int
    attributes: dict[str, Any]


@dataclass
class Collector:
    """What came in at `url`."""

    url: str
    _spans: list[Received] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, body: bytes) -> None:
        """Keep what one request holds."""
        asked = ExportTraceServiceRequest.FromString(body)
        with self._lock:
            for part in asked.resource_spans:
                resource = _plain(part.resource.attributes)
                for scope in part.scope_spans:
                    self._spans += [_received(span, resource) for span in scope.spans]

    def spans(self) -> list[Received]:
        """Return what has come in so far."""
        with self._lock:
            return list(self._spans)


def _received(span: Any, resource: dict[str, Any]) -> Received:
    return Received(
        span.name,
        span.trace_id,
        span.span_id,
        span.parent_span_id,
        str(resource["service.instance.id"]),
        span.status.code == 2,
        span.end_time_unix_nano - span.start_time_unix_nano,
        _plain(span.attributes),
    )


def _plain(attributes: Any) -> dict[str, Any]:
    return {one.key: getattr(one.value, str(one.value.WhichOneof("value"))) for one in attributes}


@contextmanager
def collecting() -> Iterator[Collector]:
    """Receive for the length of a block."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    collector = Collector(f"http://127.0.0.1:{server.server_port}")
    server.collector = collector  # type: ignore[attr-defined] # what the handler gives to
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield collector
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        assert self.path == "/v1/traces"
        self.server.collector.take(body)  # type: ignore[attr-defined] # as above
        answer = ExportTraceServiceResponse().SerializeToString()
        self.send_response(200)
        self.send_header("Content-Type", "application/x-protobuf")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *values: Any) -> None:
        pass
