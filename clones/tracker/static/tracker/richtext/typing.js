// Keys, and what becomes of signs as they are typed: "# ", "* ", "1. ", "**bold**", addresses.
import { InputRule, inputRules, textblockTypeInputRule, undoInputRule, wrappingInputRule } from "prosemirror-inputrules";
import { baseKeymap, chainCommands, createParagraphNear, exitCode, liftEmptyBlock, newlineInCode, setBlockType, splitBlockKeepMarks, toggleMark } from "prosemirror-commands";
import { liftListItem, sinkListItem, splitListItemKeepMarks, wrapInList } from "prosemirror-schema-list";
import { redo, undo } from "prosemirror-history";
import { goToNextCell } from "prosemirror-tables";
import { keymap } from "prosemirror-keymap";
import { Plugin, TextSelection } from "prosemirror-state";
import { Fragment, Slice } from "prosemirror-model";
import { paragraphs } from "./documents.js";
import { schema } from "./schema.js";

const { nodes, marks } = schema;

// Signs around words give way to a mark on them. `typed` is the end of the match, which is not there yet.
function markRule(pattern, type) {
  return new InputRule(pattern, (state, match, start, end, typed) => {
    const [whole, before, text] = match;
    const tr = state.tr.insertText(typed, start + whole.length - typed.length, end);
    const from = start + before.length;
    const width = (whole.length - before.length - text.length) / 2;
    tr.delete(from + width + text.length, start + whole.length).delete(from, from + width);
    return tr.addMark(from, from + text.length, type.create()).removeStoredMark(type);
  });
}

// An address with a blank or the end of its line after it is a link.
const ADDRESS = /(^|[\s(])(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)])[.,;:!?)]*$/;
function linkBefore(state) {
  const { $from, empty } = state.selection;
  if (!empty || !$from.parent.inlineContent || $from.parent.type.spec.code) return null;
  const before = $from.parent.textBetween(0, $from.parentOffset, null, "\ufffc");
  const found = ADDRESS.exec(before);
  if (!found) return null;
  const from = $from.start() + found.index + found[1].length;
  const to = from + found[2].length;
  if (state.doc.rangeHasMark(from, to, marks.link) || state.doc.rangeHasMark(from, to, marks.code)) return null;
  return state.tr.addMark(from, to, marks.link.create({ href: found[2] })).removeStoredMark(marks.link);
}

export const links = new Plugin({
  props: {
    handleKeyDown(view, event) {
      const tr = event.key === "Enter" || event.key === " " ? linkBefore(view.state) : null;
      if (tr) view.dispatch(tr);
      return false; // the key does what it does
    },
  },
});

// Three dashes in a paragraph of their own are a divider.
const ruled = new InputRule(/^---$/, (state, match, start, end, typed) => {
  const { parent, depth } = state.doc.resolve(start);
  if (depth !== 1 || parent.type !== nodes.paragraph || parent.content.size !== match[0].length - typed.length) return null;
  return state.tr.replaceWith(start - 1, end + 1, [nodes.rule.create(), nodes.paragraph.create()]);
});

// A paragraph becomes a task.
export function toTask(state, dispatch, { from = 0, isDone = false } = {}) {
  const { $from } = state.selection;
  if ($from.depth !== 1 || $from.parent.type !== nodes.paragraph) return false;
  const item = nodes.taskItem.create({ state: isDone ? "DONE" : "TODO" }, $from.parent.content.cut(from));
  const tr = state.tr.replaceWith($from.before(), $from.after(), nodes.taskList.create(null, item));
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, $from.before() + 2 + $from.parentOffset - from)).scrollIntoView());
  return true;
}

const task = new InputRule(/^\[([ xX]?)\]\s$/, (state, match, start, end, typed) => {
  let found = null;
  toTask(state, (tr) => (found = tr), { from: match[0].length - typed.length, isDone: /x/i.test(match[1]) });
  return found;
});

