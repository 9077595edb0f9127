import type { Clip } from "./clip";

/** Whether a take goes somewhere, so that the camera should go with it. */
export function travels(clip: Clip): boolean {
  let west = Infinity, east = -Infinity, north = Infinity, south = -Infinity;
  for (let f = 0; f < clip.frames; f++) {
    const x = clip.root[f * 3], z = clip.root[f * 3 + 2];
    west = Math.min(west, x); east = Math.max(east, x);
    north = Math.min(north, z); south = Math.max(south, z);
  }
  return Math.hypot(east - west, south - north) > clip.height * 0.75;
}
