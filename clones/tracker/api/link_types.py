"""Kinds of links between issues."""

from __future__ import annotations

from clones.core import resources
from clones.tracker.api.operations import Body
from clones.tracker.api.presenters.links import present_link_type
from clones.tracker.api.resources import register_resource
from clones.tracker.domain.link_types import LINK_TYPE, find_link_type
from clones.tracker.domain.site_options import require_links

register_resource(
    resources.ResourceApi(
        resource=LINK_TYPE,
        path="/rest/api/3/issueLinkType",
        one="/{id}",
        find=find_link_type,
        present=present_link_type,
        body="LinkTypeWrite",
        about="An issue link type: its name, and its words from either end.",
        base=Body,
        reads="anyone",
        before=lambda _: require_links(),
    ),
    resources.lists("getIssueLinkTypes", "List the kinds of links.", manner="issueLinkTypes"),
    resources.creates("createIssueLinkType", "Make a kind of links."),
    resources.shows("getIssueLinkType", "Show a kind of links."),
    resources.updates("updateIssueLinkType", "Change what a kind of links is called."),
    resources.deletes("deleteIssueLinkType", "Delete a kind of links with all its links."),
    module=__name__,
)
