// Pages that can stand in a dialog over the one at hand: `a[data-dialog]` opens them, forms in them
// are sent from there. Without scripts the same links lead to the same pages.
// What a page shows in a dialog is its `[data-dialog-body]`; its first heading names the dialog.

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

function fill(dialog, body) {
  dialog.replaceChildren(document.adoptNode(body));
  const heading = dialog.querySelector("h1");
  if (heading) dialog.setAttribute("aria-label", heading.textContent.trim());
  if (!dialog.open) dialog.showModal();
  (dialog.querySelector("[autofocus]") ?? dialog.querySelector("input:not([type=hidden]), textarea, select, button"))?.focus();
}

async function send(dialog, form, submitter) {
  const body = await fetched(form.action, { method: "POST", body: new FormData(form, submitter) });
  if (body) fill(dialog, body);
}

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
    const submitter = event.submitter?.hasAttribute("data-default") ? null : event.submitter;
    send(dialog, event.target, submitter);
  });
  dialog.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-dialog-close], a[data-dialog-done]");
    if (!link) return;
    event.preventDefault();
    if (link.hasAttribute("data-dialog-done")) lead(link.getAttribute("href"));
    else dialog.close();
  });
  document.body.append(dialog);
  fill(dialog, body);
}

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
