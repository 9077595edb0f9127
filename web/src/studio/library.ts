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
  readonly ghost: Opened | null;
  /** The take that was asked for and is not there yet. */
  readonly loading: { readonly id: string; readonly as: Part } | null;
  readonly fields: Readonly<Record<string, readonly Field[]>>;
  readonly values: Readonly<Record<string, OptionValues>>;
  readonly problem: Problem | null;
  readonly link: "fine" | "gone" | "locked";
  readonly kernels: KernelState | null;
  readonly uploading: string | null;
  readonly dropping: boolean;
}

export type Part = "figure" | "ghost";

export interface Opened {
  readonly id: string;
  readonly clip: Clip;
  readonly rig: RigFacts;
  readonly notes: readonly string[];
}

export interface Problem {
  readonly title: string;
  readonly message: string;
  /** What *Try again* opens. */
  readonly retry: { readonly id: string; readonly as: Part } | null;
}

export type LibraryAction =
  | { type: "listed"; takes: readonly TakeSummary[] }
  | { type: "added"; take: TakeSummary }
  | { type: "search"; text: string }
  | { type: "asked"; id: string; as: Part }
  | { type: "opened"; as: Part; opened: Opened }
  | { type: "dropGhost" }
  | { type: "fields"; id: string; fields: readonly Field[] }
  | { type: "values"; id: string; values: OptionValues }
  | { type: "failed"; problem: Problem }
  | { type: "dismiss" }
  | { type: "link"; to: Library["link"] }
  | { type: "kernels"; state: KernelState }
  | { type: "uploading"; name: string | null }
  | { type: "dropping"; on: boolean };

export const emptyLibrary: Library = {
  takes: null, search: "", figure: null, ghost: null, loading: null, fields: {}, values: {}, problem: null,
  link: "fine", kernels: null, uploading: null, dropping: false,
};

export function library(state: Library, action: LibraryAction): Library {
  switch (action.type) {
    case "listed":
      return { ...state, takes: action.takes, link: "fine" };
    case "added": {
      const takes = state.takes ?? [];
      const files = takes.filter((take) => take.source === "file");
      return { ...state, takes: [...files, action.take, ...takes.filter((take) => take.source !== "file")] };
    }
    case "search":
      return { ...state, search: action.text };
    case "asked":
      return { ...state, loading: { id: action.id, as: action.as } };
    case "opened":
      return { ...state, [action.as]: action.opened, loading: null, problem: null, link: "fine" };
    case "dropGhost":
      return { ...state, ghost: null, loading: state.loading?.as === "ghost" ? null : state.loading };
    case "fields":
      return { ...state, fields: { ...state.fields, [action.id]: action.fields } };
    case "values":
      return { ...state, values: { ...state.values, [action.id]: action.values } };
    case "failed":
      return { ...state, problem: action.problem, loading: null };
    case "dismiss":
      return { ...state, problem: null };
    case "link":
      return state.link === action.to ? state : { ...state, link: action.to, loading: action.to === "fine" ? state.loading : null };
    case "kernels":
      return { ...state, kernels: action.state, link: "fine" };
    case "uploading":
      return { ...state, uploading: action.name };
    case "dropping":
      return state.dropping === action.on ? state : { ...state, dropping: action.on };
  }
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
