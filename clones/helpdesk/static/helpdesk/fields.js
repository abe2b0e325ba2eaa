// Fields that offer something while somebody types, and fields of several values.

import { Combobox, offered } from "./combobox.js";

const ADDRESS = /[^\s<>,;]+@[^\s<>,;]+/;

function suggest(input) {
  const form = input.form;
  const hidden = input.dataset.suggestId ? form.elements[input.dataset.suggestId] : null;
  const combobox = new Combobox(input, {
    load: offered(() => combobox, input.dataset.suggest),
    choose: (option) => {
      input.value = option.dataset.value;
      if (hidden) hidden.value = option.dataset.key;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    },
    testId: input.dataset.menuTestId,
  });
}

// One hidden input holds the values, parted by `data-tokens`; each is shown with a way to remove it.
class Tokens {
  constructor(original) {
    this.original = original;
    this.separator = original.dataset.tokens;
    this.people = this.separator === ",";
    this.label = original.labels?.[0]?.textContent.trim() || original.getAttribute("aria-label") || original.name;
    this.box = document.createElement("div");
    this.box.className = "tokens";
    this.input = document.createElement("input");
    this.input.type = "text";
    this.input.id = original.id;
    this.input.placeholder = original.placeholder;
    this.input.autocomplete = "off";
    original.removeAttribute("id");
    original.type = "hidden";
    original.after(this.box);
    this.box.append(this.input);
    this.combobox = new Combobox(this.input, {
      load: original.dataset.suggest ? offered(() => this.combobox, original.dataset.suggest) : async () => {},
      choose: (option) => this.add(option.dataset.value),
    });
    this.input.setAttribute("aria-label", this.label);
    this.input.addEventListener("keydown", (event) => this.press(event));
    this.input.addEventListener("blur", () => this.add(this.input.value));
    this.show();
  }

  get values() {
    const parts = this.original.value.split(this.people ? "," : /[\s,]+/);
    return parts.map((part) => part.trim()).filter(Boolean);
  }

  set values(values) {
    this.original.value = [...new Set(values)].join(this.people ? ", " : " ");
    this.original.dispatchEvent(new Event("change", { bubbles: true }));
    this.show();
  }

  add(text) {
    const found = this.people ? text.match(ADDRESS)?.[0].toLowerCase() : text.trim().toLowerCase();
    this.input.setAttribute("aria-invalid", String(Boolean(text.trim()) && !found));
    if (!found) return;
    this.input.value = "";
    this.combobox.close();
    this.values = [...this.values, ...(this.people ? [found] : found.split(/[\s,]+/))];
  }

  show() {
    for (const old of this.box.querySelectorAll(".c-tag")) old.remove();
    for (const value of this.values) {
      const token = document.createElement("span");
      const text = document.createElement("span");
      const remove = document.createElement("button");
      token.className = "c-tag";
      text.textContent = value;
      remove.type = "button";
      remove.textContent = "×";
      remove.setAttribute("aria-label", `Remove ${value}`);
      remove.addEventListener("click", () => {
        this.values = this.values.filter((other) => other !== value);
        this.input.focus();
      });
      token.append(text, remove);
      this.input.before(token);
    }
  }

  press(event) {
    const ends = this.people ? [","] : [",", " "];
    if (event.key === "Enter") {
      event.preventDefault();
      const first = this.combobox.isOpen ? this.combobox.options[0] : null;
      if (this.people && first && !ADDRESS.test(this.input.value)) this.combobox.take(first);
      else this.add(this.input.value);
    } else if (ends.includes(event.key) && this.input.value.trim()) {
      event.preventDefault();
      this.add(this.input.value);
    } else if (event.key === "Backspace" && !this.input.value) {
      this.values = this.values.slice(0, -1);
    }
  }
}

export function refineFields(root) {
  for (const input of root.querySelectorAll("input[data-tokens]:not([type=hidden])")) new Tokens(input);
  for (const input of root.querySelectorAll("input[data-suggest]:not([data-tokens]):not([role])")) suggest(input);
}
