import { useEffect, useRef, useState } from "react";
import type { Clip } from "../motion/clip";
import { Stage } from "../stage/Stage";
import { useStore } from "../state/store";
import type { ViewerStore } from "../state/viewer";

interface Props {
  readonly store: ViewerStore;
  readonly clips: readonly Clip[];
  /** The camera starts anew whenever this changes. */
  readonly framing: string;
}

/** The picture. What it needs and does not find it says in its place. */
export function Viewport({ store, clips, framing }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  const stage = useRef<Stage | null>(null);
  const framed = useRef<string | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const hovering = useStore(store, (s) => s.look.hovered !== null);

  useEffect(() => {
    try {
      stage.current = new Stage(canvas.current!, overlay.current!, store);
    } catch (error) {
      // Three throws a plain Error when the browser refuses a WebGL context.
      setTrouble(error instanceof Error ? error.message : String(error));
      return;
    }
    return () => {
      stage.current?.dispose();
      stage.current = null;
      framed.current = null;
    };
  }, [store]);

  useEffect(() => {
    stage.current?.setClips(clips, framed.current !== framing);
    framed.current = framing;
  }, [clips, framing]);

  return (
    <div className={hovering ? "viewport picking" : "viewport"}>
      <canvas ref={canvas} className="picture" aria-label="The figure in its scene" role="img" />
      <canvas ref={overlay} className="names" aria-hidden="true" />
      {trouble !== null && (
        <div className="notice" role="alert">
          <h2>The picture needs WebGL 2</h2>
          <p>{trouble}</p>
          <p>Turn on hardware acceleration in the browser's settings, or open the page in a current Chrome, Edge, Firefox or Safari.</p>
        </div>
      )}
    </div>
  );
}
