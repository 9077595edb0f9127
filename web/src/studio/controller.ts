import { decodeClip } from "../motion/clip";
import { travels } from "../motion/travel";
import type { Store } from "../state/store";
import type { ViewerStore } from "../state/viewer";
import { ApiError, type Api, type OptionValues } from "./api";
import type { Library, LibraryAction, Part } from "./library";
import { changed, fieldsOf } from "./schema";

export type LibraryStore = Store<Library, LibraryAction>;

const POLL_BUSY_MS = 400;
const POLL_IDLE_MS = 4000;
export const MAX_UPLOAD = 256 * 2 ** 20;

/** Everything of the Studio that takes time: asks the server and tells the stores. */
export class Controller {
  /** Answers that come after a newer question are thrown away. */
  private readonly serial: Record<Part, number> = { figure: 0, ghost: 0 };
  private pending: { id: string; values: OptionValues } | null = null;
  private busy = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ended = false;

  constructor(private readonly api: Api, readonly library: LibraryStore, readonly viewer: ViewerStore) {}

  /** Fetch the list, open the first take, and keep an eye on the server. */
  async start(): Promise<void> {
    void this.watch();
    await this.list();
  }

  stop(): void {
    this.ended = true;
    clearTimeout(this.timer);
  }

  async list(): Promise<void> {
    try {
      const { takes } = await this.api.takes();
      this.library.dispatch({ type: "listed", takes });
      const first = takes.find((take) => take.source === "file") ?? takes.find((take) => take.id === "walk") ?? takes[0];
      if (first && !this.library.get().figure) await this.open(first.id, "figure");
    } catch (error) {
      this.fail(error, "The list of takes could not be read", null);
    }
  }

  async open(id: string, as: Part): Promise<void> {
    const serial = ++this.serial[as];
    this.library.dispatch({ type: "asked", id, as });
    try {
      await this.needFields(id);
      await this.fetch(id, as, serial, false);
    } catch (error) {
      if (serial === this.serial[as]) this.fail(error, "The take could not be opened", { id, as });
    }
  }

  /** The ghost that is shown goes; another one comes. */
  toggleGhost(id: string): void {
    const { ghost, loading } = this.library.get();
    if (ghost?.id === id || (loading?.as === "ghost" && loading.id === id)) {
      this.serial.ghost++;
      this.library.dispatch({ type: "dropGhost" });
    } else {
      this.viewer.dispatch({ type: "switch", what: "ghost", on: true });
      void this.open(id, "ghost");
    }
  }

  /** An option of the open take. While one answer is under way only the newest wish waits. */
  setOptions(id: string, values: OptionValues): void {
    this.library.dispatch({ type: "values", id, values });
    this.pending = { id, values };
    if (!this.busy) void this.remake();
  }

  async upload(files: readonly File[]): Promise<void> {
    for (const file of files) {
      if (file.size > MAX_UPLOAD) {
        this.fail(new ApiError(`${file.name} is larger than ${MAX_UPLOAD / 2 ** 20} MB. Start the Studio with it instead: marotte studio FILE`, "problem"), "The file is too large", null);
        continue;
      }
      this.library.dispatch({ type: "uploading", name: file.name });
      try {
        const take = await this.api.upload(file);
        this.library.dispatch({ type: "added", take });
        await this.open(take.id, "figure");
      } catch (error) {
        this.fail(error, `${file.name} could not be read`, null);
      } finally {
        this.library.dispatch({ type: "uploading", name: null });
      }
    }
  }

  private async needFields(id: string): Promise<void> {
    const { takes, fields } = this.library.get();
    if (fields[id] || !takes?.find((take) => take.id === id)?.has_options) return;
    this.library.dispatch({ type: "fields", id, fields: fieldsOf(await this.api.schema(id)) });
  }

  private async fetch(id: string, as: Part, serial: number, sameTake: boolean): Promise<void> {
    const { fields, values } = this.library.get();
    const answer = await this.api.open(id, changed(fields[id] ?? [], values[id] ?? {}));
    if (serial !== this.serial[as]) return;
    const clip = decodeClip(answer.take);
    if (as === "figure") this.play(clip, sameTake);
    this.library.dispatch({ type: "opened", as, opened: { id, clip, rig: answer.rig, notes: answer.notes } });
  }

  private play(clip: ReturnType<typeof decodeClip>, sameTake: boolean): void {
    const first = this.library.get().figure === null;
    const still = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
    const playing = first ? !still : this.viewer.get().playback.playing;
    this.viewer.dispatch({ type: "load", frames: clip.frames, rate: clip.rate, keepTime: sameTake, playing });
    if (!sameTake) this.viewer.dispatch({ type: "switch", what: "follow", on: travels(clip) });
  }

  private async remake(): Promise<void> {
    this.busy = true;
    try {
      while (this.pending) {
        const { id } = this.pending;
        this.pending = null;
        const as: Part = this.library.get().figure?.id === id ? "figure" : "ghost";
        const serial = ++this.serial[as];
        try {
          await this.fetch(id, as, serial, true);
        } catch (error) {
          this.fail(error, "The take could not be made", null);
        }
      }
    } finally {
      this.busy = false;
    }
  }

  private async watch(): Promise<void> {
    let wait = POLL_IDLE_MS;
    try {
      const state = await this.api.status();
      const was = this.library.get().link;
      this.library.dispatch({ type: "kernels", state });
      if (was !== "fine") void this.list();
      if (state.compiling !== null) wait = POLL_BUSY_MS;
    } catch (error) {
      if (error instanceof ApiError && error.kind !== "problem") this.library.dispatch({ type: "link", to: error.kind });
    }
    if (!this.ended) this.timer = setTimeout(() => void this.watch(), wait);
  }

  private fail(error: unknown, title: string, retry: { id: string; as: Part } | null): void {
    if (error instanceof ApiError && error.kind !== "problem") this.library.dispatch({ type: "link", to: error.kind });
    else this.library.dispatch({ type: "failed", problem: { title, message: error instanceof Error ? error.message : String(error), retry } });
  }
}
