// The composer: an editor in place of the plain text area, channels, links.

const BLOCKS = new Set(["DIV", "P", "LI", "UL", "OL", "BLOCKQUOTE", "PRE"]);
const FORMATTED = "b, strong, i, em, u, s, a, ul, ol, blockquote, pre, code, h1, h2, h3, table";
const LABELS = { public: "Public reply", internal: "Internal note" };

// The text of an editor as it would be typed into a plain area: a line per block or break.
export function plainOf(editor) {
  let text = "";
  const line = () => {
    if (text && !text.endsWith("\n")) text += "\n";
  };
  const walk = (node) => {
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) text += child.data;
      else if (child.nodeName === "BR") {
        // The break that keeps an empty block open is the block's own line end.
        if (child.nextSibling || !BLOCKS.has(node.nodeName) || node === editor) text += "\n";
        else if (node.childNodes.length === 1) text += "\n";
      } else {
        const isBlock = BLOCKS.has(child.nodeName);
        if (isBlock) line();
        walk(child);
        if (isBlock) line();
      }
    }
  };
  walk(editor);
  return text.replaceAll("\u00a0", " ").replace(/\n+$/, "");
}

class Editor {
  constructor(section) {
    this.section = section;
    this.area = section.querySelector("textarea[name=comment]");
    this.html = section.querySelector("input[name=comment_html]");
    this.channel = section.querySelector("input[name=channel]");
    this.form = this.area.form;
    this.element = document.createElement("div");
    this.element.className = "composer__rich";
    this.element.contentEditable = "true";
    this.element.setAttribute("role", "textbox");
    this.element.setAttribute("aria-multiline", "true");
    this.element.setAttribute("aria-label", this.area.getAttribute("aria-label"));
    this.element.dataset.testId = "omnicomposer-rich-text-ckeditor";
    if (this.html.value) this.element.innerHTML = this.html.value;
    else this.element.innerText = this.area.value;
    this.area.hidden = true;
    this.area.before(this.element);
    section.querySelector(".composer__formats").hidden = false;
    this.listen();
  }

  listen() {
    this.element.addEventListener("input", () => this.keep());
    this.element.addEventListener("paste", (event) => {
      event.preventDefault();
      document.execCommand("insertText", false, event.clipboardData.getData("text/plain"));
    });
    for (const button of this.section.querySelectorAll("[data-format]")) {
      button.addEventListener("mousedown", (event) => event.preventDefault());
      button.addEventListener("click", () => {
        this.element.focus();
        document.execCommand(button.dataset.format);
        this.keep();
      });
    }
    this.section.querySelector("[data-link]").addEventListener("click", () => this.askForLink());
    for (const item of this.section.querySelectorAll("[name=set_channel]")) {
      item.addEventListener("click", (event) => {
        event.preventDefault();
        item.closest("[popover]").hidePopover();
        this.setChannel(item.value);
        this.element.focus();
      });
    }
  }

  keep() {
    this.area.value = plainOf(this.element);
    this.html.value = this.element.querySelector(FORMATTED) ? this.element.innerHTML : "";
  }

  setChannel(name) {
    this.channel.value = name;
    this.section.dataset.channel = name;
    this.section.classList.toggle("composer--internal", name === "internal");
    this.section.querySelector("[data-channel-label]").textContent = LABELS[name];
    this.element.setAttribute("aria-label", `${LABELS[name]} composer`);
    for (const item of this.section.querySelectorAll("[name=set_channel]")) {
      item.setAttribute("aria-checked", String(item.value === name));
    }
    if (this.area.value) this.later();
  }

  // Tell that there is something to be kept which no key brought.
  later() {
    this.form.dispatchEvent(new Event("draft"));
  }

  // Where somebody is writing, or has written last.
  place() {
    const selection = document.getSelection();
    const inside = selection.rangeCount && this.element.contains(selection.anchorNode);
    return inside ? selection.getRangeAt(0).cloneRange() : null;
  }

  insertLink(address, text, range = this.place()) {
    const link = document.createElement("a");
    link.setAttribute("href", address);
    link.textContent = text || address;
    if (range) {
      range.deleteContents();
      range.insertNode(link);
    } else this.element.append(link);
    this.keep();
    this.later();
    return link;
  }

  // Put the caret behind something, with a space between.
  goBehind(node) {
    const space = document.createTextNode("\u00a0");
    node.after(space);
    this.element.focus();
    document.getSelection().collapse(space, 1);
    this.keep();
  }

  askForLink() {
    const range = this.place();
    const dialog = linkDialog(
      (address, text) => this.insertLink(address, text, range),
      () => this.element.focus(),
    );
    dialog.querySelector("[name=text]").value = range ? range.toString() : "";
    document.body.append(dialog);
    dialog.showModal();
  }
}

function linkDialog(done, closed) {
  const dialog = document.createElement("dialog");
  dialog.className = "dialog";
  dialog.setAttribute("aria-label", "Insert link");
  dialog.innerHTML = `<form method="dialog"><h2>Insert link</h2>
    <div class="c-field"><label class="c-field__label" for="link-text">Text</label>
    <input class="c-field__input" id="link-text" name="text" data-test-id="link-modal-text-input"></div>
    <div class="c-field"><label class="c-field__label" for="link-address">Link</label>
    <input class="c-field__input" id="link-address" name="address" type="url" required data-test-id="link-modal-link-input"></div>
    <p class="dialog__end"><button class="c-btn c-btn--sm" type="button">Cancel</button>
    <button class="c-btn c-btn--sm c-btn--primary" type="submit" data-test-id="link-modal-add-button">Add link</button></p></form>`;
  const form = dialog.querySelector("form");
  form.querySelector("[type=button]").addEventListener("click", () => dialog.close());
  // At once: a dialog says that it has closed only later, when the reply may have been sent.
  form.addEventListener("submit", () => {
    const { address, text } = form.elements;
    if (/^(https?|mailto):/.test(address.value)) done(address.value, text.value);
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    closed();
  });
  return dialog;
}

export function refineComposer(root) {
  const sections = root.matches?.("#composer") ? [root] : root.querySelectorAll("#composer");
  for (const section of sections) {
    if (!section.querySelector(".composer__rich")) section.editor = new Editor(section);
  }
}
