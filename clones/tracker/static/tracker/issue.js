// An issue, on its own page or in a dialog over a board: what its links and forms ask for is put in
// its parts, one after another. What somebody sends is read when it is sent, so nothing is lost
// while an answer is under way.
import { withEditors } from "./site.js";

const PARTS = ["issue-top", "issue-text", "issue-tabs", "issue-details", "issue-feed"];
const shown = () => document.getElementById("issue");
const parsed = (html) => new DOMParser().parseFromString(html, "text/html");
let last = Promise.resolve();
let opener = []; // ways back from the dialog that was opened last: what opened it may be replaced meanwhile

// Whether something was typed or chosen in a form that is not sent yet, or was refused.
function isUnsent(form) {
  if (form.matches("[data-refused]") || form.querySelector('[aria-invalid="true"], [role="alert"]')) return true;
  return [...form.elements].some((one) => {
    if (one.type === "checkbox" || one.type === "radio") return one.checked !== one.defaultChecked;
    if (one.tagName === "SELECT") {
      const usual = [...one.options].filter((option) => option.defaultSelected);
      if (!usual.length && !one.multiple) return one.selectedIndex > 0;
      return [...one.options].some((option) => option.selected !== option.defaultSelected);
    }
    return one.type === "file" ? one.files.length > 0 : "defaultValue" in one && one.value !== one.defaultValue;
  });
}

const pathOf = (form) => form.getAttribute("action").split("?")[0];

// Editors with unsent typing take the places of what the fresh part has there. A comment that is being
// edited has none under other tabs: it waits until it is shown again.
const waiting = new Map();
function keepEditors(old, fresh, acted) {
  for (const form of old.querySelectorAll("form[data-sends]")) {
    if (form === acted || !isUnsent(form)) continue;
    const frame = form.closest('[id^="field-"], li[id^="comment-"], details.add');
    const place = !frame
      ? null
      : frame.id
        ? fresh.querySelector(`#${CSS.escape(frame.id)}`)
        : [...fresh.querySelectorAll("details.add form")].find((one) => pathOf(one) === pathOf(form))?.closest("details");
    if (!place && frame?.id.startsWith("comment-")) waiting.set(frame.id, frame);
    if (!place) continue;
    for (const one of frame.querySelectorAll("[autofocus]")) one.removeAttribute("autofocus");
    place.replaceWith(frame);
  }
  for (const [id, frame] of waiting) {
    const place = fresh.querySelector(`#${CSS.escape(id)}`);
    if (!place) continue;
    place.replaceWith(frame);
    waiting.delete(id);
  }
}

// A menu that is open in a part is open in the fresh one: somebody is about to choose from it.
function replace(old, fresh) {
  const menu = old.querySelector(":popover-open")?.id;
  const item = menu && old.contains(document.activeElement) ? document.activeElement.textContent : null;
  old.replaceWith(fresh);
  const again = menu && fresh.querySelector(`#${CSS.escape(menu)}`);
  if (!again) return;
  fresh.querySelector(`[popovertarget="${CSS.escape(menu)}"]`)?.focus(); // where it leads back to
  again.showPopover();
  [...again.querySelectorAll('[role^="menuitem"]')].find((one) => one.textContent === item)?.focus();
}

function put(found, also, acted) {
  for (const id of [...PARTS, ...also]) {
    const [old, fresh] = [document.getElementById(id), found.getElementById(id)];
    if (!old || !fresh) continue;
    // What did not change stays as it is, unless it is to be as if nobody had touched it.
    if (old.isEqualNode(fresh) && !also.includes(id) && !old.contains(acted)) continue;
    document.adoptNode(fresh);
    keepEditors(old, fresh, acted);
    replace(old, fresh);
  }
  const issue = shown();
  issue.parentElement.querySelector(":scope > .flag")?.remove();
  const flag = found.querySelector("main > .flag");
  if (flag) issue.before(document.adoptNode(flag));
  if (!isInside(issue)) document.title = found.title;
}

// Over a board or beside a list.
const isInside = (issue) => Boolean(issue.closest("dialog, .nav-detail__issue"));

// Where the focus may go once an element is replaced: to what stands for it then, else near it.
function waysBack(element) {
  const ways = [];
  const menu = element.closest("[popover]");
  if (menu) ways.push(`[popovertarget="${menu.id}"]`);
  const opens = element.getAttribute("popovertarget");
  if (opens) ways.push(`[popovertarget="${opens}"]`);
  if (element.matches("#issue-tabs a")) ways.push(`#issue-tabs a[href="${CSS.escape(element.getAttribute("href"))}"]`);
  if (element.closest("#composer")) ways.push("#comment-body");
  const frame = element.closest('[id^="field-"], li[id]');
  if (frame) ways.push(`#${CSS.escape(frame.id)} a[role="button"]`);
  const part = element.closest("[aria-labelledby]")?.getAttribute("aria-labelledby");
  if (part) {
    const adds = `[aria-labelledby="${part}"] details.add`;
    ways.push(`${adds}[open] input:not([type=hidden])`, `${adds} > summary`);
  }
  if (element.matches("#issue-tabs [role=button]")) ways.push("#issue-tabs [role=button]");
  if (element.closest("#issue-tabs, #issue-feed")) ways.push("#issue-tabs [aria-current]");
  ways.push('#issue-top [popovertarget="status-menu"]:not([disabled])', "#issue-top a");
  return ways;
}

