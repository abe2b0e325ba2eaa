// The dialog that makes a link of what is selected, changes one, or takes it away.
import { TextSelection } from "prosemirror-state";
import { schema } from "./schema.js";

const { link } = schema.marks;

// The link around the cursor, as a range; what is selected elsewhere.
function rangeOf(state) {
  const { $from, from, to, empty } = state.selection;
  if (!empty) return { from, to };
  const at = $from.parent.childAfter($from.parentOffset);
  const before = $from.parent.childBefore($from.parentOffset);
  const found = [at, before].find((one) => one.node && link.isInSet(one.node.marks));
  if (!found) return { from, to };
  const start = $from.start() + found.offset;
  return { from: start, to: start + found.node.nodeSize };
}

const PAGE = `<form method="dialog" class="form"><h1>Link</h1>
<div class="field"><label class="field__label" for="rich-link-address">URL</label><input class="field__input" id="rich-link-address" name="address" autocomplete="off" placeholder="https://" required></div>
<div class="field"><label class="field__label" for="rich-link-text">Display text (optional)</label><input class="field__input" id="rich-link-text" name="text" autocomplete="off"></div>
<div class="sheet__foot"><button class="button button--quiet" type="button" value="cancel">Cancel</button><button class="button" type="button" value="remove" hidden>Remove link</button><button class="button button--primary" type="submit">Insert</button></div></form>`;

export function askForLink({ view }) {
  const range = rangeOf(view.state);
  const held = [];
  view.state.doc.nodesBetween(range.from, range.to, (node) => {
    const found = link.isInSet(node.marks);
    if (found) held.push(found);
  });
  const dialog = document.createElement("dialog");
  dialog.className = "dialog";
  dialog.setAttribute("aria-label", "Link");
  dialog.innerHTML = PAGE;
  const form = dialog.querySelector("form");
  const { address, text } = form.elements;
  const before = view.state.doc.textBetween(range.from, range.to, " ");
  address.value = held[0]?.attrs.href ?? "";
  text.value = before;
  const remove = form.querySelector("[value=remove]");
  remove.hidden = !held.length;
  remove.addEventListener("click", () => {
    view.dispatch(view.state.tr.removeMark(range.from, range.to, link));
    dialog.close();
  });
  form.querySelector("[value=cancel]").addEventListener("click", () => dialog.close());
  form.addEventListener("submit", (event) => {
    const href = addressOf(address.value.trim());
    address.setCustomValidity(href ? "" : "This is no address of the web.");
    if (!address.reportValidity()) return event.preventDefault();
    put(view, range, href, text.value === before ? "" : text.value);
    return undefined;
  });
  address.addEventListener("input", () => address.setCustomValidity(""));
  dialog.addEventListener("close", () => {
    dialog.remove();
    view.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  address.focus();
}

function addressOf(typed) {
  const full = /^(https?|mailto|ftp|tel):/i.test(typed) ? typed : typed.includes("@") ? `mailto:${typed}` : `https://${typed}`;
  return typed && URL.canParse(full) ? full : "";
}

// A new text goes in place of what is selected; without one it stays, and where nothing is selected
// the address is its own text.
function put(view, { from, to }, href, text) {
  const tr = view.state.tr;
  const mark = link.create({ href });
  if (text || from === to) {
    const marks = mark.addToSet(view.state.doc.resolve(from).marks().filter((one) => one.type !== link));
    tr.replaceWith(from, to, schema.text(text || href, marks));
    tr.setSelection(TextSelection.create(tr.doc, from + (text || href).length)).removeStoredMark(link);
  } else tr.removeMark(from, to, link).addMark(from, to, mark);
  view.dispatch(tr.scrollIntoView());
}
