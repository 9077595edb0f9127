import { useEffect, useRef } from "react";
import { BINDINGS, type KeyBinding } from "../state/keys";
import { useStore } from "../state/store";
import type { ViewerStore } from "../state/viewer";
import { Button } from "./Button";

const GROUPS: readonly KeyBinding["group"][] = ["Play", "Range", "View", "Show"];
const GESTURES = [
  ["drag", "orbit"], ["right drag, Shift + drag", "pan"], ["wheel", "zoom"], ["click a joint", "select it"],
  ["double-click a joint", "turn about it"], ["drag on the track", "scrub"], ["Shift + drag on the track", "set the range"],
] as const;

/** The sheet of keys and gestures. */
export function Sheet({ store, more = [] }: { store: ViewerStore; more?: readonly (readonly [string, string])[] }) {
  const open = useStore(store, (s) => s.look.sheet);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => { if (open) box.current?.focus(); }, [open]);
  if (!open) return null;
  const close = () => store.dispatch({ type: "switch", what: "sheet", on: false });
  return (
    <div className="veil" onClick={close}>
      <div ref={box} className="sheet" role="dialog" aria-modal="true" aria-label="Keys" tabIndex={-1} onClick={(event) => event.stopPropagation()}>
        <header>
          <h2>Keys and gestures</h2>
          <Button label="Close" keys="Esc" icon="close" tip="below" onClick={close} />
        </header>
        <div className="columns">
          {GROUPS.map((group) => (
            <section key={group}>
              <h3>{group}</h3>
              <dl>
                {BINDINGS.filter((b) => b.group === group).map((b) => (
                  <div key={b.says}>
                    <dt>{b.shown.map((key) => <kbd key={key}>{key}</kbd>)}</dt>
                    <dd>{b.says}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
          <section className="wide">
            <h3>{more.length > 0 ? "Mouse, touch and takes" : "Mouse and touch"}</h3>
            <dl>
              {[...GESTURES, ...more].map(([gesture, says]) => <div key={gesture}><dt>{gesture}</dt><dd>{says}</dd></div>)}
            </dl>
          </section>
        </div>
      </div>
    </div>
  );
}
