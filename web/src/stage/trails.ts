import { BufferAttribute, BufferGeometry, Color, DoubleSide, Group, Mesh, Points, ShaderMaterial, Uniform, Vector2 } from "three";
import { jointPaths, type Clip } from "../motion/clip";
import type { Side } from "../motion/figure";
import type { Palette } from "./palette";

const RIBBON = /* glsl */ `
attribute vec3 next;
attribute float side;
attribute float index;
uniform float now, span, width;
uniform vec2 resolution;
varying float vAge;
varying float vAcross;
varying float vIndex;
void main() {
  vec4 a = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  vec4 b = projectionMatrix * modelViewMatrix * vec4(next, 1.0);
  vec2 along = (b.xy / b.w - a.xy / a.w) * resolution;
  float size = length(along);
  vec2 across = size > 1e-4 ? vec2(-along.y, along.x) / size : vec2(0.0, 1.0);
  vAge = (index - now) / span;
  vAcross = side;
  vIndex = index;
  a.xy += across * side * width / resolution * a.w;
  gl_Position = a;
}`;

const RIBBON_COLOUR = /* glsl */ `
uniform vec3 colour;
uniform float opacity;
varying float vAge;
varying float vAcross;
void main() {
  float reach = clamp(1.0 - abs(vAge), 0.0, 1.0);
  float alpha = reach * (vAge <= 0.0 ? 0.95 : 0.32) * smoothstep(1.0, 0.6, abs(vAcross));
  if (alpha < 0.01) discard;
  gl_FragColor = vec4(colour, alpha * opacity);
}`;

const DOTS = /* glsl */ `
attribute float index;
uniform float now, span, size;
varying float vAge;
void main() {
  vAge = (index - now) / span;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  gl_PointSize = abs(vAge) < 1.0 ? size : 0.0;
}`;

const DOTS_COLOUR = /* glsl */ `
uniform vec3 colour;
uniform float opacity;
varying float vAge;
void main() {
  float reach = clamp(1.0 - abs(vAge), 0.0, 1.0);
  float disc = smoothstep(0.5, 0.36, length(gl_PointCoord - 0.5));
  float alpha = disc * reach * (vAge <= 0.0 ? 1.0 : 0.45);
  if (alpha < 0.02) discard;
  gl_FragColor = vec4(colour, alpha * opacity);
}`;

/** Paths of joints around now: what lies behind is bright, what is to come is faint, dots count frames. */
export class Trails {
  readonly group = new Group();
  private readonly materials: ShaderMaterial[] = [];
  private joints = "";

  constructor(
    private readonly clip: Clip, private readonly sides: readonly Side[], private readonly ghost: boolean,
    /** How much of the path is seen on either side of now, seconds. */
    private readonly seconds = 1,
  ) {}

  show(joints: readonly number[], palette: Palette): void {
    const wanted = `${joints.join()} ${palette.accent}`;
    if (wanted === this.joints) return;
    this.joints = wanted;
    this.clear();
    // A dot for every frame would be a line on fast captures: at most some thirty a second.
    const every = Math.max(1, Math.round(this.clip.rate / 30));
    jointPaths(this.clip, joints).forEach((path, i) => {
      const side = this.sides[joints[i]];
      const color = new Color(this.ghost ? palette.ghost : side === "middle" ? palette.accent : palette.bone[side]);
      this.group.add(this.ribbon(path, color), this.dots(path, color, every));
    });
  }

  update(frame: number, width: number, height: number, pixelRatio: number): void {
    const span = Math.max(this.seconds * this.clip.rate, 1);
    for (const { uniforms } of this.materials) {
      uniforms.now.value = frame;
      uniforms.span.value = span;
      uniforms.resolution?.value.set(width, height);
      if (uniforms.size) uniforms.size.value = 5.2 * pixelRatio;
    }
    const first = Math.max(0, Math.floor(frame - span)), last = Math.min(this.clip.frames - 1, Math.ceil(frame + span));
    for (const child of this.group.children) {
      const { geometry } = child as Mesh | Points;
      const { every, perFrame } = geometry.userData as { every: number; perFrame: number };
      const from = Math.floor(first / every), to = Math.floor(last / every);
      geometry.setDrawRange(from * perFrame, Math.max(0, to - from + (perFrame > 1 ? 0 : 1)) * perFrame);
    }
  }

