// The buttons above an editor. Each has a name; those of a format say whether it is on.
import { chainCommands, lift, setBlockType, toggleMark, wrapIn } from "prosemirror-commands";
import { liftListItem, wrapInList } from "prosemirror-schema-list";
import { addColumnAfter, addRowAfter, deleteColumn, deleteRow, deleteTable, isInTable } from "prosemirror-tables";
import { TextSelection } from "prosemirror-state";
import { schema } from "./schema.js";
import { outOfTask, toTask } from "./typing.js";
import { askForLink } from "./links.js";

const { nodes, marks } = schema;

function element(tag, attributes, ...inside) {
  const found = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) found.setAttribute(name, value);
  found.append(...inside);
  return found;
}

function isWithin(state, type, depth = state.selection.$from.depth) {
  return depth > 0 && (state.selection.$from.node(depth).type === type || isWithin(state, type, depth - 1));
}

function isMarked(state, type) {
  const { from, to, $from, empty } = state.selection;
  return Boolean(empty ? type.isInSet(state.storedMarks ?? $from.marks()) : state.doc.rangeHasMark(from, to, type));
}

const mark = (type) => ({ run: toggleMark(type), isOn: (state) => isMarked(state, type) });

function list(type) {
  return {
    isOn: (state) => isWithin(state, type),
    run: (state, dispatch) => (isWithin(state, type) ? liftListItem(nodes.listItem) : wrapInList(type))(state, dispatch),
  };
}

function around(type) {
  const isOn = (state) => isWithin(state, type);
  return { isOn, run: (state, dispatch) => (isOn(state) ? lift : wrapIn(type))(state, dispatch) };
}

const code = {
  isOn: (state) => state.selection.$from.parent.type === nodes.codeBlock,
  run: (state, dispatch) => setBlockType(code.isOn(state) ? nodes.paragraph : nodes.codeBlock)(state, dispatch),
};

// A block of its own: in place of an empty paragraph, else behind what the cursor is in.
function insertBlock(block) {
  return (state, dispatch) => {
    const { $from } = state.selection;
    if (!$from.depth) return false;
    const isOpen = $from.depth === 1 && $from.parent.type === nodes.paragraph && !$from.parent.childCount;
    const [at, end] = isOpen ? [$from.before(1), $from.after(1)] : [$from.after(1), $from.after(1)];
    const made = block();
    const isLast = end === state.doc.content.size;
    const tr = state.tr.replaceWith(at, end, isLast ? [made, nodes.paragraph.create()] : made);
    const within = made.isLeaf ? at + made.nodeSize : at;
    dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(within))).scrollIntoView());
    return true;
  };
}

const insertRule = insertBlock(() => nodes.rule.create());
const insertTable = insertBlock(() => {
  const row = (type) => nodes.tableRow.create(null, [1, 2, 3].map(() => type.createAndFill()));
  return nodes.table.create(null, [row(nodes.tableHeader), row(nodes.tableCell), row(nodes.tableCell)]);
});

// What begins the naming of somebody, as if it had been typed.
function insertMention(state, dispatch) {
  const { $from } = state.selection;
  const before = $from.parent.textBetween(0, $from.parentOffset, null, "\u200b");
  dispatch?.(state.tr.insertText(/(^|\s)$/.test(before) ? "@" : " @").scrollIntoView());
  return true;
}

