// What scripts add to pages that work without them.

// Menus are popovers: the browser opens and closes them. Here: focus and arrow keys inside.
const itemsOf = (menu) => [...menu.querySelectorAll('[role^="menuitem"]')];

// Each opens below the button that opens it, within the window.
function place(menu) {
  const button = menu.id && document.querySelector(`[popovertarget="${menu.id}"]`);
  if (!button || menu.matches(".menu--end")) return;
  const [at, size] = [button.getBoundingClientRect(), menu.getBoundingClientRect()];
  const left = at.left + size.width > innerWidth - 8 ? at.right - size.width : at.left;
  const top = at.bottom + size.height > innerHeight - 8 ? at.top - size.height - 8 : at.bottom;
  menu.style.inset = `${Math.max(8, top)}px auto auto ${Math.max(8, left)}px`;
}

document.addEventListener(
  "toggle",
  (event) => {
    if (event.newState !== "open" || !event.target.matches('[role="menu"]')) return;
    place(event.target);
    itemsOf(event.target)[0]?.focus();
  },
  true,
);
document.addEventListener("keydown", (event) => {
  const menu = event.target.closest?.('[role="menu"]');
  if (!menu) return;
  const items = itemsOf(menu);
  const at = items.indexOf(document.activeElement);
  const places = { ArrowDown: at + 1, ArrowUp: at - 1 + items.length, Home: 0, End: items.length - 1 };
  if (!(event.key in places)) return;
  event.preventDefault();
  items[places[event.key] % items.length].focus();
});

// Requests of scripts carry the token of the session's forms.
document.addEventListener("htmx:configRequest", (event) => {
  event.detail.headers["X-Atl-Token"] = document.body.dataset.token;
});

// Areas of rich text become editors. Where a script brings one, what makes them is there before it:
// nobody is to write in an area that is about to go.
export async function withEditors(part) {
  if (part.querySelector("textarea[data-rich]")) await import(document.body.dataset.editor);
  return part;
}
