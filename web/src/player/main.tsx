import { createRoot } from "react-dom/client";
import { travels } from "../motion/travel";
import { createStore } from "../state/store";
import { initialViewer, viewer } from "../state/viewer";
import { systemTheme } from "../ui/useKeys";
import "../ui/theme.css";
import "../ui/controls.css";
import "./player.css";
import { PlayerApp } from "./PlayerApp";
import { readPayload } from "./payload";

const loaded = readPayload(document.getElementById("marotte-payload")?.textContent);
const store = createStore(viewer, initialViewer);
store.dispatch({ type: "theme", to: systemTheme() });
if (loaded.kind === "takes") {
  const [clip] = loaded.clips;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  store.dispatch({ type: "load", frames: clip.frames, rate: clip.rate, playing: !still });
  store.dispatch({ type: "switch", what: "follow", on: travels(clip) });
}
const page = document.getElementById("page");
if (!page) throw new Error("The page has lost its element #page.");
createRoot(page).render(<PlayerApp store={store} loaded={loaded} />);
