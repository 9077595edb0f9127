import type { Clip, Pose } from "../motion/clip";
import { rotateInto } from "../motion/quaternion";

export interface ScreenPoint {
  readonly x: number;
  readonly y: number;
  /** Distance from the camera; not positive behind it. */
  readonly depth: number;
}

/** The joint nearest to the pointer on the screen, within `reach` pixels; of two that are as near, the one in front. */
export function nearestJoint(points: readonly ScreenPoint[], x: number, y: number, reach: number): number | null {
  let best: number | null = null;
  let least = Infinity;
  points.forEach((point, joint) => {
    if (point.depth <= 0) return;
    const away = Math.hypot(point.x - x, point.y - y);
    const cost = away + 0.5 * point.depth;
    if (away <= reach && cost < least) {
      least = cost;
      best = joint;
    }
  });
  return best;
}

/**
 * The joint whose flesh a ray meets first. A shape counts as met where the ray passes its axis closer than the
 * radius there; the stretch of a cross-section is undone by squeezing the ray along with it.
 */
export function jointUnderRay(
  clip: Clip, pose: Pose, origin: readonly number[], direction: readonly number[],
): number | null {
  let best: number | null = null;
  let nearest = Infinity;
  const inverse = new Float64Array(4);
  const local = new Float64Array(6);
  for (const shape of clip.shapes) {
    const q = shape.joint * 4, p = shape.joint * 3;
    inverse.set([-pose.orientations[q], -pose.orientations[q + 1], -pose.orientations[q + 2], pose.orientations[q + 3]]);
    rotateInto(local, 0, inverse, 0, origin[0] - pose.positions[p], origin[1] - pose.positions[p + 1], origin[2] - pose.positions[p + 2]);
    rotateInto(local, 3, inverse, 0, direction[0], direction[1], direction[2]);
    const o = [0, 1, 2].map((k) => local[k] - shape.start[k]);
    const d = [0, 1, 2].map((k) => local[3 + k]);
    if (shape.wide && shape.stretch !== 1) {
      const wide = shape.wide;
      const squeeze = 1 / shape.stretch - 1;
      const a = dot(o, wide) * squeeze, b = dot(d, wide) * squeeze;
      for (let k = 0; k < 3; k++) { o[k] += a * wide[k]; d[k] += b * wide[k]; }
    }
    const axis = shape.end.map((value, k) => value - shape.start[k]);
    const t = meetSegment(o, d, axis, shape.radius_start, shape.radius_end);
    if (t !== null && t < nearest) {
      nearest = t;
      best = shape.joint;
    }
  }
  return best;
}

/** Where along the ray it passes a tapered segment from the origin to `axis` within its radius, or null. */
function meetSegment(o: number[], d: number[], axis: number[], a: number, b: number): number | null {
  const dd = dot(d, d), da = dot(d, axis), aa = dot(axis, axis), od = dot(o, d), oa = dot(o, axis);
  const det = dd * aa - da * da;
  let s = det > 1e-12 ? (dd * oa - da * od) / det : 0;
  s = Math.min(Math.max(s, 0), 1);
  const t = (s * da - od) / dd;
  if (t <= 0) return null;
  const gap = Math.hypot(...[0, 1, 2].map((k) => o[k] + t * d[k] - s * axis[k]));
  const radius = a + (b - a) * s;
  return gap <= radius ? t - Math.sqrt(radius * radius - gap * gap) / Math.sqrt(dd) : null;
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
