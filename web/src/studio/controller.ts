import { decodeClip, type Clip } from "../motion/clip";
import { travels } from "../motion/travel";
import type { Store } from "../state/store";
import type { ViewerStore } from "../state/viewer";
import { ApiError, type Api, type OptionValues } from "./api";
import { inBatches, inWords, type DroppedFile } from "./dropped";
import { isGhost, MOST_GHOSTS, type Library, type LibraryAction, type Opened, type Part, type Problem } from "./library";
import { keptOf, noMemory, type Kept, type Memory } from "./memory";
import { changed, fieldsOf } from "./schema";

export type LibraryStore = Store<Library, LibraryAction>;

const POLL_BUSY_MS = 400;
const POLL_IDLE_MS = 4000;
export const MAX_UPLOAD = 256 * 2 ** 20;
/** Of one drop, besides the files themselves: the form they travel in. */
const ENVELOPE = 2 ** 20;
const SHOWN_PROBLEMS = 6;

/** Everything of the Studio that takes time: asks the server and tells the stores. */
export class Controller {
  /** Figures that come after a newer question are thrown away. */
  private serial = 0;
  private pending: { id: string; values: OptionValues } | null = null;
  private busy = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private ended = false;
  private kept: Kept | null;
  private readonly forget: () => void;

  constructor(
    private readonly api: Api, readonly library: LibraryStore, readonly viewer: ViewerStore, memory: Memory = noMemory,
  ) {
    this.kept = memory.read();
    this.forget = library.subscribe(() => { if (this.kept === null) memory.write(keptOf(library.get())); });
  }

  /** Fetch the list, open the first take, and keep an eye on the server. */
  async start(): Promise<void> {
    this.ended = false;
    void this.watch();
    await this.list();
  }

  stop(): void {
    this.ended = true;
    this.forget();
    clearTimeout(this.timer);
  }

  async list(): Promise<void> {
    try {
      const { takes } = await this.api.takes();
      this.library.dispatch({ type: "listed", takes });
      if (this.library.get().figure || this.library.get().asked.figure) return;
      const kept = this.takeKept(takes.map((take) => take.id));
      const first = takes.find((take) => take.source === "file") ?? takes.find((take) => take.id === "walk") ?? takes[0];
      if (first) await this.open(kept?.figure ?? first.id, "figure");
      for (const ghost of kept?.ghosts ?? []) await this.open(ghost.id, "ghost", ghost.values);
    } catch (error) {
      this.fail(error, "The list of takes could not be read", null);
    }
  }

  /** Open a take, as it is wanted now or with the options given. */
  async open(id: string, as: Part, values?: OptionValues): Promise<void> {
    const serial = as === "figure" ? ++this.serial : 0;
    this.library.dispatch({ type: "asked", id, as });
    try {
      await this.needFields(id);
      await this.fetch(id, as, serial, { values });
    } catch (error) {
      if (this.stillWanted(id, as, serial)) this.fail(error, "The take could not be opened", { id, as });
    }
  }

  /** A ghost that is shown goes; another one comes. */
  toggleGhost(id: string): void {
    const state = this.library.get();
    if (isGhost(state, id)) this.library.dispatch({ type: "dropGhosts", id });
    else if (this.roomForGhost()) void this.open(id, "ghost");
  }

  /** The figure, as it is now, stays as a ghost. */
  keepAsGhost(): void {
    if (this.library.get().figure && this.roomForGhost()) this.library.dispatch({ type: "keep" });
  }

  /** An option of the open take. While one answer is under way only the newest wish waits. */
  setOptions(id: string, values: OptionValues): void {
    this.library.dispatch({ type: "values", id, values });
    this.pending = { id, values };
    if (!this.busy) void this.remake();
  }

