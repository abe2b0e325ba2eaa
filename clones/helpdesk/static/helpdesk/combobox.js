// A text field with a listbox of options, after the ARIA pattern: arrows, Enter, Escape.

let made = 0;

export class Combobox {
  // `load(text)` returns a promise after which the listbox holds the options for a text;
  // `choose(option)` takes the option that was chosen.
  constructor(input, { load, choose, upwards = false, onOpen = false, testId = "" }) {
    this.input = input;
    this.load = load;
    this.choose = choose;
    this.timer = 0;
    this.asked = 0;
    this.active = null;
    // The keys pressed since options were asked for: they are meant for the list to come.
    this.held = null;
    this.list = document.createElement("ul");
    this.list.className = upwards ? "options options--up" : "options";
    this.list.id = `options-${++made}`;
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", input.getAttribute("aria-label") || input.labels?.[0]?.textContent || "Options");
    this.list.hidden = true;
    if (testId) this.list.dataset.testId = testId;
    this.dress();
    this.listen(onOpen);
  }

  dress() {
    const { input, list } = this;
    input.setAttribute("role", "combobox");
    input.setAttribute("aria-autocomplete", "list");
    input.setAttribute("aria-controls", list.id);
    input.setAttribute("aria-expanded", "false");
    input.after(list);
    input.parentElement.classList.add("has-options");
  }

  listen(onOpen) {
    const { input, list } = this;
    input.addEventListener("input", () => this.ask(120));
    if (onOpen) {
      input.addEventListener("focus", () => this.ask(0));
      input.addEventListener("click", () => this.ask(0));
    }
    input.addEventListener("keydown", (event) => this.press(event));
    input.addEventListener("blur", () => this.close());
    // Pressing on an option must not take the focus away before the click arrives.
    list.addEventListener("mousedown", (event) => event.preventDefault());
    list.addEventListener("click", (event) => {
      const option = event.target.closest('[role="option"]');
      if (option) this.take(option);
    });
  }

  get options() {
    return [...this.list.querySelectorAll('[role="option"]')];
  }

  get isOpen() {
    return !this.list.hidden;
  }

  ask(delay) {
    clearTimeout(this.timer);
    const mine = ++this.asked;
    this.held = [];
    this.timer = setTimeout(async () => {
      try {
        await this.load(this.input.value.trim());
      } finally {
        if (mine === this.asked) this.arrive();
      }
    }, delay);
  }

  arrive() {
    const keys = this.held ?? [];
    this.held = null;
    if (document.activeElement !== this.input) return;
    this.open();
    if (this.isOpen) for (const event of keys) this.press(event);
  }

  open() {
    this.options.forEach((option, index) => {
      option.id = `${this.list.id}-${index}`;
      option.setAttribute("aria-selected", "false");
    });
    this.list.hidden = this.options.length === 0;
    this.input.setAttribute("aria-expanded", String(this.isOpen));
    this.mark(null);
  }

  close() {
    clearTimeout(this.timer);
    this.asked += 1;
    this.held = null;
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.mark(null);
  }

  mark(option) {
    this.active?.setAttribute("aria-selected", "false");
    this.active = option;
    option?.setAttribute("aria-selected", "true");
    option?.scrollIntoView({ block: "nearest" });
    if (option) this.input.setAttribute("aria-activedescendant", option.id);
    else this.input.removeAttribute("aria-activedescendant");
  }

  take(option) {
    this.close();
    this.choose(option);
  }

  press(event) {
    const options = this.options;
    const at = options.indexOf(this.active);
    const isArrow = event.key === "ArrowDown" || event.key === "ArrowUp";
    if (this.held && (isArrow || (event.key === "Enter" && this.held.length > 0))) {
      event.preventDefault();
      event.stopImmediatePropagation();
      this.held.push(event);
    } else if (event.key === "Escape" && this.isOpen) {
      event.preventDefault();
      this.close();
    } else if (isArrow) {
      event.preventDefault();
      if (!this.isOpen) this.ask(0);
      else this.mark(options[(at + (event.key === "ArrowDown" ? 1 : options.length - (at < 0 ? 0 : 1))) % options.length]);
    } else if (event.key === "Enter" && this.isOpen && this.active) {
      event.preventDefault();
      event.stopImmediatePropagation();
      this.take(this.active);
    }
  }
}

// Options that the server offers for a text.
export function offered(combobox, address) {
  return (text) => {
    if (!text) {
      combobox().list.replaceChildren();
      return Promise.resolve();
    }
    const query = new URLSearchParams({ q: text });
    const target = combobox().list;
    return window.htmx.ajax("GET", `${address}?${query}`, { target, swap: "innerHTML" });
  };
}
