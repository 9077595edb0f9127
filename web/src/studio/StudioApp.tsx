import { useEffect, useMemo, useRef } from "react";
import { belongsToFocus } from "../state/keys";
import { useStore } from "../state/store";
import { Dock } from "../ui/Dock";
import { Sheet } from "../ui/Sheet";
import { LayerBar, ViewBar } from "../ui/Toolbars";
import { useKeys, useTheme } from "../ui/useKeys";
import { Viewport } from "../ui/Viewport";
import type { Controller } from "./controller";
import { Details } from "./Details";
import { DropZone } from "./DropZone";
import { KernelNote, LinkNote, ProblemNote } from "./Messages";
import { TakeList } from "./TakeList";

/** The Studio's page. */
export function StudioApp({ controller }: { controller: Controller }) {
  const { viewer, library } = controller;
  useTheme(viewer);
  useKeys(viewer);
  const picker = useRef<HTMLInputElement>(null);
  const figure = useStore(library, (s) => s.figure);
  const ghosts = useStore(library, (s) => s.ghosts);
  const loading = useStore(library, (s) => s.asked.figure !== null || s.asked.ghosts.length > 0);
  const clips = useMemo(() => (figure ? [figure.clip, ...ghosts.map((ghost) => ghost.clip)] : NOTHING), [figure, ghosts]);
  const name = figure?.clip.name;

  useEffect(() => {
    void controller.start();
    return () => controller.stop();
  }, [controller]);
  useEffect(() => { document.title = name ? `${name} – Marotte Studio` : "Marotte Studio"; }, [name]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || belongsToFocus(event.target, event.key)) return;
      if (event.key === "/") document.getElementById("search")?.focus();
      else if (event.key.toLowerCase() === "k") controller.keepAsGhost();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [controller]);

  return (
    <div className="studio">
      <header className="top">
        <b className="brand">Marotte</b>
        <KernelNote controller={controller} />
        <ViewBar store={viewer} />
        <i className={loading ? "progress on" : "progress"} />
      </header>
      <TakeList controller={controller} onOpenFiles={() => picker.current?.click()} />
      <main>
        <Viewport store={viewer} clips={clips} framing={figure?.id ?? ""} />
        <div className="edge"><LayerBar store={viewer} ghost={ghosts.length > 0} /></div>
        <ProblemNote controller={controller} />
        <DropZone controller={controller} />
      </main>
      <Details controller={controller} />
      <Dock store={viewer} clip={figure?.clip ?? null} />
      <Sheet store={viewer} more={STUDIO_KEYS} />
      <LinkNote controller={controller} />
      <input
        ref={picker} type="file" multiple hidden aria-hidden="true" tabIndex={-1}
        onChange={(event) => {
          void controller.upload([...(event.target.files ?? [])].map((file) => ({ file, path: file.name })));
          event.target.value = "";
        }}
      />
    </div>
  );
}

const NOTHING: readonly never[] = [];
const STUDIO_KEYS = [["K", "keep the figure as a ghost"], ["/", "search the takes"], ["Shift + click a take", "compare it, as a ghost"]] as const;
