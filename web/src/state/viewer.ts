import { look, plainLook, type Look, type LookAction } from "./look";
import { emptyPlayback, playback, type Playback, type PlaybackAction } from "./playback";
import type { Store } from "./store";

/** What the player and the Studio's viewport share: the clock and the look. */
export interface Viewer {
  readonly playback: Playback;
  readonly look: Look;
}

export type ViewerAction = PlaybackAction | LookAction;
export type ViewerStore = Store<Viewer, ViewerAction>;

export const initialViewer: Viewer = { playback: emptyPlayback, look: plainLook };

const PLAYBACK_ACTIONS: ReadonlySet<string> = new Set<PlaybackAction["type"]>([
  "load", "play", "tick", "scrub", "step", "toEdge", "setRange", "rangeEdge", "wholeRange", "loop", "speed", "faster",
]);

function isPlayback(action: ViewerAction): action is PlaybackAction {
  return PLAYBACK_ACTIONS.has(action.type);
}

export function viewer(state: Viewer, action: ViewerAction): Viewer {
  if (isPlayback(action)) {
    const next = playback(state.playback, action);
    return next === state.playback ? state : { ...state, playback: next };
  }
  const next = look(state.look, action);
  return next === state.look ? state : { ...state, look: next };
}
