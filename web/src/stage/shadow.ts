import {
  BufferGeometry, Camera, CustomBlending, LinearFilter, MaxEquation, Mesh, OneFactor, PlaneGeometry, Scene,
  ShaderMaterial, Uniform, Vector2, Vector3, WebGLRenderTarget, type WebGLRenderer,
} from "three";
import { JOINT_GLSL, type JointTexture } from "./jointTexture";

/** A rectangle of the ground, and the light that throws the shadow on it. */
export interface ShadowArea {
  readonly x: number;
  readonly z: number;
  /** Half the side of the square, metres. */
  readonly half: number;
}

const CAST = /* glsl */ `
${JOINT_GLSL}
uniform vec2 shear;     // how far the shadow slides for every metre of height, metres
uniform vec3 area;      // x, z, half side
uniform float ground;
uniform vec3 offset;
uniform float reach;    // height at which it has faded away, metres
varying float vAbove;
void main() {
  vec3 p = turned(jointTurn(), position) + jointPlace().xyz + offset;
  float above = p.y - ground;
  vAbove = above / reach;
  vec2 at = p.xz + shear * max(above, 0.0);
  gl_Position = vec4((at - area.xy) / area.z, 0.0, 1.0);
}`;

const CAST_COLOUR = /* glsl */ `
uniform vec2 channel;
uniform float strength;
varying float vAbove;
void main() {
  float dark = strength * (vAbove > 0.0 ? exp(-3.0 * vAbove) : 1.0);
  gl_FragColor = vec4(channel * dark, 0.0, 1.0);
}`;

const BLUR = /* glsl */ `
uniform sampler2D map;
uniform vec2 step;
varying vec2 vUv;
void main() {
  // Nine weights of a Gaussian in five fetches, each between two texels; the contact shadow (green) stays sharper.
  vec2 a = step * 1.3846, b = step * 3.2308;
  vec2 centre = texture2D(map, vUv).rg;
  vec2 near = texture2D(map, vUv + a).rg + texture2D(map, vUv - a).rg;
  vec2 far = texture2D(map, vUv + b).rg + texture2D(map, vUv - b).rg;
  vec2 soft = centre * 0.22703 + near * 0.31622 + far * 0.07027;
  gl_FragColor = vec4(soft, 0.0, 1.0);
}`;

const PASS = /* glsl */ `
varying vec2 vUv;
void main() { vUv = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }`;

/**
 * Soft shadows on the ground: the figures are flattened onto it twice (along the light, and straight down where they
 * nearly touch it) into a small picture, which is blurred. One fetch a pixel of ground is all it costs later.
 */
export class GroundShadow {
  /** Red: along the light; green: contact. */
  get texture() { return this.soft.texture; }
  readonly area = new Vector3(0, 0, 1);
  private readonly sharp: WebGLRenderTarget;
  private readonly half: WebGLRenderTarget;
  private readonly soft: WebGLRenderTarget;
  private readonly scene = new Scene();
  private readonly blurScene = new Scene();
  private readonly camera = new Camera();
  private readonly blur: ShaderMaterial;
  private readonly casters: { mesh: Mesh; material: ShaderMaterial }[] = [];

  constructor(size: number, private readonly passes: number) {
    const target = (side: number) => new WebGLRenderTarget(side, side, {
      depthBuffer: false, minFilter: LinearFilter, magFilter: LinearFilter,
    });
    this.sharp = target(size);
    this.half = target(size);
    this.soft = target(size);
    this.blur = new ShaderMaterial({
      vertexShader: PASS, fragmentShader: BLUR, depthTest: false, depthWrite: false,
      uniforms: { map: new Uniform(null), step: new Uniform(new Vector2()) },
    });
    const quad = new Mesh(new PlaneGeometry(2, 2), this.blur);
    quad.frustumCulled = false;
    this.blurScene.add(quad);
  }

