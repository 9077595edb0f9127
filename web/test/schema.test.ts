import { describe, expect, it } from "vitest";
import { changed, fieldsOf, sliderRange, type Field, type JsonSchema } from "../src/studio/schema";

// As Pydantic writes it: constants, enums by reference, optional numbers, pairs.
const schema: JsonSchema = {
  $defs: { Mood: { type: "string", enum: ["calm", "wild"] } },
  properties: {
    style: { enum: ["normal", "tired"], type: "string", default: "normal", description: "Posture." },
    mood: { $ref: "#/$defs/Mood", default: "calm" },
    seconds: { type: "number", minimum: 0.2, maximum: 600, default: 4, unit: "s" },
    cycles: { anyOf: [{ type: "integer", minimum: 1, maximum: 600 }, { type: "null" }], default: null },
    turn: { type: "number", minimum: -60, maximum: 60, default: 0, unit: "deg/s" },
    loud: { type: "boolean", default: false },
    target: { type: "array", prefixItems: [{ type: "number" }, { type: "number" }, { type: "number" }], minItems: 3, maxItems: 3, default: [0, 1, 0] },
    note: { type: "string", default: "" },
    odd: { type: "object", default: {} },
  },
};
const fields = fieldsOf(schema);
const field = (name: string): Field => fields.find((f) => f.name === name)!;
const number = (name: string) => field(name) as Field & { kind: "number" };

describe("fields from a JSON Schema", () => {
  it("keep the model's order and leave out what no control fits", () => {
    expect(fields.map((f) => f.name)).toEqual(["style", "mood", "seconds", "cycles", "turn", "loud", "target", "note"]);
  });
  it("get the control that fits", () => {
    expect(fields.map((f) => f.kind)).toEqual(["choice", "choice", "number", "number", "number", "yesno", "numbers", "text"]);
    expect(field("mood")).toMatchObject({ choices: ["calm", "wild"] });
    expect(field("target")).toMatchObject({ count: 3, default: [0, 1, 0] });
  });
  it("bring bounds, unit, help, and whether nothing may be given", () => {
    expect(number("seconds")).toMatchObject({ least: 0.2, most: 600, unit: "s", whole: false, optional: false });
    expect(number("cycles")).toMatchObject({ least: 1, most: 600, whole: true, optional: true });
    expect(field("style").help).toBe("Posture.");
  });
});

describe("sliders", () => {
  it("keep to what people mean where the bounds are only limits", () => {
    expect(sliderRange(number("seconds"))).toEqual({ least: 0.2, most: 20, step: 0.1 });
    expect(sliderRange(number("turn"))).toEqual({ least: -60, most: 60, step: 1 });
  });
  it("are not offered without bounds, nor for wide ranges of whole numbers", () => {
    expect(sliderRange({ ...number("turn"), most: null })).toBeNull();
    expect(sliderRange(number("cycles"))).toBeNull();
  });
});

it("only what differs from the defaults is sent", () => {
  expect(changed(fields, { style: "normal", seconds: 5, target: [0, 1, 0], cycles: null })).toEqual({ seconds: 5 });
  expect(changed(fields, { target: [0, 2, 0], unknown: 1 })).toEqual({ target: [0, 2, 0] });
});
