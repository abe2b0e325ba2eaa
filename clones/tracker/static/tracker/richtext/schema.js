// What a rich text may hold while it is edited, by the names of the vendor's documents. A node's
// `rest` is what its document says beyond what is edited here; it comes out as it went in. What is
// no node here stands as an island, whole.
import { Schema } from "prosemirror-model";

const REST = { rest: { default: null } };
const IN_ITEMS = "paragraph | bulletList | orderedList | taskList | codeBlock | island";
const IN_PANELS = `${IN_ITEMS} | heading | rule`;
const IN_CELLS = `${IN_PANELS} | blockquote | panel`;

const held = (node) => JSON.stringify(node.attrs.node);
const kept = (element) => {
  try {
    return { node: JSON.parse(element.dataset.node) };
  } catch {
    return false;
  }
};

// What stands for a node that is not edited: the words in it.
export function words(node) {
  const { attrs = {} } = node;
  if (node.type === "date") return new Date(Number(attrs.timestamp)).toISOString().slice(0, 10);
  const own = attrs.text ?? attrs.url ?? attrs.alt ?? attrs.title ?? attrs.shortName ?? node.text;
  return own || (node.content ?? []).map(words).join(" ") || node.type;
}

const cellAttrs = { ...REST, colspan: { default: 1 }, rowspan: { default: 1 }, colwidth: { default: null } };
function shownCell(tag, node) {
  const { colspan, rowspan, rest } = node.attrs;
  const attrs = {};
  if (colspan !== 1) attrs.colspan = colspan;
  if (rowspan !== 1) attrs.rowspan = rowspan;
  if (rest?.attrs?.background) attrs.style = `background-color: ${rest.attrs.background}`;
  return [tag, attrs, 0];
}
const spans = (cell) => ({ colspan: cell.colSpan || 1, rowspan: cell.rowSpan || 1 });

const nodes = {
  doc: { content: "block+" },
  paragraph: { group: "block", content: "inline*", attrs: REST, parseDOM: [{ tag: "p" }], toDOM: () => ["p", 0] },
  heading: {
    group: "block", content: "inline*", defining: true, attrs: { ...REST, level: { default: 1 } },
    parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({ tag: `h${level}`, attrs: { level } })),
    toDOM: (node) => [`h${node.attrs.level}`, 0],
  },
  bulletList: { group: "block", content: "listItem+", attrs: REST, parseDOM: [{ tag: "ul" }], toDOM: () => ["ul", 0] },
  orderedList: {
    group: "block", content: "listItem+", attrs: { ...REST, order: { default: 1 } },
    parseDOM: [{ tag: "ol", getAttrs: (list) => ({ order: list.start }) }],
    toDOM: (node) => ["ol", node.attrs.order === 1 ? {} : { start: node.attrs.order }, 0],
  },
  listItem: {
    content: `(paragraph | codeBlock | island) (${IN_ITEMS})*`, defining: true, attrs: REST,
    parseDOM: [{ tag: "li" }], toDOM: () => ["li", 0],
  },
  taskList: {
    group: "block", content: "taskItem (taskItem | taskList)*", attrs: REST,
    parseDOM: [{ tag: "ul[data-tasks]", priority: 60 }], toDOM: () => ["ul", { "data-tasks": "" }, 0],
  },
  taskItem: {
    content: "inline*", defining: true, attrs: { ...REST, state: { default: "TODO" } },
    parseDOM: [{ tag: "li[data-task]", priority: 60, getAttrs: (item) => ({ state: item.dataset.task }) }],
    toDOM: (node) => ["li", { "data-task": node.attrs.state }, 0],
  },
  blockquote: {
    group: "block", content: "(paragraph | bulletList | orderedList | codeBlock | island)+", defining: true, attrs: REST,
    parseDOM: [{ tag: "blockquote" }], toDOM: () => ["blockquote", 0],
  },
  codeBlock: {
    group: "block", content: "text*", marks: "", code: true, defining: true, attrs: { ...REST, language: { default: null } },
    parseDOM: [{ tag: "pre", preserveWhitespace: "full" }], toDOM: () => ["pre", ["code", { spellcheck: "false" }, 0]],
  },
  panel: {
    group: "block", content: `(${IN_PANELS})+`, defining: true, attrs: { ...REST, panelType: { default: "info" } },
    parseDOM: [{ tag: "div[data-panel]", getAttrs: (panel) => ({ panelType: panel.dataset.panel }) }],
    toDOM: (node) => ["div", { class: "rich-panel", "data-panel": node.attrs.panelType }, 0],
  },
  expand: {
    group: "block", content: `(${IN_CELLS} | table)+`, defining: true, isolating: true, attrs: { ...REST, title: { default: "" } },
    toDOM: (node) => ["div", { class: "rich-expand", "data-title": node.attrs.title }, 0],
  },
  rule: { group: "block", attrs: REST, parseDOM: [{ tag: "hr" }], toDOM: () => ["hr"] },
  table: {
    group: "block", content: "tableRow+", tableRole: "table", isolating: true, attrs: REST,
    parseDOM: [{ tag: "table" }], toDOM: () => ["table", ["tbody", 0]],
  },
  tableRow: { content: "(tableCell | tableHeader)+", tableRole: "row", attrs: REST, parseDOM: [{ tag: "tr" }], toDOM: () => ["tr", 0] },
  tableHeader: {
    content: `(${IN_CELLS})+`, tableRole: "header_cell", isolating: true, attrs: cellAttrs,
    parseDOM: [{ tag: "th", getAttrs: spans }], toDOM: (node) => shownCell("th", node),
  },
  tableCell: {
    content: `(${IN_CELLS})+`, tableRole: "cell", isolating: true, attrs: cellAttrs,
    parseDOM: [{ tag: "td", getAttrs: spans }], toDOM: (node) => shownCell("td", node),
  },
  island: {
    group: "block", atom: true, selectable: true, attrs: { node: {} },
    parseDOM: [{ tag: "div[data-node]", getAttrs: kept }],
    toDOM: (node) => ["div", { class: "island", "data-node": held(node), contenteditable: "false" }, words(node.attrs.node)],
  },
  inlineIsland: {
    group: "inline", inline: true, atom: true, marks: "", attrs: { node: {} },
    parseDOM: [{ tag: "span[data-node]", getAttrs: kept }],
    toDOM: (node) => ["span", { class: `island island--${node.attrs.node.type}`, "data-node": held(node), contenteditable: "false" }, words(node.attrs.node)],
  },
  hardBreak: {
    group: "inline", inline: true, selectable: false, linebreakReplacement: true, attrs: REST,
    parseDOM: [{ tag: "br" }], toDOM: () => ["br"],
  },
  text: { group: "inline" },
};

