import type { OptionValues } from "./api";
import type { Library } from "./library";

/** What is open, so that a page that is loaded again can open it again. */
export interface Kept {
  readonly figure: string | null;
  readonly values: Readonly<Record<string, OptionValues>>;
  readonly ghosts: readonly { readonly id: string; readonly values: OptionValues }[];
}

export interface Memory {
  read(): Kept | null;
  write(kept: Kept): void;
}

export const noMemory: Memory = { read: () => null, write: () => undefined };

export function keptOf({ figure, values, ghosts }: Library): Kept {
  return { figure: figure?.id ?? null, values, ghosts: ghosts.map((ghost) => ({ id: ghost.id, values: ghost.values })) };
}

const PLACE = "marotte-open";

/** This tab's memory. What another server's takes were means nothing to this one: `token` tells them apart. */
export function tabMemory(token: string): Memory {
  return {
    read() {
      try {
        const kept = JSON.parse(sessionStorage.getItem(PLACE) ?? "null") as { token: string; open: Kept } | null;
        return kept?.token === token ? kept.open : null;
      } catch {
        return null;
      }
    },
    write: (open) => sessionStorage.setItem(PLACE, JSON.stringify({ token, open })),
  };
}
