import { beforeEach, describe, expect, it, vi } from "vitest";
import type { DropAnswer, OpenedTake, TakePayload, TakeSummary } from "../src/protocol";
import { createStore } from "../src/state/store";
import { initialViewer, viewer } from "../src/state/viewer";
import { ApiError, type Api, type OptionValues } from "../src/studio/api";
import { Controller, MAX_UPLOAD } from "../src/studio/controller";
import type { DroppedFile } from "../src/studio/dropped";
import { emptyLibrary, library, MOST_GHOSTS } from "../src/studio/library";
import type { Kept } from "../src/studio/memory";
import golden from "./golden.json";

const payload = golden.payload as unknown as TakePayload;
const summary = (id: string, source: TakeSummary["source"] = "sample"): TakeSummary => ({ id, name: id, source, description: "", has_options: source === "sample" });
const told = (id: string): OpenedTake => ({ id, take: { ...payload, name: id }, rig: { roles: 0, limbs: [], confidence: 0 }, notes: [] });

/** A server whose answers the test lets go one by one. */
class SlowApi implements Api {
  readonly asked: { id: string; options: OptionValues; answer: (ok?: Error) => Promise<void> }[] = [];
  list = [summary("run"), summary("walk")];
  takes = async () => ({ takes: this.list });
  schema = async () => ({ properties: { speed: { type: "number", minimum: 0, maximum: 5, default: 1 } } });
  status = async () => ({ version: "1", compiled: 1, kernels: 1, compiling: null });
  upload = async (files: readonly DroppedFile[]): Promise<DropAnswer> => ({
    takes: files.filter(({ path }) => path.endsWith(".bvh")).map(({ path }) => summary(path, "file")),
    problems: files.filter(({ path }) => path.endsWith(".png")).map(({ path }) => `${path}: is no take`),
  });
  open = (id: string, options: OptionValues) =>
    new Promise<OpenedTake>((resolve, reject) => {
      this.asked.push({
        id, options,
        answer: async (problem) => {
          if (problem) reject(problem);
          else resolve(told(id));
          await settled();
        },
      });
    });
}

const settled = () => new Promise((done) => setTimeout(done));

