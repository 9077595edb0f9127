import { Vector3, type PerspectiveCamera } from "three";

export interface Projected {
  x: number;
  y: number;
  depth: number;
}

const POINT = new Vector3();

/** out = where a world point is on the screen, CSS pixels, and how far in front of the camera. */
export function projectInto(
  out: Projected, camera: PerspectiveCamera, size: { width: number; height: number }, x: number, y: number, z: number,
): void {
  POINT.set(x, y, z).applyMatrix4(camera.matrixWorldInverse);
  out.depth = -POINT.z;
  POINT.applyMatrix4(camera.projectionMatrix);
  out.x = (POINT.x * 0.5 + 0.5) * size.width;
  out.y = (0.5 - POINT.y * 0.5) * size.height;
}
