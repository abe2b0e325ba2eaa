"""Spans by OpenTelemetry: where to, how many and as whom say the standard `OTEL_` variables."""

from __future__ import annotations

import hashlib
from contextvars import ContextVar

from django.conf import settings
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import (
    SERVICE_INSTANCE_ID,
    SERVICE_NAME,
    OTELResourceDetector,
    Resource,
)
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator
from opentelemetry.sdk.trace.sampling import Decision
from opentelemetry.trace import (
    NonRecordingSpan,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TraceFlags,
    set_span_in_context,
)

from clones.core.tracing import Span

KINDS = {"internal": SpanKind.INTERNAL, "server": SpanKind.SERVER}


class _Ids(RandomIdGenerator):
    """Give the ids that were chosen for the span at hand."""

    def __init__(self) -> None:
        self.chosen: ContextVar[tuple[int, int]] = ContextVar("ids")

    def generate_trace_id(self) -> int:
        return self.chosen.get()[0]

    def generate_span_id(self) -> int:
        return self.chosen.get()[1]

    def choose(self, span: Span) -> tuple[int, int]:
        """Return the ids of a span, and give them out from now on."""
        trace = _number(span.trace, 16) if span.trace else super().generate_trace_id()
        own = _number(span.key, 8) if span.key else super().generate_span_id()
        self.chosen.set((trace, own))
        return trace, own


class OpenTelemetry:
    """Send spans to a collector, from a thread of the exporter's own."""

    on = True

    def __init__(self) -> None:
        self._ids = _Ids()
        named = {SERVICE_NAME: "sandlot", SERVICE_INSTANCE_ID: settings.PROCESS_NAME}
        self._provider = TracerProvider(
            resource=Resource(named).merge(OTELResourceDetector().detect()),
            id_generator=self._ids,
        )
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
        self._tracer = self._provider.get_tracer("sandlot")

    def emit(self, span: Span, ended: int) -> None:
        """Take a span that has ended."""
        trace, _ = self._ids.choose(span)
        made = self._tracer.start_span(
            span.name,
            context=self._around(trace, span.parent),
            kind=KINDS[span.kind],
            attributes={
                name: value for name, value in span.attributes.items() if value is not None
            },
            start_time=span.started,
        )
        if span.problem is not None:
            made.set_status(Status(StatusCode.ERROR, span.problem))
        made.end(ended)

    def _around(self, trace: int, parent: str | None) -> Context:
        """Return the context in which a span lies under its parent."""
        if parent is None:
            return Context()
        # Whether a trace is kept is decided by its id, so each process decides alike.
        decision = self._provider.sampler.should_sample(None, trace, "").decision
        kept = decision is Decision.RECORD_AND_SAMPLE
        flags = TraceFlags(TraceFlags.SAMPLED if kept else TraceFlags.DEFAULT)
        above = SpanContext(trace, _number(parent, 8), is_remote=True, trace_flags=flags)
        return set_span_in_context(NonRecordingSpan(above), Context())


def _number(text: str, size: int) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:size])
