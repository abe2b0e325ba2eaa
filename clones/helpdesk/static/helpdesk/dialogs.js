// Pages that can stand in a dialog over the one at hand: `a[data-dialog]` opens them, forms in them
// are sent from there. Without scripts the same links lead to the same pages.

const BODY = "[data-dialog-body]";

async function show(dialog, method, address, values) {
  // What is answered with a refusal is shown too.
  await window.htmx.ajax(method, address, { source: dialog, target: dialog, swap: "innerHTML", select: BODY, values });
  const heading = dialog.querySelector("h1");
  if (!heading) {
    // Not a page that fits: let the browser show what is said instead.
    window.location.assign(address);
    return;
  }
  dialog.setAttribute("aria-label", heading.textContent.trim());
  if (!dialog.open) dialog.showModal();
  (dialog.querySelector("[autofocus]") ?? dialog.querySelector("input:not([type=hidden]), textarea, select, button"))?.focus();
}

// The values of a form with those of the button that sent it, several of one name as a list.
function valuesOf(form, submitter) {
  const values = {};
  for (const [name, value] of new FormData(form, submitter)) {
    values[name] = name in values ? [values[name], value].flat() : value;
  }
  return values;
}

export function openDialog(address) {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog dialog--wide";
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("htmx:beforeSwap", (event) => {
    event.detail.ignoreTitle = true;
    if (event.detail.xhr.status !== 422) return;
    event.detail.shouldSwap = true;
    event.detail.isError = false;
  });
  dialog.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method === "dialog") return;
    event.preventDefault();
    const address = event.submitter?.getAttribute("formaction") ?? form.getAttribute("action");
    show(dialog, form.method.toUpperCase(), address, valuesOf(form, event.submitter));
  });
  dialog.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-dialog-close], a[data-dialog-swap]");
    if (!link) return;
    event.preventDefault();
    if (link.hasAttribute("data-dialog-close")) dialog.close();
    else show(dialog, "GET", link.href, {});
  });
  document.body.append(dialog);
  return show(dialog, "GET", address, {});
}

export function listenForDialogs() {
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-dialog]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    link.closest("[popover]")?.hidePopover();
    openDialog(link.href);
  });
}
