import type { JointInfo } from "../protocol";
import type { Clip } from "./clip";

export type Side = "left" | "right" | "middle";

/** L_Hand, hand.L, lHand, LHipJoint, LeftHand, lefthand, "Bip01 L Hand": the side is a word of its own, or begins one. */
export function sideOfName(name: string): Side | null {
  const words = name.match(/[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+/g) ?? [];
  for (const word of words.map((w) => w.toLowerCase())) {
    if (word === "l" || word.startsWith("left")) return "left";
    if (word === "r" || word.startsWith("right")) return "right";
  }
  return null;
}

/** The side each joint is on: by its role, else by its name, else its parent's. */
export function sidesOf(joints: readonly JointInfo[]): Side[] {
  const sides: Side[] = [];
  for (const joint of joints) {
    const role = joint.role;
    if (role?.startsWith("left_")) sides.push("left");
    else if (role?.startsWith("right_")) sides.push("right");
    else if (role) sides.push("middle");
    else sides.push(sideOfName(joint.name) ?? (joint.parent < 0 ? "middle" : sides[joint.parent]));
  }
  return sides;
}

/** The length of the longest chain below each joint, and the number of joints below it. */
function chainLengths(clip: Clip): Float64Array {
  const below = new Float64Array(clip.joints.length);
  for (let j = clip.joints.length - 1; j >= 0; j--) {
    for (const end of clip.joints[j].ends) below[j] = Math.max(below[j], Math.hypot(...end));
    const parent = clip.parents[j];
    if (parent >= 0) below[parent] = Math.max(below[parent], below[j] + Math.hypot(...clip.joints[j].offset));
  }
  return below;
}

const EFFECTOR_ROLES = ["left_hand", "right_hand", "left_foot", "right_foot", "head"];

/**
 * The joints whose paths say most: hands, feet and head where a rig names them, else the leaves at
 * the ends of the longest chains (a quadruped's paws, head and tail; not every finger).
 */
export function effectorsOf(clip: Clip, most = 6): number[] {
  const named = EFFECTOR_ROLES.map((role) => clip.joints.findIndex((joint) => joint.role === role));
  const found = named.filter((joint) => joint >= 0);
  if (found.length >= 3) return found;
  const below = chainLengths(clip);
  const isLeaf = new Uint8Array(clip.joints.length).fill(1);
  clip.parents.forEach((parent) => { if (parent >= 0) isLeaf[parent] = 0; });
  // Every leaf takes the chain up to where a longer sibling's begins; fingers take short ones.
  const leaves = clip.joints.flatMap((_joint, j) => (isLeaf[j] ? [j] : []));
  const taken = new Uint8Array(clip.joints.length);
  const chains = leaves
    .map((leaf) => ({ leaf, depth: pathLength(clip, leaf) + below[leaf] }))
    .sort((a, b) => b.depth - a.depth)
    .map(({ leaf }) => {
      let length = below[leaf];
      for (let j = leaf; j >= 0 && !taken[j]; j = clip.parents[j]) {
        taken[j] = 1;
        length += Math.hypot(...clip.joints[j].offset);
      }
      return { leaf, length };
    });
  return chains.sort((a, b) => b.length - a.length).slice(0, most).map((chain) => chain.leaf).sort((a, b) => a - b);
}

function pathLength(clip: Clip, joint: number): number {
  let length = 0;
  for (let j = joint; clip.parents[j] >= 0; j = clip.parents[j]) length += Math.hypot(...clip.joints[j].offset);
  return length;
}

/** The joints that touch when a role does: the joint of that role and all that hangs on it. */
export function jointsOfRole(joints: readonly JointInfo[], role: string): number[] {
  const inside = new Set<number>();
  joints.forEach((joint, j) => {
    if (joint.role === role || inside.has(joint.parent)) inside.add(j);
  });
  return [...inside];
}

/** "left_hand" as a person writes it. */
export function spoken(role: string): string {
  return role.replaceAll("_", " ");
}
