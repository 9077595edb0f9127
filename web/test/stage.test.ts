import { Color, Vector3 } from "three";
import { describe, expect, it } from "vitest";
import type { Clip, Pose } from "../src/motion/clip";
import { ballsThroughout, boundingBall, easeOrbit, fittingDistance, orbitOffset, presetAngles } from "../src/stage/cameras";
import { gridCell } from "../src/stage/ground";
import { placeLabels, type Label } from "../src/stage/labels";
import { PartsBuilder } from "../src/stage/parts";
import { jointUnderRay, nearestJoint } from "../src/stage/picking";
import { judge, LEVELS, pixelRatio, startQuality, type Quality } from "../src/stage/quality";
import { shadowArea } from "../src/stage/shadow";

describe("round cones", () => {
  const build = (a: number, b: number, end: Vector3) => {
    const parts = new PartsBuilder();
    parts.roundCone({ start: new Vector3(0, 0, 0), end, radiusStart: a, radiusEnd: b, wide: null, stretch: 1 }, 3, new Color(1, 1, 1), { around: 16, cap: 6 });
    return parts.build();
  };
  const distance = (p: Vector3, end: Vector3, a: number, b: number) => {
    // Least over the balls between: the definition of the hull.
    let least = Infinity;
    for (let t = 0; t <= 1.0001; t += 0.001) least = Math.min(least, p.distanceTo(end.clone().multiplyScalar(t)) - (a + (b - a) * t));
    return least;
  };
  it("lie on the hull of their two balls, normals outward", () => {
    const end = new Vector3(0.2, -0.9, 0.3);
    const geometry = build(0.2, 0.1, end);
    const at = geometry.getAttribute("position"), out = geometry.getAttribute("normal");
    for (let i = 0; i < at.count; i++) {
      const p = new Vector3().fromBufferAttribute(at, i), n = new Vector3().fromBufferAttribute(out, i);
      expect(Math.abs(distance(p, end, 0.2, 0.1))).toBeLessThan(1e-4);
      expect(n.length()).toBeCloseTo(1, 5);
      expect(distance(p.addScaledVector(n, 0.05), end, 0.2, 0.1)).toBeCloseTo(0.05, 3);
    }
    expect(geometry.getAttribute("joint").getX(0)).toBe(3);
  });
  it("are the larger ball where it swallows the other, and never NaN", () => {
    for (const [a, b, end] of [[0.3, 0.1, 0.1], [0.1, 0.3, 0.1], [0.1, 0.1, 0]] as const) {
      const at = build(a, b, new Vector3(0, end, 0)).getAttribute("position");
      const centre = new Vector3(0, a >= b ? 0 : end, 0);
      for (let i = 0; i < at.count; i++) expect(new Vector3().fromBufferAttribute(at, i).distanceTo(centre)).toBeCloseTo(Math.max(a, b), 5);
    }
  });
  it("wind their triangles outward", () => {
    const geometry = build(0.2, 0.1, new Vector3(0, 1, 0));
    const at = geometry.getAttribute("position"), index = geometry.getIndex()!;
    let outward = 0, inward = 0;
    for (let i = 0; i < index.count; i += 3) {
      const [a, b, c] = [0, 1, 2].map((k) => new Vector3().fromBufferAttribute(at, index.getX(i + k)));
      const normal = b.clone().sub(a).cross(c.clone().sub(a));
      if (normal.length() < 1e-9) continue;
      const middle = a.add(b).add(c).divideScalar(3);
      normal.dot(middle.sub(new Vector3(0, 0.5, 0))) > 0 ? outward++ : inward++;
    }
    expect(inward).toBe(0);
    expect(outward).toBeGreaterThan(100);
  });
});

