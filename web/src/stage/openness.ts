import type { Vector3 } from "three";
import type { Clip } from "../motion/clip";

interface Neighbour {
  /** Of the shape in the frame of the joint that asks, rest pose. */
  readonly start: readonly number[];
  readonly end: readonly number[];
  readonly a: number;
  readonly b: number;
}

/**
 * How much light reaches the surface of a shape between its neighbours, 0 to 1: under an arm and at the neck less,
 * on the chest all of it. Found once, in the rest pose, from the shapes of the same joint, its parent and its
 * children: those stay near in every pose.
 */
export function opennessOf(clip: Clip, index: number): (point: Vector3, normal: Vector3) => number {
  const own = clip.shapes[index];
  const near: Neighbour[] = [];
  clip.shapes.forEach((shape, i) => {
    const shift = i === index ? null : offsetBetween(clip, own.joint, shape.joint);
    if (!shift) return;
    const move = (v: readonly number[]) => v.map((value, k) => value + shift[k]);
    near.push({ start: move(shape.start), end: move(shape.end), a: shape.radius_start, b: shape.radius_end });
  });
  const reach = Math.max(own.radius_start, own.radius_end) * 0.9;
  return (point, normal) => {
    let dark = 0;
    for (const share of [0.35, 1]) {
      const d = reach * share;
      let free = d;
      for (const shape of near) {
        free = Math.min(free, distance(shape, point.x + normal.x * d, point.y + normal.y * d, point.z + normal.z * d));
      }
      dark += (d - Math.max(free, 0)) / d / 2;
    }
    return 1 - 0.62 * dark;
  };
}

/** From the frame of one joint to that of a near one in the rest pose; null for joints that are not near. */
function offsetBetween(clip: Clip, from: number, to: number): readonly number[] | null {
  const { parents, joints } = clip;
  if (from === to) return [0, 0, 0];
  if (parents[to] === from) return joints[to].offset;
  if (parents[from] === to) return joints[from].offset.map((v) => -v);
  if (parents[from] === parents[to] && parents[from] >= 0) return joints[to].offset.map((v, k) => v - joints[from].offset[k]);
  return null;
}

function distance(shape: Neighbour, x: number, y: number, z: number): number {
  const { start: s, end: e } = shape;
  const ax = e[0] - s[0], ay = e[1] - s[1], az = e[2] - s[2];
  const px = x - s[0], py = y - s[1], pz = z - s[2];
  const length = ax * ax + ay * ay + az * az;
  const t = length > 0 ? Math.min(Math.max((px * ax + py * ay + pz * az) / length, 0), 1) : 0;
  return Math.hypot(px - ax * t, py - ay * t, pz - az * t) - (shape.a + (shape.b - shape.a) * t);
}
