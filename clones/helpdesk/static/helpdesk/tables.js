// Tables of tickets: select all, how many are selected, and a card of the ticket the mouse rests on.

const REST = 500;

// One card at a time, beside its row. It takes no clicks: what lies under it stays in reach.
function showCards(root) {
  const card = document.createElement("div");
  card.className = "ticket-card";
  card.setAttribute("role", "tooltip");
  card.dataset.testId = "ticket-table-preview";
  card.popover = "manual";
  let timer = 0;
  let wanted = null;
  const hide = () => {
    clearTimeout(timer);
    wanted = null;
    if (card.matches(":popover-open")) card.hidePopover();
  };
  const show = async (link) => {
    wanted = link;
    await window.htmx.ajax("GET", link.dataset.preview, { source: card, target: card, swap: "innerHTML" });
    if (wanted !== link || !link.isConnected) return;
    card.showPopover();
    const row = link.getBoundingClientRect();
    const below = row.bottom + 6 + card.offsetHeight < window.innerHeight;
    card.style.left = `${row.left}px`;
    card.style.top = `${Math.max(4, below ? row.bottom + 6 : row.top - 6 - card.offsetHeight)}px`;
  };
  document.body.append(card);
  for (const link of root.querySelectorAll("[data-preview]")) {
    link.addEventListener("mouseenter", () => {
      clearTimeout(timer);
      timer = setTimeout(show, REST, link);
    });
    link.addEventListener("mouseleave", hide);
    link.addEventListener("click", hide);
  }
}

export function refineTables(root) {
  if (root.querySelector("[data-preview]")) showCards(root);
  const all = root.querySelector("[data-select-all]");
  if (!all) return;
  const boxes = [...root.querySelectorAll("input[name=ids]")];
  const edit = root.querySelector("[data-bulk-count]");
  const show = () => {
    const count = boxes.filter((box) => box.checked).length;
    all.checked = count > 0 && count === boxes.length;
    all.indeterminate = count > 0 && count < boxes.length;
    if (edit) edit.textContent = `Edit ${count} ticket${count === 1 ? "" : "s"}`;
  };
  all.addEventListener("change", () => {
    for (const box of boxes) box.checked = all.checked;
    show();
  });
  for (const box of boxes) box.addEventListener("change", show);
}