describe("a take that is opened", () => {
  // One joint that goes from the origin two metres up and ten ahead.
  const frames = 20;
  const root = new Float32Array(frames * 3);
  for (let f = 0; f < frames; f++) root.set([0, (2 * f) / (frames - 1), (10 * f) / (frames - 1)], f * 3);
  const clip = {
    frames, root, parents: Int32Array.of(-1), offsets: new Float64Array(3), shapes: [], translations: null,
    rotations: Float32Array.from({ length: frames * 4 }, (_, i) => (i % 4 === 3 ? 1 : 0)),
  } as unknown as Clip;
  it("is framed from its first to its last pose", () => {
    const { centre, radius } = boundingBall(ballsThroughout(clip, { x: 1, z: 0 }, false));
    expect(centre[0]).toBeCloseTo(1);
    expect(centre[2]).toBeCloseTo(5);
    expect(radius).toBeGreaterThan(5);
  });
  it("is framed where a camera that follows sees it", () => {
    const { centre, radius } = boundingBall(ballsThroughout(clip, { x: 0, z: 0 }, true));
    expect(centre[2]).toBeCloseTo(0);
    expect(radius).toBeCloseTo(1);
  });
});

describe("picking", () => {
  it("takes the nearest joint on the screen, in front of one behind it", () => {
    const points = [{ x: 100, y: 100, depth: 5 }, { x: 101, y: 100, depth: 2 }, { x: 100, y: 100, depth: -1 }, { x: 300, y: 100, depth: 1 }];
    expect(nearestJoint(points, 100, 100, 12)).toBe(1);
    expect(nearestJoint(points, 200, 100, 12)).toBeNull();
  });
  it("finds the flesh that a ray meets first, stretched or not", () => {
    const shape = (joint: number, z: number, wide: [number, number, number] | null) => ({
      joint, kind: "torso" as const, start: [0, 0, z] as [number, number, number], end: [0, 1, z] as [number, number, number],
      radius_start: 0.1, radius_end: 0.1, wide, stretch: wide ? 3 : 1,
    });
    const clip = { shapes: [shape(0, -1, null), shape(1, 0, [1, 0, 0])] } as unknown as Clip;
    const pose: Pose = { positions: new Float64Array(6), orientations: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1) };
    expect(jointUnderRay(clip, pose, [0, 0.5, 5], [0, 0, -1])).toBe(1);
    expect(jointUnderRay(clip, pose, [0.25, 0.5, 5], [0, 0, -1])).toBe(1);
    expect(jointUnderRay(clip, pose, [0, 0.5, -5], [0, 0, 1])).toBe(0);
    expect(jointUnderRay(clip, pose, [0.35, 0.5, 5], [0, 0, -1])).toBeNull();
    expect(jointUnderRay(clip, pose, [0, 0.5, 5], [0, 0, 1])).toBeNull();
  });
});

describe("names in the picture", () => {
  const label = (text: string, x: number, y: number, rank = 0, kind: Label["kind"] = "name"): Label => ({ text, x, y, rank, kind });
  const measure = (text: string) => text.length * 7;
  it("never cover one another", () => {
    const crowd = Array.from({ length: 60 }, (_v, i) => label(`joint ${i}`, 300 + (i % 8) * 9, 200 + Math.floor(i / 8) * 7, i));
    const placed = placeLabels(crowd, measure, 800);
    expect(placed.length).toBeGreaterThan(3);
    placed.forEach((a, i) => placed.slice(i + 1).forEach((b) => {
      const apart = a.left + a.width <= b.left || b.left + b.width <= a.left || Math.abs(a.top - b.top) >= 17;
      expect(apart).toBe(true);
    }));
    expect(placed[0].text).toBe("joint 59");
  });
  it("stay inside the picture, and the picked one is always there", () => {
    const [edge] = placeLabels([label("LeftHand", 795, 100)], measure, 800);
    expect(edge.left + edge.width).toBeLessThanOrEqual(800);
    const both = placeLabels([label("a", 100, 100, 200), label("picked", 100, 100, 100, "picked"), label("c", 100, 100, 90)], measure, 800);
    expect(both.map((l) => l.text)).toContain("picked");
  });
});

