import { useEffect, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { wholeFrame } from "../state/playback";
import { useStore } from "../state/store";
import type { ViewerStore } from "../state/viewer";
import { frameAt, placeOf, readout, ticks } from "./timeMath";

type Drag = "scrub" | "range" | "first" | "last" | null;

/** The ruler: scrubbing, the range with its handles, and the line of now. */
export function Track({ store }: { store: ViewerStore }) {
  const frames = useStore(store, (s) => s.playback.frames);
  const rate = useStore(store, (s) => s.playback.rate);
  const first = useStore(store, (s) => s.playback.first);
  const last = useStore(store, (s) => s.playback.last);
  const now = useStore(store, (s) => wholeFrame(s.playback));
  const seconds = useStore(store, (s) => s.look.seconds);
  const box = useRef<HTMLDivElement>(null);
  const drag = useRef<{ kind: Drag; from: number }>({ kind: null, from: 0 });
  const [width, setWidth] = useState(0);

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const watch = new ResizeObserver(() => setWidth(element.clientWidth));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);

  const marks = useMemo(() => ticks(frames, rate, width, seconds), [frames, rate, width, seconds]);
  const frameOf = (event: PointerEvent) => {
    const area = box.current!.getBoundingClientRect();
    return frameAt((event.clientX - area.left) / area.width, frames);
  };

  const begin = (event: PointerEvent, kind: Drag) => {
    if (event.button !== 0 || frames < 2) return;
    event.stopPropagation();
    box.current!.setPointerCapture(event.pointerId);
    drag.current = { kind, from: frameOf(event) };
    move(event);
  };
  const move = (event: PointerEvent) => {
    const frame = frameOf(event);
    const { first, last } = store.get().playback;
    switch (drag.current.kind) {
      case "scrub": return store.dispatch({ type: "scrub", frame });
      case "range": return frame === drag.current.from ? undefined : store.dispatch({ type: "setRange", first: drag.current.from, last: frame });
      case "first": return store.dispatch({ type: "setRange", first: Math.min(frame, last), last });
      case "last": return store.dispatch({ type: "setRange", first, last: Math.max(frame, first) });
    }
  };
  const end = () => { drag.current = { kind: null, from: 0 }; };

  const onKey = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.round(frames / 10));
    if (event.key === "PageUp") store.dispatch({ type: "step", frames: page });
    else if (event.key === "PageDown") store.dispatch({ type: "step", frames: -page });
    else if (event.key === "ArrowUp") store.dispatch({ type: "step", frames: 1 });
    else if (event.key === "ArrowDown") store.dispatch({ type: "step", frames: -1 });
    else return;
    event.preventDefault();
  };

  const percent = (frame: number) => `${placeOf(frame, frames) * 100}%`;
  const whole = first === 0 && last === frames - 1;
  return (
    <div
      ref={box}
      className="track"
      role="slider"
      tabIndex={0}
      aria-label="Frame"
      aria-valuemin={0}
      aria-valuemax={frames - 1}
      aria-valuenow={now}
      aria-valuetext={`${readout(now, rate, seconds)} of ${readout(frames - 1, rate, seconds)}`}
      aria-disabled={frames < 2}
      onPointerDown={(event) => begin(event, event.shiftKey ? "range" : "scrub")}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={() => store.dispatch({ type: "wholeRange" })}
      onKeyDown={onKey}
    >
      <div className="ruler">
        {marks.map((tick) => (
          <span key={tick.place} className="tick" style={{ left: `${tick.place * 100}%` }}>
            {(1 - tick.place) * width > 36 && tick.text}
          </span>
        ))}
      </div>
      <div className={whole ? "range whole" : "range"} style={{ left: percent(first), right: `${100 - placeOf(last, frames) * 100}%` }}>
        <i className="handle first" title="Begin of the range: drag, or press [" onPointerDown={(event) => begin(event, "first")} />
        <i className="handle last" title="End of the range: drag, or press ]" onPointerDown={(event) => begin(event, "last")} />
      </div>
      <Playhead store={store} />
    </div>
  );
}

/** Moves between frames while playing, without going through React sixty times a second. */
function Playhead({ store }: { store: ViewerStore }) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const place = () => {
      const { frame, frames } = store.get().playback;
      line.current!.style.left = `${placeOf(frame, frames) * 100}%`;
    };
    place();
    return store.subscribe(place);
  }, [store]);
  return <div ref={line} className="playhead"><b /></div>;
}
