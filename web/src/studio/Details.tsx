import { useStore } from "../state/store";
import { counted } from "../ui/timeMath";
import type { Controller } from "./controller";
import { JointTree } from "./JointTree";
import type { Opened } from "./library";
import { ParameterForm } from "./ParameterForm";

/** What is known about the open take, its parameters, its joints. */
export function Details({ controller }: { controller: Controller }) {
  const figure = useStore(controller.library, (s) => s.figure);
  const ghost = useStore(controller.library, (s) => s.ghost);
  const fields = useStore(controller.library, (s) => (s.figure ? s.fields[s.figure.id] : undefined));
  if (!figure) return <aside className="panel details" aria-label="Details" />;
  return (
    <aside className="panel details" aria-label="Details">
      <div className="scroll">
        <Facts opened={figure} />
        {ghost && <p className="ghost-fact"><i className="dot ghost" />{ghost.clip.name}<span>{seconds(ghost)} s · {counted(ghost.clip.frames, "frame")}</span></p>}
        {figure.notes.map((note) => <p key={note} className="note">{note}</p>)}
        {fields && fields.length > 0 && <ParameterForm key={figure.id} id={figure.id} fields={fields} controller={controller} />}
        <JointTree clip={figure.clip} store={controller.viewer} />
      </div>
    </aside>
  );
}

function Facts({ opened }: { opened: Opened }) {
  const { clip, rig } = opened;
  const feet = new Set(clip.contacts.map((contact) => contact.role)).size;
  const facts: [string, string, string?][] = [
    ["Length", `${seconds(opened)} s`],
    ["Frames", `${clip.frames.toLocaleString("en")} at ${short(clip.rate)} a second`],
    ["Height", `${short(clip.height)} m`],
    ["Rig", rig.roles === 0 ? "not recognised" : `${counted(rig.roles, "role")}, ${counted(rig.limbs.length, "limb")}`,
      rig.roles === 0 ? "Nothing was recognised: the figure is drawn from its bones alone." : `Recognised with confidence ${rig.confidence.toFixed(2)}`],
    ["Contacts", clip.contacts.length === 0 ? "none" : `${clip.contacts.length}, of ${feet} ${feet === 1 ? "part" : "parts"}`],
  ];
  if (Math.abs(clip.ground) > 0.0005) facts.push(["Ground", `${clip.ground.toFixed(3)} m`, "Where the soles rest most; contacts are judged against it."]);
  if (clip.points.length > 0) facts.push(["Points", clip.points.map((point) => point.name).join(", ")]);
  return (
    <section>
      <h1><i className="dot figure" />{clip.name}</h1>
      <dl>{facts.map(([name, value, help]) => <div key={name} title={help}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
    </section>
  );
}

function seconds({ clip }: Opened): string {
  return (Math.max(0, clip.frames - 1) / clip.rate).toFixed(2);
}

function short(value: number): string {
  return String(Number(value.toPrecision(4)));
}
