// What a page offers to be used, and what happened when something was: run in the page by crawler.py.

(() => {
  const CONTROLS = [
    "a[href]", "button", "input:not([type=hidden])", "select", "textarea", "summary",
    "[contenteditable=true]", "[role=menuitem]", "[role=tab]", "[role=switch]", "[role=combobox]",
    "[role=button]", "[role=checkbox]", "[role=radio]",
  ].join(",");
  const FRAME = ".rail, .top, .admin-nav, .portal__head, .portal__foot, .bar, .side, .set__nav";
  // A script makes these, with all that they do, wherever a page has something for them to work on.
  const MADE = ".rich-tools";

  const seen = { events: 0 };
  const note = () => { seen.events += 1; };
  const watch = () => {
    new MutationObserver(note).observe(document, {
      attributes: true, characterData: true, childList: true, subtree: true,
    });
    for (const name of ["toggle", "close", "submit", "invalid"]) document.addEventListener(name, note, true);
  };

  const plain = (text) => text.replace(/\d+/g, "N").replace(/\s+/g, " ").trim().slice(0, 60);

  // Paths are asked of hundreds of elements at a time: a parent's is made once, as are its places.
  function pathTo(element, made = new Map()) {
    if (!element || element === document.body) return "body";
    if (!made.has(element)) {
      const above = pathTo(element.parentElement, made);
      let place = 0;
      for (const child of element.parentElement?.children ?? []) {
        place += 1;
        made.set(child, `${above} > ${child.localName}:nth-child(${place})`);
      }
    }
    return made.get(element);
  }

  function nameOf(element) {
    const labelled = element.getAttribute("aria-labelledby");
    const label = element.labels?.[0] ?? (labelled && document.getElementById(labelled.split(" ")[0]));
    return element.getAttribute("aria-label") || label?.textContent || element.getAttribute("title")
      || element.getAttribute("placeholder") || element.textContent || element.getAttribute("name") || "";
  }

  function describe(element, made) {
    const popover = element.closest("[popover]");
    const row = element.closest("tbody tr");
    const opener = popover && !popover.matches(":popover-open")
      ? document.querySelector(`[popovertarget="${popover.id}"]`) : null;
    return {
      path: pathTo(element, made),
      opener: opener ? pathTo(opener, made) : "",
      shut: Boolean(popover && !popover.matches(":popover-open") && !opener),
      tag: element.localName,
      type: element.getAttribute("type") || "",
      role: element.getAttribute("role") || "",
      href: element.localName === "a" ? element.getAttribute("href") : "",
      target: element.getAttribute("target") || "",
      download: element.hasAttribute("download"),
      name: row ? `row ${[...row.children].findIndex((cell) => cell.contains(element))}` : plain(nameOf(element)),
      field: plain(element.getAttribute("name") || ""),
      test: plain(element.getAttribute("data-test-id") || ""),
      frame: Boolean(element.closest(FRAME)),
      made: Boolean(element.closest(MADE)),
      form: Boolean(element.form),
      chosen: element.type === "radio" && element.checked,
      seen: element.checkVisibility({ checkVisibilityCSS: true, checkOpacity: false }),
      off: element.disabled || element.getAttribute("aria-disabled") === "true"
        || Boolean(element.closest("[inert], [aria-hidden=true]")),
      fixed: element.readOnly === true,
    };
  }

  const focus = () => (document.activeElement && document.activeElement !== document.body ? pathTo(document.activeElement) : "");

  function state(path) {
    const element = document.querySelector(path);
    if (!element) return "gone";
    if (element.localName === "select") return [...element.selectedOptions].map((item) => item.value).join("|");
    return `${element.checked ?? ""}|${element.value ?? element.textContent}|${element.files?.length ?? ""}`;
  }

  window.crawl = {
    controls: () => {
      const made = new Map();
      return [...document.querySelectorAll(CONTROLS)].map((element) => describe(element, made));
    },
    one: (path) => {
      const element = document.querySelector(path);
      return element && describe(element);
    },
    standing: (path) => [seen.events, focus(), state(path)],
    others: (path) => [...document.querySelector(path).options].filter((item) => !item.selected && !item.disabled).map((item) => item.value),
  };
  if (document.documentElement) watch();
  else document.addEventListener("readystatechange", watch, { once: true });
})();
