import { useState } from "react";
import { clamp } from "../state/playback";
import { sliderRange, type Field } from "./schema";

interface Props {
  readonly field: Field & { kind: "number" };
  /** null: the take chooses by itself. */
  readonly value: number | null;
  readonly set: (value: number | null) => void;
}

/** A slider where the range is one, and a number to type; an optional number can be left to the take. */
export function NumberControl({ field, value, set }: Props) {
  const [typed, setTyped] = useState<string | null>(null);
  const range = sliderRange(field);
  const commit = () => {
    const text = typed?.trim() ?? null;
    setTyped(null);
    if (text === null) return;
    if (text === "" && field.optional) return set(null);
    const number = Number(text.replace(",", "."));
    if (text === "" || !Number.isFinite(number)) return;
    set(clamp(field.whole ? Math.round(number) : number, field.least ?? -Infinity, field.most ?? Infinity));
  };
  return (
    <label className="number">
      <span className="name">{field.label}{field.unit && <em>{field.unit}</em>}</span>
      <input
        className="typed" inputMode="decimal" aria-label={field.label} placeholder={field.optional ? "auto" : ""}
        value={typed ?? (value === null ? "" : String(Number(value.toPrecision(6))))}
        onFocus={(event) => event.target.select()}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.currentTarget.blur();
          if (event.key === "Escape") setTyped(null);
        }}
      />
      {range && (
        <input
          type="range" aria-label={`${field.label} slider`} min={range.least} max={range.most} step={range.step}
          className={value === null ? "unset" : ""} value={value ?? (range.least + range.most) / 2}
          onChange={(event) => set(event.target.valueAsNumber)}
        />
      )}
    </label>
  );
}
