// What scripts add to dashboards: a gadget is shown anew in its place, at a press or by itself.

async function refresh(gadget, address) {
  gadget.setAttribute("aria-busy", "true");
  const answer = await fetch(address);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.querySelector(`.gadget[data-id="${gadget.dataset.id}"] .gadget__body`);
  gadget.removeAttribute("aria-busy");
  if (!fresh) return location.reload();
  gadget.querySelector(".gadget__body").replaceWith(document.adoptNode(fresh));
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-refreshes]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  refresh(link.closest(".gadget"), link.href);
});
for (const gadget of document.querySelectorAll(".gadget[data-every]")) {
  const link = gadget.querySelector("a[data-refreshes]");
  if (link) setInterval(() => refresh(gadget, link.href), Number(gadget.dataset.every) * 60_000);
}
