import { BufferAttribute, BufferGeometry, Color, Quaternion, Vector3 } from "three";

/** The hull of two balls, in the frame of a joint; `wide` stretches its cross-section along a unit axis. */
export interface RoundCone {
  readonly start: Vector3;
  readonly end: Vector3;
  readonly radiusStart: number;
  readonly radiusEnd: number;
  readonly wide: Vector3 | null;
  readonly stretch: number;
}

/** How finely a cone is cut: corners of a circle, and circles of a cap. */
export interface Detail {
  readonly around: number;
  readonly cap: number;
}

export const COARSE: Detail = { around: 8, cap: 2 };

/** As fine as the size of a part on the screen asks for: a finger needs fewer corners than a chest. */
export function detailFor(radius: number, height: number): Detail {
  const share = Math.min(radius / (height * 0.05), 1);
  return { around: Math.round(10 + 14 * share), cap: Math.round(3 + 3 * share) };
}

/**
 * Solid parts, each fixed to one joint, gathered into a single geometry that is drawn in one call.
 * Vertices are in the frame of their joint; the attribute `joint` says which one that is. `tint` is the
 * displayed colour, and in its fourth place how open the surface is there (1: nothing near it takes its light).
 */
export class PartsBuilder {
  private readonly positions: number[] = [];
  private readonly normals: number[] = [];
  private readonly tints: number[] = [];
  private readonly owners: number[] = [];
  private readonly indices: number[] = [];

  /** `openness` is asked for every vertex. A ball that swallows the other one is drawn alone. */
  roundCone(
    cone: RoundCone, joint: number, color: Color, detail: Detail,
    openness: (point: Vector3, normal: Vector3) => number = () => 1,
  ): void {
    const axis = cone.end.clone().sub(cone.start);
    const length = axis.length();
    const { radiusStart: a, radiusEnd: b } = cone;
    const turn = new Quaternion();
    if (length > 1e-9) turn.setFromUnitVectors(UP, axis.divideScalar(length));
    const first = this.owners.length;
    const point = new Vector3(), normal = new Vector3();
    const rings = profile(a, b, length, detail.cap);
    for (const ring of rings) {
      for (let k = 0; k <= detail.around; k++) {
        const angle = (k / detail.around) * 2 * Math.PI;
        const c = Math.cos(angle), s = Math.sin(angle);
        point.set(c * ring.radius, ring.height, s * ring.radius).applyQuaternion(turn).add(cone.start);
        normal.set(c * ring.out, ring.up, s * ring.out).applyQuaternion(turn);
        if (cone.wide && cone.stretch !== 1) {
          const along = (point.x - cone.start.x) * cone.wide.x + (point.y - cone.start.y) * cone.wide.y + (point.z - cone.start.z) * cone.wide.z;
          point.addScaledVector(cone.wide, along * (cone.stretch - 1));
          normal.addScaledVector(cone.wide, normal.dot(cone.wide) * (1 / cone.stretch - 1)).normalize();
        }
        this.vertex(point, normal, joint, color, openness(point, normal));
      }
    }
    const stride = detail.around + 1;
    for (let r = 0; r + 1 < rings.length; r++) {
      for (let k = 0; k < detail.around; k++) {
        const p = first + r * stride + k;
        this.indices.push(p, p + stride, p + 1, p + 1, p + stride, p + stride + 1);
      }
    }
  }

  /** A bone as the field draws it: a slim double pyramid with its waist near the parent. */
  bone(from: Vector3, to: Vector3, radius: number, joint: number, color: Color): void {
    const axis = to.clone().sub(from);
    const length = axis.length();
    if (length < 1e-9) return;
    const turn = new Quaternion().setFromUnitVectors(UP, axis.divideScalar(length));
    const waist = Math.min(length * 0.18, radius * 1.6);
    const corners = [0, 1, 2, 3].map((k) => {
      const angle = Math.PI / 4 + (k * Math.PI) / 2;
      return new Vector3(Math.cos(angle) * radius, waist, Math.sin(angle) * radius);
    });
    const place = (p: Vector3) => p.clone().applyQuaternion(turn).add(from);
    for (let k = 0; k < 4; k++) {
      const a = place(corners[k]), b = place(corners[(k + 1) % 4]);
      this.triangle(place(new Vector3(0, 0, 0)), a, b, joint, color);
      this.triangle(place(new Vector3(0, length, 0)), b, a, joint, color);
    }
  }

  ball(centre: Vector3, radius: number, joint: number, color: Color): void {
    const cone = { start: centre, end: centre, radiusStart: radius, radiusEnd: radius, wide: null, stretch: 1 };
    this.roundCone(cone, joint, color, { around: 12, cap: 4 });
  }

  build(): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(this.positions), 3));
    geometry.setAttribute("normal", new BufferAttribute(new Float32Array(this.normals), 3));
    geometry.setAttribute("tint", new BufferAttribute(new Float32Array(this.tints), 4));
    geometry.setAttribute("joint", new BufferAttribute(new Float32Array(this.owners), 1));
    geometry.setIndex(new BufferAttribute(new Uint32Array(this.indices), 1));
    return geometry;
  }

  private triangle(a: Vector3, b: Vector3, c: Vector3, joint: number, color: Color): void {
    const normal = b.clone().sub(a).cross(c.clone().sub(a)).normalize();
    const first = this.owners.length;
    for (const corner of [a, b, c]) this.vertex(corner, normal, joint, color, 1);
    this.indices.push(first, first + 1, first + 2);
  }

  private vertex(point: Vector3, normal: Vector3, joint: number, color: Color, open: number): void {
    this.positions.push(point.x, point.y, point.z);
    this.normals.push(normal.x, normal.y, normal.z);
    this.tints.push(color.r, color.g, color.b, open);
    this.owners.push(joint);
  }
}

/** A circle of the lathe: its radius and height, and the outward normal as (out, up). */
interface Ring {
  readonly radius: number;
  readonly height: number;
  readonly out: number;
  readonly up: number;
}

const UP = new Vector3(0, 1, 0);

/** The outline of a round cone from pole to pole. */
function profile(a: number, b: number, length: number, cap: number): Ring[] {
  const rings: Ring[] = [];
  const arc = (radius: number, centre: number, from: number, to: number, steps: number) => {
    for (let i = 0; i <= steps; i++) {
      const angle = from + ((to - from) * i) / steps;
      const out = Math.cos(angle), up = Math.sin(angle);
      rings.push({ radius: radius * out, height: centre + radius * up, out, up });
    }
  };
  if (length <= Math.abs(a - b)) arc(Math.max(a, b), a >= b ? 0 : length, -Math.PI / 2, Math.PI / 2, 2 * cap);
  else {
    // The straight side leaves both balls where their common tangent touches them.
    const lean = Math.asin((a - b) / length);
    arc(a, 0, -Math.PI / 2, lean, cap);
    arc(b, length, lean, Math.PI / 2, cap);
  }
  return rings;
}