function focusAfter(held, ways) {
  const asked = shown().querySelector("[autofocus]");
  if (asked) return asked.focus();
  if (held.isConnected && held !== document.body) return held.focus();
  return focusBy(ways);
}

// The first of what ways lead to gets the focus that nothing has, or something that is hidden now.
function focusBy(ways) {
  const held = document.activeElement;
  if (held !== document.body && held.checkVisibility()) return;
  const found = ways.flatMap((way) => [...shown().querySelectorAll(way)]).find((one) => one.checkVisibility());
  found?.focus();
}

async function ask(address, options, { also, acted, ways }) {
  const response = await fetch(address, { credentials: "same-origin", ...options });
  const found = await withEditors(parsed(await response.text()));
  if (!found.getElementById("issue")) {
    // Another page: that it is not allowed, that the issue is gone, the one to sign in at.
    document.documentElement.replaceWith(document.adoptNode(found.documentElement));
    return;
  }
  const held = document.activeElement ?? document.body;
  const near = waysBack(shown().contains(held) ? held : shown());
  put(found, also, acted);
  focusAfter(held, [...ways, ...near]);
}

function run(address, options, element, also = element.dataset.also ? [element.dataset.also] : []) {
  const issue = shown();
  const asked = { also, acted: element.closest("form[data-sends]"), ways: element === issue ? opener : waysBack(element).slice(0, -2) };
  issue.setAttribute("aria-busy", "true");
  last = last
    .then(() => ask(address, options, asked))
    .catch(() => location.reload())
    .finally(() => issue.removeAttribute("aria-busy"));
}

document.addEventListener("click", (event) => {
  if (!event.target.closest?.("#issue")) return;
  const link = event.target.closest("a[data-shows]");
  if (link && !(event.ctrlKey || event.metaKey || event.shiftKey)) {
    event.preventDefault();
    run(link.href, {}, link);
    return;
  }
  const copied = event.target.closest("a[data-copies]");
  if (copied) {
    event.preventDefault();
    copied.closest("[popover]")?.hidePopover();
    copy(copied.href);
    return;
  }
  // Whoever clicks on the summary wants to change it.
  const heading = event.target.closest("[data-edits]");
  if (heading && !window.getSelection()?.toString()) heading.parentElement.querySelector("a[data-shows]")?.click();
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.hasAttribute("data-sends") || !form.closest("#issue")) return;
  event.preventDefault();
  form.closest("[popover]")?.hidePopover();
  run(form.action, { method: "POST", body: new FormData(form, event.submitter) }, form);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.matches?.("#issue form[data-sends] textarea")) {
    event.preventDefault();
    event.target.form.requestSubmit();
    return;
  }
  const cancel = event.key === "Escape" && event.target.closest?.("#issue form[data-sends]")?.querySelector("a[data-cancel]");
  if (!cancel) return;
  event.preventDefault(); // so that the dialog around it stays
  cancel.click();
});

// What opens to add something is ready to be typed in.
document.addEventListener(
  "toggle",
  (event) => {
    if (!event.target.matches("#issue details.add[open]") || !event.target.contains(document.activeElement)) return;
    (event.target.querySelector("input:not([type=hidden])") ?? event.target.querySelector("select"))?.focus();
  },
  true,
);

document.addEventListener(
  "click",
  (event) => {
    const link = event.target.closest?.("#issue a[data-dialog]");
    if (link) opener = waysBack(link);
  },
  true,
);
document.addEventListener(
  "close",
  (event) => {
    if (event.target.matches("dialog[data-testid=dialog]") && shown()) focusBy(opener);
  },
  true,
);

// A dialog over an issue that leads back to it: it is shown anew where it is.
document.addEventListener("tracker:moved", (event) => {
  const issue = shown();
  const path = new URL(event.detail, location.href).pathname;
  if (!issue || path !== `/browse/${issue.dataset.key}`) return;
  event.preventDefault();
  const composer = issue.querySelector("#composer form");
  run(event.detail, {}, issue, composer && isUnsent(composer) ? [] : ["composer"]);
});

async function copy(address) {
  let text = "Link copied";
  try {
    await navigator.clipboard.writeText(address);
  } catch {
    text = address; // where the browser keeps its clipboard to itself
  }
  const flag = document.createElement("div");
  flag.className = "flag";
  flag.setAttribute("role", "status");
  flag.dataset.testid = "flag";
  flag.textContent = text;
  shown().parentElement.querySelector(":scope > .flag")?.remove();
  shown().before(flag);
}

// That somebody looked at it: what "Viewed" lists.
export function seen() {
  const issue = shown();
  if (issue) fetch(issue.dataset.viewed, { method: "POST", headers: { "X-Atl-Token": document.body.dataset.token } });
}
seen();
document.querySelector(".entry--focused")?.scrollIntoView({ block: "center" });
