// What scripts add to pages of settings: forms are sent and the page stays, things are dragged.
// Every page here is whole without them: forms are sent, links are followed.

const parsed = (html) => new DOMParser().parseFromString(html, "text/html");
const here = (address) => {
  const { pathname, search } = new URL(address, location.href);
  return pathname + search === location.pathname + location.search;
};

// What had the focus is found again in the page that takes this one's place.
function focused() {
  const one = document.activeElement;
  const label = one?.getAttribute?.("aria-label");
  if (label) return `[aria-label="${CSS.escape(label)}"]`;
  return one?.id ? `#${CSS.escape(one.id)}` : "";
}

async function send(address, body) {
  const focus = focused();
  const response = await fetch(address, {
    method: "POST",
    credentials: "same-origin",
    headers: { "X-Atl-Token": document.body.dataset.token },
    body: new URLSearchParams(body),
  });
  const fresh = parsed(await response.text()).querySelector("#main");
  if (!fresh || (response.ok && !here(response.url))) return location.assign(response.url);
  const main = document.querySelector("#main");
  main.replaceChildren(...document.adoptNode(fresh).childNodes);
  if (focus) main.querySelector(focus)?.focus();
  if (!response.ok) main.querySelector('[role="alert"]')?.scrollIntoView({ block: "nearest" });
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("form[data-part]") || form.closest("dialog")) return;
  event.preventDefault();
  form.closest("[popover]")?.hidePopover();
  send(form.action, new FormData(form, event.submitter));
});
document.addEventListener("change", (event) => {
  event.target.closest?.("form[data-auto]")?.requestSubmit();
});

// Dragging: `data-drag` says what a thing is, `data-drop` which things a list takes.
let held = null;
const listAt = (target) => {
  const kind = `[data-drop="${held.dataset.drag}"]`;
  return target.closest?.(kind) ?? target.closest?.(".bcol")?.querySelector(kind);
};
const others = (list) =>
  [...list.querySelectorAll(`:scope > [data-drag="${held.dataset.drag}"]`)].filter((one) => one !== held);
const isRow = (list) => getComputedStyle(list).display === "flex" && getComputedStyle(list).flexDirection === "row";
function placeAt(list, event) {
  const row = isRow(list);
  const at = others(list).findIndex((one) => {
    const box = one.getBoundingClientRect();
    return row ? event.clientX < box.left + box.width / 2 : event.clientY < box.top + box.height / 2;
  });
  return at < 0 ? others(list).length : at;
}
function unmark() {
  for (const one of document.querySelectorAll(".drop")) one.classList.remove("drop");
}
document.addEventListener("dragstart", (event) => {
  held = event.target.closest?.("[data-drag]") ?? null;
  if (!held) return;
  event.dataTransfer.setData("text/plain", held.dataset.item);
  event.dataTransfer.effectAllowed = "move";
  held.classList.add("held");
});
document.addEventListener("dragend", () => {
  held?.classList.remove("held");
  held = null;
  unmark();
});
document.addEventListener("dragover", (event) => {
  const list = held && listAt(event.target);
  if (!list) return;
  event.preventDefault();
  unmark();
  list.classList.add("drop");
});
document.addEventListener("drop", (event) => {
  const list = held && listAt(event.target);
  if (!list) return;
  event.preventDefault();
  const sent = { atl_token: document.body.dataset.token, item: held.dataset.item, place: placeAt(list, event) };
  if (list.dataset.into !== undefined) sent.into = list.dataset.into;
  held.classList.remove("held");
  held = null;
  unmark();
  send(list.dataset.action, sent);
});
