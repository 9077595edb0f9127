import { describe, expect, it } from "vitest";
import { decodeFloats } from "../src/motion/base64";
import { multiplyInto, rotateInto, slerpInto } from "../src/motion/quaternion";

const about = (axis: number, angle: number): Float64Array => {
  const q = new Float64Array(4);
  q[axis] = Math.sin(angle / 2);
  q[3] = Math.cos(angle / 2);
  return q;
};

const slerp = (a: Float64Array, b: Float64Array, t: number): number[] => {
  const out = new Float64Array(4);
  slerpInto(out, 0, a, 0, b, 0, t);
  return [...out];
};

const expectNear = (found: ArrayLike<number>, wanted: ArrayLike<number>, digits = 12) =>
  Array.from(wanted).forEach((value, i) => expect(found[i]).toBeCloseTo(value, digits));

describe("slerp", () => {
  it("turns at constant speed", () => {
    for (const t of [0, 0.1, 0.37, 0.5, 0.99, 1]) expectNear(slerp(about(1, 0.2), about(1, 2.6), t), about(1, 0.2 + 2.4 * t));
  });
  it("takes q and -q for the same rotation", () => {
    const b = about(2, 1.1);
    expectNear(slerp(about(2, 0.3), b.map((v) => -v), 0.5), slerp(about(2, 0.3), b, 0.5));
  });
  it("stays exact for turns so small that sines cancel", () => {
    expectNear(slerp(about(0, 1), about(0, 1 + 1e-9), 0.5), about(0, 1 + 5e-10), 15);
    expectNear(slerp(about(0, 1), about(0, 1), 0.5), about(0, 1), 15);
  });
  it("stays a rotation near half a turn", () => {
    expect(Math.hypot(...slerp(about(0, 0), about(0, Math.PI - 1e-9), 0.5))).toBeCloseTo(1, 12);
  });
});

describe("products", () => {
  it("turns x into y about z", () => {
    const out = new Float64Array(3);
    rotateInto(out, 0, about(2, Math.PI / 2), 0, 1, 0, 0);
    expectNear(out, [0, 1, 0]);
  });
  it("turns first by the second, and may write over it", () => {
    const a = about(2, Math.PI / 2), b = about(0, Math.PI / 2);
    multiplyInto(b, 0, a, 0, b, 0);
    const out = new Float64Array(3);
    rotateInto(out, 0, b, 0, 0, 1, 0); // about x: y to z; about z: z stays
    expectNear(out, [0, 0, 1]);
  });
});

describe("float32 as base64", () => {
  it("reads little-endian numbers", () => {
    expect([...decodeFloats("AACAPwAAAMAAAAA/", 3, "numbers")]).toEqual([1, -2, 0.5]);
  });
  it("reads none", () => {
    expect(decodeFloats("", 0, "numbers")).toHaveLength(0);
  });
});