  /** Read files, show the first of them, and say which could not be read. */
  async upload(files: readonly DroppedFile[]): Promise<void> {
    const { batches, tooLarge } = inBatches(files, MAX_UPLOAD - ENVELOPE);
    const problems = tooLarge.map(({ path }) => `${path}: larger than ${MAX_UPLOAD / 2 ** 20} MB; start the Studio with it instead: marotte studio FILE`);
    let shown = false;
    for (const batch of batches) {
      this.library.dispatch({ type: "uploading", what: inWords(batch) });
      try {
        const answer = await this.api.upload(batch);
        problems.push(...answer.problems);
        this.library.dispatch({ type: "added", takes: answer.takes });
        if (!shown && answer.takes.length > 0) {
          shown = true;
          await this.open(answer.takes[0].id, "figure");
        }
      } catch (error) {
        if (error instanceof ApiError && error.kind !== "problem") this.fail(error, "", null);
        else problems.push(`${inWords(batch)}: ${messageOf(error)}`);
      } finally {
        this.library.dispatch({ type: "uploading", what: null });
      }
    }
    if (problems.length === 0) return;
    const more = problems.length - SHOWN_PROBLEMS;
    const message = [...problems.slice(0, SHOWN_PROBLEMS), ...(more > 0 ? [`… and ${more} more`] : [])].join("\n");
    this.fail(new ApiError(message, "problem"), problems.length === 1 ? "This could not be read" : `${problems.length} files could not be read`, null);
  }

  private takeKept(known: readonly string[]): Kept | null {
    const kept = this.kept;
    this.kept = null;
    if (!kept) return null;
    for (const [id, values] of Object.entries(kept.values)) this.library.dispatch({ type: "values", id, values });
    return {
      ...kept, figure: kept.figure && known.includes(kept.figure) ? kept.figure : null,
      ghosts: kept.ghosts.filter((ghost) => known.includes(ghost.id)),
    };
  }

  private roomForGhost(): boolean {
    const { ghosts, asked } = this.library.get();
    if (ghosts.length + asked.ghosts.length >= MOST_GHOSTS) {
      this.fail(new ApiError(`At most ${MOST_GHOSTS} ghosts can be shown: take one away first.`, "problem"), "There are ghosts enough", null);
      return false;
    }
    this.viewer.dispatch({ type: "switch", what: "ghost", on: true });
    return true;
  }

  private stillWanted(id: string, as: Part, serial: number): boolean {
    return as === "figure" ? serial === this.serial : this.library.get().asked.ghosts.includes(id);
  }

  private async needFields(id: string): Promise<void> {
    const { takes, fields } = this.library.get();
    if (fields[id] || !takes?.find((take) => take.id === id)?.has_options) return;
    this.library.dispatch({ type: "fields", id, fields: fieldsOf(await this.api.schema(id)) });
  }

  private async fetch(
    id: string, as: Part, serial: number, { values, sameTake = false }: { values?: OptionValues | undefined; sameTake?: boolean },
  ): Promise<void> {
    const state = this.library.get();
    const wanted = changed(state.fields[id] ?? [], values ?? state.values[id] ?? {});
    const answer = await this.api.open(id, wanted);
    if (!this.stillWanted(id, as, serial)) return;
    const clip = decodeClip(answer.take);
    if (as === "figure") this.play(clip, sameTake);
    const opened: Opened = { key: id, id, values: wanted, clip, rig: answer.rig, notes: answer.notes };
    this.library.dispatch({ type: "opened", as, opened });
  }

  private play(clip: Clip, sameTake: boolean): void {
    const first = this.library.get().figure === null;
    const still = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;
    const playing = first ? !still : this.viewer.get().playback.playing;
    this.viewer.dispatch({ type: "load", frames: clip.frames, rate: clip.rate, keepTime: sameTake, playing });
    if (sameTake) return;
    this.viewer.dispatch({ type: "select", joint: null });
    this.viewer.dispatch({ type: "hover", joint: null });
    this.viewer.dispatch({ type: "switch", what: "follow", on: travels(clip) });
  }

  private async remake(): Promise<void> {
    this.busy = true;
    try {
      while (this.pending) {
        const { id } = this.pending;
        this.pending = null;
        // Another take was opened meanwhile: this one gets its new options when it is opened again.
        if (this.library.get().figure?.id !== id || this.library.get().asked.figure !== null) continue;
        const serial = ++this.serial;
        try {
          await this.fetch(id, "figure", serial, { sameTake: true });
        } catch (error) {
          if (serial === this.serial) this.fail(error, "The take could not be made", null);
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

  private fail(error: unknown, title: string, retry: Problem["retry"]): void {
    if (error instanceof ApiError && error.kind !== "problem") this.library.dispatch({ type: "link", to: error.kind });
    else this.library.dispatch({ type: "failed", problem: { title, message: messageOf(error), retry } });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
