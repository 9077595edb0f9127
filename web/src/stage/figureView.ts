import { Color, Group, Mesh, type BufferGeometry, type ShaderMaterial } from "three";
import { emptyPose, poseAt, type Clip, type Pose } from "../motion/clip";
import { jointsOfRole, sidesOf, type Side } from "../motion/figure";
import type { Flesh } from "../state/look";
import { clay, mask, veil, type ClayLight } from "./clay";
import { boneGeometry, casterGeometry, fleshGeometry } from "./figureGeometry";
import { JointTexture } from "./jointTexture";
import type { Palette } from "./palette";

/** One figure in the scene: its flesh and its bones, its pose, and which of its joints glow. */
export class FigureView {
  readonly group = new Group();
  readonly pose: Pose;
  readonly sides: readonly Side[];
  readonly joints: JointTexture;
  /** What throws its shadow. */
  readonly caster: BufferGeometry;
  private shown = "";
  private readonly meshes: Mesh<BufferGeometry, ShaderMaterial>[] = [];
  private readonly roles = new Map<string, number[]>();
  private readonly glowing = new Set<number>();
  private readonly color = new Color();

  constructor(readonly clip: Clip, readonly ghost: boolean, private readonly light: ClayLight) {
    this.pose = emptyPose(clip.joints.length);
    this.sides = sidesOf(clip.joints);
    this.joints = new JointTexture(clip.joints.length);
    this.caster = casterGeometry(clip);
    for (const { role } of clip.contacts) this.roles.set(role, jointsOfRole(clip.joints, role));
  }

  setFrame(frame: number): void {
    poseAt(this.clip, frame, this.pose);
    this.joints.setPose(this.pose);
  }

  /** Build what is asked for, unless it stands already. */
  show(flesh: Flesh, palette: Palette): void {
    const wanted = `${flesh} ${palette.ghost}`;
    if (wanted === this.shown) return;
    this.shown = wanted;
    this.clear();
    const only = this.ghost ? palette.ghost : null;
    const shows = this.clip.shapes.length === 0 ? "bones" : flesh;
    if (shows !== "body") this.add(boneGeometry(this.clip, this.sides, palette, only), this.ghost ? 0.5 : null);
    if (shows !== "bones") {
      const opacity = this.ghost ? 0.34 : shows === "both" ? 0.26 : null;
      this.add(fleshGeometry(this.clip, this.sides, palette, only), opacity);
    }
  }

  /** Light up the roles in contact, the selected joint, and the one under the pointer, in rising order. */
  glow(touching: readonly string[], selected: number | null, hovered: number | null, palette: Palette): void {
    for (const joint of this.glowing) this.joints.setState(joint, 0, 0, 0, 0);
    this.glowing.clear();
    for (const role of touching) for (const joint of this.roles.get(role) ?? []) this.shine(joint, palette.contact, 0.55);
    if (selected !== null) this.shine(selected, palette.accent, 0.6);
    if (hovered !== null) this.shine(hovered, palette.accent, 0.85);
  }

  dispose(): void {
    this.clear();
    this.caster.dispose();
    this.joints.dispose();
    this.group.removeFromParent();
  }

  private shine(joint: number, color: number, strength: number): void {
    const { r, g, b } = this.color.set(color);
    this.joints.setState(joint, r, g, b, strength);
    this.glowing.add(joint);
  }

  private add(geometry: BufferGeometry, opacity: number | null): void {
    if (opacity === null) return this.mesh(geometry, clay(this.joints, this.light), 0);
    const order = this.ghost ? 20 : 10;
    this.mesh(geometry, mask(this.joints, this.light), order);
    this.mesh(geometry, veil(this.joints, this.light, opacity), order + 1);
  }

  private mesh(geometry: BufferGeometry, material: ShaderMaterial, order: number): void {
    const mesh = new Mesh(geometry, material);
    // The shader moves the vertices, so three must not judge by the geometry at rest whether they are in view.
    mesh.frustumCulled = false;
    mesh.renderOrder = order;
    this.meshes.push(mesh);
    this.group.add(mesh);
  }

  private clear(): void {
    for (const mesh of this.meshes) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
    this.meshes.length = 0;
    this.group.clear();
  }
}
