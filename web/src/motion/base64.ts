/** The float32 array that travels as base64 of its little-endian bytes; `count` numbers are expected. */
export function decodeFloats(text: string, count: number, what: string): Float32Array {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    throw new Error(`The ${what} of this take are not base64. Make the page again.`);
  }
  if (binary.length !== count * 4) {
    throw new Error(
      `The ${what} of this take should hold ${count} numbers but hold ${binary.length / 4}. Make the page again.`,
    );
  }
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  if (LITTLE_ENDIAN) return new Float32Array(bytes.buffer);
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: count }, (_, i) => view.getFloat32(i * 4, true));
}

const LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
