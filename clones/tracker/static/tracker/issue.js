// The page of an issue: fields change in their places.

const page = () => document.getElementById("issue");

// What was refused is shown where it was typed.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.xhr.status !== 422) return;
  event.detail.shouldSwap = true;
  event.detail.isError = false;
});

// A menu that was chosen from stands in what is put anew: the browser closes it with that.
document.addEventListener("htmx:beforeRequest", (event) => event.target.closest?.("[popover]")?.hidePopover());

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.defaultPrevented) return;
  event.target.closest?.("form[data-inline]")?.querySelector("a[data-cancel]")?.click();
});

// Whoever clicks on the summary wants to change it.
document.addEventListener("click", (event) => {
  const heading = event.target.closest?.("[data-edits]");
  if (heading && !window.getSelection()?.toString()) heading.parentElement.querySelector("a[hx-get]")?.click();
});

// That somebody looked at it: what "Viewed" lists.
if (page()) {
  fetch(page().dataset.viewed, { method: "POST", headers: { "X-Atl-Token": document.body.dataset.token } });
}
