import { describe, expect, it } from "vitest";
import type { Clip } from "../src/motion/clip";
import { contactLanes, touchingAt } from "../src/motion/contacts";
import { effectorsOf, jointsOfRole, sideOfName, sidesOf } from "../src/motion/figure";
import type { JointInfo, Vec3 } from "../src/protocol";

const joint = (name: string, parent: number, offset: Vec3, role: string | null = null, ends: Vec3[] = []): JointInfo => ({ name, parent, offset, role, ends });
const clipOf = (joints: JointInfo[]): Clip => ({ joints, parents: Int32Array.from(joints, (j) => j.parent) }) as unknown as Clip;

describe("the side of a joint", () => {
  it("is read from the names of many exporters", () => {
    const left = ["LeftHand", "lHand", "L_Hand", "hand_l", "hand.L", "LHipJoint", "Bip01 L Hand", "mixamorig:LeftArm", "leftfoot"];
    for (const name of left) {
      expect([name, sideOfName(name)]).toEqual([name, "left"]);
      const mirrored = name.replace(/left/i, (w) => (w[0] === "L" ? "Right" : "right")).replace(/(^|[ _.:])L(?=[A-Z _]|$)/, "$1R").replace(/^l(?=[A-Z])/, "r").replace(/_l$/, "_r");
      expect([mirrored, sideOfName(mirrored)]).toEqual([mirrored, "right"]);
    }
  });
  it("is not seen where there is none", () => {
    for (const name of ["LowerBack", "Root", "Reference", "Spine", "Collar", "ribs", "tail_01"]) expect([name, sideOfName(name)]).toEqual([name, null]);
  });
  it("comes from the role first, and is handed down", () => {
    const sides = sidesOf([joint("hips", -1, [0, 0, 0], "hips"), joint("L_odd", 0, [0, 0, 0], "right_upper_leg"), joint("toe", 1, [0, 0, 0])]);
    expect(sides).toEqual(["middle", "right", "right"]);
  });
});

describe("end-effectors", () => {
  it("are hands, feet and head of a rig", () => {
    const roles = ["hips", "head", "left_hand", "right_hand", "left_foot", "right_foot"];
    const joints = roles.map((role, i) => joint(role, i === 0 ? -1 : 0, [0, 1, 0], role));
    expect([...effectorsOf(clipOf(joints))].sort()).toEqual([1, 2, 3, 4, 5]);
  });
  it("are the ends of the longest chains of an unknown animal, not its claws", () => {
    const joints = [joint("body", -1, [0, 0, 0])];
    for (const leg of ["a", "b", "c", "d"]) {
      joints.push(joint(leg, 0, [0, -0.5, 0]));
      const paw = joints.push(joint(`${leg} paw`, joints.length - 1, [0, -0.5, 0])) - 1;
      for (const claw of [1, 2, 3]) joints.push(joint(`${leg} claw ${claw}`, paw, [0, -0.03, 0.01 * claw]));
    }
    const found = effectorsOf(clipOf(joints), 4).map((j) => joints[j].name[0]);
    expect(found.sort()).toEqual(["a", "b", "c", "d"]);
  });
});

describe("contacts", () => {
  const contacts = [{ role: "right_foot", first: 0, last: 4 }, { role: "left_foot", first: 3, last: 8 }, { role: "right_foot", first: 9, last: 9 }];
  it("hold from the first to the last frame, both included", () => {
    expect([0, 3, 4, 5, 9, 10].map((f) => touchingAt(contacts, f).join())).toEqual(
      ["right_foot", "right_foot,left_foot", "right_foot,left_foot", "left_foot", "right_foot", ""]);
  });
  it("stand in one lane a role, left above right", () => {
    expect(contactLanes(contacts).map((lane) => [lane.role, lane.intervals.length])).toEqual([["left_foot", 1], ["right_foot", 2]]);
  });
  it("light the joint of a role and what hangs on it", () => {
    const joints = [joint("hips", -1, [0, 0, 0]), joint("foot", 0, [0, 0, 0], "left_foot"), joint("toe", 1, [0, 0, 0]), joint("tip", 2, [0, 0, 0])];
    expect(jointsOfRole(joints, "left_foot")).toEqual([1, 2, 3]);
  });
});
