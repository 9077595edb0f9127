import { decodeClip, type Clip } from "../motion/clip";
import { PAYLOAD_VERSION, type PagePayload } from "../protocol";

export type Loaded =
  | { readonly kind: "takes"; readonly title: string; readonly clips: readonly Clip[] }
  | { readonly kind: "empty" }
  | { readonly kind: "broken"; readonly message: string };

/** Read what the page carries. */
export function readPayload(text: string | null | undefined): Loaded {
  try {
    const payload = JSON.parse(text ?? "null") as PagePayload | null;
    if (payload === null || payload.takes.length === 0) return { kind: "empty" };
    if (payload.version !== PAYLOAD_VERSION) {
      return {
        kind: "broken",
        message: `This page plays version ${PAYLOAD_VERSION}, but the take in it is of version ${payload.version}. Make the page again with marotte view.`,
      };
    }
    return { kind: "takes", title: payload.title, clips: payload.takes.map(decodeClip) };
  } catch (error) {
    return { kind: "broken", message: error instanceof Error ? error.message : String(error) };
  }
}
