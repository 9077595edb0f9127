import type { BodyShape, ContactInterval, JointInfo, NamedPoint, TakePayload, Vec3 } from "../protocol";
import { decodeFloats } from "./base64";
import { multiplyInto, rotateInto, slerpInto } from "./quaternion";

/** A take, decoded: one motion on one figure. Never changed after it is made. */
export interface Clip {
  readonly name: string;
  readonly rate: number;
  readonly frames: number;
  /** Every how many of the take's own frames one is here; 1 unless it is too long for a page. */
  readonly every: number;
  /** Of the figure at rest, metres. */
  readonly height: number;
  /** World height of the ground that the figure walks on, metres. */
  readonly ground: number;
  /** Level world direction the figure faces at its first frame. */
  readonly facing: Vec3;
  /** Where the face looks, in the frame of the joint with the role head. */
  readonly face: Vec3 | null;
  readonly joints: readonly JointInfo[];
  readonly shapes: readonly BodyShape[];
  readonly points: readonly NamedPoint[];
  readonly contacts: readonly ContactInterval[];
  readonly parents: Int32Array;
  /** (joints, 3), metres. */
  readonly offsets: Float64Array;
  /** (frames, 3), metres. */
  readonly root: Float32Array;
  /** (frames, joints, 4), x y z w, local. */
  readonly rotations: Float32Array;
  /** (frames, joints, 3), metres, added to the offsets. */
  readonly translations: Float32Array | null;
}

export function decodeClip(payload: TakePayload): Clip {
  const { frames, joints } = payload;
  const n = joints.length;
  const parents = Int32Array.from(joints, (joint) => joint.parent);
  parents.forEach((parent, j) => {
    if (parent >= j) throw new Error(`Joint ${joints[j].name} stands before its parent. Make the page again.`);
  });
  return {
    name: payload.name,
    rate: payload.frame_rate,
    frames,
    every: payload.every,
    height: payload.height,
    ground: payload.ground,
    facing: payload.facing,
    face: payload.face,
    joints,
    shapes: payload.shapes,
    points: payload.points,
    contacts: payload.contacts,
    parents,
    offsets: Float64Array.from(joints.flatMap((joint) => joint.offset)),
    root: decodeFloats(payload.root, frames * 3, "root positions"),
    rotations: decodeFloats(payload.rotations, frames * n * 4, "rotations"),
    translations:
      payload.translations === null ? null : decodeFloats(payload.translations, frames * n * 3, "translations"),
  };
}

/** Where all joints are in the world. */
export interface Pose {
  /** (joints, 3), metres. */
  readonly positions: Float64Array;
  /** (joints, 4), x y z w. */
  readonly orientations: Float64Array;
}

export function emptyPose(joints: number): Pose {
  return { positions: new Float64Array(joints * 3), orientations: new Float64Array(joints * 4) };
}

/**
 * Forward kinematics at a frame, which may lie between two: rotations turn at constant speed, positions
 * move straight. A whole number gives exactly that frame. Outside the take the nearest end holds.
 */
export function poseAt(clip: Clip, frame: number, pose: Pose): void {
  const { parents, offsets, root, rotations, translations } = clip;
  const { positions, orientations } = pose;
  const at = Math.min(Math.max(frame, 0), clip.frames - 1);
  const f = Math.floor(at);
  const g = Math.min(f + 1, clip.frames - 1);
  const t = at - f;
  const n = parents.length;
  for (let j = 0; j < n; j++) {
    const p = parents[j];
    const a = (f * n + j) * 4;
    if (t > 0) slerpInto(orientations, j * 4, rotations, a, rotations, (g * n + j) * 4, t);
    else for (let k = 0; k < 4; k++) orientations[j * 4 + k] = rotations[a + k];
    if (p < 0) {
      for (let k = 0; k < 3; k++) positions[j * 3 + k] = mix(root[f * 3 + k], root[g * 3 + k], t);
      continue;
    }
    let x = offsets[j * 3], y = offsets[j * 3 + 1], z = offsets[j * 3 + 2];
    if (translations) {
      const c = (f * n + j) * 3, d = (g * n + j) * 3;
      x += mix(translations[c], translations[d], t);
      y += mix(translations[c + 1], translations[d + 1], t);
      z += mix(translations[c + 2], translations[d + 2], t);
    }
    rotateInto(positions, j * 3, orientations, p * 4, x, y, z);
    for (let k = 0; k < 3; k++) positions[j * 3 + k] += positions[p * 3 + k];
    multiplyInto(orientations, j * 4, orientations, p * 4, orientations, j * 4);
  }
}

function mix(a: number, b: number, t: number): number {
  return t > 0 ? a + (b - a) * t : a;
}

/** World positions of some joints at every frame: (frames, 3) each. */
export function jointPaths(clip: Clip, joints: readonly number[]): Float32Array[] {
  const pose = emptyPose(clip.parents.length);
  const paths = joints.map(() => new Float32Array(clip.frames * 3));
  for (let f = 0; f < clip.frames; f++) {
    poseAt(clip, f, pose);
    joints.forEach((joint, i) => paths[i].set(pose.positions.subarray(joint * 3, joint * 3 + 3), f * 3));
  }
  return paths;
}

/** out = the world position of a point that rides on a joint. */
export function pointInWorld(pose: Pose, joint: number, offset: readonly number[], out: Float64Array): void {
  rotateInto(out, 0, pose.orientations, joint * 4, offset[0], offset[1], offset[2]);
  for (let k = 0; k < 3; k++) out[k] += pose.positions[joint * 3 + k];
}
