// Shortcuts: Control and Alt with a letter or an arrow.

const SUBMITS = { o: "open", p: "pending", d: "hold", s: "solved" };

function submitAs(status) {
  const form = document.querySelector("#ticket-form");
  const button = form?.querySelector(
    status ? `#submit-menu [value="${status}"]` : ".default-submit",
  );
  if (button) form.requestSubmit(button);
}

function setChannel(name) {
  const section = document.querySelector("#composer");
  if (!section?.editor) return;
  if (!section.querySelector(`[name=set_channel][value=${name}]`)) return;
  section.editor.setChannel(name);
  section.editor.element.focus();
}

function toTab(step) {
  const tabs = [...document.querySelectorAll('[data-test-id="header-tab"]')];
  if (!tabs.length) return;
  const at = tabs.findIndex((tab) => tab.hasAttribute("aria-current"));
  const next = at < 0 ? (step > 0 ? 0 : tabs.length - 1) : (at + step + tabs.length) % tabs.length;
  tabs[next].click();
}

const click = (selector) => document.querySelector(selector)?.click();
const focus = (selector) => document.querySelector(selector)?.focus();

const KEYS = {
  u: () => submitAs(""),
  c: () => setChannel("public"),
  x: () => setChannel("internal"),
  m: () => focus('[data-test-id="ticket-footer-macro-menu-autocomplete-input"]'),
  w: () => click(".tabs__tab.is-current .tabs__close"),
  n: () => click('[data-test-id="header-toolbar-add-menu-new-ticket"]'),
  f: () => focus('[data-test-id="header-search"]'),
  v: () => click('[data-test-id="views_icon"]'),
  arrowdown: () => toTab(1),
  arrowup: () => toTab(-1),
};

export function listenForKeys() {
  document.addEventListener("keydown", (event) => {
    if (!event.ctrlKey || !event.altKey || event.shiftKey || event.metaKey) return;
    // With Alt some layouts give another character: the key itself says which letter is meant.
    const letter = event.code.startsWith("Key") ? event.code.slice(3) : event.key;
    const name = letter.toLowerCase();
    const act = name in SUBMITS ? () => submitAs(SUBMITS[name]) : KEYS[name];
    if (!act) return;
    event.preventDefault();
    act();
  });
}
