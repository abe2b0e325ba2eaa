// What scripts add to boards and backlogs: dragging, menus over the page, filters at each change.
// Every page here is whole without them: forms are sent, links are followed.
import { openDialog } from "./dialogs.js";
import { seen } from "./issue.js";
import { withEditors } from "./site.js";
import { heightIn, hide, show, waysOf } from "./zones.js";

const main = () => document.querySelector("#main");
const parsed = (html) => new DOMParser().parseFromString(html, "text/html");

async function load(address, options = {}) {
  const response = await fetch(address, { headers: { "X-Atl-Token": document.body.dataset.token }, ...options });
  return { page: parsed(await response.text()), response };
}

// What scrolls within a board stays where it was scrolled to.
const scrollers = () => [...main().querySelectorAll(".board, .cell")];

// Puts what a page shows into this one; pages of other kinds (the sign-in page) are gone to.
function put({ page, response }, selector = "#main") {
  const [from, to] = [page.querySelector(selector), document.querySelector(selector)];
  if (!from || !to) return location.assign(response.url);
  const focused = to.contains(document.activeElement) ? document.activeElement : null;
  const scrolled = scrollers().map(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop]);
  to.replaceChildren(...from.childNodes);
  const fresh = scrollers();
  if (fresh.length === scrolled.length) fresh.forEach((one, at) => one.scrollTo(...scrolled[at]));
  if (focused) successor(focused)?.focus({ preventScroll: true });
  return to;
}

// What an answer put into the place of a control: the one that is called the same on the same card.
const called = (control) => control.id || control.name || control.getAttribute("aria-label") || control.textContent.trim();
function successor(control) {
  if (control.isConnected) return control;
  const key = control.closest("[data-key]")?.dataset.key;
  const around = key ? main().querySelector(`[data-key="${CSS.escape(key)}"]`) : main();
  return [...(around?.querySelectorAll(control.tagName) ?? [])].find((one) => called(one) === called(control));
}

async function send(form, extra) {
  const body = new URLSearchParams(extra ?? new FormData(form));
  const address = form.action ?? form.dataset.move;
  const found = await load(address, { method: "POST", body });
  if (found.response.ok && SCREEN.test(new URL(found.response.url).pathname)) return ask(found.response.url, Object.fromEntries(body));
  const samePage = new URL(found.response.url).pathname === location.pathname;
  if (found.response.ok && !samePage) return location.assign(found.response.url);
  put(found);
  if (!found.response.ok) main().querySelector('[role="alert"]')?.scrollIntoView({ block: "nearest" });
  main().querySelector("[autofocus]")?.focus();
}

// A transition with a screen: the card moves when its dialog was sent, and stays when that is closed.
const SCREEN = /^\/browse\/([^/]+)\/transition\/\d+$/;
let asking = null;
async function ask(address, sent) {
  const { pathname, searchParams } = new URL(address);
  const [, key] = pathname.match(SCREEN);
  if (searchParams.has("zone")) sent = { ...sent, before: "", after: "" }; // it keeps its place
  await openDialog(address);
  const dialog = document.querySelector("dialog[data-testid=dialog]");
  if (!dialog) return;
  asking = { atl_token: document.body.dataset.token, ...sent, issue: key };
  dialog.addEventListener("close", async () => {
    const done = asking;
    asking = null;
    if (done.passed) await send(main().querySelector("[data-move]"), done);
    else put(await load(location.href));
    const card = document.getElementById(`card-${key}`);
    if (!card?.contains(document.activeElement)) card?.querySelector(".card__link")?.focus();
  });
}
document.addEventListener("tracker:moved", (event) => {
  if (!asking || new URL(event.detail, location.href).pathname !== `/browse/${asking.issue}`) return;
  event.preventDefault();
  asking.passed = "1";
});

