import { useSyncExternalStore } from "react";

/** A value that changes only through a pure reducer, and tells who listens. */
export interface Store<S, A> {
  get(): S;
  dispatch(action: A): void;
  subscribe(listener: () => void): () => void;
}

export function createStore<S, A>(reducer: (state: S, action: A) => S, initial: S): Store<S, A> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    dispatch(action) {
      const next = reducer(state, action);
      if (next === state) return;
      state = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Render again only when the chosen part (a primitive or a kept reference) changes. */
export function useStore<S, A, T>(store: Store<S, A>, choose: (state: S) => T): T {
  return useSyncExternalStore(store.subscribe, () => choose(store.get()));
}
