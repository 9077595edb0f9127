import { Color, Group, Mesh, MeshBasicMaterial, OctahedronGeometry, PlaneGeometry, ShaderMaterial, Uniform } from "three";
import { pointInWorld, type Clip, type Pose } from "../motion/clip";
import type { Palette } from "./palette";

const PAD = /* glsl */ `
varying vec2 vUv;
void main() { vUv = uv * 2.0 - 1.0; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }`;

const PAD_COLOUR = /* glsl */ `
uniform vec3 colour;
varying vec2 vUv;
void main() {
  float r = length(vUv);
  float ring = smoothstep(0.09, 0.02, abs(r - 0.85)) * 0.8;
  float disc = smoothstep(0.9, 0.1, r) * 0.32;
  gl_FragColor = vec4(colour, max(ring, disc));
}`;

/** Green pads under what touches, and diamonds at named points. */
export class Marks {
  readonly group = new Group();
  private readonly pads = new Map<string, { mesh: Mesh<PlaneGeometry, ShaderMaterial>; joint: number }>();
  private readonly diamonds: Mesh<OctahedronGeometry, MeshBasicMaterial>[] = [];
  private readonly scratch = new Float64Array(3);

  constructor(private readonly clip: Clip) {
    for (const role of new Set(clip.contacts.map((contact) => contact.role))) {
      const joint = clip.joints.findIndex((j) => j.role === role);
      if (joint < 0) continue;
      const size = clip.height * 0.2;
      const mesh = new Mesh(new PlaneGeometry(size, size), new ShaderMaterial({
        vertexShader: PAD, fragmentShader: PAD_COLOUR, transparent: true, depthWrite: false, uniforms: { colour: new Uniform(new Color()) },
      }));
      mesh.rotation.x = -Math.PI / 2;
      mesh.renderOrder = 5;
      this.pads.set(role, { mesh, joint });
      this.group.add(mesh);
    }
    for (const _point of clip.points) {
      const mesh = new Mesh(new OctahedronGeometry(clip.height * 0.012), new MeshBasicMaterial({ depthTest: false, transparent: true }));
      mesh.renderOrder = 40;
      this.diamonds.push(mesh);
      this.group.add(mesh);
    }
  }

  setPalette(palette: Palette): void {
    for (const { mesh } of this.pads.values()) mesh.material.uniforms.colour.value.set(palette.contact);
    for (const diamond of this.diamonds) diamond.material.color.set(palette.point);
  }

  update(pose: Pose, touching: readonly string[], shown: boolean): void {
    for (const [role, { mesh, joint }] of this.pads) {
      const height = pose.positions[joint * 3 + 1] - this.clip.ground;
      // A hand on a wall touches too, but there is no ground under it to mark.
      mesh.visible = shown && touching.includes(role) && height < this.clip.height * 0.15;
      if (mesh.visible) {
        const middle = this.middleOf(pose, joint);
        mesh.position.set(middle[0], this.clip.ground + this.clip.height * 0.0015, middle[1]);
      }
    }
    this.clip.points.forEach((point, i) => {
      pointInWorld(pose, point.joint, point.offset, this.scratch);
      this.diamonds[i].position.set(this.scratch[0], this.scratch[1], this.scratch[2]);
    });
  }

  dispose(): void {
    for (const { mesh } of this.pads.values()) { mesh.geometry.dispose(); mesh.material.dispose(); }
    for (const diamond of this.diamonds) { diamond.geometry.dispose(); diamond.material.dispose(); }
    this.group.removeFromParent();
  }

  /** Between the joint and the farthest of its children: the middle of a foot, not its ankle. */
  private middleOf(pose: Pose, joint: number): [number, number] {
    let x = pose.positions[joint * 3], z = pose.positions[joint * 3 + 2], count = 1;
    this.clip.parents.forEach((parent, j) => {
      if (parent === joint) { x += pose.positions[j * 3]; z += pose.positions[j * 3 + 2]; count++; }
    });
    return [x / count, z / count];
  }
}
