import { DataTexture, FloatType, NearestFilter, RGBAFormat } from "three";
import type { Pose } from "../motion/clip";

const TEXELS = 3;

/**
 * What the vertex shaders know about joints: a row per joint with its position, its orientation
 * and its state (a colour and how strongly the joint glows in it).
 */
export class JointTexture {
  readonly texture: DataTexture;
  private readonly data: Float32Array;

  constructor(readonly joints: number) {
    this.data = new Float32Array(joints * TEXELS * 4);
    this.texture = new DataTexture(this.data, TEXELS, joints, RGBAFormat, FloatType);
    this.texture.minFilter = this.texture.magFilter = NearestFilter;
  }

  setPose(pose: Pose): void {
    for (let j = 0; j < this.joints; j++) {
      const at = j * TEXELS * 4;
      for (let k = 0; k < 3; k++) this.data[at + k] = pose.positions[j * 3 + k];
      for (let k = 0; k < 4; k++) this.data[at + 4 + k] = pose.orientations[j * 4 + k];
    }
    this.texture.needsUpdate = true;
  }

  setState(joint: number, red: number, green: number, blue: number, strength: number): void {
    this.data.set([red, green, blue, strength], joint * TEXELS * 4 + 8);
    this.texture.needsUpdate = true;
  }

  dispose(): void {
    this.texture.dispose();
  }
}

/** GLSL for the vertex stage: `jointPlace`, `jointTurn`, `jointState` of this vertex, and `turned(q, v)`. */
export const JOINT_GLSL = /* glsl */ `
uniform highp sampler2D joints;
attribute float joint;
vec4 jointPlace() { return texelFetch(joints, ivec2(0, int(joint + 0.5)), 0); }
vec4 jointTurn() { return texelFetch(joints, ivec2(1, int(joint + 0.5)), 0); }
vec4 jointState() { return texelFetch(joints, ivec2(2, int(joint + 0.5)), 0); }
vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
`;