describe("the Studio's controller", () => {
  let api: SlowApi;
  let studio: Controller;
  beforeEach(async () => {
    vi.useRealTimers();
    api = new SlowApi();
    studio = new Controller(api, createStore(library, emptyLibrary), createStore(viewer, initialViewer));
    void studio.start();
    await settled();
    await api.asked[0].answer();
    studio.stop();
  });

  it("opens the walk first and plays it", () => {
    expect(studio.library.get().figure?.id).toBe("walk");
    expect(studio.viewer.get().playback).toMatchObject({ frames: payload.frames, playing: true });
  });

  it("opens a file first when it was given one", async () => {
    api.list = [summary("mine", "file"), summary("walk")];
    const other = new Controller(api, createStore(library, emptyLibrary), createStore(viewer, initialViewer));
    void other.list();
    await settled();
    expect(api.asked.at(-1)!.id).toBe("mine");
  });

  it("shows the take that was asked for last, whichever answer comes last", async () => {
    void studio.open("run", "figure");
    await settled();
    void studio.open("walk", "figure");
    await settled();
    await api.asked[2].answer();
    await api.asked[1].answer();
    expect(studio.library.get().figure?.id).toBe("walk");
  });

  it("asks only for the newest wish while a slider moves", async () => {
    for (const speed of [2, 3, 4, 5]) studio.setOptions("walk", { speed });
    await settled();
    expect(api.asked.slice(1).map((a) => a.options)).toEqual([{ speed: 2 }]);
    await api.asked[1].answer();
    expect(api.asked.slice(1).map((a) => a.options)).toEqual([{ speed: 2 }, { speed: 5 }]);
    await api.asked[2].answer();
    expect(studio.library.get().values.walk).toEqual({ speed: 5 });
  });

  it("keeps the second when an option changes, and begins anew with another take", async () => {
    studio.viewer.dispatch({ type: "play", on: false });
    studio.viewer.dispatch({ type: "scrub", frame: 3 });
    studio.setOptions("walk", { speed: 2 });
    await settled();
    await api.asked[1].answer();
    expect(studio.viewer.get().playback.frame).toBe(3);
    void studio.open("run", "figure");
    await settled();
    await api.asked[2].answer();
    expect(studio.viewer.get().playback.frame).toBe(0);
  });

  it("lays a ghost over and takes it away, even before it came", async () => {
    studio.toggleGhost("run");
    await settled();
    await api.asked[1].answer();
    expect(studio.library.get().ghosts.map((ghost) => ghost.id)).toEqual(["run"]);
    studio.toggleGhost("run");
    expect(studio.library.get().ghosts).toEqual([]);
    studio.toggleGhost("run");
    await settled();
    studio.toggleGhost("run");
    await api.asked[2].answer();
    expect(studio.library.get().ghosts).toEqual([]);
  });

  it("keeps the figure as a ghost while its options go on, and says when there are enough", async () => {
    studio.keepAsGhost();
    const { ghosts, figure } = studio.library.get();
    expect(ghosts[0].clip).toBe(figure!.clip);
    studio.setOptions("walk", { speed: 2 });
    await settled();
    await api.asked[1].answer();
    expect(studio.library.get().ghosts[0].clip).not.toBe(studio.library.get().figure!.clip);
    for (let i = 0; i < MOST_GHOSTS; i++) studio.keepAsGhost();
    expect(studio.library.get().ghosts).toHaveLength(MOST_GHOSTS);
    expect(studio.library.get().problem?.message).toMatch(/take one away/);
  });

  it("does not make an option's change of a take that was left meanwhile", async () => {
    studio.setOptions("walk", { speed: 2 });
    await settled();
    studio.setOptions("walk", { speed: 3 });
    void studio.open("run", "figure");
    await settled();
    await api.asked[1].answer();
    await api.asked[2].answer();
    expect(api.asked).toHaveLength(3);
    expect(studio.library.get()).toMatchObject({ figure: { id: "run" }, ghosts: [], values: { walk: { speed: 3 } } });
  });

  it("opens again what was open before the page was loaded anew, as far as it is still there", async () => {
    let kept: Kept | null = { figure: "run", values: { run: { speed: 3 } }, ghosts: [{ id: "walk", values: { speed: 2 } }, { id: "file-9", values: {} }] };
    const memory = { read: () => kept, write: (now: Kept) => { kept = now; } };
    const again = new Controller(api, createStore(library, emptyLibrary), createStore(viewer, initialViewer), memory);
    void again.list();
    await settled();
    await api.asked[1].answer();
    await api.asked[2].answer();
    expect(api.asked.slice(1).map(({ id, options }) => ({ id, options }))).toEqual([{ id: "run", options: { speed: 3 } }, { id: "walk", options: { speed: 2 } }]);
    expect(kept).toEqual({ figure: "run", values: { run: { speed: 3 } }, ghosts: [{ id: "walk", values: { speed: 2 } }] });
  });

  it("says what the server said, keeps the old take, and tries again when asked to", async () => {
    void studio.open("run", "figure");
    await settled();
    await api.asked[1].answer(new ApiError("run.bvh:3: no", "problem"));
    const { figure, problem } = studio.library.get();
    expect(figure?.id).toBe("walk");
    expect(problem).toEqual({ title: "The take could not be opened", message: "run.bvh:3: no", retry: { id: "run", as: "figure" } });
  });

  it("tells a server that is gone from a key that is wrong", async () => {
    for (const kind of ["gone", "locked"] as const) {
      void studio.open("run", "figure");
      await settled();
      await api.asked.at(-1)!.answer(new ApiError("", kind));
      expect(studio.library.get().link).toBe(kind);
    }
  });

  it("opens what was dropped, and refuses what is too large before sending it", async () => {
    const sent = vi.spyOn(api, "upload");
    const file = (path: string, size = 10) => ({ path, file: { size } as File });
    const done = studio.upload([file("big.bvh", MAX_UPLOAD + 1), file("picture.png"), file("ok.bvh"), file("ok2.bvh")]);
    await settled();
    await api.asked[1].answer();
    await done;
    expect(sent).toHaveBeenCalledTimes(1);
    const { problem } = studio.library.get();
    expect(problem?.title).toBe("2 files could not be read");
    expect(problem?.message.split("\n")).toEqual([expect.stringMatching(/big.bvh: larger than 256 MB/), "picture.png: is no take"]);
    expect(studio.library.get()).toMatchObject({ figure: { id: "ok.bvh" }, uploading: null });
    expect(studio.library.get().takes!.map((take) => take.id)).toEqual(["ok.bvh", "ok2.bvh", "run", "walk"]);
  });
});
