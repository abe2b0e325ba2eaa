// Rich text edited as it looks, in place of a text area of markup: `data-rich` on the area, and
// `data-document` for the document that it begins with. What is written is sent as a document, beside
// the area; a text that nobody touched goes back as it came.
import { EditorView } from "prosemirror-view";
import { EditorState, Selection } from "prosemirror-state";
import { gapCursor } from "prosemirror-gapcursor";
import { history } from "prosemirror-history";
import { tableEditing } from "prosemirror-tables";
import { paragraphs, plainOf, readDocument, writeDocument } from "./documents.js";
import { mentions } from "./mentions.js";
import { schema } from "./schema.js";
import { Toolbar } from "./toolbar.js";
import { keys, lines, links, signs } from "./typing.js";

// What the element that is typed in takes over from the area: it is the field from then on.
const TAKEN = ["id", "data-testid", "aria-describedby", "aria-invalid", "aria-required"];

function nameOf(area) {
  const label = area.getAttribute("aria-label") ?? area.labels[0]?.firstChild.textContent;
  return (label ?? "").trim();
}

const isEmpty = ({ doc }) => doc.childCount === 1 && doc.firstChild.type === schema.nodes.paragraph && !doc.firstChild.childCount;

// The area itself goes: who waits for it, as tools do, finds what stands in its place. A hidden one
// like it tells what it would send, and whether that is what it began with.
class Editor {
  constructor(area) {
    this.mentions = area.dataset.mentions;
    this.began = area.dataset.document ?? "";
    const name = nameOf(area);
    const label = area.labels[0];
    const typed = area.value !== area.defaultValue ? area.value : null;
    const hadFocus = document.activeElement === area || area.autofocus;
    this.view = new EditorView({ mount: this.makeElement(area) }, this.props(area, name));
    this.first = this.view.state.doc;
    this.toolbar = new Toolbar(this, name);
    this.toolbar.show(this.view.state);
    this.sent = document.createElement("input");
    this.sent.type = "hidden";
    this.sent.name = `${area.name}:document`;
    this.sent.value = this.began;
    this.area = document.createElement("textarea");
    this.area.name = area.name;
    this.area.defaultValue = area.defaultValue;
    this.area.hidden = true;
    const box = document.createElement("div");
    box.className = "rich-edit";
    box.append(this.toolbar.element, this.view.dom, this.toolbar.table, this.sent, this.area);
    area.replaceWith(box);
    label?.addEventListener("click", () => this.view.focus());
    if (typed !== null) this.view.dispatch(this.view.state.tr.replaceWith(0, this.first.content.size, paragraphs(typed)));
    if (hadFocus) this.focusEnd();
  }

  makeElement(area) {
    const element = document.createElement("div");
    element.className = "rich-edit__text rich";
    for (const attribute of TAKEN) if (area.hasAttribute(attribute)) element.setAttribute(attribute, area.getAttribute(attribute));
    return element;
  }

  props(area, name) {
    const said = { role: "textbox", "aria-multiline": "true", "aria-label": name };
    if (area.placeholder) Object.assign(said, { "aria-placeholder": area.placeholder, "data-placeholder": area.placeholder });
    return {
      state: this.state(),
      attributes: (state) => ({ ...said, class: isEmpty(state) ? "rich-edit__text--empty" : "" }),
      handleDOMEvents: { click: (view, event) => this.tick(event) },
      dispatchTransaction: (tr) => this.take(tr),
    };
  }

  state() {
    const submit = () => {
      const { form } = this.area;
      form.requestSubmit([...form.querySelectorAll("[type=submit]")].find((button) => button.checkVisibility()));
      return true;
    };
    const plugins = [signs, lines, links, ...(this.mentions ? [mentions(this.mentions)] : []), ...keys(submit), history(), gapCursor(), tableEditing()];
    return EditorState.create({ doc: readDocument(this.began), plugins });
  }

  take(transaction) {
    this.view.updateState(this.view.state.apply(transaction));
    this.toolbar?.show(this.view.state);
    if (!transaction.docChanged) return;
    const { doc } = this.view.state;
    const isSame = doc.eq(this.first);
    this.sent.value = isSame ? this.began : writeDocument(doc);
    this.area.value = isSame ? this.area.defaultValue : plainOf(doc).trimEnd();
  }

  // The box of a task ticks it.
  tick(event) {
    const item = event.target.closest?.("li[data-task]");
    if (!item || event.clientX > item.getBoundingClientRect().left) return false;
    const at = this.view.posAtDOM(item, 0) - 1;
    const state = this.view.state.doc.nodeAt(at).attrs.state === "DONE" ? "TODO" : "DONE";
    this.view.dispatch(this.view.state.tr.setNodeAttribute(at, "state", state));
    return true;
  }

  focusEnd() {
    this.view.dispatch(this.view.state.tr.setSelection(Selection.atEnd(this.view.state.doc)));
    this.view.focus();
  }
}

function enrich() {
  for (const area of document.querySelectorAll("textarea[data-rich]")) new Editor(area);
}

enrich();
new MutationObserver(enrich).observe(document.documentElement, { childList: true, subtree: true });
