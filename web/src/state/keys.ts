import type { ViewerAction } from "./viewer";

/** One line of the sheet of keys, and what the key does. */
export interface KeyBinding {
  /** As `KeyboardEvent.key`, lower case for letters. */
  readonly keys: readonly string[];
  readonly shift?: boolean;
  readonly shown: readonly string[];
  readonly says: string;
  readonly group: "Play" | "Range" | "View" | "Show";
  readonly actions: readonly ViewerAction[];
}

const show = (key: string, says: string, action: ViewerAction): KeyBinding => ({
  keys: [key], shown: [key.toUpperCase()], says, group: "Show", actions: [action],
});
const view = (key: string, says: string, action: ViewerAction): KeyBinding => ({
  keys: [key], shown: [key.toUpperCase()], says, group: "View", actions: [action],
});
const play = (keys: string[], shown: string[], says: string, action: ViewerAction, shift = false): KeyBinding => ({
  keys, shown, says, group: "Play", actions: [action], shift,
});
const range = (keys: string[], shown: string[], says: string, action: ViewerAction): KeyBinding => ({
  keys, shown, says, group: "Range", actions: [action],
});

export const BINDINGS: readonly KeyBinding[] = [
  play([" "], ["Space"], "play, pause", { type: "play" }),
  play(["ArrowLeft"], ["←"], "one frame back", { type: "step", frames: -1 }),
  play(["ArrowRight"], ["→"], "one frame on", { type: "step", frames: 1 }),
  play(["ArrowLeft"], ["Shift", "←"], "ten frames back", { type: "step", frames: -10 }, true),
  play(["ArrowRight"], ["Shift", "→"], "ten frames on", { type: "step", frames: 10 }, true),
  play([","], [","], "slower", { type: "faster", by: -1 }),
  play(["."], ["."], "faster", { type: "faster", by: 1 }),
  range(["Home"], ["Home"], "first frame", { type: "toEdge", edge: "first" }),
  range(["End"], ["End"], "last frame", { type: "toEdge", edge: "last" }),
  range(["["], ["["], "range begins here", { type: "rangeEdge", edge: "first" }),
  range(["]"], ["]"], "range ends here", { type: "rangeEdge", edge: "last" }),
  range(["\\"], ["\\"], "whole take", { type: "wholeRange" }),
  range(["l"], ["L"], "loop", { type: "loop" }),
  view("1", "front", { type: "view", preset: "front" }),
  view("2", "side", { type: "view", preset: "side" }),
  view("3", "top", { type: "view", preset: "top" }),
  view("4", "three quarters", { type: "view", preset: "quarter" }),
  view("a", "whole figure", { type: "view", preset: "fit" }),
  view("f", "follow the figure", { type: "switch", what: "follow" }),
  view("d", "dark, light", { type: "theme" }),
  show("b", "body, bones, both", { type: "flesh" }),
  show("n", "joint names", { type: "switch", what: "names" }),
  show("t", "trails", { type: "switch", what: "trails" }),
  show("c", "contacts", { type: "switch", what: "contacts" }),
  show("g", "ghosts", { type: "switch", what: "ghost" }),
  show("o", "ghosts beside", { type: "switch", what: "beside" }),
  { keys: ["?"], shown: ["?"], says: "this sheet", group: "Show", actions: [{ type: "switch", what: "sheet" }] },
  { keys: ["Escape"], shown: ["Esc"], says: "close, deselect", group: "Show", actions: [{ type: "escape" }] },
];

export interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly altKey: boolean;
  readonly metaKey: boolean;
}

/** What a key press means, or nothing. Shift matters where it tells two bindings apart: ← and Shift + ←. */
export function actionsOf(press: KeyPress): readonly ViewerAction[] {
  if (press.ctrlKey || press.altKey || press.metaKey) return [];
  const key = press.key.length === 1 ? press.key.toLowerCase() : press.key;
  const found = BINDINGS.filter((binding) => binding.keys.includes(key));
  const exact = found.find((binding) => (binding.shift ?? false) === press.shiftKey) ?? found[0];
  return exact?.actions ?? [];
}

/** Whether the key belongs to the element that has the focus: text is being typed, or a button is being pressed. */
export function belongsToFocus(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.matches("textarea, select")) return true;
  if (target.matches("input")) return !target.matches("[type=range], [type=checkbox], [type=button]") || key !== " ";
  return target.matches("button, [role=button], a[href], summary") && (key === " " || key === "Enter");
}
