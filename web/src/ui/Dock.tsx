import type { ReactNode } from "react";
import type { Clip } from "../motion/clip";
import { useStore } from "../state/store";
import type { ViewerStore } from "../state/viewer";
import { Lanes } from "./Lanes";
import { Track } from "./Track";
import { Transport } from "./Transport";

/** The bottom of both pages: track, contacts, transport. */
export function Dock({ store, clip, children }: { store: ViewerStore; clip: Clip | null; children?: ReactNode }) {
  const contacts = useStore(store, (s) => s.look.contacts);
  return (
    <footer className="dock">
      <div className="time">
        <Track store={store} />
        {clip && contacts && <Lanes clip={clip} />}
      </div>
      <div className="row">
        <Transport store={store} />
        {children}
      </div>
    </footer>
  );
}