  /** Forget who casts. */
  clear(): void {
    for (const { mesh, material } of this.casters) {
      this.scene.remove(mesh);
      material.dispose();
    }
    this.casters.length = 0;
  }

  /** A figure throws a shadow of that strength, 0 to 1; `toLight` points from the figure to the light. */
  cast(geometry: BufferGeometry, joints: JointTexture, toLight: Vector3, height: number, strength: number, offset: Vector3): void {
    const layers = [
      { channel: new Vector2(strength, 0), reach: height * 2.2, shear: new Vector2(-toLight.x, -toLight.z).divideScalar(toLight.y) },
      { channel: new Vector2(0, strength), reach: height * 0.16, shear: new Vector2(0, 0) },
    ];
    for (const { channel, reach, shear } of layers) {
      const material = new ShaderMaterial({
        vertexShader: CAST, fragmentShader: CAST_COLOUR, depthTest: false, depthWrite: false, transparent: true,
        blending: CustomBlending, blendEquation: MaxEquation, blendSrc: OneFactor, blendDst: OneFactor,
        uniforms: {
          joints: new Uniform(joints.texture), shear: new Uniform(shear), area: new Uniform(this.area),
          ground: new Uniform(0), reach: new Uniform(reach), channel: new Uniform(channel), strength: new Uniform(1),
          offset: new Uniform(offset),
        },
      });
      const mesh = new Mesh(geometry, material);
      mesh.frustumCulled = false;
      this.scene.add(mesh);
      this.casters.push({ mesh, material });
    }
  }

  render(renderer: WebGLRenderer, area: ShadowArea, ground: number): void {
    this.area.set(area.x, area.z, area.half);
    for (const { material } of this.casters) material.uniforms.ground.value = ground;
    const kept = renderer.getRenderTarget();
    renderer.setRenderTarget(this.sharp);
    renderer.setClearColor(0x000000, 1);
    renderer.clear(true, false, false);
    renderer.render(this.scene, this.camera);
    const texel = 1 / this.half.width;
    let from = this.sharp;
    for (let i = 0; i < this.passes; i++) {
      const reach = (i + 1) * texel;
      this.pass(renderer, from, this.half, reach, 0);
      this.pass(renderer, this.half, this.soft, 0, reach);
      from = this.soft;
    }
    renderer.setRenderTarget(kept);
  }

  dispose(): void {
    this.clear();
    this.blur.dispose();
    for (const target of [this.sharp, this.half, this.soft]) target.dispose();
  }

  private pass(renderer: WebGLRenderer, from: WebGLRenderTarget, to: WebGLRenderTarget, x: number, y: number): void {
    this.blur.uniforms.map.value = from.texture;
    this.blur.uniforms.step.value.set(x, y);
    renderer.setRenderTarget(to);
    renderer.render(this.blurScene, this.camera);
  }
}

/** The square of ground that holds all the points and their shadows along the light, rounded so that it does not shimmer. */
export function shadowArea(
  figures: readonly { points: ArrayLike<number>; shift: { readonly x: number; readonly z: number } }[], toLight: Vector3, ground: number, height: number,
): ShadowArea {
  let west = Infinity, east = -Infinity, north = Infinity, south = -Infinity;
  for (const { points, shift } of figures) {
    for (let i = 0; i < points.length; i += 3) {
      const above = Math.max(points[i + 1] - ground, 0);
      for (const slide of [0, above / toLight.y]) {
        const x = points[i] + shift.x - toLight.x * slide, z = points[i + 2] + shift.z - toLight.z * slide;
        west = Math.min(west, x); east = Math.max(east, x);
        north = Math.min(north, z); south = Math.max(south, z);
      }
    }
  }
  const margin = height * 0.35;
  const step = height * 0.25;
  const half = Math.ceil((Math.max(east - west, south - north) / 2 + margin) / step) * step;
  return { x: (west + east) / 2, z: (north + south) / 2, half: Math.min(half, height * 6) };
}
