import { useMemo, useRef, type KeyboardEvent } from "react";
import type { Clip } from "../motion/clip";
import { sidesOf, spoken } from "../motion/figure";
import { useStore } from "../state/store";
import type { ViewerStore } from "../state/viewer";
import { counted } from "../ui/timeMath";

/** The joints as they hang on one another; pointing at one lights it in the picture, and the other way round. */
export function JointTree({ clip, store }: { clip: Clip; store: ViewerStore }) {
  const rows = useMemo(() => {
    const sides = sidesOf(clip.joints);
    const depth: number[] = [];
    return clip.joints.map((joint, j) => {
      depth[j] = joint.parent < 0 ? 0 : depth[joint.parent] + 1;
      return { name: joint.name, role: joint.role, depth: depth[j], side: sides[j] };
    });
  }, [clip]);
  const list = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    const lines = [...(list.current?.querySelectorAll<HTMLElement>(".joint") ?? [])];
    lines[lines.indexOf(document.activeElement as HTMLElement) + by]?.focus();
    event.preventDefault();
  };
  const leave = () => store.dispatch({ type: "hover", joint: null });
  return (
    <section className="joints">
      <h2>{counted(clip.joints.length, "joint")}</h2>
      <div ref={list} role="listbox" aria-label="Joints" onPointerLeave={leave} onBlur={leave} onKeyDown={onKey}>
        {rows.map((row, j) => <Row key={j} {...row} joint={j} store={store} />)}
      </div>
    </section>
  );
}

interface RowProps {
  readonly name: string;
  readonly role: string | null;
  readonly depth: number;
  readonly side: string;
  readonly joint: number;
  readonly store: ViewerStore;
}

function Row({ name, role, depth, side, joint, store }: RowProps) {
  const hovered = useStore(store, (s) => s.look.hovered === joint);
  const selected = useStore(store, (s) => s.look.selected === joint);
  return (
    <button
      type="button" role="option" aria-selected={selected} className={`joint ${side}${hovered ? " hovered" : ""}`}
      // Deep chains (a tail, a spine of twenty) must not walk out of the panel.
      style={{ paddingLeft: `${0.5 + Math.min(depth, 12) * 0.55}rem` }}
      // One stop for the Tab key; the arrows go on from there.
      tabIndex={joint === 0 ? 0 : -1}
      onPointerEnter={() => store.dispatch({ type: "hover", joint })}
      onFocus={() => store.dispatch({ type: "hover", joint })}
      onClick={() => store.dispatch({ type: "select", joint: selected ? null : joint })}
    >
      <i />{name}{role && <span>{spoken(role)}</span>}
    </button>
  );
}
