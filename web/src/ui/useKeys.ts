import { useEffect } from "react";
import { actionsOf, belongsToFocus } from "../state/keys";
import type { ViewerStore } from "../state/viewer";

/** The keys of the page, wherever the focus is, unless what has it wants them. */
export function useKeys(store: ViewerStore): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || belongsToFocus(event.target, event.key)) return;
      const actions = actionsOf(event);
      if (actions.length === 0) return;
      event.preventDefault();
      for (const action of actions) store.dispatch(action);
    };
    // A button that was clicked with the mouse gives the focus back: Space then plays instead of pressing it again.
    const onClick = (event: MouseEvent) => {
      const { activeElement } = document;
      if (event.detail > 0 && activeElement instanceof HTMLButtonElement) activeElement.blur();
    };
    addEventListener("keydown", onKey);
    addEventListener("click", onClick);
    return () => {
      removeEventListener("keydown", onKey);
      removeEventListener("click", onClick);
    };
  }, [store]);
}

/** The page wears the theme of the state. */
export function useTheme(store: ViewerStore): void {
  useEffect(() => {
    const wear = () => { document.documentElement.dataset.theme = store.get().look.theme; };
    wear();
    return store.subscribe(wear);
  }, [store]);
}

/** What the system asks for. */
export function systemTheme(): "dark" | "light" {
  return matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
}
