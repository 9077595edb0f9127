import { useMemo } from "react";
import type { Clip } from "../motion/clip";
import { useStore } from "../state/store";
import type { ViewerStore } from "../state/viewer";
import { Dock } from "../ui/Dock";
import { Sheet } from "../ui/Sheet";
import { counted } from "../ui/timeMath";
import { LayerBar, ViewBar } from "../ui/Toolbars";
import { useKeys, useTheme } from "../ui/useKeys";
import { Viewport } from "../ui/Viewport";
import type { Loaded } from "./payload";

/** The self-contained page. */
export function PlayerApp({ store, loaded }: { store: ViewerStore; loaded: Loaded }) {
  useTheme(store);
  useKeys(store);
  const clips = useMemo(() => (loaded.kind === "takes" ? loaded.clips : []), [loaded]);
  if (loaded.kind !== "takes") return <Empty loaded={loaded} />;
  return (
    <div className="player">
      <main>
        <Viewport store={store} clips={clips} framing="page" />
        <header className="caption">
          <h1>{loaded.title}</h1>
          {clips.map((clip, i) => <TakeLine key={i} clip={clip} ghost={i > 0} titled={clip.name === loaded.title && i === 0} store={store} />)}
        </header>
        <div className="corner"><ViewBar store={store} /></div>
        <div className="edge"><LayerBar store={store} ghost={clips.length > 1} /></div>
      </main>
      <Dock store={store} clip={clips[0]} />
      <Sheet store={store} />
    </div>
  );
}

function TakeLine({ clip, ghost, titled, store }: { clip: Clip; ghost: boolean; titled: boolean; store: ViewerStore }) {
  const shown = useStore(store, (s) => s.look.ghost);
  const thinned = clip.every > 1 ? ` (1 of every ${clip.every})` : "";
  const facts = `${counted(clip.frames, "frame")}${thinned} · ${round(clip.rate)} fps · ${round(clip.height)} m`;
  const text = <>{!titled && <b>{clip.name}</b>}<span>{facts}</span></>;
  if (!ghost) return <p className="take-line"><i className="dot figure" />{text}</p>;
  return (
    <button type="button" className={shown ? "take-line" : "take-line off"} aria-pressed={shown} onClick={() => store.dispatch({ type: "switch", what: "ghost" })}>
      <i className="dot ghost" />{text}
    </button>
  );
}

function Empty({ loaded }: { loaded: Exclude<Loaded, { kind: "takes" }> }) {
  return (
    <div className="player">
      <div className="notice" role="alert">
        {loaded.kind === "empty" ? (
          <>
            <h2>This page holds no take</h2>
            <p>Make one that does: <code>marotte view walk.bvh -o player.html</code></p>
          </>
        ) : (
          <>
            <h2>The take in this page cannot be played</h2>
            <p>{loaded.message}</p>
          </>
        )}
      </div>
    </div>
  );
}

function round(value: number): string {
  return String(Number(value.toPrecision(3)));
}
