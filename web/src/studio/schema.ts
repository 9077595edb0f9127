/** From the JSON Schema of an option model to the fields of a form. Pure. */

export interface JsonSchema {
  readonly properties?: Readonly<Record<string, Property>>;
  readonly $defs?: Readonly<Record<string, Property>>;
}

export interface Property {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Property[];
  readonly $ref?: string;
  readonly items?: Property;
  readonly prefixItems?: readonly Property[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly default?: unknown;
  readonly description?: string;
  readonly unit?: string;
}

interface Common {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly unit: string;
  readonly default: unknown;
  /** Nothing may be given: the take chooses by itself. */
  readonly optional: boolean;
}

export type Field = Common & (
  | { readonly kind: "number"; readonly whole: boolean; readonly least: number | null; readonly most: number | null }
  | { readonly kind: "choice"; readonly choices: readonly string[] }
  | { readonly kind: "yesno" }
  | { readonly kind: "text" }
  | { readonly kind: "numbers"; readonly count: number }
);

/** The fields of a form, in the model's order. What no control fits is left out. */
export function fieldsOf(schema: JsonSchema): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const field = fieldOf(name, property, schema);
    return field ? [field] : [];
  });
}

function fieldOf(name: string, given: Property, schema: JsonSchema): Field | null {
  const parts = (given.anyOf ?? [given]).map((part) => resolve(part, schema));
  const real = parts.filter((part) => part.type !== "null");
  const optional = real.length < parts.length;
  // A number or a list of numbers: the simplest control that can say it.
  const [part] = real;
  if (!part) return null;
  const common: Common = {
    name, label: name.replaceAll("_", " "), help: given.description ?? "", unit: given.unit ?? "",
    default: given.default ?? null, optional,
  };
  const choices = part.enum ?? (part.const === undefined ? undefined : [part.const]);
  if (choices) return { ...common, kind: "choice", choices: choices.map(String) };
  switch (part.type) {
    case "boolean":
      return { ...common, kind: "yesno" };
    case "string":
      return { ...common, kind: "text" };
    case "integer":
    case "number": {
      const bounds = { ...part, ...given };
      return {
        ...common, kind: "number", whole: part.type === "integer",
        least: bounds.minimum ?? bounds.exclusiveMinimum ?? null, most: bounds.maximum ?? bounds.exclusiveMaximum ?? null,
      };
    }
    case "array": {
      const count = part.prefixItems?.length ?? (part.minItems === part.maxItems ? part.maxItems : undefined);
      const items = part.prefixItems ?? (part.items ? [part.items] : []);
      if (!count || !items.every((item) => item.type === "number" || item.type === "integer")) return null;
      return { ...common, kind: "numbers", count };
    }
    default:
      return null;
  }
}

function resolve(part: Property, schema: JsonSchema): Property {
  const name = part.$ref?.replace("#/$defs/", "");
  return name ? (schema.$defs?.[name] ?? part) : part;
}

/** A slider's range: the field's own, or a useful stretch around its default where it is open. */
export function sliderRange(field: Field & { kind: "number" }): { least: number; most: number; step: number } | null {
  const { least, most } = field;
  if (least === null || most === null) return null;
  const usual = typeof field.default === "number" ? field.default : null;
  // A range such as 0.2 to 600 seconds is a limit, not a scale: the slider keeps to what people mean.
  const end = usual !== null && usual > 0 && most > usual * 12 ? niceAbove(usual * 4) : most;
  const begin = usual !== null && usual < 0 && least < usual * 12 ? -niceAbove(-usual * 4) : least;
  if (field.whole && end - begin > 200) return null;
  const step = field.whole ? 1 : 10 ** Math.floor(Math.log10((end - begin) / 100));
  return { least: begin, most: end, step };
}

function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= value) ?? value;
}

/** The options that differ from their defaults: what a server needs to be told. */
export function changed(fields: readonly Field[], values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  for (const field of fields) {
    const value = values[field.name];
    if (value !== undefined && JSON.stringify(value) !== JSON.stringify(field.default)) out[field.name] = value;
  }
  return out;
}
