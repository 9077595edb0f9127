import type { DropAnswer, KernelState, OpenedTake, Problem, TakeList } from "../protocol";
import type { DroppedFile } from "./dropped";
import type { JsonSchema } from "./schema";

/** Values of a take's options that differ from their defaults. */
export type OptionValues = Readonly<Record<string, unknown>>;

export class ApiError extends Error {
  constructor(
    message: string,
    /** gone: nobody answers; locked: the key is missing or wrong; problem: the server said no, and why. */
    readonly kind: "gone" | "locked" | "problem",
  ) {
    super(message);
  }
}

export interface Api {
  takes(): Promise<TakeList>;
  open(id: string, options: OptionValues): Promise<OpenedTake>;
  schema(id: string): Promise<JsonSchema>;
  status(): Promise<KernelState>;
  upload(files: readonly DroppedFile[]): Promise<DropAnswer>;
}

/** What the Studio's page asks its server. `token` came with the link. */
export function httpApi(token: string): Api {
  async function ask<T>(path: string, init: RequestInit = {}): Promise<T> {
    let response: Response;
    try {
      response = await fetch(path, { ...init, headers: { ...init.headers, "x-marotte-token": token } });
    } catch {
      throw new ApiError("The Studio's server does not answer.", "gone");
    }
    if (response.ok) return (await response.json()) as T;
    const problem = (await response.json().catch(() => null)) as Problem | null;
    const message = problem?.message ?? `The server answered ${response.status}.`;
    throw new ApiError(message, response.status === 401 ? "locked" : "problem");
  }
  const at = (id: string) => `/api/takes/${encodeURIComponent(id)}`;
  return {
    takes: () => ask("/api/takes"),
    open: (id, options) => {
      const query = Object.keys(options).length > 0 ? `?options=${encodeURIComponent(JSON.stringify(options))}` : "";
      return ask(at(id) + query);
    },
    schema: (id) => ask(`${at(id)}/options`),
    status: () => ask("/api/status"),
    upload: async (files) => {
      const body = new FormData();
      for (const { file, path } of files) body.append("file", file, path);
      try {
        return await ask("/api/takes", { method: "POST", body });
      } catch (error) {
        // A file that the browser cannot read looks like a server that does not answer.
        if (error instanceof ApiError && error.kind === "gone") await ask("/api/status");
        throw error instanceof ApiError && error.kind === "gone" ? new ApiError("the browser could not read it", "problem") : error;
      }
    },
  };
}

const KEPT = "marotte-token";

/** The token in the link; it is taken out of the address bar and kept for reloads of this tab. */
export function takeToken(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem(KEPT, given);
    history.replaceState(null, "", location.pathname);
  }
  return given ?? sessionStorage.getItem(KEPT) ?? "";
}
