// Documents, as the vendor's API has them, and the nodes that are edited.
import { Fragment } from "prosemirror-model";
import { schema } from "./schema.js";

const INLINE = new Set(["mention", "emoji", "date", "status", "inlineCard", "placeholder", "mediaInline", "inlineExtension"]);
// Attributes that a document need not have; it has them where they say more than nothing.
const OPTIONAL = new Set(["colspan", "rowspan", "colwidth", "order", "language", "title"]);
const NO_DOCUMENT = { type: "doc", version: 1, content: [] };

function island(node) {
  return schema.nodes[INLINE.has(node.type) ? "inlineIsland" : "island"].create({ node });
}

// The attributes of a type that are in a document's, and what is left of it.
function attrsOf(spec, item) {
  const attrs = {};
  for (const name of Object.keys(spec)) if (name !== "rest" && item.attrs?.[name] !== undefined) attrs[name] = item.attrs[name];
  const rest = {};
  if (item.attrs) rest.attrs = item.attrs;
  if (item.marks) rest.marks = item.marks;
  return { ...attrs, rest: Object.keys(rest).length ? rest : null };
}

function mark(item) {
  const type = schema.marks[item.type];
  if (!type || item.type === "kept") return schema.marks.kept.create({ mark: item });
  return type.create(attrsOf(type.spec.attrs, item));
}

function marked(item) {
  return (item.marks ?? []).map(mark).reduce((set, one) => one.addToSet(set), []);
}

function node(item) {
  if (item.type === "text") return schema.text(item.text, marked(item));
  const type = schema.nodes[item.type];
  if (!type || INLINE.has(item.type) || /island/i.test(item.type)) return island(item);
  try {
    return type.createChecked(attrsOf(type.spec.attrs, item), contentOf(item));
  } catch {
    return island(item); // it holds what may not be edited in it
  }
}

const contentOf = (item) => Fragment.from((item.content ?? []).filter((one) => one.type !== "text" || one.text).map(node));

// What is no document, as a form that was refused for it may say, is edited as none.
export function readDocument(json) {
  let content = Fragment.empty;
  try {
    content = contentOf(json ? JSON.parse(json) : NO_DOCUMENT);
  } catch {
    // it is said beside the form
  }
  return schema.nodes.doc.createAndFill(null, content) ?? schema.nodes.doc.createAndFill();
}

function written(spec, item, found) {
  const { rest } = item.attrs;
  const attrs = { ...rest?.attrs };
  for (const [name, { default: usual }] of Object.entries(spec)) {
    const isUsual = OPTIONAL.has(name) && item.attrs[name] === usual;
    if (name !== "rest" && (!isUsual || name in attrs)) attrs[name] = item.attrs[name];
  }
  if (rest?.attrs || Object.keys(attrs).length) found.attrs = attrs;
  if (rest?.marks) found.marks = rest.marks;
  return found;
}

function toMark(item) {
  return item.type.name === "kept" ? item.attrs.mark : written(item.type.spec.attrs, item, { type: item.type.name });
}

function toNode(item) {
  if (item.isText) return { type: "text", text: item.text, ...(item.marks.length ? { marks: item.marks.map(toMark) } : {}) };
  if (item.attrs.node) return structuredClone(item.attrs.node);
  const found = written(item.type.spec.attrs, item, { type: item.type.name });
  if (!item.isLeaf) found.content = toContent(item);
  return found;
}

function toContent(item) {
  const found = [];
  item.forEach((child) => found.push(toNode(child)));
  return found;
}

// Tasks are told apart by ids, and no two nodes have the same one: where a node was copied or made,
// it gets the first number that is free.
function numbered(document_) {
  const taken = new Set();
  const open = [];
  const walk = (item) => {
    const id = item.attrs?.localId;
    if (id && !taken.has(id)) taken.add(id);
    else if (id || item.type === "taskList" || item.type === "taskItem") open.push(item);
    (item.content ?? []).forEach(walk);
  };
  document_.content.forEach(walk);
  let next = 1;
  for (const item of open) {
    while (taken.has(String(next))) next += 1;
    item.attrs = { ...item.attrs, localId: String(next) };
    taken.add(String(next));
  }
  return document_;
}

// As it is sent; what shows nothing is no document.
export function writeDocument(doc) {
  if (!plainOf(doc).trim()) return "";
  return JSON.stringify(numbered({ type: "doc", version: 1, content: toContent(doc) }));
}

// The text in lines, as it would be typed; what is no text is an object in it.
export function plainOf(doc) {
  const shown = (leaf) => (leaf.type.name === "hardBreak" ? "\n" : leaf.attrs.node?.attrs?.text || "\ufffc");
  return doc.textBetween(0, doc.content.size, "\n", shown);
}

// Lines of plain text: a paragraph each; blank lines are none.
export function paragraphs(text) {
  return text.split(/[\r\n]+/).map((line) => schema.nodes.paragraph.create(null, line ? schema.text(line) : null));
}
