import type { Theme } from "../state/look";

interface Light {
  readonly color: number;
  readonly strength: number;
}

/** The colours of the viewport as they are displayed. The page around it has its own in ui/theme.css. */
export interface Palette {
  readonly skyTop: number;
  readonly horizon: number;
  readonly ground: number;
  readonly line: number;
  readonly strongLine: number;
  readonly axisX: number;
  readonly axisZ: number;
  readonly shadow: number;
  readonly shadowStrength: number;
  readonly body: Record<"left" | "right" | "middle" | "prop", number>;
  readonly face: number;
  readonly bone: Record<"left" | "right" | "middle", number>;
  readonly ghost: number;
  readonly accent: number;
  readonly contact: number;
  readonly point: number;
  readonly light: Record<"key" | "fill" | "rim" | "sky" | "floorLight", Light>;
}

export const PALETTES: Record<Theme, Palette> = {
  dark: {
    skyTop: 0x17191d, horizon: 0x2d3138, ground: 0x26292f, line: 0x3a3f48, strongLine: 0x535b68,
    axisX: 0x9c4a48, axisZ: 0x4a6fa8, shadow: 0x0a0b0d, shadowStrength: 0.92,
    body: { left: 0x8db4e6, right: 0xe8a08e, middle: 0xe2dccf, prop: 0xdcae54 }, face: 0x33363d,
    bone: { left: 0x6ea4e6, right: 0xe98672, middle: 0xe2dccf },
    ghost: 0xb79cff, accent: 0xffb454, contact: 0x46e08c, point: 0xffd479,
    light: {
      key: { color: 0xfff3e2, strength: 0.82 }, fill: { color: 0xb3cbff, strength: 0.2 }, rim: { color: 0xdfe9ff, strength: 0.42 },
      sky: { color: 0xc3cfe4, strength: 0.36 }, floorLight: { color: 0x6d665e, strength: 0.6 },
    },
  },
  light: {
    skyTop: 0xf6f7f9, horizon: 0xe4e7ec, ground: 0xdbdfe5, line: 0xc3c9d2, strongLine: 0xa7afbc,
    axisX: 0xc97873, axisZ: 0x7397cf, shadow: 0x39404e, shadowStrength: 0.62,
    body: { left: 0x86b0e8, right: 0xe89583, middle: 0xe3dccd, prop: 0xd9a640 }, face: 0x4a4e57,
    bone: { left: 0x3d7acb, right: 0xcf5c46, middle: 0x80796c },
    ghost: 0x8a68e8, accent: 0xe8830f, contact: 0x17b765, point: 0xb5730a,
    light: {
      key: { color: 0xfff8ee, strength: 0.66 }, fill: { color: 0xd5e2ff, strength: 0.18 }, rim: { color: 0xffffff, strength: 0.22 },
      sky: { color: 0xeaf0fa, strength: 0.44 }, floorLight: { color: 0xbdb6aa, strength: 0.52 },
    },
  },
};
