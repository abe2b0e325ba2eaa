"""The bare host has no pages: each clone brings its own URLs (clones.core.vendors)."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
