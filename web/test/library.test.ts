import { describe, expect, it } from "vitest";
import type { TakeSummary } from "../src/protocol";
import { emptyLibrary, found, grouped, isGhost, kernelNote, library, type LibraryAction, type Opened } from "../src/studio/library";

const take = (id: string, source: TakeSummary["source"], description = ""): TakeSummary => ({ id, name: id, source, description, has_options: source === "sample" });
const listed = library(emptyLibrary, { type: "listed", takes: [take("f1", "file", "/a/jump.bvh"), take("walk", "sample", "Walking straight on"), take("run", "sample", "Running")] });
const opened = (id: string) => ({ id }) as Opened;
const after = (...actions: LibraryAction[]) => actions.reduce(library, listed);

describe("the list", () => {
  it("has files first", () => {
    expect(grouped(listed.takes!).map((g) => [g.title, g.takes.length])).toEqual([["Files", 1], ["Built in", 2]]);
    expect(grouped([take("walk", "sample")]).map((g) => g.title)).toEqual(["Built in"]);
  });
  it("puts a new file after the other files", () => {
    expect(after({ type: "added", takes: [take("f2", "file")] }).takes!.map((t) => t.id)).toEqual(["f1", "f2", "walk", "run"]);
  });
  it("is searched by name and description, in any order of words", () => {
    expect(found(listed.takes!, "straight WALK").map((t) => t.id)).toEqual(["walk"]);
    expect(found(listed.takes!, "jump").map((t) => t.id)).toEqual(["f1"]);
    expect(found(listed.takes!, "  ")).toHaveLength(3);
    expect(found(listed.takes!, "walk jump")).toHaveLength(0);
  });
});

describe("opening", () => {
  it("keeps the old take until the new one is there, and when that fails", () => {
    const first = after({ type: "opened", as: "figure", opened: opened("walk") }, { type: "asked", id: "run", as: "figure" });
    expect(first).toMatchObject({ figure: { id: "walk" }, asked: { figure: "run" } });
    const failed = library(first, { type: "failed", problem: { title: "no", message: "why", retry: { id: "run", as: "figure" } } });
    expect(failed).toMatchObject({ figure: { id: "walk" }, asked: { figure: null }, problem: { message: "why" } });
    const again = library(failed, { type: "asked", id: "run", as: "figure" });
    expect(library(again, { type: "opened", as: "figure", opened: opened("run") })).toMatchObject({ figure: { id: "run" }, problem: null });
  });
  it("takes a take's ghosts away, also one that is still on its way, and no other's", () => {
    const two = after({ type: "opened", as: "ghost", opened: opened("run") }, { type: "opened", as: "ghost", opened: opened("jump") }, { type: "asked", id: "walk", as: "ghost" });
    expect(isGhost(two, "walk")).toBe(true);
    const one = [{ type: "dropGhosts", id: "walk" }, { type: "dropGhosts", id: "run" }].reduce((s, a) => library(s, a as LibraryAction), two);
    expect(one.ghosts.map((ghost) => ghost.id)).toEqual(["jump"]);
    expect(isGhost(one, "walk")).toBe(false);
  });
  it("keeps the figure as a ghost again and again, each of which can be taken away alone", () => {
    const kept = after({ type: "keep" }, { type: "opened", as: "figure", opened: opened("walk") }, { type: "keep" }, { type: "keep" });
    expect(kept.ghosts.map((ghost) => ghost.id)).toEqual(["walk", "walk"]);
    const [first] = kept.ghosts;
    const fewer = library(kept, { type: "dropGhost", key: first!.key });
    expect(fewer.ghosts).toEqual([kept.ghosts[1]]);
    expect(new Set(library(fewer, { type: "keep" }).ghosts.map((ghost) => ghost.key)).size).toBe(2);
  });
  it("stops waiting when the server is gone", () => {
    expect(after({ type: "asked", id: "run", as: "figure" }, { type: "link", to: "gone" })).toMatchObject({ link: "gone", asked: { figure: null } });
  });
});

describe("the note about kernels", () => {
  const state = { version: "1", compiled: 12, kernels: 37, compiling: "slerp" };
  it("counts while they are made, and goes when they are done or it failed", () => {
    expect(kernelNote(state)).toEqual({ text: "Compiling kernels 12 of 37, first start only", share: 12 / 37 });
    expect(kernelNote({ ...state, compiled: 37, compiling: null })).toBeNull();
    expect(kernelNote({ ...state, compiling: null })).toBeNull();
    expect(kernelNote({ ...state, compiled: 0, kernels: 0, compiling: "" })).toMatchObject({ share: 0 });
    expect(kernelNote(null)).toBeNull();
  });
});
