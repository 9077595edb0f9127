import { describe, expect, it } from "vitest";
import { decodeClip, emptyPose, jointPaths, pointInWorld, poseAt } from "../src/motion/clip";
import type { TakePayload } from "../src/protocol";
import golden from "./golden.json";

const payload = golden.payload as unknown as TakePayload;
const clip = decodeClip(payload);
const joints = clip.joints.length;

/** Payloads are float32: positions of a figure of that size are good to a few micrometres. */
const NEAR = 5e-6;

function worst(found: ArrayLike<number>, wanted: readonly number[]): number {
  return wanted.reduce((most, value, i) => Math.max(most, Math.abs(found[i] - value)), 0);
}

describe("forward kinematics", () => {
  it("puts every joint where Python puts it, at every frame", () => {
    const pose = emptyPose(joints);
    golden.positions.forEach((wanted, frame) => {
      poseAt(clip, frame, pose);
      expect(worst(pose.positions, wanted.flat())).toBeLessThan(NEAR);
      golden.orientations_xyzw[frame].forEach((q, j) => {
        const alike = q.reduce((sum, value, k) => sum + value * pose.orientations[j * 4 + k], 0);
        expect(Math.abs(alike)).toBeCloseTo(1, 6);
      });
    });
  });

  it("puts points on joints where Python puts end sites", () => {
    const pose = emptyPose(joints);
    const out = new Float64Array(3);
    golden.ends.forEach(([wanted], frame) => {
      poseAt(clip, frame, pose);
      pointInWorld(pose, 3, payload.points[0].offset, out);
      expect(worst(out, wanted)).toBeLessThan(NEAR);
    });
  });

  it("holds the ends of the take outside it", () => {
    const inside = emptyPose(joints), outside = emptyPose(joints);
    for (const [at, near] of [[-3, 0], [99, clip.frames - 1]]) {
      poseAt(clip, at, outside);
      poseAt(clip, near, inside);
      expect([...outside.positions]).toEqual([...inside.positions]);
    }
  });

  it("lists the path of a joint over all frames", () => {
    const [path] = jointPaths(clip, [4]);
    expect(worst(path, golden.positions.flatMap((frame) => frame[4]))).toBeLessThan(NEAR);
  });
});

describe("between two frames", () => {
  it("keeps bones as long as they are where nothing stretches", () => {
    const rigid = { ...clip, translations: null };
    const pose = emptyPose(joints);
    for (const at of [0.25, 0.5, 1.9, 3.3]) {
      poseAt(rigid, at, pose);
      for (let j = 1; j < joints; j++) {
        const p = clip.parents[j];
        const length = Math.hypot(...[0, 1, 2].map((k) => pose.positions[j * 3 + k] - pose.positions[p * 3 + k]));
        expect(length).toBeCloseTo(Math.hypot(...clip.joints[j].offset), 6);
      }
    }
  });

  it("takes the shorter way when a quaternion changes its sign", () => {
    // Frames 1 and 2 are nearly the same pose with opposite signs: halfway nothing may have swung far.
    const a = emptyPose(joints), half = emptyPose(joints);
    const still = { ...clip, translations: null, root: new Float32Array(clip.root.length) };
    poseAt(still, 1, a);
    poseAt(still, 1.5, half);
    expect(worst(half.positions, [...a.positions])).toBeLessThan(0.15);
  });
});

describe("a payload that is not what it says", () => {
  it("is refused when an array is too short", () => {
    expect(() => decodeClip({ ...payload, frames: payload.frames + 1 })).toThrow(/root positions.*should hold 18 numbers but hold 15/);
  });
  it("is refused when a joint precedes its parent", () => {
    const turned = payload.joints.map((joint, j) => (j === 1 ? { ...joint, parent: 3 } : joint));
    expect(() => decodeClip({ ...payload, joints: turned })).toThrow(/stands before its parent/);
  });
  it("is refused when an array is not base64", () => {
    expect(() => decodeClip({ ...payload, rotations: "*" })).toThrow(/rotations.*not base64/);
  });
});
