/**
 * How many pixels the machine can afford while things move. Level 0 is the display's own resolution; every level
 * above takes fewer pixels. Pure: fed with the time between frames, in milliseconds.
 */
export interface Quality {
  readonly level: number;
  /** How much lateness has gathered. Below zero late frames are forgiven: shaders compile, sizes settle. */
  readonly slow: number;
  /** Easy frames in a row. */
  readonly fast: number;
  /** How many of them it takes before the better level is tried again; more after each time that failed. */
  readonly patience: number;
  /** Frames since the better level was tried. */
  readonly tried: number;
}

export const LEVELS = [1, 0.85, 0.72, 0.6] as const;
export const startQuality: Quality = { level: 0, slow: -60, fast: 0, patience: 150, tried: Infinity };

/** The longest frame that still counts as sixty a second on a display that drops none. */
const LATE = 19;
const EASY = 17.4;

export function judge(state: Quality, interval: number): Quality {
  // A hidden tab or a breakpoint says nothing about the machine.
  if (interval > 400) return state;
  const tried = state.tried + 1;
  if (interval > LATE) {
    const slow = state.slow + (state.slow < 0 || interval <= 30 ? 1 : 2);
    if (slow < 14) return { ...state, slow, fast: 0, tried };
    const level = Math.min(state.level + 1, LEVELS.length - 1);
    const patience = tried < 150 ? Math.min(state.patience * 2, 2400) : state.patience;
    return { level, slow: -20, fast: 0, patience, tried: Infinity };
  }
  const slow = state.slow < 0 ? state.slow + 1 : Math.max(0, state.slow - 0.25);
  const fast = interval < EASY ? state.fast + 1 : state.fast;
  if (fast >= state.patience && state.level > 0) return { ...state, level: state.level - 1, slow: 0, fast: 0, tried: 0 };
  return { ...state, slow, fast, tried };
}

/** Pixels drawn for every CSS pixel: at most `most`, at most a budget of pixels in all. */
export function pixelRatio(level: number, width: number, height: number, most: number, budget: number): number {
  const full = Math.min(most, Math.sqrt(budget / Math.max(width * height, 1)));
  return Math.max(full * LEVELS[level], 0.25);
}