// Menus: a page with a menu, shown over this one.
async function openMenu(link) {
  const { page, response } = await load(link.href);
  const menu = page.querySelector('[role="menu"].menu--page');
  if (!menu) return location.assign(response.url);
  document.querySelector(".menu--over")?.remove();
  menu.className = "menu menu--over";
  menu.setAttribute("popover", "auto");
  document.body.append(menu);
  menu.addEventListener("toggle", (event) => {
    if (event.newState === "closed") {
      menu.remove();
      successor(link)?.focus();
    }
  });
  menu.showPopover();
  place(menu, successor(link) ?? main());
}
function place(popover, button) {
  const [at, size] = [button.getBoundingClientRect(), popover.getBoundingClientRect()];
  popover.style.inset = "auto";
  popover.style.left = `${Math.max(8, Math.min(at.right - size.width, innerWidth - size.width - 8))}px`;
  popover.style.top = `${Math.max(8, Math.min(at.bottom + 4, innerHeight - size.height - 8))}px`;
}
// What opens by its button alone stands below that.
document.addEventListener(
  "toggle",
  (event) => {
    if (event.newState !== "open" || !event.target.closest?.("#main")) return;
    const button = document.querySelector(`[popovertarget="${event.target.id}"]`);
    if (button) place(event.target, button);
  },
  true,
);

document.addEventListener("click", (event) => {
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
  const link = event.target.closest?.("a[data-menu], .menu--over a[data-asks], a[data-part], #board-area a[data-cancel]");
  if (plain && !link) return press(event);
  if (!link || !plain) return;
  event.preventDefault();
  if (link.matches("[data-menu]")) openMenu(link);
  else if (link.matches("[data-asks]")) {
    link.closest("[popover]").hidePopover();
    ask(link.href);
  } else {
    load(link.href).then((found) => {
      put(found);
      main().querySelector("[autofocus]")?.focus();
    });
  }
});
// What is a button to people is pressed by the space bar, too.
document.addEventListener("keydown", (event) => {
  if (event.key === " " && event.target.matches?.('a[role="button"]')) {
    event.preventDefault();
    event.target.click();
  }
  const form = event.target.closest?.("form.create, .card--edited form, .row__estimate");
  if (form && event.key === "Escape") form.querySelector("[data-cancel]").click();
  if (form && event.key === "Enter" && !event.shiftKey && event.target.matches("textarea")) {
    event.preventDefault();
    form.requestSubmit();
  }
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.matches("[data-part]")) {
    event.preventDefault();
    form.closest("[popover]")?.hidePopover();
    send(form);
  } else if (form.matches("[data-controls]")) {
    event.preventDefault();
    filter(form);
  }
});

// An issue over its board, as the address says: `selectedIssue`. Its keys lead from one to another;
// closed, it leaves the board as it is then, and the focus where it was.
const KEY = /^\/browse\/([A-Z][A-Z0-9_]*-\d+)$/;
const over = () => document.querySelector("dialog.dialog--issue");
function write(key) {
  const address = new URL(location.href);
  if (key) address.searchParams.set("selectedIssue", key);
  else address.searchParams.delete("selectedIssue");
  history.replaceState(null, "", address);
}
async function openIssue(key) {
  const { page, response } = await load(`/browse/${key}`);
  const issue = page.getElementById("issue");
  if (!issue) return location.assign(response.url);
  await withEditors(issue);
  const dialog = over() ?? emptyDialog();
  dialog.querySelector("#issue")?.remove();
  dialog.querySelector(":scope > .flag")?.remove();
  dialog.append(document.adoptNode(issue));
  dialog.dataset.opener ??= key;
  dialog.setAttribute("aria-label", `${issue.dataset.key} ${issue.querySelector("h1")?.textContent ?? ""}`.trim());
  dialog.querySelector("[data-full]").href = `/browse/${issue.dataset.key}`;
  write(issue.dataset.key);
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  dialog.querySelector("[data-close]").focus();
  seen();
}
function emptyDialog() {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog dialog--issue";
  dialog.dataset.testid = "issue.views.issue-details.issue-modal.modal-dialog";
  const head = document.createElement("p");
  head.className = "dialog__head";
  const full = document.createElement("a");
  full.className = "button button--quiet button--small";
  full.dataset.full = "";
  full.textContent = "Open in full page";
  const close = document.createElement("button");
  close.className = "button button--quiet button--small";
  close.type = "button";
  close.dataset.close = "";
  close.textContent = "Close";
  close.addEventListener("click", () => dialog.close());
  head.append(full, close);
  dialog.append(head);
  dialog.addEventListener("close", async () => {
    const opener = dialog.dataset.opener;
    dialog.remove();
    write("");
    put(await load(location.href));
    document.querySelector(`[id="card-${opener}"] :is(.card__link, .row__key)`)?.focus();
  });
  document.body.append(dialog);
  return dialog;
}
function press(event) {
  const link = event.target.closest?.("a[href]");
  if (!link || link.matches("[data-dialog], [data-shows], [data-copies], [data-full], [data-dialog-done], [download]")) return;
  const found = new URL(link.href).pathname.match(KEY);
  if (!found || new URL(link.href).search || !link.closest("#board-area, .menu--over, .dialog--issue")) return;
  event.preventDefault();
  link.closest("[popover]")?.hidePopover();
  openIssue(found[1]);
}
const selected = document.querySelector("[data-selected]")?.dataset.selected;
if (selected) openIssue(selected);

