import type { Clip } from "../motion/clip";
import type { KernelState, RigFacts, TakeSummary } from "../protocol";
import type { OptionValues } from "./api";
import type { Field } from "./schema";

/** The Studio around the viewport: what there is, what is open, what is under way, what went wrong. Pure. */
export interface Library {
  /** null while it is loading. */
  readonly takes: readonly TakeSummary[] | null;
  readonly search: string;
  readonly figure: Opened | null;
  readonly ghosts: readonly Opened[];
  /** The takes that were asked for and are not there yet. */
  readonly asked: Asked;
  readonly fields: Readonly<Record<string, readonly Field[]>>;
  readonly values: Readonly<Record<string, OptionValues>>;
  readonly problem: Problem | null;
  readonly link: "fine" | "gone" | "locked";
  readonly kernels: KernelState | null;
  /** What is being read, in words. */
  readonly uploading: string | null;
  readonly dropping: boolean;
}

export type Part = "figure" | "ghost";

export interface Asked {
  readonly figure: string | null;
  readonly ghosts: readonly string[];
}

export interface Opened {
  /** Tells two ghosts of one take apart. */
  readonly key: string;
  readonly id: string;
  /** What it was made with. */
  readonly values: OptionValues;
  readonly clip: Clip;
  readonly rig: RigFacts;
  readonly notes: readonly string[];
}

export interface Problem {
  readonly title: string;
  /** Lines. */
  readonly message: string;
  /** What *Try again* opens. */
  readonly retry: { readonly id: string; readonly as: Part } | null;
}

export type LibraryAction =
  | { type: "listed"; takes: readonly TakeSummary[] }
  | { type: "added"; takes: readonly TakeSummary[] }
  | { type: "search"; text: string }
  | { type: "asked"; id: string; as: Part }
  | { type: "opened"; as: Part; opened: Opened }
  | { type: "keep" }
  | { type: "dropGhosts"; id: string }
  | { type: "dropGhost"; key: string }
  | { type: "fields"; id: string; fields: readonly Field[] }
  | { type: "values"; id: string; values: OptionValues }
  | { type: "failed"; problem: Problem }
  | { type: "dismiss" }
  | { type: "link"; to: Library["link"] }
  | { type: "kernels"; state: KernelState }
  | { type: "uploading"; what: string | null }
  | { type: "dropping"; on: boolean };

export const MOST_GHOSTS = 7;
const NOTHING: Asked = { figure: null, ghosts: [] };

export const emptyLibrary: Library = {
  takes: null, search: "", figure: null, ghosts: [], asked: NOTHING, fields: {}, values: {}, problem: null,
  link: "fine", kernels: null, uploading: null, dropping: false,
};

export function library(state: Library, action: LibraryAction): Library {
  switch (action.type) {
    case "listed":
      return { ...state, takes: action.takes, link: "fine" };
    case "added": {
      const takes = state.takes ?? [];
      const files = takes.filter((take) => take.source === "file");
      return { ...state, takes: [...files, ...action.takes, ...takes.filter((take) => take.source !== "file")] };
    }
    case "search":
      return { ...state, search: action.text };
    case "asked":
      return { ...state, asked: withAsked(state.asked, action.as, action.id), problem: null };
    case "opened":
      return opened(state, action.as, action.opened);
    case "keep":
      return state.figure ? { ...state, ghosts: [...state.ghosts, { ...state.figure, key: freeKey(state) }] } : state;
    case "dropGhosts":
      return { ...state, ghosts: state.ghosts.filter((ghost) => ghost.id !== action.id), asked: without(state.asked, "ghost", action.id) };
    case "dropGhost":
      return { ...state, ghosts: state.ghosts.filter((ghost) => ghost.key !== action.key) };
    case "fields":
      return { ...state, fields: { ...state.fields, [action.id]: action.fields } };
    case "values":
      return { ...state, values: { ...state.values, [action.id]: action.values }, problem: null };
    case "failed": {
      const { retry } = action.problem;
      return { ...state, problem: action.problem, asked: retry ? without(state.asked, retry.as, retry.id) : state.asked };
    }
    case "dismiss":
      return { ...state, problem: null };
    case "link":
      return state.link === action.to ? state : { ...state, link: action.to, asked: action.to === "fine" ? state.asked : NOTHING };
    case "kernels":
      return { ...state, kernels: action.state, link: "fine" };
    case "uploading":
      return { ...state, uploading: action.what };
    case "dropping":
      return state.dropping === action.on ? state : { ...state, dropping: action.on };
  }
}

function opened(state: Library, as: Part, it: Opened): Library {
  const asked = without(state.asked, as, it.id);
  if (as === "figure") return { ...state, figure: it, asked, link: "fine" };
  return { ...state, ghosts: [...state.ghosts, { ...it, key: freeKey(state) }], asked, link: "fine" };
}

function withAsked(asked: Asked, as: Part, id: string): Asked {
  if (as === "figure") return { ...asked, figure: id };
  return { ...asked, ghosts: [...asked.ghosts.filter((other) => other !== id), id] };
}

function without(asked: Asked, as: Part, id: string): Asked {
  if (as === "figure") return { ...asked, figure: null };
  return { ...asked, ghosts: asked.ghosts.filter((other) => other !== id) };
}

function freeKey({ ghosts }: Library): string {
  const used = ghosts.map((ghost) => Number(ghost.key));
  return String(1 + Math.max(0, ...used.filter(Number.isFinite)));
}

/** Whether a take stands as a ghost, or is about to. */
export function isGhost(state: Library, id: string): boolean {
  return state.ghosts.some((ghost) => ghost.id === id) || state.asked.ghosts.includes(id);
}

/** The takes that the search leaves, every word of it somewhere in name or description. */
export function found(takes: readonly TakeSummary[], search: string): TakeSummary[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return takes.filter((take) => {
    const text = `${take.name} ${take.description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

export interface Group {
  readonly title: string;
  readonly takes: readonly TakeSummary[];
}

/** The list in its groups; files first, where there are any. */
export function grouped(takes: readonly TakeSummary[]): Group[] {
  return [
    { title: "Files", takes: takes.filter((take) => take.source === "file") },
    { title: "Built in", takes: takes.filter((take) => take.source === "sample") },
  ].filter((group) => group.takes.length > 0);
}

/** How far the kernels are, or null when there is nothing to wait for. */
export function kernelNote(state: KernelState | null): { readonly text: string; readonly share: number } | null {
  if (!state || state.compiling === null) return null;
  return {
    text: state.kernels > 0 ? `Compiling kernels ${state.compiled} of ${state.kernels}, first start only` : "Looking for compiled kernels …",
    share: state.kernels > 0 ? state.compiled / state.kernels : 0,
  };
}
