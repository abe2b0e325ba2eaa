"""Labels of articles."""

from __future__ import annotations

from typing import Any

from clones.core.operations import Call, Reply
from clones.helpdesk.api.help_center.articles import ARTICLE, ARTICLES, article_of
from clones.helpdesk.api.help_center.operations import ROOT, at_both, plain_page
from clones.helpdesk.api.operations import OPERATIONS, Body, PagedQuery, show
from clones.helpdesk.api.presenters.help_center import present_label
from clones.helpdesk.domain import articles as domain
from clones.helpdesk.models import ArticleLabel
from clones.helpdesk.queries import one

LABELS = f"{ROOT}{ARTICLES}/labels"
LABEL = f"{LABELS}/{{label_id:int}}"
OF_ARTICLE = f"{ARTICLE}/labels"
Shown = dict[str, Any]


class LabelWrite(Body):
    """A label of an article: its name."""

    name: str | None = None


class LabelBody(Body):
    """A label to give to an article."""

    label: LabelWrite


def _label(call: Call) -> ArticleLabel:
    return one(ArticleLabel.objects.all(), "label", call.path["label_id"])


def _list(call: Call, rows: Any) -> Shown:
    page, around = plain_page(call, rows)
    return {"labels": [present_label(label, show(call)) for label in page.rows], **around}


@OPERATIONS.operation(
    "ListLabels", "GET", LABELS, summary="List the labels of all articles.", query=PagedQuery
)
def list_labels(call: Call) -> Shown:
    """List labels, the oldest first."""
    return _list(call, ArticleLabel.objects.all())


@OPERATIONS.operation("ShowLabel", "GET", LABEL, summary="Show a label of articles.")
def show_label(call: Call) -> Shown:
    """Show a label."""
    return {"label": present_label(_label(call), show(call, "detail"))}


@OPERATIONS.operation(
    "DeleteLabel", "DELETE", LABEL, summary="Remove a label from all articles.", status=204
)
def delete_label(call: Call) -> None:
    """Delete a label."""
    domain.delete_label(_label(call), actor=call.actor)


@at_both(
    "ListArticleLabels",
    "GET",
    OF_ARTICLE,
    summary="List an article's labels.",
    query=PagedQuery,
)
def list_article_labels(call: Call) -> Shown:
    """List the labels of an article, the oldest first."""
    return _list(call, ArticleLabel.objects.filter(labelled__article=article_of(call)))


@at_both(
    "CreateLabel",
    "POST",
    OF_ARTICLE,
    summary="Give an article a label.",
    body=LabelBody,
    status=201,
)
def create_label(call: Call) -> Reply:
    """Give an article a label."""
    made = domain.add_label(article_of(call), actor=call.actor, name=call.body.label.name)
    body = present_label(made, show(call, "detail"))
    return Reply({"label": body}, 201, {"Location": body["url"]})


@at_both(
    "DeleteArticleLabel",
    "DELETE",
    f"{OF_ARTICLE}/{{label_id:int}}",
    summary="Take a label from an article.",
    status=204,
)
def delete_article_label(call: Call) -> None:
    """Take a label from an article."""
    article = article_of(call)
    label = one(
        ArticleLabel.objects.filter(labelled__article=article), "label", call.path["label_id"]
    )
    domain.remove_label(article, label, actor=call.actor)
