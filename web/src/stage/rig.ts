import { PerspectiveCamera, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Clip, Pose } from "../motion/clip";
import { clamp } from "../state/playback";
import type { Preset } from "../state/look";
import { boundingBall, easeOrbit, fittingDistance, orbitOffset, presetAngles, type Ball, type Orbit } from "./cameras";

const FIELD_OF_VIEW = 32;
const EASE_MS = 320;

interface Flight {
  readonly from: Orbit;
  readonly to: Orbit;
  readonly fromTarget: Vector3;
  readonly toTarget: Vector3;
  readonly began: number;
}

/** The camera and everything that moves it: the pointer, presets, and the figure it follows. */
export class CameraRig {
  readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 200);
  readonly controls: OrbitControls;
  private flight: Flight | null = null;
  private readonly followed = new Vector3();
  private following = false;

  constructor(element: HTMLElement, onMove: () => void) {
    this.controls = new OrbitControls(this.camera, element);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.16;
    this.controls.maxPolarAngle = Math.PI * 0.56;
    this.controls.zoomSpeed = 1.1;
    this.controls.addEventListener("start", () => { this.flight = null; });
    this.controls.addEventListener("change", onMove);
  }

  /** Scale everything to a figure of that height. */
  setScale(height: number): void {
    this.camera.near = height * 0.02;
    this.camera.far = height * 120;
    this.controls.minDistance = height * 0.15;
    this.controls.maxDistance = height * 40;
    this.camera.updateProjectionMatrix();
  }

  resize(width: number, height: number): void {
    this.camera.aspect = width / Math.max(height, 1);
    this.camera.updateProjectionMatrix();
  }

  /** Fly to a preset (or keep the direction, "fit") so that these balls are in view. At once where `now` is null. */
  view(preset: Preset | "fit", clip: Clip, balls: readonly Ball[], now: number | null): void {
    const { centre, radius } = boundingBall(balls);
    const current = this.orbit();
    const angles = preset === "fit" ? current : presetAngles(preset, clip.facing);
    const aspect = this.camera.aspect;
    const distance = fittingDistance(Math.max(radius, clip.height * 0.3), (FIELD_OF_VIEW * Math.PI) / 180, aspect);
    const to = { azimuth: angles.azimuth, polar: angles.polar, distance };
    const toTarget = new Vector3(...centre);
    if (now === null || REDUCED_MOTION.matches) {
      this.flight = null;
      this.place(to, toTarget);
    } else {
      this.flight = { from: current, to, fromTarget: this.controls.target.clone(), toTarget, began: now };
    }
  }

  /** Turn about a point from now on. */
  centreOn(x: number, y: number, z: number, now: number): void {
    const orbit = this.orbit();
    this.flight = { from: orbit, to: orbit, fromTarget: this.controls.target.clone(), toTarget: new Vector3(x, y, z), began: now };
  }

  /** The camera was set up for this pose: what moves from now on is followed. */
  anchor(pose: Pose): void {
    this.followed.fromArray(pose.positions);
    this.following = true;
  }

  /**
   * Move along with the root: level, exactly; up and down, slowly, so that steps stay visible, but at once where
   * a take jumps. Without `follow` only remember where the root is.
   */
  follow(pose: Pose, follow: boolean, seconds: number, height: number): void {
    const [x, y, z] = pose.positions;
    if (follow && this.following) {
      const jumped = Math.hypot(x - this.followed.x, z - this.followed.z) > height * 0.5;
      const rise = (y - this.followed.y) * (jumped ? 1 : 1 - Math.exp(-2.5 * seconds));
      this.shift(x - this.followed.x, rise, z - this.followed.z);
      this.followed.set(x, this.followed.y + rise, z);
    } else this.followed.set(x, y, z);
    this.following = follow;
  }

  /** Advance flights and damping; true while the camera is still moving. */
  update(now: number): boolean {
    if (this.flight) {
      const { from, to, fromTarget, toTarget, began } = this.flight;
      const t = clamp((now - began) / EASE_MS, 0, 1);
      this.place(easeOrbit(from, to, t), fromTarget.clone().lerp(toTarget, t * t * (3 - 2 * t)));
      if (t === 1) this.flight = null;
      return true;
    }
    return this.controls.update();
  }

  dispose(): void {
    this.controls.dispose();
  }

  private shift(x: number, y: number, z: number): void {
    for (const point of [this.camera.position, this.controls.target, this.flight?.fromTarget, this.flight?.toTarget]) {
      if (point) { point.x += x; point.y += y; point.z += z; }
    }
  }

  private orbit(): Orbit {
    return {
      azimuth: this.controls.getAzimuthalAngle(), polar: this.controls.getPolarAngle(),
      distance: Math.max(this.controls.getDistance(), 1e-6),
    };
  }

  private place(orbit: Orbit, target: Vector3): void {
    this.controls.target.copy(target);
    this.camera.position.fromArray(orbitOffset(orbit)).add(target);
    this.camera.lookAt(target);
    this.controls.update();
  }
}

const REDUCED_MOTION: { readonly matches: boolean } = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)") ?? { matches: false };