const address = (link) => (/^(https?|mailto|ftp|tel):|^[/#]/i.test(link.getAttribute("href")) ? { href: link.getAttribute("href") } : false);
const tinted = (name) => ({ group: "formatted", attrs: { ...REST, color: {} }, toDOM: (mark) => ["span", { style: `${name}: ${mark.attrs.color}` }, 0] });

// In the order in which the vendor's documents name them.
const marks = {
  link: {
    inclusive: false, attrs: { ...REST, href: {} },
    parseDOM: [{ tag: "a[href]", getAttrs: address }],
    toDOM: (mark) => ["a", { href: mark.attrs.href, rel: "noopener noreferrer" }, 0],
  },
  em: { group: "formatted", attrs: REST, parseDOM: [{ tag: "em" }, { tag: "i" }, { style: "font-style=italic" }], toDOM: () => ["em", 0] },
  strong: {
    group: "formatted", attrs: REST,
    parseDOM: [{ tag: "strong" }, { tag: "b", getAttrs: (node) => node.style.fontWeight !== "normal" && null }, { style: "font-weight", getAttrs: (value) => /^(bold(er)?|[6-9]\d{2})$/.test(value) && null }],
    toDOM: () => ["strong", 0],
  },
  strike: { group: "formatted", attrs: REST, parseDOM: [{ tag: "s" }, { tag: "del" }, { tag: "strike" }], toDOM: () => ["s", 0] },
  subsup: {
    group: "formatted", attrs: { ...REST, type: { default: "sub" } },
    parseDOM: [{ tag: "sub", attrs: { type: "sub" } }, { tag: "sup", attrs: { type: "sup" } }],
    toDOM: (mark) => [mark.attrs.type === "sup" ? "sup" : "sub", 0],
  },
  underline: { group: "formatted", attrs: REST, parseDOM: [{ tag: "u" }], toDOM: () => ["u", 0] },
  textColor: tinted("color"),
  backgroundColor: tinted("background-color"),
  code: { excludes: "formatted code", attrs: REST, parseDOM: [{ tag: "code" }], toDOM: () => ["code", 0] },
  // A mark that is not edited here.
  kept: { excludes: "", inclusive: false, attrs: { mark: {} }, toDOM: () => ["span", 0] },
};

export const schema = new Schema({ nodes, marks });
