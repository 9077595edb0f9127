/** What is drawn and how: everything that a key or a button of the viewport switches. Pure. */

export type Flesh = "body" | "bones" | "both";
export type Theme = "dark" | "light";
export type Preset = "front" | "side" | "top" | "quarter";
export type Switch = "names" | "trails" | "contacts" | "ghost" | "beside" | "follow" | "sheet" | "seconds";

export interface Look {
  readonly flesh: Flesh;
  readonly theme: Theme;
  readonly names: boolean;
  readonly trails: boolean;
  readonly contacts: boolean;
  readonly ghost: boolean;
  /** The ghost stands beside the figure instead of in its place. */
  readonly beside: boolean;
  readonly follow: boolean;
  /** The sheet of keys is open. */
  readonly sheet: boolean;
  /** The readout counts seconds instead of frames. */
  readonly seconds: boolean;
  /** A view that was asked for; `serial` tells two requests for the same one apart. */
  readonly view: { readonly preset: Preset | "fit"; readonly serial: number };
  readonly hovered: number | null;
  readonly selected: number | null;
}

export type LookAction =
  | { type: "switch"; what: Switch; on?: boolean }
  | { type: "flesh"; to?: Flesh }
  | { type: "theme"; to?: Theme }
  | { type: "view"; preset: Preset | "fit" }
  | { type: "hover"; joint: number | null }
  | { type: "select"; joint: number | null }
  | { type: "escape" };

export const plainLook: Look = {
  flesh: "body", theme: "dark", names: false, trails: false, contacts: true, ghost: true, beside: false,
  follow: false, sheet: false, seconds: false, view: { preset: "quarter", serial: 0 }, hovered: null, selected: null,
};

const NEXT_FLESH: Record<Flesh, Flesh> = { body: "bones", bones: "both", both: "body" };

export function look(state: Look, action: LookAction): Look {
  switch (action.type) {
    case "switch":
      return { ...state, [action.what]: action.on ?? !state[action.what] };
    case "flesh":
      return { ...state, flesh: action.to ?? NEXT_FLESH[state.flesh] };
    case "theme":
      return { ...state, theme: action.to ?? (state.theme === "dark" ? "light" : "dark") };
    case "view":
      return { ...state, view: { preset: action.preset, serial: state.view.serial + 1 } };
    case "hover":
      return state.hovered === action.joint ? state : { ...state, hovered: action.joint };
    case "select":
      return state.selected === action.joint ? state : { ...state, selected: action.joint };
    case "escape":
      return state.sheet ? { ...state, sheet: false } : { ...state, selected: null };
  }
}
