import { useStore } from "../state/store";
import { Button } from "../ui/Button";
import type { OptionValues } from "./api";
import type { Controller } from "./controller";
import { NumberControl } from "./NumberControl";
import { changed, type Field } from "./schema";

const NONE: OptionValues = {};

/** The options of a built-in take, each with the control that fits it; a change plays at once. */
export function ParameterForm({ id, fields, controller }: { id: string; fields: readonly Field[]; controller: Controller }) {
  const values = useStore(controller.library, (s) => s.values[id]) ?? NONE;
  const touched = Object.keys(changed(fields, values)).length > 0;
  const set = (name: string, value: unknown) => controller.setOptions(id, { ...values, [name]: value });
  return (
    <section className="parameters" aria-label="Parameters">
      <h2>
        Parameters
        <Button label="Back to the defaults" icon="reset" tip="below" className="small" disabled={!touched} onClick={() => controller.setOptions(id, NONE)} />
      </h2>
      {fields.map((field) => (
        <div key={field.name} className="field" title={field.help}>
          <Control field={field} value={values[field.name] ?? field.default} set={(value) => set(field.name, value)} />
        </div>
      ))}
    </section>
  );
}

function Control({ field, value, set }: { field: Field; value: unknown; set: (value: unknown) => void }) {
  const name = <span className="name">{field.label}{field.unit && <em>{field.unit}</em>}</span>;
  switch (field.kind) {
    case "choice":
      return (
        <label>
          {name}
          <select value={String(value ?? "")} onChange={(event) => set(event.target.value === "" ? null : event.target.value)}>
            {field.optional && <option value="">auto</option>}
            {field.choices.map((choice) => <option key={choice} value={choice}>{choice.replaceAll("_", " ")}</option>)}
          </select>
        </label>
      );
    case "yesno":
      return <label className="yesno">{name}<input type="checkbox" checked={value === true} onChange={(event) => set(event.target.checked)} /></label>;
    case "number":
      return <NumberControl field={field} value={typeof value === "number" ? value : null} set={set} />;
    case "numbers": {
      const list = Array.isArray(value) ? (value as number[]) : Array.from({ length: field.count }, () => 0);
      return (
        <div className="numbers" role="group" aria-label={field.label}>
          {name}
          {list.map((number, i) => (
            <input
              key={i} type="number" step="any" aria-label={`${field.label} ${"xyz"[i] ?? i + 1}`} value={number}
              onChange={(event) => {
                const next = event.target.valueAsNumber;
                if (Number.isFinite(next)) set(list.map((old, k) => (k === i ? next : old)));
              }}
            />
          ))}
        </div>
      );
    }
    case "text":
      return <label>{name}<input type="text" maxLength={200} value={String(value ?? "")} onChange={(event) => set(event.target.value)} /></label>;
  }
}
