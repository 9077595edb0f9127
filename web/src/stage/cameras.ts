import { emptyPose, pointInWorld, poseAt, type Clip, type Pose } from "../motion/clip";
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

/** A ball of flesh: x, y, z, radius, metres. */
export type Ball = readonly [number, number, number, number];

/** The ball that holds all of them, found in two sweeps (at most a few percent too large). */
export function boundingBall(balls: readonly Ball[]): { centre: [number, number, number]; radius: number } {
  const axes = [0, 1, 2] as const;
  const centre = axes.map((k) => {
    const low = Math.min(...balls.map((ball) => ball[k] - ball[3]));
    const high = Math.max(...balls.map((ball) => ball[k] + ball[3]));
    return (low + high) / 2;
  }) as [number, number, number];
  const reach = balls.map((ball) => Math.hypot(...axes.map((k) => ball[k] - centre[k])) + ball[3]);
  return { centre, radius: Math.max(...reach) };
}

/** Everything of a figure in a pose that should be in view: its joints, and the ends of its flesh. */
export function ballsOf(clip: Clip, pose: Pose, shift: { readonly x: number; readonly z: number }): Ball[] {
  const balls: Ball[] = [];
  for (let j = 0; j < pose.positions.length; j += 3) {
    balls.push([pose.positions[j] + shift.x, pose.positions[j + 1], pose.positions[j + 2] + shift.z, 0]);
  }
  const at = new Float64Array(3);
  for (const shape of clip.shapes) {
    for (const [end, radius] of [[shape.start, shape.radius_start], [shape.end, shape.radius_end]] as const) {
      pointInWorld(pose, shape.joint, end, at);
      balls.push([at[0] + shift.x, at[1], at[2] + shift.z, radius]);
    }
  }
  return balls;
}

const LOOKS = 13;

/**
 * What should be in view while the whole take plays: the figure in some of its poses from first to last. Where the
 * camera `follows`, they are seen as it sees them, with the root above one place.
 */
export function ballsThroughout(clip: Clip, shift: { readonly x: number; readonly z: number }, follows: boolean): Ball[] {
  const pose = emptyPose(clip.parents.length);
  const looks = Math.min(clip.frames, LOOKS);
  const balls: Ball[] = [];
  for (let i = 0; i < looks; i++) {
    poseAt(clip, Math.round((i * (clip.frames - 1)) / Math.max(looks - 1, 1)), pose);
    const x = follows ? clip.root[0] - pose.positions[0] : 0;
    const z = follows ? clip.root[2] - pose.positions[2] : 0;
    balls.push(...ballsOf(clip, pose, { x: shift.x + x, z: shift.z + z }));
  }
  return balls;
}

/** How far away a ball must be to fill most of the picture, whichever side of it is shorter. */
export function fittingDistance(radius: number, fieldOfView: number, aspect: number): number {
  const half = Math.min(fieldOfView / 2, Math.atan(Math.tan(fieldOfView / 2) * aspect));
  return (radius * 1.08) / Math.sin(half);
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
