import { beforeEach, describe, expect, it, vi } from "vitest";
import type { OpenedTake, TakePayload, TakeSummary } from "../src/protocol";
import { createStore } from "../src/state/store";
import { initialViewer, viewer } from "../src/state/viewer";
import { ApiError, type Api, type OptionValues } from "../src/studio/api";
import { Controller, MAX_UPLOAD } from "../src/studio/controller";
import { emptyLibrary, library } from "../src/studio/library";
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
  upload = async (file: File) => summary(file.name, "file");
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
    expect(studio.library.get().ghost?.id).toBe("run");
    studio.toggleGhost("run");
    expect(studio.library.get().ghost).toBeNull();
    studio.toggleGhost("run");
    await settled();
    studio.toggleGhost("run");
    await api.asked[2].answer();
    expect(studio.library.get().ghost).toBeNull();
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
    const done = studio.upload([{ name: "big.bvh", size: MAX_UPLOAD + 1 } as File, { name: "ok.bvh", size: 10 } as File]);
    await settled();
    expect(studio.library.get().problem?.message).toMatch(/big.bvh is larger than 256 MB/);
    await api.asked[1].answer();
    await done;
    expect(sent).toHaveBeenCalledTimes(1);
    expect(studio.library.get()).toMatchObject({ figure: { id: "ok.bvh" }, uploading: null });
    expect(studio.library.get().takes![0].id).toBe("ok.bvh");
  });
});
