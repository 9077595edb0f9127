import { Color, LessEqualDepth, ShaderMaterial, Uniform, Vector3, type IUniform } from "three";
import { JOINT_GLSL, type JointTexture } from "./jointTexture";
import type { Palette } from "./palette";

/** Where the main light stands, seen from the figure. */
export const TO_KEY = new Vector3(0.5, 1, 0.55).normalize();
const TO_FILL = new Vector3(-0.85, 0.25, 0.4).normalize();
const TO_RIM = new Vector3(-0.3, 0.5, -0.85).normalize();

const VERTEX = /* glsl */ `
${JOINT_GLSL}
attribute vec4 tint;
varying vec4 vTint;
varying vec3 vNormal;
varying vec3 vWorld;
varying vec4 vState;
void main() {
  vec4 q = jointTurn();
  vec4 world = modelMatrix * vec4(turned(q, position) + jointPlace().xyz, 1.0);
  vNormal = turned(q, normal);
  vWorld = world.xyz;
  vTint = tint;
  vState = jointState();
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

/*
 * Three lights and a sky, in few operations: the page must also play where there is no graphics card. Colours are
 * squared on the way in and rooted on the way out, which is close enough to linear light for a clay figure.
 */
const FRAGMENT = /* glsl */ `
uniform vec3 toKey, toFill, toRim;
uniform vec3 key, fill, rim, sky, floorLight;
uniform float ground, height;
varying vec4 vTint;
varying vec3 vNormal;
varying vec3 vWorld;
varying vec4 vState;
void main() {
  vec3 n = normalize(vNormal);
  vec3 v = normalize(cameraPosition - vWorld);
  float edge = 1.0 - max(dot(n, v), 0.0);
  #ifdef GHOST
  float shade = 0.62 + 0.38 * max(dot(n, toKey), 0.0);
  gl_FragColor = vec4(mix(vTint.rgb, vec3(1.0), edge * edge * 0.35) * shade + vState.rgb * vState.a, mix(GHOST, 0.92, edge * edge));
  #else
  float open = vTint.a;
  float above = clamp((vWorld.y - ground) / (0.28 * height), 0.0, 1.0);
  // Surfaces that look down near the floor see little but the floor.
  float under = mix(0.45 + 0.55 * above, 1.0, n.y * 0.5 + 0.5);
  float direct = max(dot(n, toKey) * 0.88 + 0.12, 0.0);
  vec3 light = mix(floorLight, sky, n.y * 0.5 + 0.5) * (open * under)
    + key * (direct * (0.45 + 0.55 * open))
    + fill * max(dot(n, toFill) * 0.8 + 0.2, 0.0) * open;
  float shine = max(dot(n, normalize(toKey + v)), 0.0);
  shine *= shine; shine *= shine; shine *= shine; shine *= shine;
  float back = edge * edge * edge * max(dot(n, toRim) * 0.6 + 0.4, 0.0);
  vec3 colour = vTint.rgb * vTint.rgb * light + key * (shine * 0.09 * open) + rim * back;
  colour = mix(colour, vState.rgb * vState.rgb * (0.55 + 0.45 * direct) * 1.25, vState.a);
  gl_FragColor = vec4(sqrt(colour), 1.0);
  #endif
}`;

const MASK = /* glsl */ `
void main() { gl_FragColor = vec4(0.0); }`;

/** Light of a theme, and where the floor is; shared by all figures of a stage. */
export class ClayLight {
  readonly uniforms: Record<string, IUniform> = {
    toKey: new Uniform(TO_KEY), toFill: new Uniform(TO_FILL), toRim: new Uniform(TO_RIM),
    key: new Uniform(new Color()), fill: new Uniform(new Color()), rim: new Uniform(new Color()),
    sky: new Uniform(new Color()), floorLight: new Uniform(new Color()),
    ground: new Uniform(0), height: new Uniform(1),
  };

  setPalette(palette: Palette): void {
    const { light } = palette;
    for (const name of ["key", "fill", "rim", "sky", "floorLight"] as const) {
      const { color, strength } = light[name];
      const c = new Color(color);
      this.uniforms[name].value.setRGB(c.r * c.r, c.g * c.g, c.b * c.b).multiplyScalar(strength);
    }
  }

  setFloor(ground: number, height: number): void {
    this.uniforms.ground.value = ground;
    this.uniforms.height.value = height;
  }
}

/** The solid surface of a figure. */
export function clay(joints: JointTexture, light: ClayLight): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: VERTEX, fragmentShader: FRAGMENT, uniforms: { ...light.uniforms, joints: new Uniform(joints.texture) },
  });
}

/** A translucent surface, of that opacity where it faces the eye; lay its mask first. */
export function veil(joints: JointTexture, light: ClayLight, opacity: number): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: VERTEX, fragmentShader: FRAGMENT, defines: { GHOST: opacity.toFixed(3) },
    uniforms: { ...light.uniforms, joints: new Uniform(joints.texture) },
    transparent: true, depthWrite: false, depthFunc: LessEqualDepth,
  });
}

/** Writes depth only: a translucent figure then shows its surface once, not all its parts through one another. */
export function mask(joints: JointTexture, light: ClayLight): ShaderMaterial {
  return new ShaderMaterial({
    vertexShader: VERTEX, fragmentShader: MASK, uniforms: { ...light.uniforms, joints: new Uniform(joints.texture) },
    colorWrite: false, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
  });
}
