import type { Preset, Switch } from "../state/look";
import { useStore } from "../state/store";
import type { ViewerStore } from "../state/viewer";
import { Button } from "./Button";
import type { IconName } from "./Icon";

const VIEWS: readonly { preset: Preset; label: string; text: string }[] = [
  { preset: "front", label: "View from the front", text: "Front" },
  { preset: "side", label: "View from the side", text: "Side" },
  { preset: "top", label: "View from above", text: "Top" },
  { preset: "quarter", label: "View three quarters", text: "¾" },
];

/** Camera presets, following, dark and light, the sheet of keys. */
export function ViewBar({ store }: { store: ViewerStore }) {
  const follow = useStore(store, (s) => s.look.follow);
  const theme = useStore(store, (s) => s.look.theme);
  const sheet = useStore(store, (s) => s.look.sheet);
  const send = store.dispatch;
  return (
    <div className="bar" role="toolbar" aria-label="Camera and page">
      <div className="group segmented">
        {VIEWS.map(({ preset, label, text }, i) => (
          <Button key={preset} label={label} keys={String(i + 1)} tip="below" className="text" onClick={() => send({ type: "view", preset })}>{text}</Button>
        ))}
      </div>
      <div className="group">
        <Button label="Follow the figure" keys="F" icon="follow" tip="below" pressed={follow} onClick={() => send({ type: "switch", what: "follow" })} />
        <Button label={theme === "dark" ? "Light page" : "Dark page"} keys="D" icon={theme === "dark" ? "light" : "dark"} tip="below" onClick={() => send({ type: "theme" })} />
        <Button label="Keys" keys="?" icon="help" tip="below" pressed={sheet} onClick={() => send({ type: "switch", what: "sheet" })} />
      </div>
    </div>
  );
}

interface Layer {
  readonly what: Switch;
  readonly label: string;
  readonly keys: string;
  readonly icon: IconName;
}

const LAYERS: readonly Layer[] = [
  { what: "names", label: "Joint names", keys: "N", icon: "names" },
  { what: "trails", label: "Trails", keys: "T", icon: "trails" },
  { what: "contacts", label: "Contacts", keys: "C", icon: "contacts" },
];
const GHOST_LAYERS: readonly Layer[] = [
  { what: "ghost", label: "Ghosts", keys: "G", icon: "ghost" },
  { what: "beside", label: "Ghosts beside the figure", keys: "O", icon: "beside" },
];
const FLESH = { body: "Body", bones: "Bones", both: "Body and bones" } as const;

/** What is drawn. */
export function LayerBar({ store, ghost }: { store: ViewerStore; ghost: boolean }) {
  const look = useStore(store, (s) => s.look);
  const send = store.dispatch;
  const layers = ghost ? [...LAYERS, ...GHOST_LAYERS] : LAYERS;
  return (
    <div className="bar upright" role="toolbar" aria-label="What is drawn" aria-orientation="vertical">
      <div className="group">
        <Button
          label={`Shown: ${FLESH[look.flesh].toLowerCase()}`} keys="B" icon={look.flesh === "bones" ? "bones" : "body"} tip="left"
          className={look.flesh === "both" ? "both" : ""} onClick={() => send({ type: "flesh" })}
        />
        {layers.map(({ what, label, keys, icon }) => (
          <Button key={what} label={label} keys={keys} icon={icon} tip="left" pressed={look[what]} onClick={() => send({ type: "switch", what })} />
        ))}
      </div>
    </div>
  );
}
