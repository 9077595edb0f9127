import {
  BufferAttribute, BufferGeometry, Color, Group, LineSegments, Mesh, PlaneGeometry, ShaderMaterial, Uniform,
  type Texture, type Vector3,
} from "three";
import { smoothstep } from "../motion/smooth";
import type { Palette } from "./palette";

/** How far the floor reaches, in squares of the grid. */
const REACH = 40;

const FLAT = /* glsl */ `
attribute float fade;
uniform vec3 near, far;
varying vec3 vColour;
void main() {
  vColour = mix(near, far, fade);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
}`;

const FLAT_COLOUR = /* glsl */ `
varying vec3 vColour;
void main() { gl_FragColor = vec4(vColour, 1.0); }`;

const LINES = /* glsl */ `
attribute float strong;
uniform vec3 line, strongLine, axisX, axisZ;
varying vec4 vColour;
varying vec2 vAt;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  vAt = world.xz;
  vec3 colour = strong > 2.5 ? axisZ : strong > 1.5 ? axisX : strong > 0.5 ? strongLine : line;
  vColour = vec4(colour, strong);
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

const LINES_COLOUR = /* glsl */ `
uniform vec2 centre;
uniform float reach;
varying vec4 vColour;
varying vec2 vAt;
void main() {
  float away = length(vAt - centre) / reach;
  // Fine lines end sooner: from afar they would only flicker.
  float alpha = 1.0 - smoothstep(0.05, vColour.a > 0.5 ? 0.9 : 0.42, away);
  gl_FragColor = vec4(vColour.rgb, alpha);
}`;

const SHADOW = /* glsl */ `
uniform vec3 area;
varying vec2 vUv;
void main() {
  vUv = uv;
  vec3 at = vec3(area.x + position.x * area.z, 0.0, area.y + position.y * area.z);
  gl_Position = projectionMatrix * modelViewMatrix * vec4(at, 1.0);
}`;

const SHADOW_COLOUR = /* glsl */ `
uniform sampler2D map;
uniform vec3 shadow;
uniform float strength;
varying vec2 vUv;
void main() {
  vec2 dark = texture2D(map, vUv).rg;
  gl_FragColor = vec4(shadow, (1.0 - (1.0 - 0.6 * dark.r) * (1.0 - 0.6 * dark.g)) * strength);
}`;

/**
 * The floor with its grid and the shadows on it, and the sky it fades into. Colours change from corner to corner of
 * the meshes, not from pixel to pixel: on a machine without a graphics card the floor is most of the picture.
 */
export class Ground {
  readonly group = new Group();
  private readonly disc: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly dome: Mesh<BufferGeometry, ShaderMaterial>;
  private readonly lines: LineSegments<BufferGeometry, ShaderMaterial>;
  private readonly shade: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly reach: number;

  constructor(private readonly cell: number, shadowMap: Texture, area: Vector3) {
    this.reach = cell * REACH;
    const color = () => new Uniform(new Color());
    const flat = () => new ShaderMaterial({
      vertexShader: FLAT, fragmentShader: FLAT_COLOUR, depthWrite: false, uniforms: { near: color(), far: color() },
    });
    this.disc = drawn(new Mesh(discGeometry(this.reach), flat()), 1);
    this.dome = drawn(new Mesh(domeGeometry(this.reach * 0.99), flat()), 2);
    this.lines = drawn(new LineSegments(gridGeometry(cell), new ShaderMaterial({
      vertexShader: LINES, fragmentShader: LINES_COLOUR, transparent: true, depthWrite: false,
      uniforms: {
        line: color(), strongLine: color(), axisX: color(), axisZ: color(),
        centre: new Uniform({ x: 0, y: 0 }), reach: new Uniform(this.reach),
      },
    })), 3);
    this.shade = drawn(new Mesh(new PlaneGeometry(2, 2), new ShaderMaterial({
      vertexShader: SHADOW, fragmentShader: SHADOW_COLOUR, transparent: true, depthWrite: false, side: 2,
      uniforms: { area: new Uniform(area), map: new Uniform(shadowMap), shadow: color(), strength: new Uniform(1) },
    })), 4);
    this.group.add(this.disc, this.dome, this.lines, this.shade);
  }

  /** The floor is round and follows the view, so that it never ends before it has faded. The grid keeps to the world. */
  moveTo(x: number, z: number, height: number): void {
    this.group.position.y = height;
    for (const mesh of [this.disc, this.dome]) mesh.position.set(x, 0, z);
    const step = this.cell * 5;
    this.lines.position.set(Math.round(x / step) * step, 0, Math.round(z / step) * step);
    this.lines.material.uniforms.centre.value = { x, y: z };
    this.drawAxes();
  }

  setPalette(palette: Palette): void {
    const lines = this.lines.material.uniforms, shade = this.shade.material.uniforms;
    for (const name of ["line", "strongLine", "axisX", "axisZ"] as const) lines[name].value.set(palette[name]);
    shade.shadow.value.set(palette.shadow);
    shade.strength.value = palette.shadowStrength;
    this.disc.material.uniforms.near.value.set(palette.ground);
    this.disc.material.uniforms.far.value.set(palette.horizon);
    this.dome.material.uniforms.near.value.set(palette.horizon);
    this.dome.material.uniforms.far.value.set(palette.skyTop);
  }

  dispose(): void {
    for (const mesh of [this.disc, this.dome, this.lines, this.shade]) {
      mesh.geometry.dispose();
      mesh.material.dispose();
    }
    this.group.removeFromParent();
  }

  /** The lines through the world's origin wear the colours of their axes, wherever the grid has moved to. */
  private drawAxes(): void {
    const strong = this.lines.geometry.getAttribute("strong") as BufferAttribute;
    const at = this.lines.geometry.getAttribute("position");
    const { x, z } = this.lines.position;
    for (let i = 0; i < strong.count; i += 2) {
      const alongX = at.getZ(i) === at.getZ(i + 1);
      const place = Math.round((alongX ? at.getZ(i) + z : at.getX(i) + x) / this.cell);
      const value = place === 0 ? (alongX ? 2 : 3) : place % 5 === 0 ? 1 : 0;
      if (strong.getX(i) === value) continue;
      strong.setX(i, value);
      strong.setX(i + 1, value);
      strong.needsUpdate = true;
    }
  }
}

/** One square is a metre for people, ten centimetres for small figures, ten metres for giants. */
export function gridCell(height: number): number {
  return 10 ** Math.round(Math.log10(Math.max(height, 1e-6) / 1.7));
}

function discGeometry(reach: number): BufferGeometry {
  const radii = [0, 0.08, 0.16, 0.26, 0.38, 0.52, 0.68, 0.84, 1];
  return rings(radii.map((r) => ({ radius: r * reach, height: 0, fade: smoothstep(0.06, 0.95, r) })));
}

/** The inside of a dome. Who looks from below the floor sees the horizon's colour. */
function domeGeometry(radius: number): BufferGeometry {
  const angles = [0, 4, 9, 15, 22, 32, 45, 65, 90];
  return rings(angles.map((degrees) => {
    const a = (degrees * Math.PI) / 180;
    return { radius: Math.max(Math.cos(a), 1e-4) * radius, height: Math.sin(a) * radius, fade: smoothstep(0, 0.5, Math.sin(a)) };
  }));
}

function rings(list: { radius: number; height: number; fade: number }[]): BufferGeometry {
  const around = 48;
  const points: number[] = [], fade: number[] = [], index: number[] = [];
  list.forEach((ring, r) => {
    for (let k = 0; k <= around; k++) {
      const angle = (k * 2 * Math.PI) / around;
      points.push(Math.sin(angle) * ring.radius, ring.height, Math.cos(angle) * ring.radius);
      fade.push(ring.fade);
      if (r === 0 || k === 0) continue;
      const d = r * (around + 1) + k, c = d - 1, b = d - around - 1, a = b - 1;
      index.push(a, c, b, b, c, d);
    }
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
  geometry.setAttribute("fade", new BufferAttribute(new Float32Array(fade), 1));
  geometry.setIndex(index);
  return geometry;
}

/** Lines in pieces: long ones that begin behind the eye are lost by some renderers. */
function gridGeometry(cell: number): BufferGeometry {
  const points: number[] = [];
  const piece = 4;
  for (let i = -REACH; i <= REACH; i++) {
    for (let k = -REACH; k < REACH; k += piece) {
      const [a, b, at] = [k * cell, (k + piece) * cell, i * cell];
      points.push(a, 0, at, b, 0, at, at, 0, a, at, 0, b);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
  geometry.setAttribute("strong", new BufferAttribute(new Float32Array(points.length / 3).fill(-1), 1));
  return geometry;
}

function drawn<T extends Mesh | LineSegments>(what: T, order: number): T {
  what.frustumCulled = false;
  what.renderOrder = order;
  return what;
}
