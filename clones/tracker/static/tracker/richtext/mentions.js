// Naming people: "@" and the beginning of a name offers them, below the editor. The text area says
// where to ask: `data-mentions`.
import { Plugin } from "prosemirror-state";
import { schema } from "./schema.js";

const MARK = /(?:^|[\s(])@([\p{L}\p{N}'.-]+(?: [\p{L}\p{N}'.-]*)?|)$/u;

// What is being typed of a name: where its "@" stands, and the letters after it.
function typed({ selection: { $from, empty } }) {
  if (!empty || !$from.parent.isTextblock || $from.parent.type.spec.code) return null;
  const found = MARK.exec($from.parent.textBetween(0, $from.parentOffset, null, "\ufffc"));
  return found && { from: $from.pos - found[1].length - 1, to: $from.pos, letters: found[1] };
}

class People {
  constructor(view, address) {
    this.view = view;
    this.address = address;
    this.list = null;
    this.asked = 0;
  }

  async update(view, before) {
    if (before.doc.eq(view.state.doc) && before.selection.eq(view.state.selection)) return;
    this.asked += 1;
    const mine = this.asked;
    const found = before.doc.eq(view.state.doc) ? null : typed(view.state);
    if (!found) {
      this.close();
      return;
    }
    this.narrow(found.letters);
    const answer = await fetch(`${this.address}?${new URLSearchParams({ q: found.letters })}`);
    if (!answer.ok || mine !== this.asked) return;
    const { people } = await answer.json();
    if (mine === this.asked && !this.view.isDestroyed) this.offer(people);
  }

  // Until the answer is there, those of the last one stay whom the letters fit, by the server's rule:
  // whoever is quick is not given somebody else than was named.
  narrow(letters) {
    if (!this.list) return;
    const begun = letters.trim().toLowerCase();
    for (const option of [...this.list.children]) if (!` ${option.textContent.toLowerCase()}`.includes(` ${begun}`)) option.remove();
    if (!this.list.children.length) this.close();
    else if (!this.list.querySelector('[aria-selected="true"]')) this.mark(this.list.firstElementChild);
  }

  offer(people) {
    this.close();
    if (!people.length) return;
    this.list = document.createElement("ul");
    this.list.className = "mentions";
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", "People");
    for (const [at, one] of people.entries()) {
      const option = document.createElement("li");
      option.id = `mention-${at}`;
      option.setAttribute("role", "option");
      option.dataset.id = one.id;
      option.textContent = one.name;
      this.list.append(option);
    }
    this.list.addEventListener("mousedown", (event) => {
      event.preventDefault();
      const option = event.target.closest('[role="option"]');
      if (option) this.take(option);
    });
    this.view.dom.after(this.list);
    this.mark(this.list.firstElementChild);
    this.list.scrollIntoView({ block: "nearest" });
  }

  mark(option) {
    for (const one of this.list.children) one.setAttribute("aria-selected", String(one === option));
    this.view.dom.setAttribute("aria-activedescendant", option.id);
  }

  take(option) {
    const found = typed(this.view.state);
    this.close();
    if (!found) return;
    const node = { type: "mention", attrs: { id: option.dataset.id, text: `@${option.textContent}` } };
    const tr = this.view.state.tr.replaceWith(found.from, found.to, [schema.nodes.inlineIsland.create({ node }), schema.text(" ")]);
    this.view.dispatch(tr.scrollIntoView());
    this.view.focus();
  }

  press(event) {
    if (!this.list || event.ctrlKey || event.metaKey) return false;
    const options = [...this.list.children];
    const at = options.findIndex((one) => one.getAttribute("aria-selected") === "true");
    if (event.key === "ArrowDown") this.mark(options[(at + 1) % options.length]);
    else if (event.key === "ArrowUp") this.mark(options[(at - 1 + options.length) % options.length]);
    else if (event.key === "Enter" || event.key === "Tab") this.take(options[at]);
    else if (event.key === "Escape") this.close();
    else return false;
    event.preventDefault();
    event.stopPropagation(); // so that Escape leaves the editor open
    return true;
  }

  close() {
    this.list?.remove();
    this.list = null;
    this.view.dom.removeAttribute("aria-activedescendant");
  }

  destroy() {
    this.asked += 1;
    this.close();
  }
}

export function mentions(address) {
  let people = null;
  return new Plugin({
    view: (view) => (people = new People(view, address)),
    props: {
      handleKeyDown: (view, event) => people.press(event),
      handleDOMEvents: {
        blur() {
          people.asked += 1;
          people.close();
          return false;
        },
      },
    },
  });
}