// Rows are chosen by their boxes; with Ctrl or Shift, by a press anywhere on them.
let latest = null;
// A press with Shift would mark the text of all rows between.
document.addEventListener("mousedown", (event) => {
  if ((event.shiftKey || event.ctrlKey || event.metaKey) && event.target.closest?.(".row[data-key]") && !event.target.closest("a, input")) event.preventDefault();
});
const boxes = () => [...document.querySelectorAll(".row__choice")];
document.addEventListener("click", (event) => {
  const row = event.target.closest?.(".row[data-key]");
  const box = row?.querySelector(".row__choice");
  if (!box || !(event.ctrlKey || event.metaKey || event.shiftKey) || event.target.closest("a, input")) return;
  event.preventDefault();
  const all = boxes();
  if (event.shiftKey && latest?.isConnected) {
    const [from, to] = [all.indexOf(latest), all.indexOf(box)].sort((one, other) => one - other);
    for (const one of all.slice(from, to + 1)) one.checked = true;
  } else box.checked = !box.checked;
  latest = box;
  count();
});
function count() {
  const said = document.querySelector("[data-chosen]");
  if (said) said.textContent = `${boxes().filter((box) => box.checked).length} selected`;
}
document.addEventListener("change", (event) => {
  if (!event.target.matches?.(".row__choice")) return;
  latest = event.target;
  count();
});

// Filters.
const asked = (form) => {
  const pairs = [...new FormData(form)].filter(([, value]) => value);
  const text = new URLSearchParams(pairs).toString();
  return form.getAttribute("action") + (text ? `?${text}` : "");
};
async function filter(form, control = document.activeElement) {
  const address = asked(form);
  const found = await load(address);
  const { name, value } = control ?? {};
  put(found);
  history.pushState(null, "", address);
  const same = [...document.querySelectorAll("[data-controls] [name]")].filter((one) => one.name === name);
  (same.find((one) => one.type === "checkbox" && one.value === value) ?? same[0])?.focus();
}
addEventListener("popstate", () => location.reload());
document.addEventListener("change", (event) => {
  const form = event.target.closest?.("[data-controls]");
  if (form && event.target.type !== "search") filter(form, event.target);
});
let pause;
document.addEventListener("input", (event) => {
  const form = event.target.closest?.("[data-controls]");
  if (!form || event.target.type !== "search" || !document.querySelector("[data-area]")) return;
  clearTimeout(pause);
  pause = setTimeout(async () => {
    const address = asked(form);
    const found = await load(address);
    if (asked(form) !== address) return;
    put(found, "[data-area]");
    history.replaceState(null, "", address);
  }, 200);
});

// Dragging.
let held = null;
// What was pressed is dragged, whatever stands there where the board scrolled before the drag began.
let pressed = null;
const draggable = (target) => target.closest?.("[data-key][draggable]") ?? null;
document.addEventListener("pointerdown", (event) => {
  pressed = draggable(event.target);
  pressed?.closest("[data-area]")?.setAttribute("draggable", "true");
});
function release() {
  pressed = null;
  document.querySelector("[data-area]")?.removeAttribute("draggable");
}
document.addEventListener("pointerup", release);
const listOf = (target) => target.closest?.("[data-column], [data-to]")?.querySelector("[data-drop]");
const cardsOf = (list) => [...list.querySelectorAll(":scope > [data-key]")].filter((card) => card !== held);
const nextAt = (list, y) =>
  cardsOf(list).find((card) => {
    const { top, height } = card.getBoundingClientRect();
    return y < top + height / 2;
  });
