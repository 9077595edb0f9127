import { Color, Vector3, type BufferGeometry } from "three";
import type { Clip } from "../motion/clip";
import type { Side } from "../motion/figure";
import type { BodyShape } from "../protocol";
import { opennessOf } from "./openness";
import type { Palette } from "./palette";
import { COARSE, PartsBuilder, detailFor, type RoundCone } from "./parts";

const ORIGIN = new Vector3();

/** The flesh: every shape as a smooth round cone, tinted by its side. */
export function fleshGeometry(clip: Clip, sides: readonly Side[], palette: Palette, only: number | null): BufferGeometry {
  const parts = new PartsBuilder();
  const tint = (shape: BodyShape) => new Color(only ?? (shape.kind === "prop" ? palette.body.prop : palette.body[sides[shape.joint]]));
  clip.shapes.forEach((shape, i) => {
    const cone = coneOf(shape);
    parts.roundCone(cone, shape.joint, tint(shape), detailFor(Math.max(cone.radiusStart, cone.radiusEnd), clip.height), opennessOf(clip, i));
  });
  addFace(parts, clip, only ?? palette.face);
  return parts.build();
}

/** The same in few corners: enough for a soft shadow. */
export function casterGeometry(clip: Clip): BufferGeometry {
  const parts = new PartsBuilder();
  const white = new Color(0xffffff);
  for (const shape of clip.shapes) parts.roundCone(coneOf(shape), shape.joint, white, COARSE);
  return parts.build();
}

/** Joints as balls, and bones between them. */
export function boneGeometry(clip: Clip, sides: readonly Side[], palette: Palette, only: number | null): BufferGeometry {
  const parts = new PartsBuilder();
  const thick = clip.height * 0.016;
  const tips = clip.joints.map((joint) => joint.ends.map((end) => new Vector3(...end)));
  clip.joints.forEach((joint) => { if (joint.parent >= 0) tips[joint.parent].push(new Vector3(...joint.offset)); });
  const colorOf = (joint: number) => new Color(only ?? palette.bone[sides[joint]]);
  clip.joints.forEach((joint, j) => {
    const lengths = tips[j].map((tip) => tip.length()).filter((length) => length > 1e-6);
    const shortest = lengths.length > 0 ? Math.min(...lengths) : Infinity;
    parts.ball(ORIGIN, Math.max(Math.min(thick * 0.6, shortest * 0.3), thick * 0.15), j, colorOf(j));
    const bone = (owner: number, to: Vector3) => parts.bone(ORIGIN, to, Math.min(thick, to.length() * 0.22), owner, colorOf(j));
    if (joint.parent >= 0) bone(joint.parent, new Vector3(...joint.offset));
    for (const end of joint.ends) bone(j, new Vector3(...end));
  });
  return parts.build();
}

function coneOf(shape: BodyShape): RoundCone {
  return {
    start: new Vector3(...shape.start), end: new Vector3(...shape.end),
    radiusStart: shape.radius_start, radiusEnd: shape.radius_end,
    wide: shape.wide ? new Vector3(...shape.wide).normalize() : null, stretch: shape.stretch,
  };
}

/** A dark visor on the front of the head, so that a figure has a direction to look in. */
function addFace(parts: PartsBuilder, clip: Clip, color: number): void {
  const head = clip.joints.findIndex((joint) => joint.role === "head");
  const shape = clip.shapes.filter((s) => s.kind === "head" && s.joint === head).at(-1);
  if (head < 0 || !shape || !clip.face) return;
  const forward = new Vector3(...clip.face).normalize();
  const start = new Vector3(...shape.start), end = new Vector3(...shape.end);
  const up = end.clone().sub(start);
  if (up.lengthSq() < 1e-10) up.set(0, 1, 0);
  const side = new Vector3().crossVectors(up, forward).normalize();
  const radius = Math.max(shape.radius_start, shape.radius_end);
  const eyes = start.clone().lerp(end, 0.75).addScaledVector(forward, radius * 0.76);
  const half = radius * 0.36;
  parts.roundCone(
    {
      start: eyes.clone().addScaledVector(side, -half), end: eyes.clone().addScaledVector(side, half),
      radiusStart: radius * 0.27, radiusEnd: radius * 0.27, wide: null, stretch: 1,
    },
    head, new Color(color), { around: 18, cap: 6 },
  );
}
