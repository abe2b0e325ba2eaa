// Pages that can stand in a dialog over the one at hand: `a[data-dialog]` opens them, forms in them
// are sent from there. Without scripts the same links lead to the same pages.
// What a page shows in a dialog is its `[data-dialog-body]`; its first heading names the dialog.
import { withEditors } from "./site.js";

const BODY = "[data-dialog-body]";

document.documentElement.classList.add("scripted");

async function fetched(address, options) {
  const response = await fetch(address, {
    credentials: "same-origin",
    ...options,
    headers: { "HX-Request": "true", "X-Atl-Token": document.body.dataset.token },
  });
  const moved = response.headers.get("HX-Redirect");
  if (moved) {
    lead(moved);
    return null;
  }
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  return page.querySelector(BODY) ?? page.querySelector("main");
}

// Whoever shows what an address leads to puts it right there himself; else the page goes there.
function lead(address) {
  const told = new CustomEvent("tracker:moved", { detail: address, cancelable: true });
  if (!document.dispatchEvent(told)) {
    document.querySelector("dialog[data-testid=dialog]")?.close();
    return;
  }
  // The address may be the page's own: it is to be shown anew all the same.
  if (new URL(address, location.href).href === location.href) location.reload();
  else location.assign(address);
}

// Files that were chosen stay chosen where the form comes back: no server can say them again.
function keepFiles(old, fresh) {
  for (const one of old.querySelectorAll("input[type=file]")) {
    const same = one.files.length && fresh.querySelector(`input[type=file][name="${one.name}"][data-keeps]`);
    if (same) same.files = one.files;
  }
}

// `place` is a dialog, or the page itself.
function fill(place, body) {
  const fresh = document.adoptNode(body);
  keepFiles(place, fresh);
  place.replaceChildren(fresh);
  if (place.matches("dialog")) {
    const heading = place.querySelector("h1");
    if (heading) place.setAttribute("aria-label", heading.textContent.trim());
    if (!place.open) place.showModal();
  }
  (place.querySelector("[autofocus]") ?? place.querySelector("input:not([type=hidden]), textarea, select, button"))?.focus();
}

async function send(place, form, submitter) {
  const body = await fetched(form.action, { method: "POST", body: new FormData(form, submitter) });
  if (body) fill(place, await withEditors(body));
}

const pressed = (event) => (event.submitter?.hasAttribute("data-default") ? null : event.submitter);

export async function openDialog(address) {
  const body = await fetched(address, {});
  if (!body) return;
  const dialog = document.createElement("dialog");
  dialog.className = "dialog";
  dialog.dataset.testid = "dialog";
  // What was made for one opening does not stay for the next.
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("submit", (event) => {
    if (event.target.method !== "post") return;
    event.preventDefault();
    send(dialog, event.target, pressed(event));
  });
  dialog.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-dialog-close], a[data-dialog-done]");
    if (!link) return;
    event.preventDefault();
    if (link.hasAttribute("data-dialog-done")) lead(link.getAttribute("href"));
    else dialog.close();
  });
  await withEditors(body);
  document.body.append(dialog);
  fill(dialog, body);
}

// On a page of its own such a form is sent from where it stands, too, once it holds files.
document.addEventListener("submit", (event) => {
  const form = event.target;
  const page = form.closest("main > [data-dialog-body]")?.parentElement;
  const files = form.querySelector("input[type=file][data-keeps]")?.files;
  if (!page || !files?.length) return;
  event.preventDefault();
  send(page, form, pressed(event));
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-dialog]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  link.closest("[popover]")?.hidePopover();
  const address = new URL(link.href);
  if (link.hasAttribute("data-dialog-back")) address.searchParams.set("back", location.pathname + location.search);
  openDialog(address);
});

// Choices that decide which other fields there are show the form anew, with what was typed.
document.addEventListener("change", (event) => {
  const select = event.target.closest("select[data-reloads]");
  const button = select?.form.querySelector('button[name="reload"]');
  if (button) select.form.requestSubmit(button);
});