describe("cameras", () => {
  it("look at the face from the front, wherever the figure faces", () => {
    for (const facing of [[0, 0, 1], [1, 0, 0], [-0.6, 0, -0.8]]) {
      const [x, , z] = orbitOffset({ ...presetAngles("front", facing), distance: 1 });
      expect(x * facing[0] + z * facing[2]).toBeGreaterThan(0.99);
    }
  });
  it("see the left side from the side", () => {
    const [x] = orbitOffset({ ...presetAngles("side", [0, 0, 1]), distance: 1 });
    expect(x).toBeGreaterThan(0.99); // a figure facing +Z has its left at +X
  });
  it("stand far enough away for wide and for tall pictures", () => {
    const field = (32 * Math.PI) / 180;
    for (const aspect of [0.5, 1, 2.5]) {
      const d = fittingDistance(1, field, aspect);
      const half = Math.min(field / 2, Math.atan(Math.tan(field / 2) * aspect));
      expect(1 / d).toBeLessThan(Math.sin(half));
    }
    expect(boundingBall([[0, 0, 0, 0], [2, 0, 0, 0]]).radius).toBeCloseTo(1);
    expect(boundingBall([[0, 0, 0, 0.5], [0, 2, 0, 0]])).toEqual({ centre: [0, 0.75, 0], radius: 1.25 });
  });
  it("turn the shorter way round", () => {
    const half = easeOrbit({ azimuth: 3, polar: 1, distance: 1 }, { azimuth: -3, polar: 1, distance: 4 }, 0.5);
    expect(Math.cos(half.azimuth)).toBeCloseTo(-1, 5);
    expect(half.distance).toBeCloseTo(2);
  });
});

describe("quality", () => {
  const feed = (state: Quality, interval: number, times: number) => Array.from({ length: times }).reduce<Quality>((s) => judge(s, interval), state);
  const warm = feed(startQuality, 16.7, 60);
  it("takes fewer pixels on a slow machine, within a second, and not for a single hiccup", () => {
    expect(judge(warm, 60).level).toBe(0);
    expect(feed(warm, 34, 30).level).toBeGreaterThan(0);
  });
  it("does not judge the first second, in which shaders are compiled", () => {
    expect(feed(startQuality, 50, 15).level).toBe(0);
  });
  it("comes back when there is room, more slowly after every time that this failed", () => {
    const slow = feed(warm, 34, 8);
    expect(slow.level).toBe(1);
    expect(feed(slow, 16.7, 100).level).toBe(1);
    const better = feed(slow, 16.7, slow.patience + 1);
    expect(better.level).toBe(0);
    const failed = feed(better, 34, 8);
    expect(failed.level).toBe(1);
    expect(failed.patience).toBeGreaterThan(slow.patience);
  });
  it("never leaves its levels, and ignores hidden tabs", () => {
    expect(feed(warm, 100, 1000).level).toBe(LEVELS.length - 1);
    expect(feed(warm, 5000, 100)).toBe(warm);
  });
  it("keeps to a budget of pixels", () => {
    expect(pixelRatio(0, 3840, 2160, 2, 3840 * 2160)).toBeCloseTo(1);
    expect(pixelRatio(0, 1280, 720, 2, 3840 * 2160)).toBe(2);
  });
});

describe("the ground", () => {
  it("has squares that fit the figure", () => {
    expect([1.7, 0.9, 0.2, 15, 1.2].map(gridCell)).toEqual([1, 1, 0.1, 10, 1]);
  });
  it("holds the whole shadow", () => {
    const light = new Vector3(0.5, 1, 0).normalize();
    const area = shadowArea([{ points: [0, 1.7, 0, 0, 0, 0], shift: { x: 0, z: 0 } }, { points: [0, 0, 0], shift: { x: 2, z: 0 } }], light, 0, 1.7);
    for (const x of [-0.85, 0, 2]) expect(Math.abs(x - area.x)).toBeLessThan(area.half);
  });
});
