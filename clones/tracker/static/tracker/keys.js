// Keys that do what buttons on the page do. They press those buttons: where one is not there, its
// key does nothing. "?" lists them, "." offers all that can be done with the issue at hand.

const SUMMARY = "#field-summary a[data-shows]";
const EVERYWHERE = [
  ["c", "Create", '[data-testid="atlassian-navigation--create-button"]'],
  ["/", "Search", '[data-testid="search-input"]'],
  ["g d", "Go to dashboards", '[data-testid="NAV4_dashboards"]'],
  ["g i", "Go to all work", '[data-testid="NAV4_all-work"]'],
  ["g h", "Go to your page", '[data-testid="NAV4_for-you"]'],
  ["g b", "Go to boards", '[data-testid="NAV4_boards"]'],
  ["g f", "Go to filters", '[data-testid="NAV4_filters"]'],
];
const ON_ISSUES = [
  ["a", "Assign", "#field-assignee a[data-shows]"],
  ["i", "Assign to me", '[data-testid="issue-field-assignee-assign-to-me.ui.assign-to-me.link"]'],
  ["m", "Comment", "#comment-body"],
  ["e", "Edit summary", SUMMARY],
  ["l", "Edit labels", "#field-labels a[data-shows]"],
  ["s", "Share", "#issue-share"],
  [".", "Actions", null],
];
const ON_LISTS = [
  ["j", "Next in the list", null],
  ["k", "Previous in the list", null],
  ["t", "Open it, or change the view", null],
];
const ROWS = "tr[data-key], [data-key][draggable], .nav-detail__list > li";
const LINK = "a.card__link, a.row__key, .cell-key a, a[href^='/browse/'], a";

const isTyping = (target) => Boolean(target.closest?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=menu]"));
const scope = () => [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;

function press(selector) {
  const found = scope().querySelector(selector);
  if (!found) return false;
  found.focus();
  if (!found.matches("textarea, input, [contenteditable]")) found.click();
  return true;
}

function step(way) {
  const rows = [...document.querySelectorAll(ROWS)].filter((row) => row.offsetParent);
  if (!rows.length) return false;
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const current = document.querySelector('.nav-detail__list a[aria-current="true"]')?.closest("li");
  const from = at < 0 && current ? rows.indexOf(current) : at;
  const next = rows[from < 0 ? 0 : Math.min(Math.max(from + way, 0), rows.length - 1)];
  next.scrollIntoView({ block: "nearest" });
  next.querySelector(LINK)?.focus();
  return true;
}

function open() {
  const row = document.activeElement?.closest?.("[data-key][draggable]");
  if (row) {
    row.querySelector(LINK).click();
    return true;
  }
  const other = document.querySelector('.switch[aria-label="View"] a:not([aria-current])');
  other?.click();
  return Boolean(other);
}

// Dialogs that scripts make: their first field or button has the focus, Escape closes them.
function dialogOf(name, ...inside) {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog dialog--small";
  dialog.setAttribute("aria-label", name);
  const heading = document.createElement("h1");
  heading.textContent = name;
  const close = document.createElement("button");
  close.type = "button";
  close.className = "button";
  close.textContent = "Close";
  close.addEventListener("click", () => dialog.close());
  dialog.append(heading, ...inside, close);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

function help() {
  const list = document.createElement("dl");
  list.className = "keys";
  const known = document.getElementById("issue") ? ON_ISSUES : [];
  const rows = document.querySelector(ROWS) ? ON_LISTS : [];
  for (const [key, name] of [...EVERYWHERE, ...known, ...rows, ["?", "This list"]]) {
    const [term, said, mark] = ["dt", "dd", "kbd"].map((tag) => document.createElement(tag));
    mark.textContent = key;
    term.append(mark);
    said.textContent = name;
    list.append(term, said);
  }
  dialogOf("Keyboard shortcuts", list);
}

function operations() {
  const issue = document.getElementById("issue");
  if (!issue) {
    const card = document.activeElement?.closest?.("[data-key][draggable]");
    card?.querySelector("[data-menu]")?.click();
    return Boolean(card);
  }
  const found = [...issue.querySelectorAll('#issue-actions [role="menuitem"], #status-menu [role="menuitem"], a[data-shows][aria-label^="Edit "]')];
  const input = document.createElement("input");
  input.className = "field__input";
  input.setAttribute("aria-label", "Search actions");
  input.placeholder = "Search actions";
  const list = document.createElement("ul");
  list.className = "operations";
  for (const item of found) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = (item.getAttribute("aria-label") ?? item.textContent).trim().replace(/\s+/g, " ");
    button.addEventListener("click", () => {
      button.closest("dialog").close();
      item.click();
    });
    const line = document.createElement("li");
    line.append(button);
    list.append(line);
  }
  const shown = () => [...list.children].filter((line) => !line.hidden);
  input.addEventListener("input", () => {
    const wanted = input.value.trim().toLowerCase();
    for (const line of list.children) line.hidden = !line.textContent.toLowerCase().includes(wanted);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter") shown()[0]?.firstElementChild.click();
    if (event.key === "ArrowDown") shown()[0]?.firstElementChild.focus();
  });
  dialogOf("Actions", input, list);
  input.focus();
  return true;
}

let before = "";
document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  const over = scope();
  if (over !== document && !over.querySelector("#issue")) return;
  const key = before ? `${before} ${event.key}` : event.key;
  before = "";
  if (key === "g") {
    before = "g";
    return;
  }
  const doings = { "?": () => help() ?? true, ".": operations, j: () => step(1), k: () => step(-1), t: open };
  const listed = [...EVERYWHERE, ...ON_ISSUES].find(([one, , selector]) => one === key && selector);
  const did = listed ? press(listed[2]) : doings[key]?.();
  if (did) event.preventDefault();
});
