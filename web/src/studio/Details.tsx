import { useStore } from "../state/store";
import { Button } from "../ui/Button";
import { counted } from "../ui/timeMath";
import type { Controller } from "./controller";
import { JointTree } from "./JointTree";
import type { Opened } from "./library";
import { ParameterForm } from "./ParameterForm";
import type { Field } from "./schema";

/** What is known about the open take, its parameters, its joints. */
export function Details({ controller }: { controller: Controller }) {
  const figure = useStore(controller.library, (s) => s.figure);
  const fields = useStore(controller.library, (s) => (s.figure ? s.fields[s.figure.id] : undefined));
  if (!figure) return <aside className="panel details" aria-label="Details" />;
  return (
    <aside className="panel details" aria-label="Details">
      <div className="scroll">
        <section>
          <header>
            <h1><i className="dot figure" />{figure.clip.name}</h1>
            <Button label="Keep as a ghost" keys="K" icon="keep" tip="below" className="small" onClick={() => controller.keepAsGhost()} />
          </header>
          <Ghosts controller={controller} />
          <Facts opened={figure} />
        </section>
        {figure.notes.map((note) => <p key={note} className="note">{note}</p>)}
        {fields && fields.length > 0 && <ParameterForm key={figure.id} id={figure.id} fields={fields} controller={controller} />}
        <JointTree clip={figure.clip} store={controller.viewer} />
      </div>
    </aside>
  );
}

function Ghosts({ controller }: { controller: Controller }) {
  const ghosts = useStore(controller.library, (s) => s.ghosts);
  const fields = useStore(controller.library, (s) => s.fields);
  if (ghosts.length === 0) return null;
  return (
    <ul className="ghosts" aria-label="Ghosts">
      {ghosts.map((ghost) => (
        <li key={ghost.key} title={optionsInWords(ghost, fields[ghost.id] ?? []) || undefined}>
          <i className="dot ghost" />
          <b>{ghost.clip.name}</b>
          <span>{seconds(ghost)} s</span>
          <Button label={`Take ${ghost.clip.name} away`} icon="close" tip="left" className="small" onClick={() => controller.library.dispatch({ type: "dropGhost", key: ghost.key })} />
        </li>
      ))}
    </ul>
  );
}

function Facts({ opened }: { opened: Opened }) {
  const { clip, rig } = opened;
  const parts = new Set(clip.contacts.map((contact) => contact.role)).size;
  const facts: [string, string, string?][] = [
    ["Length", `${seconds(opened)} s`],
    ["Frames", `${clip.frames.toLocaleString("en")} at ${short(clip.rate)} a second`],
    ["Height", `${short(clip.height)} m`],
    ["Rig", rig.roles === 0 ? "not recognised" : `${counted(rig.roles, "role")}, ${counted(rig.limbs.length, "limb")}`,
      rig.roles === 0 ? "Nothing was recognised: the figure is drawn from its bones alone." : `Recognised with confidence ${rig.confidence.toFixed(2)}`],
    ["Contacts", clip.contacts.length === 0 ? "none" : `${clip.contacts.length}, of ${counted(parts, "part")} of the body`],
  ];
  if (Math.abs(clip.ground) > 0.0005) facts.push(["Ground", `${clip.ground.toFixed(3)} m`, "Where the soles rest most; contacts are judged against it."]);
  if (clip.points.length > 0) facts.push(["Points", clip.points.map((point) => point.name).join(", ")]);
  return <dl>{facts.map(([name, value, help]) => <div key={name} title={help}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>;
}

/** "style tired, seconds 6", what differs from the defaults. */
function optionsInWords({ values }: Opened, fields: readonly Field[]): string {
  return Object.entries(values).map(([name, value]) => {
    const field = fields.find((other) => other.name === name);
    return `${field?.label ?? name} ${String(value)}${field?.unit ? ` ${field.unit}` : ""}`;
  }).join(", ");
}

function seconds({ clip }: Opened): string {
  return (Math.max(0, clip.frames - 1) / clip.rate).toFixed(2);
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)));
}
