"""Where programs that sign in by OpenID find what they need."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse, JsonResponse

from clones.crm.web import refusals

_PLACES: Final = {
    "authorization_endpoint": "authorize",
    "token_endpoint": "token",
    "revocation_endpoint": "revoke",
    "userinfo_endpoint": "userinfo",
    "introspection_endpoint": "introspect",
}


def configuration(request: HttpRequest) -> HttpResponse:
    """Answer with the addresses of OAuth and with what they take."""
    if request.method not in ("GET", "HEAD"):
        return refusals.wrong_method()
    origin = request.build_absolute_uri("/").rstrip("/")
    places = {name: f"{origin}/services/oauth2/{place}" for name, place in _PLACES.items()}
    return JsonResponse(
        {
            "issuer": origin,
            **places,
            "scopes_supported": ["api", "refresh_token", "web"],
            "response_types_supported": ["code"],
            "grant_types_supported": [
                "authorization_code",
                "refresh_token",
                "password",
                "client_credentials",
            ],
            "subject_types_supported": ["public"],
            "token_endpoint_auth_methods_supported": ["client_secret_post", "client_secret_basic"],
            "code_challenge_methods_supported": ["S256"],
        }
    )
