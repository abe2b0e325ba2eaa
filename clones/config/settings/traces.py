"""Whether OpenTelemetry's own variables ask for traces."""

from __future__ import annotations

from collections.abc import Mapping

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")


def are_wanted(environment: Mapping[str, str]) -> bool:
    """Tell whether spans are to be sent: an exporter or endpoint is named, and not switched off."""
    exporter = environment.get("OTEL_TRACES_EXPORTER")
    asked = exporter == "otlp" or any(environment.get(name) for name in ENDPOINTS)
    off = environment.get("OTEL_SDK_DISABLED", "").lower() == "true"
    return asked and not off and exporter in {None, "otlp"}
