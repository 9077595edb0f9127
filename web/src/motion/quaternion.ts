/** Quaternions as (x, y, z, w) inside flat arrays, the order of three.js. Every function writes into `out`. */

export type Numbers = Float32Array | Float64Array;

/** out[o..o+2] = the vector (x, y, z) turned by the quaternion at q[i]. */
export function rotateInto(
  out: Float64Array, o: number, q: Numbers, i: number, x: number, y: number, z: number,
): void {
  const qx = q[i], qy = q[i + 1], qz = q[i + 2], qw = q[i + 3];
  const tx = 2 * (qy * z - qz * y), ty = 2 * (qz * x - qx * z), tz = 2 * (qx * y - qy * x);
  out[o] = x + qw * tx + qy * tz - qz * ty;
  out[o + 1] = y + qw * ty + qz * tx - qx * tz;
  out[o + 2] = z + qw * tz + qx * ty - qy * tx;
}

/** out[o..o+3] = a[i] · b[j]: first b, then a. `out` may be `b`. */
export function multiplyInto(
  out: Float64Array, o: number, a: Numbers, i: number, b: Numbers, j: number,
): void {
  const ax = a[i], ay = a[i + 1], az = a[i + 2], aw = a[i + 3];
  const bx = b[j], by = b[j + 1], bz = b[j + 2], bw = b[j + 3];
  out[o] = aw * bx + ax * bw + ay * bz - az * by;
  out[o + 1] = aw * by - ax * bz + ay * bw + az * bx;
  out[o + 2] = aw * bz + ax * by - ay * bx + az * bw;
  out[o + 3] = aw * bw - ax * bx - ay * by - az * bz;
}

/** out[o..o+3] = the rotation a fraction t of the shorter way from a[i] to b[j], at constant speed. */
export function slerpInto(
  out: Float64Array, o: number, a: Numbers, i: number, b: Numbers, j: number, t: number,
): void {
  const ax = a[i], ay = a[i + 1], az = a[i + 2], aw = a[i + 3];
  let bx = b[j], by = b[j + 1], bz = b[j + 2], bw = b[j + 3];
  let cosine = ax * bx + ay * by + az * bz + aw * bw;
  if (cosine < 0) {
    cosine = -cosine;
    bx = -bx; by = -by; bz = -bz; bw = -bw;
  }
  let fromA = 1 - t, fromB = t;
  // Below about 1.8 degrees the sines cancel digits and the straight line is as good.
  if (cosine < 0.9995) {
    const angle = Math.acos(cosine);
    const sine = Math.sin(angle);
    fromA = Math.sin((1 - t) * angle) / sine;
    fromB = Math.sin(t * angle) / sine;
  }
  const x = fromA * ax + fromB * bx, y = fromA * ay + fromB * by;
  const z = fromA * az + fromB * bz, w = fromA * aw + fromB * bw;
  const scale = 1 / Math.hypot(x, y, z, w);
  out[o] = x * scale; out[o + 1] = y * scale; out[o + 2] = z * scale; out[o + 3] = w * scale;
}