function unmark() {
  for (const one of document.querySelectorAll(".drop, .drop-before")) one.classList.remove("drop", "drop-before");
}
// The transitions of the card in hand by columns, once they are there. A drop does not wait for them:
// it says at what height of the column it was, and the server knows which zone is there.
let known = null;
// Those that lead to another column than the card's, if there is a choice.
const elsewhere = (column) => column && column.dataset.column !== held?.closest("[data-column]")?.dataset.column;
const choiceOf = (column) => {
  const leading = elsewhere(column) ? (known?.get(column.dataset.column) ?? []) : [];
  return leading.length > 1 ? leading : null;
};
// Shows what there is to choose where the card is held, and tells whether there is anything.
let spot = [null, 0];
function offer(column, y) {
  spot = [column, y];
  const choice = choiceOf(column);
  if (choice) show(column, choice, y);
  else hide();
  return Boolean(choice);
}
document.addEventListener("dragstart", (event) => {
  held = pressed?.isConnected ? pressed : draggable(event.target);
  if (!held) return;
  if (held !== event.target) event.dataTransfer.setDragImage(held, 16, 16);
  event.dataTransfer.setData("text/plain", held.dataset.key);
  event.dataTransfer.effectAllowed = "move";
  held.classList.add("held");
  const card = held;
  if (!card.closest(".board")) return;
  spot = [null, 0];
  waysOf(card).then((found) => {
    if (held !== card) return;
    known = found;
    if (offer(...spot)) unmark();
  });
});
document.addEventListener("dragend", () => {
  release();
  held?.classList.remove("held");
  held = known = null;
  unmark();
  hide();
});
const ontoOf = (target) => target.closest?.("[data-onto]");
function drag(event) {
  const onto = held && ontoOf(event.target);
  if (onto) {
    event.preventDefault();
    unmark();
    onto.classList.add("drop");
    return;
  }
  const list = held && listOf(event.target);
  const zones = offer(list?.closest("[data-column]"), event.clientY);
  if (!list) return;
  event.preventDefault();
  unmark();
  if (zones) return;
  list.classList.add("drop");
  nextAt(list, event.clientY)?.classList.add("drop-before");
}
// A tool that moves the pointer once enters a column, and is not over it before the next move.
document.addEventListener("dragenter", drag);
document.addEventListener("dragover", drag);
document.addEventListener("drop", (event) => {
  const onto = held && ontoOf(event.target);
  if (onto) {
    event.preventDefault();
    unmark();
    const action = document.querySelector("[data-choose]").dataset.choose;
    const body = new URLSearchParams({ atl_token: document.body.dataset.token, issue: held.dataset.key, do: onto.dataset.onto });
    load(action, { method: "POST", body }).then(put);
    return;
  }
  const list = held && listOf(event.target);
  if (!list) return;
  event.preventDefault();
  const [card, next] = [held, nextAt(list, event.clientY)];
  const last = cardsOf(list).at(-1);
  unmark();
  hide();
  if (card.parentElement === list && (card.nextElementSibling ?? undefined) === next) return;
  const sent = { atl_token: document.body.dataset.token, issue: card.dataset.key };
  const place = list.closest("[data-column], [data-to]");
  if (place.dataset.column) sent.column = place.dataset.column;
  else sent.to = place.dataset.to;
  if (place.dataset.column && elsewhere(place)) sent.height = heightIn(place, event.clientY).toFixed(4);
  if (next) sent.before = next.dataset.key;
  else if (last) sent.after = last.dataset.key;
  if (!choiceOf(place)) list.insertBefore(card, next ?? null);
  send(list.closest("[data-move]"), sent);
});

// The end of a sprint follows from its start and its length; one that is typed has a length of its own.
document.addEventListener("input", (event) => {
  const duration = event.target.form?.querySelector("[data-duration]");
  if (duration && event.target.name === "endDate") duration.value = "custom";
});
document.addEventListener("change", (event) => {
  const form = event.target.closest?.("form");
  const weeks = Number(form?.querySelector("[data-duration]")?.value);
  if (!weeks || !event.target.matches("[data-duration], [name=startDate]")) return;
  const [start, end] = [form.elements.startDate, form.elements.endDate];
  if (!start.value) return;
  const day = new Date(`${start.value.slice(0, 10)}T00:00Z`);
  day.setUTCDate(day.getUTCDate() + 7 * weeks);
  end.value = day.toISOString().slice(0, 10) + start.value.slice(10);
});
