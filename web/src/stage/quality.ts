/**
 * How many pixels the machine can afford while things move. Level 0 is the display's own resolution; every level
 * above takes fewer pixels. Pure: fed with the time between frames, in milliseconds.
 */
export interface Quality {
  readonly level: number;
  readonly slow: number;
  readonly fast: number;
  /** How many fast frames it takes before the better level is tried again; grows with every failure. */
  readonly patience: number;
}

export const LEVELS = [1, 0.85, 0.72, 0.6] as const;
/** The first pictures compile shaders and load the page: they are not judged. */
const GRACE = -40;
export const startQuality: Quality = { level: 0, slow: GRACE, fast: 0, patience: 180 };

/** The longest frame that still counts as sixty a second on a display that drops none. */
const LATE = 19;
const EASY = 17.4;

export function judge(state: Quality, interval: number): Quality {
  // A hidden tab or a breakpoint says nothing about the machine.
  if (interval > 400) return state;
  if (interval > LATE) {
    const slow = state.slow + (interval > 30 ? 2 : 1);
    if (slow < 12) return { ...state, slow, fast: 0 };
    const level = Math.min(state.level + 1, LEVELS.length - 1);
    return { level, slow: 0, fast: 0, patience: Math.min(state.patience * 2, 2400) };
  }
  const fast = interval < EASY ? state.fast + 1 : state.fast;
  if (fast >= state.patience && state.level > 0) return { ...state, level: state.level - 1, slow: 0, fast: 0 };
  const slow = state.slow < 0 ? state.slow + 1 : Math.max(0, state.slow - 0.25);
  return { ...state, slow, fast };
}

/** Pixels drawn for every CSS pixel: at most `most`, at most a budget of pixels in all. */
export function pixelRatio(level: number, width: number, height: number, most: number, budget: number): number {
  const full = Math.min(most, Math.sqrt(budget / Math.max(width * height, 1)));
  return Math.max(full * LEVELS[level], 0.25);
}
