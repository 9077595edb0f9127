import type { Preset } from "../state/look";

/** Where a camera stands relative to what it looks at: angle about Y from +Z, angle down from +Y, distance. */
export interface Orbit {
  readonly azimuth: number;
  readonly polar: number;
  readonly distance: number;
}

/** A camera's direction for a preset. `facing` is the level direction the figure looks in. */
export function presetAngles(preset: Preset, facing: readonly number[]): { azimuth: number; polar: number } {
  const ahead = Math.atan2(facing[0], facing[2]);
  switch (preset) {
    case "front":
      return { azimuth: ahead, polar: 1.5 };
    case "side":
      // The figure's left side: it walks from right to left of the picture's middle, as in gait charts.
      return { azimuth: ahead + Math.PI / 2, polar: 1.5 };
    case "top":
      // Facing up on the screen; a hair off the pole, where an orbit has no heading.
      return { azimuth: ahead + Math.PI, polar: 0.001 };
    case "quarter":
      return { azimuth: ahead + 0.72, polar: 1.28 };
  }
}

/** The ball that holds the points, found in two sweeps (at most a few percent too large). */
export function boundingBall(points: ArrayLike<number>): { centre: [number, number, number]; radius: number } {
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i++) {
    low[i % 3] = Math.min(low[i % 3], points[i]);
    high[i % 3] = Math.max(high[i % 3], points[i]);
  }
  const centre = low.map((value, k) => (value + high[k]) / 2) as [number, number, number];
  let radius = 0;
  for (let i = 0; i < points.length; i += 3) {
    radius = Math.max(radius, Math.hypot(points[i] - centre[0], points[i + 1] - centre[1], points[i + 2] - centre[2]));
  }
  return { centre, radius };
}

/** How far away a ball must be to fill most of the picture, whichever side of it is shorter. */
export function fittingDistance(radius: number, fieldOfView: number, aspect: number): number {
  const half = Math.min(fieldOfView / 2, Math.atan(Math.tan(fieldOfView / 2) * aspect));
  return (radius * 1.16) / Math.sin(half);
}

/** A smooth way from one orbit to another, the shorter way round. t from 0 to 1. */
export function easeOrbit(from: Orbit, to: Orbit, t: number): Orbit {
  const s = t * t * (3 - 2 * t);
  const turn = Math.atan2(Math.sin(to.azimuth - from.azimuth), Math.cos(to.azimuth - from.azimuth));
  return {
    azimuth: from.azimuth + turn * s,
    polar: from.polar + (to.polar - from.polar) * s,
    distance: from.distance * Math.pow(to.distance / from.distance, s),
  };
}

/** The camera's place relative to its target. */
export function orbitOffset(orbit: Orbit): [number, number, number] {
  const level = Math.sin(orbit.polar) * orbit.distance;
  return [Math.sin(orbit.azimuth) * level, Math.cos(orbit.polar) * orbit.distance, Math.cos(orbit.azimuth) * level];
}