export const signs = inputRules({
  rules: [
    textblockTypeInputRule(/^(#{1,6})\s$/, nodes.heading, (match) => ({ level: match[1].length })),
    textblockTypeInputRule(/^```$/, nodes.codeBlock),
    wrappingInputRule(/^\s*[-*]\s$/, nodes.bulletList),
    wrappingInputRule(/^(\d+)[.)]\s$/, nodes.orderedList, (match) => ({ order: Number(match[1]) }), (match, node) => node.childCount + node.attrs.order === Number(match[1])),
    wrappingInputRule(/^>\s$/, nodes.blockquote),
    ruled,
    task,
    markRule(/(^|[\s(])\*\*([^\s*](?:[^*]*[^\s*])?)\*\*$/, marks.strong),
    markRule(/(^|[\s(])__([^\s_](?:[^_]*[^\s_])?)__$/, marks.strong),
    markRule(/(^|[\s(])\*([^\s*](?:[^*]*[^\s*])?)\*$/, marks.em),
    markRule(/(^|[\s(])_([^\s_](?:[^_]*[^\s_])?)_$/, marks.em),
    markRule(/(^|[\s(])~~([^\s~](?:[^~]*[^\s~])?)~~$/, marks.strike),
    markRule(/(^|[\s(])`([^`]+)`$/, marks.code),
  ],
});

const broken = chainCommands(exitCode, (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodes.hardBreak.create()).scrollIntoView());
  return true;
});

// A task becomes a paragraph, between those before it and those behind it.
export function outOfTask(state, dispatch) {
  const { $from } = state.selection;
  if ($from.parent.type !== nodes.taskItem || $from.depth !== 2) return false;
  const [list, index] = [$from.node(1), $from.index(1)];
  if (list.maybeChild(index + 1)?.type === nodes.taskList) return false;
  const items = list.content.content;
  const part = (some) => (some.length ? [list.copy(Fragment.from(some))] : []);
  const before = part(items.slice(0, index));
  const found = [...before, nodes.paragraph.create(null, $from.parent.content), ...part(items.slice(index + 1))];
  const tr = state.tr.replaceWith($from.before(1), $from.after(1), found);
  const at = $from.before(1) + (before[0]?.nodeSize ?? 0) + 1 + $from.parentOffset;
  dispatch?.(tr.setSelection(TextSelection.create(tr.doc, at)).scrollIntoView());
  return true;
}

// In a task: Enter begins the next one; on an empty one it leads out of the list.
function nextTask(state, dispatch) {
  const { $from, $to } = state.selection;
  if ($from.parent.type !== nodes.taskItem || !$from.sameParent($to)) return false;
  if (!$from.parent.content.size) return outOfTask(state, dispatch);
  const tr = state.tr.deleteSelection();
  dispatch?.(tr.split(tr.selection.from, 1, [{ type: nodes.taskItem, attrs: { state: "TODO" } }]).scrollIntoView());
  return true;
}

const atStart = ({ selection: { $from, empty } }) => empty && $from.parentOffset === 0;
const backOutOfTask = (state, dispatch) => atStart(state) && outOfTask(state, dispatch);

// In code Enter is a line of it; after two empty lines at its end it leads out.
function outOfCode(state, dispatch) {
  const { $from, empty } = state.selection;
  const code = $from.parent;
  if (!empty || !code.type.spec.code || $from.parentOffset < code.content.size || !code.textContent.endsWith("\n\n")) return false;
  const tr = state.tr.delete($from.pos - 2, $from.pos);
  const after = tr.mapping.map($from.after());
  dispatch?.(tr.insert(after, nodes.paragraph.create()).setSelection(TextSelection.create(tr.doc, after + 1)).scrollIntoView());
  return true;
}

export function keys(submit) {
  const bound = {
    "Mod-z": undo, "Mod-y": redo, "Mod-Shift-z": redo,
    "Mod-b": toggleMark(marks.strong), "Mod-i": toggleMark(marks.em), "Mod-u": toggleMark(marks.underline),
    "Mod-Shift-s": toggleMark(marks.strike), "Mod-Shift-m": toggleMark(marks.code),
    "Mod-Shift-7": wrapInList(nodes.orderedList), "Mod-Shift-8": wrapInList(nodes.bulletList),
    "Mod-Alt-0": setBlockType(nodes.paragraph),
    "Mod-Enter": submit, "Shift-Enter": broken, Backspace: chainCommands(undoInputRule, backOutOfTask),
    Enter: chainCommands(outOfCode, newlineInCode, nextTask, splitListItemKeepMarks(nodes.listItem), createParagraphNear, liftEmptyBlock, splitBlockKeepMarks),
    Tab: chainCommands(goToNextCell(1), sinkListItem(nodes.listItem)),
    "Shift-Tab": chainCommands(goToNextCell(-1), liftListItem(nodes.listItem)),
  };
  for (const level of [1, 2, 3, 4, 5, 6]) bound[`Mod-Alt-${level}`] = setBlockType(nodes.heading, { level });
  return [keymap(bound), keymap(baseKeymap)];
}

// Several lines that come at once, as tools put them in, are as many paragraphs.
export const lines = new Plugin({
  props: {
    handleDOMEvents: {
      beforeinput(view, event) {
        if (event.inputType !== "insertText" || !event.data?.includes("\n")) return false;
        event.preventDefault();
        put(view, event.data);
        return true;
      },
    },
    handleTextInput(view, from, to, text) {
      if (!text.includes("\n")) return false;
      view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, from, to)));
      put(view, text);
      return true;
    },
  },
});

function put(view, text) {
  const { state } = view;
  if (state.selection.$from.parent.type.spec.code) return view.dispatch(state.tr.insertText(text).scrollIntoView());
  return view.dispatch(state.tr.replaceSelection(new Slice(Fragment.from(paragraphs(text)), 1, 1)).scrollIntoView());
}
