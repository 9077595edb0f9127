import { Raycaster, Vector2, type PerspectiveCamera } from "three";
import type { FigureView } from "./figureView";
import { jointUnderRay, nearestJoint, type ScreenPoint } from "./picking";
import { projectInto } from "./project";

const REACH = 13;
const CLICK_SLOP = 4;

interface Answers {
  figure(): FigureView | null;
  hover(joint: number | null): void;
  select(joint: number | null): void;
  centre(x: number, y: number, z: number): void;
}

/** Pointer on joints: hovering lights them, a click selects, a double click turns the camera about them. */
export class Picker {
  private readonly ray = new Raycaster();
  private pressed: { x: number; y: number } | null = null;

  constructor(private readonly element: HTMLElement, private readonly camera: PerspectiveCamera, private readonly answers: Answers) {
    element.addEventListener("pointermove", this.onMove);
    element.addEventListener("pointerdown", this.onDown);
    element.addEventListener("pointerup", this.onUp);
    element.addEventListener("pointerleave", this.onLeave);
    element.addEventListener("dblclick", this.onDouble);
  }

  reset(): void {
    this.answers.hover(null);
    this.answers.select(null);
  }

  dispose(): void {
    this.element.removeEventListener("pointermove", this.onMove);
    this.element.removeEventListener("pointerdown", this.onDown);
    this.element.removeEventListener("pointerup", this.onUp);
    this.element.removeEventListener("pointerleave", this.onLeave);
    this.element.removeEventListener("dblclick", this.onDouble);
  }

  private readonly onMove = (event: PointerEvent) => {
    if (event.buttons !== 0) return;
    this.answers.hover(this.jointAt(event));
  };

  private readonly onDown = (event: PointerEvent) => {
    this.pressed = event.button === 0 ? { x: event.clientX, y: event.clientY } : null;
    this.answers.hover(null);
  };

  private readonly onUp = (event: PointerEvent) => {
    const from = this.pressed;
    this.pressed = null;
    if (!from || Math.hypot(event.clientX - from.x, event.clientY - from.y) > CLICK_SLOP) return;
    this.answers.select(this.jointAt(event));
  };

  private readonly onLeave = () => this.answers.hover(null);

  private readonly onDouble = (event: MouseEvent) => {
    const figure = this.answers.figure();
    const joint = this.jointAt(event);
    if (!figure || joint === null) return;
    const { positions } = figure.pose;
    this.answers.centre(positions[joint * 3], positions[joint * 3 + 1], positions[joint * 3 + 2]);
  };

  private jointAt(event: MouseEvent): number | null {
    const figure = this.answers.figure();
    if (!figure) return null;
    const box = this.element.getBoundingClientRect();
    const x = event.clientX - box.left, y = event.clientY - box.top;
    const { pose, clip } = figure;
    const points: ScreenPoint[] = [];
    for (let j = 0; j < clip.joints.length; j++) {
      const at = { x: 0, y: 0, depth: 0 };
      projectInto(at, this.camera, box, pose.positions[j * 3], pose.positions[j * 3 + 1], pose.positions[j * 3 + 2]);
      points.push(at);
    }
    const near = nearestJoint(points, x, y, REACH);
    if (near !== null) return near;
    this.ray.setFromCamera(new Vector2((x / box.width) * 2 - 1, 1 - (y / box.height) * 2), this.camera);
    const { origin, direction } = this.ray.ray;
    return jointUnderRay(clip, pose, origin.toArray(), direction.toArray());
  }
}
