// A zone for each transition, over a column that a dragged card can reach by several: the part of
// the column in which it is dropped says which is taken.
const parsed = (html) => new DOMParser().parseFromString(html, "text/html");

// Returns the transitions of a card by their columns, as its menu has them; none of one without a menu.
export async function waysOf(card) {
  const menu = card.querySelector("a[data-menu]");
  const found = new Map();
  if (!menu) return found;
  const response = await fetch(menu.href);
  for (const entry of parsed(await response.text()).querySelectorAll("[data-zone]")) {
    const { zone, within, status } = entry.dataset;
    const way = { transition: zone, status, name: entry.textContent.split(": ").slice(1).join(": ") };
    found.set(within, [...(found.get(within) ?? []), way]);
  }
  return found;
}

// Shows the zones of a column, with the one under the pointer marked; those of others go.
export function show(column, ways, y) {
  let zones = column.querySelector(":scope > .zones");
  if (!zones) {
    hide();
    zones = document.createElement("div");
    zones.className = "zones";
    for (const way of ways) {
      const zone = document.createElement("div");
      zone.className = "zones__one";
      zone.dataset.testid = "platform-board-kit.ui.column.drop-zone";
      const status = document.createElement("b");
      status.textContent = way.status;
      zone.append(status);
      if (way.name && way.name !== way.status) zone.append(way.name);
      zones.append(zone);
    }
    column.append(zones);
  }
  const at = Math.min(ways.length - 1, Math.floor(heightIn(column, y) * ways.length));
  [...zones.children].forEach((zone, number) => zone.classList.toggle("zones__one--over", number === at));
}

export function hide() {
  for (const zones of document.querySelectorAll(".zones")) zones.remove();
}

// Returns how far down a column a place is, from 0 to 1. Zones share the height equally, in the order
// of their transitions: the server reckons with that (`board_acts.move_card`).
export function heightIn(column, y) {
  const { top, height } = column.getBoundingClientRect();
  return Math.min(1, Math.max(0, (y - top) / height));
}
