// An issue, on its own page or in a dialog over a board: what its links and forms ask for is put in
// its parts, one after another. What somebody sends is read when he sends it, so nothing is lost
// while an answer is under way.

const PARTS = ["issue-top", "issue-text", "issue-tabs", "issue-details", "issue-feed"];
const shown = () => document.getElementById("issue");
const parsed = (html) => new DOMParser().parseFromString(html, "text/html");
let last = Promise.resolve();

function put(found, also) {
  for (const id of [...PARTS, ...also]) {
    const [old, fresh] = [document.getElementById(id), found.getElementById(id)];
    if (old && fresh) old.replaceWith(document.adoptNode(fresh));
  }
  const issue = shown();
  issue.parentElement.querySelector(":scope > .flag")?.remove();
  const flag = found.querySelector("main > .flag");
  if (flag) issue.before(document.adoptNode(flag));
}

async function ask(address, options, { also, field }) {
  const response = await fetch(address, { credentials: "same-origin", ...options });
  const found = parsed(await response.text());
  if (!found.getElementById("issue")) {
    // Another page: that it is not allowed, that the issue is gone, the one to sign in at.
    document.documentElement.replaceWith(document.adoptNode(found.documentElement));
    return;
  }
  put(found, also);
  const next = shown().querySelector("[autofocus]") ?? (field && document.querySelector(`#${field} [data-shows]`));
  next?.focus();
}

function run(address, options, element) {
  const issue = shown();
  const field = element.closest('[id^="field-"]')?.id;
  const also = element.dataset.also ? [element.dataset.also] : [];
  issue.setAttribute("aria-busy", "true");
  last = last
    .then(() => ask(address, options, { also, field }))
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
  const cancel = event.key === "Escape" && event.target.closest?.("#issue form[data-sends]")?.querySelector("a[data-cancel]");
  if (!cancel) return;
  event.preventDefault(); // so that the dialog around it stays
  cancel.click();
});

// A dialog over an issue that leads back to it: over a board or beside a list it is shown anew there.
document.addEventListener("tracker:moved", (event) => {
  const issue = shown();
  const path = new URL(event.detail, location.href).pathname;
  if (!issue?.closest("dialog, .nav-detail__issue") || path !== `/browse/${issue.dataset.key}`) return;
  event.preventDefault();
  run(event.detail, {}, issue);
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
