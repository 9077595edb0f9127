import { useEffect, useMemo, useRef } from "react";
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
  const ghost = useStore(library, (s) => s.ghost);
  const loading = useStore(library, (s) => s.loading !== null);
  const clips = useMemo(() => [figure, ghost].flatMap((opened) => (opened ? [opened.clip] : [])), [figure, ghost]);

  useEffect(() => {
    void controller.start();
    return () => controller.stop();
  }, [controller]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.target instanceof HTMLInputElement) return;
      document.getElementById("search")?.focus();
      event.preventDefault();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

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
        <Viewport store={viewer} clips={figure ? clips : NOTHING} framing={figure?.id ?? ""} />
        <div className="edge"><LayerBar store={viewer} ghost={ghost !== null} /></div>
        <ProblemNote controller={controller} />
        <DropZone controller={controller} />
      </main>
      <Details controller={controller} />
      <Dock store={viewer} clip={figure?.clip ?? null} />
      <Sheet store={viewer} />
      <LinkNote controller={controller} />
      <input
        ref={picker} type="file" multiple hidden aria-hidden="true" tabIndex={-1}
        onChange={(event) => {
          void controller.upload([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
    </div>
  );
}

const NOTHING: readonly never[] = [];
