// The page of an issue: what its links and forms ask for is put in its parts, one after another.
// What somebody sends is read when he sends it, so nothing is lost while an answer is under way.

const PARTS = ["issue-top", "issue-text", "issue-tabs", "issue-details", "issue-feed"];
const issue = document.getElementById("issue");
let last = Promise.resolve();

function put(found, also) {
  for (const id of [...PARTS, ...also]) {
    const [old, fresh] = [document.getElementById(id), found.getElementById(id)];
    if (old && fresh) old.replaceWith(document.adoptNode(fresh));
  }
}

async function ask(address, options, { also, field }) {
  const response = await fetch(address, { credentials: "same-origin", ...options });
  const found = new DOMParser().parseFromString(await response.text(), "text/html");
  if (!found.getElementById("issue")) {
    // Another page: that it is not allowed, that the issue is gone, the one to sign in at.
    document.documentElement.replaceWith(document.adoptNode(found.documentElement));
    return;
  }
  put(found, also);
  const next = issue.querySelector("[autofocus]") ?? (field && document.querySelector(`#${field} [data-shows]`));
  next?.focus();
}

function run(address, options, element) {
  const field = element.closest('[id^="field-"]')?.id;
  const also = element.dataset.also ? [element.dataset.also] : [];
  issue.setAttribute("aria-busy", "true");
  last = last
    .then(() => ask(address, options, { also, field }))
    .catch(() => location.reload())
    .finally(() => issue.removeAttribute("aria-busy"));
}

issue?.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-shows]");
  if (link && !(event.ctrlKey || event.metaKey || event.shiftKey)) {
    event.preventDefault();
    run(link.href, {}, link);
    return;
  }
  // Whoever clicks on the summary wants to change it.
  const heading = event.target.closest("[data-edits]");
  if (heading && !window.getSelection()?.toString()) heading.parentElement.querySelector("a[data-shows]")?.click();
});

issue?.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.hasAttribute("data-sends")) return;
  event.preventDefault();
  form.closest("[popover]")?.hidePopover();
  run(form.action, { method: "POST", body: new FormData(form, event.submitter) }, form);
});

issue?.addEventListener("keydown", (event) => {
  if (event.key === "Escape") event.target.closest("form[data-sends]")?.querySelector("a[data-cancel]")?.click();
});

// That somebody looked at it: what "Viewed" lists.
if (issue) fetch(issue.dataset.viewed, { method: "POST", headers: { "X-Atl-Token": document.body.dataset.token } });
