// Menus are popovers: the browser opens and closes them. Here: focus and arrow keys inside.

const itemsOf = (menu) => [...menu.querySelectorAll('[role^="menuitem"]')];

function move(menu, event) {
  const items = itemsOf(menu);
  const at = items.indexOf(document.activeElement);
  const places = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  };
  if (!(event.key in places)) return;
  event.preventDefault();
  items[places[event.key]].focus();
}

const enter = (menu) => itemsOf(menu)[0]?.focus();

export function listenInMenus() {
  document.addEventListener(
    "toggle",
    (event) => {
      if (event.newState === "open" && event.target.matches('[role="menu"]')) enter(event.target);
    },
    true,
  );
  // Who was faster than the scripts is not left outside.
  for (const menu of document.querySelectorAll('[role="menu"]:popover-open')) enter(menu);
  document.addEventListener("keydown", (event) => {
    const menu = event.target.closest?.('[role="menu"]');
    if (menu) move(menu, event);
  });
}