  clear(): void {
    for (const child of [...this.group.children]) {
      (child as Mesh | Points).geometry.dispose();
      this.group.remove(child);
    }
    for (const material of this.materials) material.dispose();
    this.materials.length = 0;
  }

  dispose(): void {
    this.clear();
    this.group.removeFromParent();
  }

  private ribbon(path: Float32Array, color: Color): Mesh {
    const frames = path.length / 3;
    const at = new Float32Array(frames * 6), next = new Float32Array(frames * 6);
    const side = new Float32Array(frames * 2), index = new Float32Array(frames * 2);
    const triangles = new Uint32Array(Math.max(frames - 1, 0) * 6);
    for (let f = 0; f < frames; f++) {
      // The last sample looks onward along the step that led to it.
      const a = f * 3, b = Math.min(f + 1, frames - 1) * 3, before = Math.max(f - 1, 0) * 3;
      for (let k = 0; k < 3; k++) {
        const onward = f + 1 < frames ? path[b + k] : 2 * path[a + k] - path[before + k];
        for (const s of [0, 3]) { at[f * 6 + s + k] = path[a + k]; next[f * 6 + s + k] = onward; }
      }
      side[f * 2] = -1; side[f * 2 + 1] = 1;
      index[f * 2] = index[f * 2 + 1] = f;
      if (f + 1 < frames) triangles.set([2 * f, 2 * f + 1, 2 * f + 2, 2 * f + 2, 2 * f + 1, 2 * f + 3], f * 6);
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(at, 3));
    geometry.setAttribute("next", new BufferAttribute(next, 3));
    geometry.setAttribute("side", new BufferAttribute(side, 1));
    geometry.setAttribute("index", new BufferAttribute(index, 1));
    geometry.setIndex(new BufferAttribute(triangles, 1));
    geometry.userData = { every: 1, perFrame: 6 };
    const material = this.material(RIBBON, RIBBON_COLOUR, color);
    material.uniforms.resolution = new Uniform(new Vector2(1, 1));
    material.uniforms.width = new Uniform(this.ghost ? 2 : 3.2);
    return drawn(new Mesh(geometry, material), 30);
  }

  private dots(path: Float32Array, color: Color, every: number): Points {
    const count = Math.ceil(path.length / 3 / every);
    const at = new Float32Array(count * 3), index = new Float32Array(count);
    for (let i = 0; i < count; i++) {
      at.set(path.subarray(i * every * 3, i * every * 3 + 3), i * 3);
      index[i] = i * every;
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(at, 3));
    geometry.setAttribute("index", new BufferAttribute(index, 1));
    geometry.userData = { every, perFrame: 1 };
    const material = this.material(DOTS, DOTS_COLOUR, color);
    material.uniforms.size = new Uniform(5);
    return drawn(new Points(geometry, material), 31);
  }

  private material(vertexShader: string, fragmentShader: string, color: Color): ShaderMaterial {
    const material = new ShaderMaterial({
      vertexShader, fragmentShader, transparent: true, depthWrite: false, side: DoubleSide,
      uniforms: {
        now: new Uniform(0), span: new Uniform(1), colour: new Uniform(color), opacity: new Uniform(this.ghost ? 0.6 : 1),
      },
    });
    this.materials.push(material);
    return material;
  }
}

function drawn<T extends Mesh | Points>(what: T, order: number): T {
  what.frustumCulled = false;
  what.renderOrder = order;
  return what;
}