const TOOLS = [
  { name: "Bold", icon: "text-bold", ...mark(marks.strong) },
  { name: "Italic", icon: "text-italic", ...mark(marks.em) },
  { name: "Underline", icon: "text-underline", ...mark(marks.underline) },
  { name: "Strikethrough", icon: "text-strikethrough", ...mark(marks.strike) },
  { name: "Code", icon: "angle-brackets", ...mark(marks.code) },
  null,
  { name: "Bulleted list", icon: "list-bulleted", ...list(nodes.bulletList) },
  { name: "Numbered list", icon: "list-numbered", ...list(nodes.orderedList) },
  { name: "Action item", icon: "list-checklist", run: (state, dispatch) => outOfTask(state, dispatch) || toTask(state, dispatch), isOn: (state) => isWithin(state, nodes.taskList) },
  null,
  { name: "Link", icon: "link", isOn: (state) => isMarked(state, marks.link), open: askForLink },
  { name: "Mention", icon: "mention", run: insertMention, isFor: (editor) => editor.mentions },
  { name: "Table", icon: "table", run: insertTable, isOn: isInTable },
  { name: "Code snippet", icon: "screen", ...code },
  { name: "Quote", icon: "quotation-mark", ...around(nodes.blockquote) },
  { name: "Info panel", icon: "information", ...around(nodes.panel) },
  { name: "Divider", icon: "minus", run: insertRule },
];
const IN_TABLES = [
  { name: "Add row below", run: addRowAfter },
  { name: "Add column to the right", run: addColumnAfter },
  { name: "Delete row", run: chainCommands(deleteRow, deleteTable) },
  { name: "Delete column", run: chainCommands(deleteColumn, deleteTable) },
  { name: "Delete table", run: deleteTable },
];

function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [key, value] of [["class", "icon"], ["width", 16], ["height", 16], ["aria-hidden", "true"]]) svg.setAttribute(key, value);
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `${document.body.dataset.icons}#${name}`);
  svg.append(use);
  return svg;
}

// A toolbar is one stop of Tab; arrows lead through it.
function step(event, toolbar) {
  const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const all = [...toolbar.querySelectorAll("select, button")];
  const at = all.indexOf(event.target);
  if (!way || at < 0) return;
  event.preventDefault();
  all[(at + way + all.length) % all.length].focus();
}

export class Toolbar {
  constructor(editor, name) {
    this.editor = editor;
    this.buttons = [];
    this.styles = this.makeStyles();
    const tools = TOOLS.filter((tool) => !tool?.isFor || tool.isFor(editor)).map((tool) => (tool ? this.makeButton(tool) : element("span", { class: "rich-tools__gap" })));
    this.element = element("div", { class: "rich-tools", role: "toolbar", "aria-label": `${name} formatting` }, this.styles, ...tools);
    // Below the text, which stays where it is while this comes and goes.
    this.table = element("div", { class: "rich-tools rich-tools--table", role: "toolbar", "aria-label": `${name} table` }, ...IN_TABLES.map((tool) => this.makeButton(tool)));
    this.table.firstChild.tabIndex = 0;
    for (const one of [this.element, this.table]) one.addEventListener("keydown", (event) => step(event, one));
  }

  makeStyles() {
    const options = ["Normal text", ...[1, 2, 3, 4, 5, 6].map((level) => `Heading ${level}`)];
    const select = element("select", { class: "field__input rich-tools__styles", "aria-label": "Text styles" }, ...options.map((text, level) => element("option", { value: level }, text)));
    select.addEventListener("change", (event) => {
      event.stopPropagation();
      const level = Number(select.value);
      this.run(level ? setBlockType(nodes.heading, { level }) : setBlockType(nodes.paragraph));
    });
    return select;
  }

  makeButton(tool) {
    const button = element("button", { type: "button", class: "icon-button", "aria-label": tool.name, title: tool.name }, tool.icon ? icon(tool.icon) : tool.name);
    if (!tool.icon) button.className = "button button--quiet button--small";
    button.tabIndex = -1;
    button.addEventListener("mousedown", (event) => event.preventDefault()); // the selection stays
    button.addEventListener("click", () => (tool.open ? tool.open(this.editor) : this.run(tool.run)));
    this.buttons.push([button, tool]);
    return button;
  }

  run(command) {
    const { view } = this.editor;
    view.focus();
    command(view.state, view.dispatch, view);
  }

  // What is on where the cursor stands.
  show(state) {
    const { parent } = state.selection.$from;
    this.styles.value = parent.type === nodes.heading ? parent.attrs.level : 0;
    this.table.hidden = !isInTable(state);
    for (const [button, tool] of this.buttons) {
      if (tool.isOn) button.setAttribute("aria-pressed", String(tool.isOn(state)));
    }
  }
}
