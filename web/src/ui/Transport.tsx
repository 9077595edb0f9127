import { useState } from "react";
import { SPEEDS, wholeFrame } from "../state/playback";
import { useStore } from "../state/store";
import type { ViewerStore } from "../state/viewer";
import { Button } from "./Button";
import { parseReadout, readout, speedName } from "./timeMath";

/** Play, step, loop, where we are, how fast. */
export function Transport({ store }: { store: ViewerStore }) {
  const playing = useStore(store, (s) => s.playback.playing);
  const loop = useStore(store, (s) => s.playback.loop);
  const speed = useStore(store, (s) => s.playback.speed);
  const still = useStore(store, (s) => s.playback.frames < 2);
  const send = store.dispatch;
  return (
    <div className="transport" role="toolbar" aria-label="Transport">
      <div className="group">
        <Button label="First frame" keys="Home" icon="first" disabled={still} onClick={() => send({ type: "toEdge", edge: "first" })} />
        <Button label="One frame back" keys="←" icon="back" disabled={still} onClick={() => send({ type: "step", frames: -1 })} />
        <Button
          label={playing ? "Pause" : "Play"} keys="Space" icon={playing ? "pause" : "play"} className="main" disabled={still}
          onClick={() => send({ type: "play" })}
        />
        <Button label="One frame on" keys="→" icon="on" disabled={still} onClick={() => send({ type: "step", frames: 1 })} />
        <Button label="Last frame" keys="End" icon="last" disabled={still} onClick={() => send({ type: "toEdge", edge: "last" })} />
        <Button label={loop ? "Loop: on" : "Loop: off"} keys="L" icon="loop" pressed={loop} disabled={still} onClick={() => send({ type: "loop" })} />
      </div>
      <Readout store={store} />
      <label className="speed" data-tip="Speed  ·  , slower  . faster">
        <span className="unseen">Speed</span>
        <select value={speed} disabled={still} onChange={(event) => send({ type: "speed", to: Number(event.target.value) })}>
          {SPEEDS.map((s) => <option key={s} value={s}>{speedName(s)}</option>)}
        </select>
      </label>
    </div>
  );
}

function Readout({ store }: { store: ViewerStore }) {
  const frame = useStore(store, (s) => wholeFrame(s.playback));
  const frames = useStore(store, (s) => s.playback.frames);
  const rate = useStore(store, (s) => s.playback.rate);
  const seconds = useStore(store, (s) => s.look.seconds);
  const [typed, setTyped] = useState<string | null>(null);
  const commit = () => {
    const wanted = typed === null ? null : parseReadout(typed, rate, seconds);
    if (wanted !== null) {
      store.dispatch({ type: "play", on: false });
      store.dispatch({ type: "scrub", frame: wanted });
    }
    setTyped(null);
  };
  return (
    <div className="readout">
      <input
        aria-label={seconds ? "Second" : "Frame"}
        inputMode="decimal"
        value={typed ?? readout(frame, rate, seconds)}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Escape") setTyped(null);
          if (event.key === "Enter" || event.key === "Escape") event.currentTarget.blur();
        }}
      />
      <span className="of">/ {readout(frames - 1, rate, seconds)}</span>
      <Button label={seconds ? "Count frames" : "Count seconds"} className="unit" onClick={() => store.dispatch({ type: "switch", what: "seconds" })}>
        {seconds ? "seconds" : "frames"}
      </Button>
    </div>
  );
}
