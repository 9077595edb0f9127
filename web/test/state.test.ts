import { describe, expect, it, vi } from "vitest";
import { BINDINGS, actionsOf } from "../src/state/keys";
import { look, plainLook } from "../src/state/look";
import { createStore } from "../src/state/store";
import { initialViewer, viewer } from "../src/state/viewer";

const press = (key: string, held: Partial<Record<"shiftKey" | "ctrlKey" | "altKey" | "metaKey", boolean>> = {}) =>
  actionsOf({ key, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...held });

describe("keys", () => {
  it("tell an arrow from Shift and an arrow", () => {
    expect(press("ArrowRight")).toEqual([{ type: "step", frames: 1 }]);
    expect(press("ArrowRight", { shiftKey: true })).toEqual([{ type: "step", frames: 10 }]);
  });
  it("do not care for capitals, nor for the Shift that a ? needs", () => {
    expect(press("T", { shiftKey: true })).toEqual(press("t"));
    expect(press("?", { shiftKey: true })).toEqual([{ type: "switch", what: "sheet" }]);
  });
  it("leave the browser's own combinations alone", () => {
    for (const held of ["ctrlKey", "altKey", "metaKey"] as const) expect(press("f", { [held]: true })).toEqual([]);
  });
  it("are each bound once", () => {
    const all = BINDINGS.flatMap((b) => b.keys.map((key) => `${b.shift ? "Shift " : ""}${key}`));
    expect(new Set(all).size).toBe(all.length);
  });
});

describe("the look", () => {
  it("goes body, bones, both, body", () => {
    const shown = [1, 2, 3].map((presses) => Array.from({ length: presses }).reduce<typeof plainLook>((s) => look(s, { type: "flesh" }), plainLook).flesh);
    expect(shown).toEqual(["bones", "both", "body"]);
  });
  it("tells two requests for the same view apart", () => {
    const once = look(plainLook, { type: "view", preset: "side" });
    expect(look(once, { type: "view", preset: "side" }).view.serial).toBe(once.view.serial + 1);
  });
  it("closes the sheet before it deselects", () => {
    const state = { ...plainLook, sheet: true, selected: 3 };
    const closed = look(state, { type: "escape" });
    expect(closed).toMatchObject({ sheet: false, selected: 3 });
    expect(look(closed, { type: "escape" }).selected).toBeNull();
  });
  it("stays the same value when the pointer stays on a joint", () => {
    expect(look(plainLook, { type: "hover", joint: null })).toBe(plainLook);
  });
});

describe("the store", () => {
  it("tells listeners only of changes, and sends each action to its reducer", () => {
    const store = createStore(viewer, initialViewer);
    const heard = vi.fn();
    const stop = store.subscribe(heard);
    store.dispatch({ type: "tick", seconds: 1 });
    expect(heard).not.toHaveBeenCalled();
    store.dispatch({ type: "switch", what: "names" });
    store.dispatch({ type: "load", frames: 9, rate: 30 });
    expect(heard).toHaveBeenCalledTimes(2);
    expect(store.get()).toMatchObject({ look: { names: true }, playback: { frames: 9 } });
    stop();
    store.dispatch({ type: "theme" });
    expect(heard).toHaveBeenCalledTimes(2);
  });
});
