// What scripts add to pages of spaces: rows that are dragged into another order, and things that
// are dragged to another day. Menus and dialogs offer the same without dragging.

let held = null;
const areaOf = (target) => target.closest?.("[data-drag-area]");
const isBelow = (row, y) => {
  const { top, height } = row.getBoundingClientRect();
  return y > top + height / 2;
};

function unmark() {
  for (const one of document.querySelectorAll(".drop-above, .drop-below, .drop-here")) {
    one.classList.remove("drop-above", "drop-below", "drop-here");
  }
}

// Where something would come to lie: a row of the same list, or a day.
function placeAt(event) {
  const area = held && areaOf(event.target);
  if (!area || area !== areaOf(held)) return null;
  const place = event.target.closest("[data-row], [data-day]");
  return place && place !== held ? place : null;
}

async function send(area, sent) {
  const body = new URLSearchParams({ atl_token: document.body.dataset.token, [area.dataset.held]: held.dataset.drag, ...sent });
  const response = await fetch(area.dataset.move, { method: "POST", body });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const [from, to] = [page.querySelector("#main"), document.querySelector("#main")];
  if (from && to) to.replaceChildren(...from.childNodes);
  else location.assign(response.url);
}

document.addEventListener("dragstart", (event) => {
  held = event.target.closest?.("[data-drag][draggable]") ?? null;
  if (!held) return;
  event.dataTransfer.setData("text/plain", held.dataset.drag);
  event.dataTransfer.effectAllowed = "move";
  held.classList.add("held");
});
document.addEventListener("dragend", () => {
  held?.classList.remove("held");
  held = null;
  unmark();
});
document.addEventListener("dragover", (event) => {
  const place = placeAt(event);
  if (!place) return;
  event.preventDefault();
  unmark();
  if (place.dataset.day) place.classList.add("drop-here");
  else place.classList.add(isBelow(place, event.clientY) ? "drop-below" : "drop-above");
});
document.addEventListener("drop", (event) => {
  const place = placeAt(event);
  if (!place) return;
  event.preventDefault();
  unmark();
  const sent = place.dataset.day
    ? { day: place.dataset.day }
    : { [isBelow(place, event.clientY) ? "after" : "before"]: place.dataset.drag };
  send(areaOf(place), sent);
});
