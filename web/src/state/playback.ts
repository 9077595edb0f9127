/** The clock of the timeline: which frame is shown, what plays and where it loops. Pure. */

export interface Playback {
  /** The frame that is shown; between two frames only while playing. */
  readonly frame: number;
  readonly playing: boolean;
  readonly speed: number;
  readonly loop: boolean;
  /** The range, both ends included. */
  readonly first: number;
  readonly last: number;
  readonly frames: number;
  /** Frames a second of the take. */
  readonly rate: number;
}

export const SPEEDS = [0.125, 0.25, 0.5, 1, 2, 4] as const;

export type PlaybackAction =
  | { type: "load"; frames: number; rate: number; keepTime?: boolean; playing?: boolean }
  | { type: "play"; on?: boolean }
  | { type: "tick"; seconds: number }
  | { type: "scrub"; frame: number }
  | { type: "step"; frames: number }
  | { type: "toEdge"; edge: "first" | "last" }
  | { type: "setRange"; first: number; last: number }
  | { type: "rangeEdge"; edge: "first" | "last" }
  | { type: "wholeRange" }
  | { type: "loop"; on?: boolean }
  | { type: "speed"; to: number }
  | { type: "faster"; by: 1 | -1 };

export const emptyPlayback: Playback = {
  frame: 0, playing: false, speed: 1, loop: true, first: 0, last: 0, frames: 1, rate: 30,
};

export function playback(state: Playback, action: PlaybackAction): Playback {
  const end = state.frames - 1;
  switch (action.type) {
    case "load":
      return load(state, action);
    case "play": {
      const playing = (action.on ?? !state.playing) && state.last > state.first;
      if (!playing) return { ...state, playing, frame: Math.round(state.frame) };
      const outside = state.frame < state.first || state.frame >= state.last;
      return { ...state, playing, frame: outside ? state.first : state.frame };
    }
    case "tick":
      return state.playing ? advance(state, action.seconds * state.rate * state.speed) : state;
    case "scrub":
      return { ...state, frame: clamp(Math.round(action.frame), 0, end) };
    case "step": {
      const from = action.frames > 0 ? Math.floor(state.frame) : Math.ceil(state.frame);
      return { ...state, playing: false, frame: clamp(from + action.frames, 0, end) };
    }
    case "toEdge":
      return { ...state, frame: state[action.edge] };
    case "setRange": {
      const [a, b] = [action.first, action.last].map((f) => clamp(Math.round(f), 0, end));
      return { ...state, first: Math.min(a, b), last: Math.max(a, b) };
    }
    case "rangeEdge": {
      const at = Math.round(state.frame);
      if (action.edge === "first") return { ...state, first: at, last: at < state.last ? state.last : end };
      return { ...state, last: at, first: at > state.first ? state.first : 0 };
    }
    case "wholeRange":
      return { ...state, first: 0, last: end };
    case "loop":
      return { ...state, loop: action.on ?? !state.loop };
    case "speed":
      return { ...state, speed: action.to };
    case "faster": {
      const nearest = SPEEDS.reduce((best, s, i) =>
        Math.abs(s - state.speed) < Math.abs(SPEEDS[best] - state.speed) ? i : best, 0);
      return { ...state, speed: SPEEDS[clamp(nearest + action.by, 0, SPEEDS.length - 1)] };
    }
  }
}

function load(state: Playback, action: Extract<PlaybackAction, { type: "load" }>): Playback {
  const last = action.frames - 1;
  const seconds = state.frame / state.rate;
  const frame = action.keepTime ? clamp(seconds * action.rate, 0, last) : 0;
  const playing = (action.playing ?? state.playing) && last > 0;
  return {
    ...state,
    frames: action.frames, rate: action.rate, first: 0, last, playing,
    frame: playing ? frame : Math.round(frame),
  };
}

/**
 * Every frame of the range is shown for the same time, the last one too: a loop of n frames takes n frame
 * times. A tick may be longer than the whole range.
 */
function advance(state: Playback, by: number): Playback {
  const length = state.last - state.first + 1;
  let frame = state.frame + by;
  if (frame < state.last + 1 && (state.loop || frame < state.last)) return { ...state, frame };
  if (!state.loop) return { ...state, frame: state.last, playing: false };
  frame = state.first + ((frame - state.first) % length);
  return { ...state, frame };
}

/** The frame to name in a readout: the one whose turn it is. */
export function wholeFrame(state: Playback): number {
  return clamp(state.playing ? Math.floor(state.frame) : Math.round(state.frame), 0, state.frames - 1);
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}
